/**
 * The GraphQL endpoint (PROTOCOL.md §4.1): graphql-request over our transport. Its errors never get out: a
 * `ClientError` carries the whole response in its message, and that may hold a new token.
 */
import * as v from 'valibot';
import { untilAborted } from './waiting.ts';
import { ServiceFailure, unexpectedResponse, type ServerOperation } from '../failure/failure.ts';
import {
  GRAPHQL_ERROR,
  graphqlFailure,
  gravestFailure,
  InvalidDocumentFailure,
  isAboutDocument,
  type GraphQLError,
} from '../failure/graphqlFailure.ts';
import { responseJson } from './json.ts';
import type { TransportResponse, Transport } from './transport.ts';

/** What makes a GraphQL response one, whatever else is in it. Its lists are not walked: they may be endless. */
const RESPONSE = v.object({
  data: v.nullish(v.custom<Readonly<Record<string, unknown>>>(isPlainObject)),
  errors: v.nullish(v.custom<unknown[]>(Array.isArray)),
});

/** More errors than these say nothing new, and a hostile server could send a million. */
const MOST_ERRORS = 20;
const LONGEST_COMPLAINT = 2_000;

/** Data and, beside it, what went wrong: GraphQL answers may hold both. */
export interface GraphQLResult {
  readonly data: Readonly<Record<string, unknown>>;
  readonly failures: readonly ServiceFailure[];
}

export class GraphQLEndpoint {
  readonly #transport: Transport;
  readonly #actorHeader: () => Promise<Readonly<Record<string, string>>>;

  /** @param actorHeader The header that names the caller (PROTOCOL.md §3.4), on every call. */
  constructor(transport: Transport, actorHeader: () => Promise<Readonly<Record<string, string>>>) {
    this.#transport = transport;
    this.#actorHeader = actorHeader;
  }

  /** As `Transport.admitMutation`. */
  admitMutation(operation: ServerOperation): Promise<void> {
    return this.#transport.admitMutation(operation);
  }

  /**
   * Runs one document, once.
   * @param hear Told what the server complained of, word for word: to learn from, never to be shown or kept.
   * @throws ServiceFailure when there is no data at all; InvalidDocumentFailure when the schema does not fit.
   */
  async run(
    operation: ServerOperation,
    document: string,
    variables: Record<string, unknown>,
    signal?: AbortSignal,
    hear?: (complaints: readonly string[]) => void,
  ): Promise<GraphQLResult> {
    // By the document itself: no caller can forget to say so.
    const mutates = /\bmutation\b/.test(document);
    if (mutates) {
      await this.admitMutation(operation);
    }
    const headers = await untilAborted(this.#actorHeader(), signal);
    let answer: TransportResponse | undefined;
    let body: unknown;
    // A client for each call: it is a few fields, and so nothing of one call can reach into another.
    // Loaded with the first request: nobody waits for it while VS Code starts.
    const { GraphQLClient } = await import('graphql-request');
    const client = new GraphQLClient('http://pinned.invalid/api/graphql', {
      errorPolicy: 'all',
      // An answer may be as large as the transport lets it be: it is parsed once.
      jsonSerializer: { stringify: JSON.stringify, parse: () => body },
      fetch: async (_url, init) => {
        const sent = typeof init?.body === 'string' ? init.body : '';
        answer = await this.#transport.exchange({
          operation,
          method: 'POST',
          path: '/api/graphql',
          headers,
          body: sent,
          mutates,
          signal,
        });
        body = graphqlResponseIn(answer);
        if (body === undefined) {
          hear?.([answer.text.slice(0, LONGEST_COMPLAINT)]);
          throw isSuccessful(answer)
            ? unexpectedResponse(operation, this.#readable(operation, answer.text))
            : this.#transport.statusFailure(answer, operation);
        }
        return new Response('', { headers: { 'Content-Type': 'application/json' } });
      },
    });
    let response: unknown;
    try {
      response = await client.rawRequest(document, variables);
    } catch (thrown) {
      throw thrown instanceof ServiceFailure ? thrown : unexpectedResponse(operation);
    }
    const parsed = v.safeParse(RESPONSE, response);
    if (!parsed.success) {
      throw unexpectedResponse(operation);
    }
    const errors = (parsed.output.errors ?? []).slice(0, MOST_ERRORS).flatMap(parseGraphQLError);
    const complaints = errors.map(({ message }) => message.slice(0, LONGEST_COMPLAINT));
    hear?.(complaints);
    const failures = this.#failuresOf(operation, errors, complaints, answer?.withCredential ?? false);
    const data = parsed.output.data ?? undefined;
    const failure = gravestFailure(failures);
    if (failure !== undefined && (data === undefined || Object.values(data).every((field) => field === null))) {
      const mayHaveActed = mutates && (failures.some((one) => one.mayHaveActed) || errors.some(isBelowTopField));
      throw mayHaveActed && !failure.mayHaveActed ? failure.with({ mayHaveActed }) : failure;
    }
    if (data === undefined) {
      throw unexpectedResponse(operation);
    }
    return { data, failures };
  }

  #failuresOf(
    operation: ServerOperation,
    errors: readonly GraphQLError[],
    complaints: readonly string[],
    withCredential: boolean,
  ): ServiceFailure[] {
    return errors.map((error) => {
      const serverText = this.#readable(operation, error.message);
      return isAboutDocument(error)
        ? new InvalidDocumentFailure(operation, complaints, serverText)
        : graphqlFailure(operation, error, serverText, withCredential);
    });
  }

  #readable(operation: ServerOperation, text: string): string | undefined {
    return operation.answersSecret === true ? undefined : this.#transport.readable(text);
  }
}

/** What is wrong with a part of a result was found after the change was made: null, where there can be none, rises to the field. */
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
 * The GraphQL response in an answer, or undefined when it holds none. Servers that follow GraphQL over HTTP answer a document
 * that does not fit with status 400 and a response in the body. A proxy may answer 203, and a new token in it is told once only.
 */
function graphqlResponseIn(answer: TransportResponse): object | undefined {
  const body = isSuccessful(answer) || answer.status === 400 ? responseJson(answer) : undefined;
  const isResponse =
    typeof body === 'object' &&
    body !== null &&
    ('data' in body || Array.isArray((body as { errors?: unknown }).errors));
  return isResponse ? body : undefined;
}
