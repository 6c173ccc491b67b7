/**
 * What a server's GraphQL schema calls things (PROTOCOL.md §3.6): found by introspection where that is allowed, else from
 * its validation errors. Nothing here is a guess that could widen a listing or send a mutation twice.
 */
import * as v from 'valibot';
import { DURATIONS, type TokenDuration } from '../tokens/durations.ts';
import type { ServerOperation } from '../failure/failure.ts';
import type { GraphQLEndpoint } from '../http/graphql.ts';
import { InvalidDocumentFailure, isAboutRequest } from '../failure/graphqlFailure.ts';
import { boundedArray } from '../http/json.ts';
import * as l10n from '@vscode/l10n';

/** Fields of a listed token that we can use; the first three are those of the interface description and always asked for. */
export const TOKEN_FIELDS = [
  'urn',
  'id',
  'actorUrn',
  'name',
  'description',
  'ownerUrn',
  'createdAt',
  'expiresAt',
] as const;
type TokenField = (typeof TOKEN_FIELDS)[number];
export const SPEC_TOKEN_FIELDS: readonly TokenField[] = ['urn', 'id', 'actorUrn'];

type CreateInputType = 'CreateAccessTokenInput' | 'GetAccessTokenInput';

export interface SchemaFacts {
  /** How a filter's value is spelled; `values` is tried first because a wrong spelling is rejected, never ignored. */
  readonly filterSpelling: 'values' | 'value';
  readonly filterHasCondition: boolean;
  readonly createInputType: CreateInputType;
  readonly createTakesDescription: boolean;
  readonly createTakesDurationIso: boolean;
  readonly tokenFields: readonly TokenField[];
  /** Values of the duration enum; undefined when the server does not tell. */
  readonly durations: readonly TokenDuration[] | undefined;
  readonly serviceAccounts: boolean;
  /** Whether it tells what new tokens may last; undefined in what a release remembered that did not ask. */
  readonly tellsDurationPolicy?: boolean | undefined;
  /**
   * The field that makes a listing one's own. The interface description shows both (PROTOCOL.md §2.2 rule 2); real servers check `ownerUrn`, so that is
   * what counts unless a server refused it and took the other.
   */
  readonly ownerField?: 'ownerUrn' | 'actorUrn' | undefined;
}

const READ_SCHEMA: ServerOperation = { name: 'schema', doing: () => l10n.t("read the server's schema") };

export const INTROSPECTION = `query schema {
  create: __type(name: "CreateAccessTokenInput") { inputFields { name } }
  specCreate: __type(name: "GetAccessTokenInput") { inputFields { name } }
  filter: __type(name: "FacetFilterInput") { inputFields { name } }
  token: __type(name: "AccessTokenMetadata") { fields { name } }
  duration: __type(name: "AccessTokenDuration") { enumValues { name } }
  kind: __type(name: "AccessTokenType") { enumValues { name } }
  auth: __type(name: "AuthConfig") { fields { name } }
}`;

/** Executes nothing; a server that lacks the type says so while it validates. */
export const TYPE_PROBE = 'query schema($input: CreateAccessTokenInput) { __typename }';

/** More names than a type of a real schema has. */
const MOST_NAMES = 1_000;
const NAMES = v.pipe(boundedArray(MOST_NAMES), v.array(v.object({ name: v.string() })));
const TYPE = v.nullish(
  v.object({ inputFields: v.nullish(NAMES), fields: v.nullish(NAMES), enumValues: v.nullish(NAMES) }),
);
/** All of them are asked for at once, and a field that a schema lacks fails the whole query. */
const POLICY_FIELDS = ['allowNoExpiry', 'allowedAccessTokenDurations'];
const INTROSPECTED = v.object({
  create: TYPE,
  specCreate: TYPE,
  filter: TYPE,
  token: TYPE,
  duration: TYPE,
  kind: TYPE,
  auth: TYPE,
});

/** @throws ServiceFailure when the server cannot be reached or does not accept the credential. */
export async function askSchemaFacts(graphql: GraphQLEndpoint, signal?: AbortSignal): Promise<SchemaFacts> {
  const introspected = await introspectSchema(graphql, signal);
  if (introspected !== undefined) {
    return introspected;
  }
  const createInputType = (await knowsCreateInput(graphql, signal)) ? 'CreateAccessTokenInput' : 'GetAccessTokenInput';
  return {
    filterSpelling: 'values',
    filterHasCondition: true,
    createInputType,
    createTakesDescription: createInputType === 'CreateAccessTokenInput',
    createTakesDurationIso: false,
    tokenFields: TOKEN_FIELDS,
    durations: undefined,
    serviceAccounts: false,
    tellsDurationPolicy: false,
  };
}

async function introspectSchema(
  graphql: GraphQLEndpoint,
  signal: AbortSignal | undefined,
): Promise<SchemaFacts | undefined> {
  let data: unknown;
  try {
    ({ data } = await graphql.run(READ_SCHEMA, INTROSPECTION, {}, signal));
  } catch (thrown) {
    if (isAboutRequest(thrown)) {
      return undefined;
    }
    throw thrown;
  }
  const parsed = v.safeParse(INTROSPECTED, data);
  const filter = parsed.success ? parsed.output.filter?.inputFields?.map(({ name }) => name) : undefined;
  if (!parsed.success || filter === undefined) {
    return undefined;
  }
  const { create, specCreate, token, duration, kind, auth } = parsed.output;
  const createFields = (create ?? specCreate)?.inputFields?.map(({ name }) => name) ?? [];
  const known = token?.fields?.map(({ name }) => name);
  const lengths = DURATIONS.filter((length) => duration?.enumValues?.some(({ name }) => name === length));
  return {
    filterSpelling: filter.includes('values') ? 'values' : 'value',
    filterHasCondition: filter.includes('condition'),
    createInputType: create ? 'CreateAccessTokenInput' : 'GetAccessTokenInput',
    createTakesDescription: createFields.includes('description'),
    createTakesDurationIso: createFields.includes('durationIso'),
    tokenFields:
      known === undefined
        ? TOKEN_FIELDS
        : TOKEN_FIELDS.filter((field) => known.includes(field) || SPEC_TOKEN_FIELDS.includes(field)),
    durations: lengths.length === 0 ? undefined : lengths,
    serviceAccounts: kind?.enumValues?.some(({ name }) => name === 'SERVICE_ACCOUNT') ?? false,
    tellsDurationPolicy: POLICY_FIELDS.every((field) => auth?.fields?.some(({ name }) => name === field)),
  };
}

async function knowsCreateInput(graphql: GraphQLEndpoint, signal: AbortSignal | undefined): Promise<boolean> {
  try {
    await graphql.run(READ_SCHEMA, TYPE_PROBE, {}, signal);
    return true;
  } catch (thrown) {
    if (!isAboutRequest(thrown)) {
      throw thrown;
    }
    // Where nothing is said of the type it is taken to be there, as on every real server; a creation would correct that.
    return !(
      thrown instanceof InvalidDocumentFailure &&
      thrown.complaints.some((text) => /unknown ?type/i.test(text) && text.includes('CreateAccessTokenInput'))
    );
  }
}

/** "Field 'x' in type 'T' is undefined" (graphql-java), "Cannot query field "x" on type "T"" (GraphQL.js). */
const UNKNOWN_FIELD = /(?:Field '(\w+)' in type '\w+' is undefined|Cannot query field "(\w+)")/g;
/** "… contains a field not in 'FacetFilterInput': 'values'", "Field "values" is not defined by type …"; the last is of variables. */
const UNKNOWN_INPUT =
  /(?:contains a field not in '\w+': '(\w+)'|Field "(\w+)" is not defined by type|contains a field name '(\w+)' that is not defined)/g;
/** "… is missing required fields '[value]'", "Field "FacetFilterInput.value" of required type "String!" was not provided". */
const MISSING_INPUT = /(?:missing required fields '\[(\w+)\]'|Field "\w+\.(\w+)" of required type)/g;
const UNKNOWN_TYPE = /Unknown ?type '?"?(\w+)/gi;

/** What a listing's validation errors teach, or undefined when they teach nothing new. */
export function fallBackForListing(schema: SchemaFacts, complaints: readonly string[]): SchemaFacts | undefined {
  const text = complaints.join('\n');
  const fields = capturedNames(text, UNKNOWN_FIELD);
  const inputs = capturedNames(text, UNKNOWN_INPUT);
  if (fields.has('listAccessTokens')) {
    return undefined;
  }
  let learned = schema;
  const wantsValue = inputs.has('values') || capturedNames(text, MISSING_INPUT).has('value');
  if (wantsValue && schema.filterSpelling === 'values') {
    learned = { ...learned, filterSpelling: 'value' };
  }
  if (inputs.has('condition') && schema.filterHasCondition) {
    learned = { ...learned, filterHasCondition: false };
  }
  const tokenFields = learned.tokenFields.filter((field) => field === 'id' || !fields.has(field));
  if (tokenFields.length < learned.tokenFields.length) {
    learned = { ...learned, tokenFields };
  }
  if (learned !== schema) {
    return learned;
  }
  // Said in words we do not know: ask for no more than the interface description shows, then in no other way than it shows.
  const shownBySpec = schema.tokenFields.filter((field) => SPEC_TOKEN_FIELDS.includes(field));
  if (shownBySpec.length < schema.tokenFields.length) {
    return { ...schema, tokenFields: shownBySpec };
  }
  return schema.filterSpelling === 'values'
    ? { ...schema, filterSpelling: 'value', filterHasCondition: false }
    : undefined;
}

/** What the validation errors of a creation teach for the next one: a creation itself is never repeated. */
export function fallBackForCreation(schema: SchemaFacts, complaints: readonly string[]): SchemaFacts | undefined {
  const text = complaints.join('\n');
  const inputs = capturedNames(text, UNKNOWN_INPUT);
  if (
    capturedNames(text, UNKNOWN_TYPE).has('CreateAccessTokenInput') &&
    schema.createInputType === 'CreateAccessTokenInput'
  ) {
    return {
      ...schema,
      createInputType: 'GetAccessTokenInput',
      createTakesDescription: false,
      createTakesDurationIso: false,
    };
  }
  let learned = schema;
  if (inputs.has('description') && schema.createTakesDescription) {
    learned = { ...learned, createTakesDescription: false };
  }
  if (inputs.has('durationIso') && schema.createTakesDurationIso) {
    learned = { ...learned, createTakesDurationIso: false };
  }
  return learned === schema ? undefined : learned;
}

function capturedNames(text: string, pattern: RegExp): Set<string> {
  return new Set(
    Array.from(text.matchAll(pattern), (match) => match.slice(1).find((name) => name !== undefined) ?? ''),
  );
}
