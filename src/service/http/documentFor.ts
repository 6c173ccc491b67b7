/**
 * Makes a document of names from our tables and the facts of a server; its caller gives them. Values are variables.
 */

/** A document by its kind, so that a mutation can't be run as a query, without its gate. */
export type QueryDocument = `query ${string}`;
export type MutationDocument = `mutation ${string}`;

interface DocumentParts {
  /** Types by the names of the variables. */
  readonly variables?: Readonly<Record<string, string>>;
  /** The argument `input`. Without it, each variable is the argument of its name. */
  readonly input?: string;
  /** Selected fields. None for a scalar. */
  readonly fields?: readonly string[];
}

/** A document that asks for one field, and is named after it. */
export function documentFor<Kind extends 'query' | 'mutation'>(
  kind: Kind,
  field: string,
  { variables = {}, input, fields = [] }: DocumentParts,
): `${Kind} ${string}` {
  const declarations = Object.entries(variables).map(([name, type]) => `$${name}: ${type}`);
  const args = input === undefined ? Object.keys(variables).map((name) => `${name}: $${name}`) : [`input: ${input}`];
  const selection = fields.length === 0 ? '' : ` { ${fields.join(' ')} }`;
  return `${kind} ${field}${inParentheses(declarations)} { ${field}${inParentheses(args)}${selection} }`;
}

function inParentheses(parts: readonly string[]): string {
  return parts.length === 0 ? '' : `(${parts.join(', ')})`;
}

const ME_FIELDS = 'corpUser { urn } platformPrivileges { generatePersonalAccessTokens manageTokens }';
const APP_FIELDS = 'appVersion authConfig { tokenAuthEnabled }';

/** The caller, and the server's release: both fields came with the same releases. */
export const CALLER_INFO_DOCUMENT = `query me { me { ${ME_FIELDS} } appConfig { ${APP_FIELDS} } }` as const;

/** Answered by whatever speaks GraphQL. */
export const GRAPHQL_PROBE = '{ __typename }';

export type TypePart = 'fields' | 'inputFields' | 'enumValues';

/** One type a document: servers refuse more as introspection in bad faith (PROTOCOL.md §3.6). */
export function typeDocument(type: string, part: TypePart): QueryDocument {
  return `query schema { type: __type(name: "${type}") { ${part} { name } } }`;
}

/** Executes nothing. A server without the type says so during validation. */
export const TYPE_PROBE = 'query schema($input: CreateAccessTokenInput) { __typename }';
