import {
  getOperationAST,
  GraphQLError,
  parse,
  TypeInfo,
  visit,
  visitWithTypeInfo,
  type ASTVisitor,
  type DocumentNode,
  type FragmentDefinitionNode,
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
  const seen = new Map<string, number>();
  const types = new TypeInfo(schema);
  const count = (node: FragmentDefinitionNode | typeof operation): void => {
    visit(
      node,
      visitWithTypeInfo(types, {
        Field: ({ name }) => {
          const place = `${types.getParentType()?.name}.${name.value}`;
          seen.set(place, (seen.get(place) ?? 0) + 1);
        },
      }),
    );
  };
  count(operation);
  const fragments = document.definitions.filter((node) => node.kind === 'FragmentDefinition');
  for (const fragment of fragments) {
    count(fragment);
  }
  const [place] = [...seen].find(([name, times]) => times > 1 && ONCE.has(name)) ?? [];
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
