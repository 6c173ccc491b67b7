/**
 * The GraphQL endpoint (spec §4.1, facts §4): graphql-request over our transport. Its errors never get out: a
 * `ClientError` carries the whole response in its message, and that may hold a new token.
 */
import { GraphQLClient } from 'graphql-request';
import * as v from 'valibot';
import { ServiceFailure, refused, signedOut, unexpectedAnswer } from './failure.ts';
import type { Operation } from './failure.ts';
import type { Transport } from './transport.ts';
import { l10n } from './words.ts';

/** What makes a GraphQL response one, whatever else is in it. */
const ERROR = v.object({
  message: v.fallback(v.string(), ''),
  extensions: v.fallback(v.looseObject({}), {}),
});
const RESPONSE = v.object({
  data: v.nullish(v.record(v.string(), v.unknown())),
  errors: v.nullish(v.array(ERROR)),
});
type GraphQLError = v.InferOutput<typeof ERROR>;

/** The server's schema does not know something in the document: nothing was executed. */
export class InvalidDocument extends ServiceFailure {
  /** The server's words, unmasked: for learning its dialect, never shown. */
  readonly complaints: readonly string[];

  constructor(operation: Operation, complaints: readonly string[], serverText: string | undefined) {
    super('invalidDocument', l10n.t('The server does not know the operation "{0}" in the form it was asked.', operation.name), {
      operation: operation.name,
      serverText,
      next: l10n.t('Test the connection to find out again what this server knows.'),
    });
    this.complaints = complaints;
  }
}

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
    const actorHeader = await this.#actorHeader();
    let text = '';
    // A client for each call: it is a few fields, and so nothing of one call can reach into another.
    const client = new GraphQLClient('http://pinned.invalid/api/graphql', {
      errorPolicy: 'all',
      fetch: async (_url, init) => {
        text = await this.#send(operation, typeof init?.body === 'string' ? init.body : '', actorHeader, signal);
        return new Response(text, { headers: { 'Content-Type': 'application/json' } });
      },
    });
    let response: unknown;
    try {
      response = await client.rawRequest(document, variables);
    } catch (thrown) {
      throw thrown instanceof ServiceFailure ? thrown : unexpectedAnswer(operation, await this.#transport.readable(text));
    }
    const parsed = v.safeParse(RESPONSE, response);
    if (!parsed.success) {
      throw unexpectedAnswer(operation);
    }
    const failures = await this.#failuresOf(operation, parsed.output.errors ?? []);
    const data = parsed.output.data ?? undefined;
    const [first] = failures;
    if (first !== undefined && (data === undefined || Object.values(data).every((field) => field === null))) {
      throw first;
    }
    if (data === undefined) {
      throw unexpectedAnswer(operation);
    }
    return { data, failures };
  }

  /** The text of a GraphQL response; servers that follow GraphQL over HTTP give one with status 400 too. */
  async #send(operation: Operation, body: string, headers: Readonly<Record<string, string>>, signal: AbortSignal | undefined): Promise<string> {
    const answer = await this.#transport.exchange({ operation, method: 'POST', path: '/api/graphql', headers, body, signal });
    const isResponse = looksLikeResponse(answer.text);
    if (answer.status === 200 && !isResponse) {
      throw unexpectedAnswer(operation, await this.#transport.readable(answer.text));
    }
    if (answer.status === 200 || (answer.status === 400 && isResponse)) {
      return answer.text;
    }
    throw await this.#transport.statusFailure(answer, operation);
  }

  async #failuresOf(operation: Operation, errors: readonly GraphQLError[]): Promise<ServiceFailure[]> {
    const complaints = errors.map((error) => error.message);
    return Promise.all(
      errors.map(async (error) => {
        const serverText = await this.#transport.readable(error.message);
        return isValidation(error) ? new InvalidDocument(operation, complaints, serverText) : this.#failureOf(operation, error, serverText);
      }),
    );
  }

  /** Codes and types of facts §3 "Error extensions"; never the text, which differs by version. */
  async #failureOf(operation: Operation, error: GraphQLError, serverText: string | undefined): Promise<ServiceFailure> {
    const { code, type } = error.extensions as { code?: unknown; type?: unknown };
    const facts = { operation: operation.name, status: 200, serverText };
    const said = serverText === undefined ? '.' : `: ${serverText}`;
    if (code === 403 || type === 'UNAUTHORIZED' || code === 'FORBIDDEN') {
      return refused(operation, serverText, 200);
    }
    if (code === 401 || code === 'UNAUTHENTICATED') {
      return signedOut(operation, await this.#transport.hasCredential(), serverText);
    }
    if (code === 400 || type === 'BAD_REQUEST') {
      return new ServiceFailure('badRequest', l10n.t('The server did not take "{0}"{1}', operation.name, said), facts);
    }
    if (code === 404 || type === 'NOT_FOUND') {
      return new ServiceFailure('notFound', l10n.t('The server does not find what "{0}" is about{1}', operation.name, said), facts);
    }
    if (code === 503 || code === 504 || type === 'SERVICE_UNAVAILABLE' || type === 'DEADLINE_EXCEEDED') {
      return new ServiceFailure('unavailable', l10n.t('The server could not answer "{0}" in time{1}', operation.name, said), {
        ...facts,
        mayHaveActed: true,
        transient: true,
        next: l10n.t('Try again in a moment.'),
      });
    }
    return new ServiceFailure('server', l10n.t('The server failed on "{0}"{1}', operation.name, said), {
      ...facts,
      mayHaveActed: true,
      next: l10n.t("Try again; if it stays so, the server's log says why."),
    });
  }
}

/** graphql-java marks it by classification, GraphQL.js servers by code or by one of a few fixed beginnings. */
function isValidation(error: GraphQLError): boolean {
  const { classification, code } = error.extensions as { classification?: unknown; code?: unknown };
  return (
    classification === 'ValidationError' ||
    code === 'GRAPHQL_VALIDATION_FAILED' ||
    /^(?:Validation error|Cannot query field|Unknown (?:type|argument|field)|Field "|Variable ["'$]|Variable '|GraphQL introspection)/.test(error.message)
  );
}

function looksLikeResponse(text: string): boolean {
  try {
    const body: unknown = JSON.parse(text);
    return typeof body === 'object' && body !== null && ('data' in body || ('errors' in body && Array.isArray(body.errors)));
  } catch {
    return false;
  }
}
