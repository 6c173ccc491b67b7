/**
 * The GraphQL endpoint (spec §4.1, facts §4): graphql-request over our transport. Its errors never get out: a
 * `ClientError` carries the whole response in its message, and that may hold a new token.
 */
import * as v from 'valibot';
import { untilAborted } from './abort.ts';
import { ServiceFailure, unexpectedAnswer } from './failure.ts';
import type { Operation } from './failure.ts';
import { GRAPHQL_ERROR, InvalidDocument, graphqlFailure, gravest, isAboutDocument } from './graphqlFailure.ts';
import type { GraphQLError } from './graphqlFailure.ts';
import { parseJson } from './json.ts';
import type { Answer, Transport } from './transport.ts';

/** What makes a GraphQL response one, whatever else is in it. */
const RESPONSE = v.object({
  data: v.nullish(v.record(v.string(), v.unknown())),
  errors: v.nullish(v.array(v.unknown())),
});

/** More errors than these say nothing new, and a hostile server could send a million. */
const MOST_ERRORS = 20;
const LONGEST_COMPLAINT = 2_000;

/** Data and, beside it, what went wrong: GraphQL answers may hold both. */
export interface GraphQLResult {
  readonly data: Readonly<Record<string, unknown>>;
  readonly failures: readonly ServiceFailure[];
}

export class GraphQL {
  readonly #transport: Transport;
  readonly #actorHeader: () => Promise<Readonly<Record<string, string>>>;

  /** @param actorHeader The header that names the caller (spec §5), on every call. */
  constructor(transport: Transport, actorHeader: () => Promise<Readonly<Record<string, string>>>) {
    this.#transport = transport;
    this.#actorHeader = actorHeader;
  }

  /**
   * Runs one document, once.
   * @throws ServiceFailure when there is no data at all; InvalidDocument when the schema does not fit.
   */
  async run(operation: Operation, document: string, variables: Record<string, unknown>, signal?: AbortSignal): Promise<GraphQLResult> {
    const headers = await untilAborted(this.#actorHeader(), signal);
    let answer: Answer | undefined;
    // A client for each call: it is a few fields, and so nothing of one call can reach into another.
    // Loaded with the first request: nobody waits for it while VS Code starts.
    const { GraphQLClient } = await import('graphql-request');
    const client = new GraphQLClient('http://pinned.invalid/api/graphql', {
      errorPolicy: 'all',
      fetch: async (_url, init) => {
        const body = typeof init?.body === 'string' ? init.body : '';
        answer = await this.#transport.exchange({ operation, method: 'POST', path: '/api/graphql', headers, body, signal });
        if (!isResponse(answer)) {
          throw answer.status === 200
            ? unexpectedAnswer(operation, this.#transport.readable(answer.text))
            : this.#transport.statusFailure(answer, operation);
        }
        return new Response(answer.text, { headers: { 'Content-Type': 'application/json' } });
      },
    });
    let response: unknown;
    try {
      response = await client.rawRequest(document, variables);
    } catch (thrown) {
      throw thrown instanceof ServiceFailure ? thrown : unexpectedAnswer(operation);
    }
    const parsed = v.safeParse(RESPONSE, response);
    if (!parsed.success) {
      throw unexpectedAnswer(operation);
    }
    const errors = (parsed.output.errors ?? []).slice(0, MOST_ERRORS).flatMap(errorFrom);
    const failures = this.#failuresOf(operation, errors, answer?.withCredential ?? false);
    const data = parsed.output.data ?? undefined;
    const failure = gravest(failures);
    if (failure !== undefined && (data === undefined || Object.values(data).every((field) => field === null))) {
      throw failure;
    }
    if (data === undefined) {
      throw unexpectedAnswer(operation);
    }
    return { data, failures };
  }

  #failuresOf(operation: Operation, errors: readonly GraphQLError[], withCredential: boolean): ServiceFailure[] {
    const complaints = errors.map(({ message }) => message.slice(0, LONGEST_COMPLAINT));
    return errors.map((error) => {
      const serverText = this.#transport.readable(error.message);
      return isAboutDocument(error)
        ? new InvalidDocument(operation, complaints, serverText)
        : graphqlFailure(operation, error, serverText, withCredential);
    });
  }
}

function errorFrom(error: unknown): GraphQLError[] {
  const parsed = v.safeParse(GRAPHQL_ERROR, error);
  return parsed.success ? [parsed.output] : [];
}

/** Servers that follow GraphQL over HTTP answer a document that does not fit with status 400 and a response in the body. */
function isResponse({ status, text }: Answer): boolean {
  if (status !== 200 && status !== 400) {
    return false;
  }
  const body = parseJson(text);
  return typeof body === 'object' && body !== null && ('data' in body || ('errors' in body && Array.isArray(body.errors)));
}
