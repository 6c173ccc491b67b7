/** Reads the errors of a GraphQL response (PROTOCOL.md §4.2), for failureTable.ts to explain. */
import * as v from 'valibot';
import { ServiceFailure, type FailureKind, type SentCredential, type ServerOperation } from './failure.ts';
import { explainFailure } from './explainFailure.ts';
import { readableServerText } from './redaction.ts';

/** One GraphQL error. A malformed part counts as missing. */
export const GRAPHQL_ERROR = v.object({
  message: v.fallback(v.string(), ''),
  path: v.fallback(v.nullish(v.array(v.unknown())), undefined),
  extensions: v.fallback(v.looseObject({}), {}),
});
export type GraphQLError = v.InferOutput<typeof GRAPHQL_ERROR>;

/** Unmasked, so no text about a failure has them. */
const heard = new WeakMap<ServiceFailure, readonly string[]>();

export function withComplaints(failure: ServiceFailure, complaints: readonly string[]): ServiceFailure {
  heard.set(failure, complaints);
  return failure;
}

/** The server's own words about a failed request: to recognize, never to show or keep. */
export function complaintsOf(failure: ServiceFailure): readonly string[] {
  return heard.get(failure) ?? [];
}

/** @param host Host and port, as the user entered them. */
export function graphqlFailure(
  operation: ServerOperation,
  host: string,
  error: GraphQLError,
  sent: SentCredential,
): ServiceFailure {
  const { code } = error.extensions as { code?: unknown };
  const failure = explainFailure({
    operation,
    host,
    status: 200,
    graphql: { code, isAboutDocument: isAboutDocument(error) },
    said: readableServerText(error.message, operation),
    sent,
  });
  return failure.kind === 'signedOut' ? failure.with({ status: 401 }) : failure;
}

/** How complaints about a document begin, in GraphQL.js and in graphql-java without a classification. */
const DOCUMENT_COMPLAINT = new RegExp(
  '^(?:Validation error|Cannot query field|Unknown (?:type|argument|field)|Field "|' +
    `Variable ["'$]|GraphQL introspection|Syntax Error)`,
);

/**
 * True for errors about the document itself. graphql-java marks them by classification, GraphQL.js by code
 * or by a fixed beginning. An error with a path comes from execution.
 */
function isAboutDocument({ message, path, extensions }: GraphQLError): boolean {
  if (path !== undefined && path !== null && path.length > 0) {
    return false;
  }
  const { classification, code } = extensions as { classification?: unknown; code?: unknown };
  return (
    classification === 'ValidationError' ||
    classification === 'InvalidSyntax' ||
    classification === 'IntrospectionDisabled' ||
    code === 'GRAPHQL_VALIDATION_FAILED' ||
    code === 'GRAPHQL_PARSE_FAILED' ||
    DOCUMENT_COMPLAINT.test(message)
  );
}

const REQUEST_FAILURES: ReadonlySet<FailureKind> = new Set([
  'invalidDocument',
  'badRequest',
  'refused',
  'unsupported',
  'unexpectedAnswer',
]);

/**
 * True if the server rejected this request: switched off, forbidden, not understood.
 * A failure of every request (connection, credential, server in trouble) says nothing about it.
 */
export function isAboutRequest(thrown: unknown): boolean {
  return (
    thrown instanceof ServiceFailure &&
    (REQUEST_FAILURES.has(thrown.kind) || (thrown.kind === 'server' && thrown.status === 200))
  );
}

/** Picks the most telling failure: one about the caller comes before one about a field. */
export function gravestFailure(failures: readonly ServiceFailure[]): ServiceFailure | undefined {
  const byKind = (kind: ServiceFailure['kind']): ServiceFailure | undefined =>
    failures.find((failure) => failure.kind === kind);
  return byKind('invalidDocument') ?? byKind('signedOut') ?? byKind('refused') ?? failures[0];
}
