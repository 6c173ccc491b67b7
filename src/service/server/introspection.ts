/** Asks a server what its schema has (PROTOCOL.md §3.6), without executing anything. */
import * as v from 'valibot';
import * as l10n from '@vscode/l10n';
import { ServiceFailure, type ServerOperation } from '../failure/failure.ts';
import { complaintsOf, isAboutRequest } from '../failure/graphqlFailure.ts';
import { TYPE_PROBE, typeDocument, type TypePart } from '../http/documentFor.ts';
import { type GraphQLEndpoint, undefinedIfAboutRequest } from '../http/graphql.ts';
import { boundedArray } from '../http/responseJson.ts';

const READ_SCHEMA: ServerOperation = { name: 'schema', actionPhrase: () => l10n.t("read the server's schema") };

/** More names than any real type has. */
const MOST_NAMES = 1_000;
const NAMES = v.nullish(v.pipe(boundedArray(MOST_NAMES), v.array(v.object({ name: v.string() }))));
const TYPE = v.object({
  type: v.nullable(v.object({ fields: NAMES, inputFields: NAMES, enumValues: NAMES })),
});

/**
 * Makes the question for a fact that one type of the schema shows. It gives undefined if the server does not say, and
 * throws a ServiceFailure if the server can't be reached or rejects the credential.
 * @param read Reads the names in that part of the type, undefined if the server has no such type. Gives undefined if
 * they can't be those of a server.
 */
export function fromType<Fact>(
  type: string,
  part: TypePart,
  read: (names: readonly string[] | undefined) => Fact | undefined,
): (question: { readonly graphql: GraphQLEndpoint }) => Promise<Fact | undefined> {
  return async ({ graphql }) => {
    const data = await graphql.runQuery(READ_SCHEMA, typeDocument(type, part), {}).catch(undefinedIfAboutRequest);
    const parsed = v.safeParse(TYPE, data);
    if (!parsed.success) {
      return undefined;
    }
    const { type: told } = parsed.output;
    const names = told?.[part]?.map(({ name }) => name);
    // Null names belong to a type of another kind, which says nothing.
    return told === null || names !== undefined ? read(names) : undefined;
  };
}

/** Assumes the type unless the server denies it, in the words of graphql-java or GraphQL.js: every real server has it. */
export async function knowsCreateInput(graphql: GraphQLEndpoint): Promise<boolean> {
  try {
    await graphql.runQuery(READ_SCHEMA, TYPE_PROBE, {});
    return true;
  } catch (thrown) {
    if (!(thrown instanceof ServiceFailure) || !isAboutRequest(thrown)) {
      throw thrown;
    }
    const denial = /Unknown ?type '?"?CreateAccessTokenInput\b/i;
    return thrown.kind !== 'invalidDocument' || !complaintsOf(thrown).some((one) => denial.test(one));
  }
}
