/** The text of a GraphQL document. Names come from our tables and the facts of a server; values are variables. */

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
