import {
  BREAK,
  getLocation,
  getNamedType,
  isObjectType,
  parse,
  visit,
  type DocumentNode,
  type GraphQLSchema,
} from 'graphql';

/** An error in a response. */
interface WireError {
  readonly message: string;
  readonly locations?: readonly { readonly line: number; readonly column: number }[];
  readonly path?: readonly (string | number)[];
  readonly extensions?: { readonly code?: unknown; readonly type?: string; readonly classification?: string };
}

/** One kind of validation error: our engine's text, and the other engine's name and words for it. */
interface Wording {
  readonly said: RegExp;
  readonly kind: string;
  readonly words: (parts: readonly string[]) => string;
}

const documentErrors: readonly Wording[] = [
  {
    said: /^Cannot query field "(.+?)" on type "(.+?)"/,
    kind: 'FieldUndefined',
    words: ([field, type]) => `Field '${field}' in type '${type}' is undefined`,
  },
  { said: /^Unknown type "(.+?)"/, kind: 'UnknownType', words: ([type]) => `Unknown type '${type}'` },
  { said: /^Variable "\$(.+?)" is never used/, kind: 'UnusedVariable', words: ([name]) => `Unused variable '${name}'` },
  {
    said: /^Field "(.+?\.)?(.+?)" of required type ".+?" was not provided/,
    kind: 'WrongType',
    words: ([, field]) => `argument 'input' is missing required fields '[${field}]'`,
  },
];

/** Errors in the values of variables, found when a request runs and reported without kind and path. */
const variableErrors: readonly Omit<Wording, 'kind'>[] = [
  {
    said: /; Field "(.+?)" is not defined by type "(.+?)"/,
    words: ([field, type]) =>
      `The variables input contains a field name '${field}' that is not defined for input object type '${type}' `,
  },
  {
    said: /^Variable "\$(.+?)" of (?:required|non-null) type "(.+?)"/,
    words: ([name, type]) =>
      `Variable '${name}' has an invalid value: Variable '${name}' has coerced Null value for NonNull type '${type}'`,
  },
];

/**
 * Translates our engine's errors to the words of the servers' engine (graphql-java), as far as recorded exchanges
 * show them: real clients parse those to recognize an unknown field or type. Resolvers' errors stay unchanged.
 */
export function inServerWords(
  errors: readonly WireError[],
  query: string,
  schema: GraphQLSchema,
): readonly WireError[] {
  const worded = errors.map((error) =>
    error.extensions?.classification === undefined ? reword(error, query, schema) : error,
  );
  const hidden = worded.find(({ extensions }) => extensions?.classification === 'IntrospectionDisabled');
  return hidden ? [hidden] : worded;
}

function reword(error: WireError, query: string, schema: GraphQLSchema): WireError {
  if (error.message.startsWith('GraphQL introspection has been disabled')) {
    return wireError(error, 'IntrospectionDisabled', 'Introspection has been disabled for this request');
  }
  if (error.message.startsWith('Syntax Error')) {
    const { line = 1, column = 1 } = error.locations?.[0] ?? {};
    const token = /(?:found|Unexpected) (?:Name )?"?([^"]+?)"?\.$/.exec(error.message)?.[1] ?? '<EOF>';
    return wireError(
      error,
      'InvalidSyntax',
      `Invalid syntax with offending token '${token}' at line ${line} column ${column}`,
    );
  }
  const missing = /^Cannot return null for non-nullable field (.+?)\.(.+)\.$/.exec(error.message);
  if (missing) {
    return wireError(
      error,
      'NullValueInNonNullableField',
      nullWords(error, missing[1] ?? '', missing[2] ?? '', schema),
    );
  }
  if (error.path) {
    // A bug in one of our resolvers. The servers have one wording for those too.
    return { ...error, extensions: { code: 500, type: 'SERVER_ERROR', classification: 'DataFetchingException' } };
  }
  for (const { said, words } of variableErrors) {
    const match = said.exec(error.message);
    if (match) {
      return wireError(error, 'ValidationError', words(match.slice(1)));
    }
  }
  for (const { said, kind, words } of documentErrors) {
    const match = said.exec(error.message);
    if (match) {
      const place = fieldPath(query, error);
      const at = place.length > 0 ? `@[${place.join('/')}]` : '';
      return wireError(error, 'ValidationError', `Validation error (${kind}${at}) : ${words(match.slice(1))}`);
    }
  }
  return wireError(error, 'ValidationError', `Validation error : ${error.message.replaceAll('"', "'")}`);
}

function wireError({ locations, path }: WireError, classification: string, message: string): WireError {
  return { message, ...(locations ? { locations } : {}), ...(path ? { path } : {}), extensions: { classification } };
}

function nullWords(error: WireError, parent: string, field: string, schema: GraphQLSchema): string {
  const path = (error.path ?? []).map((step) => (typeof step === 'number' ? `[${step}]` : `/${step}`)).join('');
  const type = schema.getType(parent);
  const fieldType = isObjectType(type) ? getNamedType(type.getFields()[field]?.type)?.name : undefined;
  return [
    `The field at path '${path}' was declared as a non null type,`,
    'but the code involved in retrieving data has wrongly returned a null value.  The graphql specification requires that',
    'the parent field be set to null, or if that is non nullable that it bubble up null to its parent and so on.',
    `The non-nullable type is '${String(fieldType)}' within parent type '${parent}'`,
  ].join(' ');
}

/** Names of the fields from the root to the place of an error. */
function fieldPath(query: string, error: WireError): readonly string[] {
  // The last place is that of the use, if there is also one of the definition.
  const location = error.locations?.at(-1);
  const names: string[] = [];
  const document: DocumentNode = parse(query);
  visit(document, {
    enter(node) {
      if (node.kind === 'Field') {
        names.push(node.name.value);
      }
      const at = node.loc ? getLocation(node.loc.source, node.loc.start) : null;
      // Outer nodes begin at the same place as the first inner one, which is the one meant.
      const isOuter = node.kind === 'Document' || node.kind === 'OperationDefinition' || node.kind === 'SelectionSet';
      return !isOuter && at?.line === location?.line && at?.column === location?.column ? BREAK : undefined;
    },
    leave(node) {
      if (node.kind === 'Field') {
        names.pop();
      }
    },
  });
  return names;
}
