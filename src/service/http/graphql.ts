/**
 * The GraphQL endpoint (PROTOCOL.md §4.1): graphql-request over our transport. Its errors never escape:
 * the message of a `ClientError` has the whole response, possibly with a new token.
 */
import { GraphQLClient } from 'graphql-request';
import * as v from 'valibot';
import type { MutationDocument, QueryDocument } from './documentFor.ts';
import { untilAborted } from './waiting.ts';
import { ServiceFailure, type SentCredential, type ServerOperation, unexpectedResponse } from '../failure/failure.ts';
import {
  GRAPHQL_ERROR,
  graphqlFailure,
  gravestFailure,
  isAboutRequest,
  withComplaints,
  type GraphQLError,
} from '../failure/graphqlFailure.ts';
import { readableServerText } from '../failure/redaction.ts';
import { statusFailure } from '../failure/errorResponse.ts';
import { responseJson } from './responseJson.ts';
import type { MayStillSend, TransportResponse, Transport } from './transport.ts';

/** The minimum of a GraphQL response. Its lists are not walked, since they may be endless. */
const RESPONSE = v.object({
  data: v.nullish(v.custom<Readonly<Record<string, unknown>>>(isPlainObject)),
  errors: v.nullish(v.custom<unknown[]>(Array.isArray)),
});

const PATH = '/api/graphql';

/** More errors say nothing new, and a hostile server could send a million. */
const MOST_ERRORS = 20;
const LONGEST_COMPLAINT = 2_000;

/** Fields by their names. Without an answer, a field is null. */
export type GraphQLData = Readonly<Record<string, unknown>>;

interface DocumentRun {
  readonly operation: ServerOperation;
  readonly document: string;
  readonly variables: Record<string, unknown>;
  readonly signal?: AbortSignal | undefined;
  readonly mayStillSend?: MayStillSend;
}

export class GraphQLEndpoint {
  readonly #transport: Transport;
  readonly #actorHeader: () => Promise<Readonly<Record<string, string>>>;

  /** @param actorHeader Names the caller in every request (PROTOCOL.md §3.4). */
  constructor(transport: Transport, actorHeader: () => Promise<Readonly<Record<string, string>>>) {
    this.#transport = transport;
    this.#actorHeader = actorHeader;
  }

  /**
   * Runs a query, once.
   * @throws ServiceFailure if there is no data at all; `invalidDocument` if the schema rejects the document.
   */
  runQuery(
    operation: ServerOperation,
    document: QueryDocument,
    variables: Record<string, unknown>,
    signal?: AbortSignal,
  ): Promise<GraphQLData> {
    return this.#runDocument({ operation, document, variables, signal });
  }

  /**
   * Runs a mutation, once.
   * @throws as `runQuery` does; with `mayHaveActed` the outcome is unknown.
   */
  runMutation(
    operation: ServerOperation,
    document: MutationDocument,
    variables: Record<string, unknown>,
    mayStillSend: MayStillSend,
  ): Promise<GraphQLData> {
    return this.#runDocument({ operation, document, variables, mayStillSend });
  }

  async #runDocument(run: DocumentRun): Promise<GraphQLData> {
    const { operation, mayStillSend } = run;
    const { response, withCredential } = await this.#exchange(run);
    const parsed = v.safeParse(RESPONSE, response);
    if (!parsed.success) {
      throw unexpectedResponse(operation);
    }
    const errors = (parsed.output.errors ?? []).slice(0, MOST_ERRORS).flatMap(parseGraphQLError);
    const failures = errors.map((error) => graphqlFailure(operation, this.#transport.host, error, withCredential));
    const data = parsed.output.data ?? undefined;
    const failure = gravestFailure(failures);
    if (failure !== undefined && (data === undefined || Object.values(data).every((field) => field === null))) {
      const mayHaveActed =
        mayStillSend !== undefined && (failures.some((one) => one.mayHaveActed) || errors.some(isBelowTopField));
      throw withComplaints(
        mayHaveActed ? failure.with({ mayHaveActed }) : failure,
        errors.map(({ message }) => message.slice(0, LONGEST_COMPLAINT)),
      );
    }
    if (data === undefined) {
      throw unexpectedResponse(operation);
    }
    return data;
  }

  /** Sends the document by graphql-request, whose `fetch` is our transport. */
  async #exchange(run: DocumentRun): Promise<{ readonly response: unknown; readonly withCredential: SentCredential }> {
    const { operation, document, variables, signal, mayStillSend } = run;
    const headers = await untilAborted(this.#actorHeader(), signal);
    let answer: TransportResponse | undefined;
    // A client is a few fields: a new one for each call keeps calls apart.
    const client = new GraphQLClient(this.#transport.baseUrl + PATH, {
      errorPolicy: 'all',
      jsonSerializer: { stringify: JSON.stringify, parse: () => answer && responseJson(answer) },
      fetch: async (_url, init) => {
        const body = typeof init?.body === 'string' ? init.body : '';
        const request = { operation, method: 'POST', path: PATH, headers, body, signal } as const;
        answer = await this.#transport.exchange(mayStillSend === undefined ? request : { ...request, mayStillSend });
        this.#requireGraphQL(answer, operation);
        return new Response(answer.text, { headers: { 'Content-Type': 'application/json' } });
      },
    });
    try {
      return {
        response: await client.rawRequest(document, variables),
        withCredential: answer?.withCredential ?? false,
      };
    } catch (thrown) {
      throw thrown instanceof ServiceFailure ? thrown : unexpectedResponse(operation);
    }
  }

  /** @throws ServiceFailure for anything else than a response of GraphQL. */
  #requireGraphQL(answer: TransportResponse, operation: ServerOperation): void {
    if (isGraphQLResponse(answer)) {
      return;
    }
    throw withComplaints(
      isSuccessful(answer)
        ? unexpectedResponse(operation, readableServerText(answer.text, operation))
        : statusFailure(answer, operation, this.#transport.host),
      [answer.text.slice(0, LONGEST_COMPLAINT)],
    );
  }
}

/** For a question that a server may not answer. @throws failures of every request: connection, credential, trouble. */
export function undefinedIfAboutRequest(thrown: unknown): undefined {
  if (!isAboutRequest(thrown)) {
    throw thrown;
  }
}

/** An error below the top field was found after the change: null in a non-null place rises to the field. */
function isBelowTopField({ path }: GraphQLError): boolean {
  return (path?.length ?? 0) > 1;
}

function isPlainObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function parseGraphQLError(error: unknown): GraphQLError[] {
  const parsed = v.safeParse(GRAPHQL_ERROR, error);
  return parsed.success ? [parsed.output] : [];
}

function isSuccessful({ status }: TransportResponse): boolean {
  return status >= 200 && status < 300;
}

/**
 * Servers that follow GraphQL over HTTP reject a document with status 400. A proxy may send 203, and a new token in it
 * comes only once.
 */
function isGraphQLResponse(answer: TransportResponse): boolean {
  const body = isSuccessful(answer) || answer.status === 400 ? responseJson(answer) : undefined;
  return (
    typeof body === 'object' &&
    body !== null &&
    ('data' in body || Array.isArray((body as { errors?: unknown }).errors))
  );
}
