import {
  getOperationAST,
  GraphQLError,
  Kind,
  parse,
  TypeInfo,
  visit,
  visitWithTypeInfo,
  type ASTVisitor,
  type DocumentNode,
  type GraphQLSchema,
  type ValidationContext,
} from 'graphql';

/** Fields that one operation may contain once, in graphql-java from 21.5 on. */
const ONCE = new Set([
  'Query.__schema',
  'Query.__type',
  '__Type.fields',
  '__Type.inputFields',
  '__Type.interfaces',
  '__Type.possibleTypes',
]);

/** The refusal of an operation that introspects in bad faith, as graphql-java calls it; null for any other. */
export function badFaithOf(
  schema: GraphQLSchema,
  document: DocumentNode,
  operationName: string | null | undefined,
): GraphQLError | null {
  const operation = getOperationAST(document, operationName);
  if (!operation) {
    return null;
  }
  const places: string[] = [];
  const types = new TypeInfo(schema);
  const noted = visitWithTypeInfo(types, {
    Field: ({ name }) => void places.push(`${types.getParentType()?.name}.${name.value}`),
  });
  for (const node of [operation, ...document.definitions.filter(({ kind }) => kind === Kind.FRAGMENT_DEFINITION)]) {
    visit(node, noted);
  }
  const place = places.find((name, index) => ONCE.has(name) && places.indexOf(name) < index);
  return place === undefined
    ? null
    : new GraphQLError(`This request is not asking for introspection in good faith - ${place} is present too often!`, {
        extensions: { classification: 'BadFaithIntrospection' },
      });
}

/** Introspection that an administrator has switched off in newer releases: its types have no fields. */
export function emptyIntrospectionTypes(context: ValidationContext): ASTVisitor {
  return {
    Field: (node) => {
      const parent = context.getParentType()?.name;
      if (parent === '__Type' || parent === '__Schema') {
        context.reportError(
          new GraphQLError(`Cannot query field "${node.name.value}" on type "${parent}".`, { nodes: node }),
        );
        return false;
      }
      return undefined;
    },
  };
}

/** The document, or null if it can't be parsed. */
export function parsedDocument(query: string): DocumentNode | null {
  try {
    return parse(query);
  } catch {
    return null;
  }
}
