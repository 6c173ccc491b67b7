/**
 * Names in a server's GraphQL schema (PROTOCOL.md §3.6): by introspection where allowed, otherwise from
 * validation errors. No guess here can widen a listing or send a mutation twice.
 */
import * as v from 'valibot';
import { DURATIONS, type TokenDuration } from '../tokens/durations.ts';
import { ServiceFailure, type ServerOperation } from '../failure/failure.ts';
import type { GraphQLEndpoint } from '../http/graphql.ts';
import { InvalidDocumentFailure, isAboutRequest } from '../failure/graphqlFailure.ts';
import { boundedArray } from '../http/json.ts';
import * as l10n from '@vscode/l10n';

/** Useful fields of a listed token. The first three are in the interface description and always requested. */
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
type TokenFieldName = (typeof TOKEN_FIELDS)[number];
export const SPEC_TOKEN_FIELDS: readonly TokenFieldName[] = ['urn', 'id', 'actorUrn'];

/** Useful fields of a listed service account. */
export const SERVICE_ACCOUNT_FIELDS = ['urn', 'name', 'displayName'] as const;
type ServiceAccountFieldName = (typeof SERVICE_ACCOUNT_FIELDS)[number];

type CreateInputType = 'CreateAccessTokenInput' | 'GetAccessTokenInput';

export interface SchemaFacts {
  /** `values` is tried first: a wrong spelling is rejected, never ignored. */
  readonly filterSpelling: 'values' | 'value';
  readonly filterHasCondition: boolean;
  readonly createInputType: CreateInputType;
  readonly createTakesDescription: boolean;
  readonly createTakesDurationIso: boolean;
  readonly tokenFields: readonly TokenFieldName[];
  /** Values of the duration enum; undefined if the server does not say. */
  readonly durations: readonly TokenDuration[] | undefined;
  readonly serviceAccounts: boolean;
  /** True if a filter can ask for rows without a value; undefined in facts from an older release of ours. */
  readonly filterHasAbsence?: boolean | undefined;
  /** Fields of a listed service account; empty if the server lists none. */
  readonly serviceAccountFields?: readonly ServiceAccountFieldName[] | undefined;
  /** True if the server reports its duration policy; undefined in facts from an older release of ours. */
  readonly tellsDurationPolicy?: boolean | undefined;
  /**
   * The field that selects the caller's own tokens. The interface description shows both (PROTOCOL.md §2.2 rule 2).
   * Real servers check `ownerUrn`, the default until a server refuses it and takes the other.
   */
  readonly ownerField?: 'ownerUrn' | 'actorUrn' | undefined;
}

const READ_SCHEMA: ServerOperation = { name: 'schema', actionPhrase: () => l10n.t("read the server's schema") };

export const INTROSPECTION = `query schema {
  create: __type(name: "CreateAccessTokenInput") { inputFields { name } }
  specCreate: __type(name: "GetAccessTokenInput") { inputFields { name } }
  filter: __type(name: "FacetFilterInput") { inputFields { name } }
  token: __type(name: "AccessTokenMetadata") { fields { name } }
  duration: __type(name: "AccessTokenDuration") { enumValues { name } }
  kind: __type(name: "AccessTokenType") { enumValues { name } }
  auth: __type(name: "AuthConfig") { fields { name } }
  operator: __type(name: "FilterOperator") { enumValues { name } }
  query: __type(name: "Query") { fields { name } }
  account: __type(name: "ServiceAccount") { fields { name } }
}`;

/** Executes nothing. A server without the type says so during validation. */
export const TYPE_PROBE = 'query schema($input: CreateAccessTokenInput) { __typename }';

/** Executes nothing either: the variable has no value. A server without the query says so during validation. */
const LOOKUP_PROBE = 'query schema($token: String!) { getAccessTokenMetadata(token: $token) { id } }';

/** More names than any real type has. */
const MOST_NAMES = 1_000;
const NAMES = v.pipe(boundedArray(MOST_NAMES), v.array(v.object({ name: v.string() })));
const TYPE = v.nullish(
  v.object({ inputFields: v.nullish(NAMES), fields: v.nullish(NAMES), enumValues: v.nullish(NAMES) }),
);
/** Requested together, and one missing field fails the whole query. */
const POLICY_FIELDS = ['allowNoExpiry', 'allowedAccessTokenDurations'];
const INTROSPECTED = v.object({
  create: TYPE,
  specCreate: TYPE,
  filter: TYPE,
  token: TYPE,
  duration: TYPE,
  kind: TYPE,
  auth: TYPE,
  operator: v.fallback(TYPE, undefined),
  /** Grows with the product, so too many names must not make the rest unknown. */
  query: v.fallback(TYPE, undefined),
  account: v.fallback(TYPE, undefined),
});

/** @throws ServiceFailure if the server can't be reached or rejects the credential. */
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
    filterHasAbsence: false,
    serviceAccountFields: [],
    tellsDurationPolicy: false,
  };
}

async function introspectSchema(
  graphql: GraphQLEndpoint,
  signal: AbortSignal | undefined,
): Promise<SchemaFacts | undefined> {
  let data: unknown;
  try {
    ({ data } = await graphql.runDocument(READ_SCHEMA, INTROSPECTION, {}, signal));
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
  const { create, specCreate, token, duration, kind, auth, operator, query, account } = parsed.output;
  const createFields = (create ?? specCreate)?.inputFields?.map(({ name }) => name) ?? [];
  const known = token?.fields?.map(({ name }) => name);
  const listsAccounts = query?.fields?.some(({ name }) => name === 'listServiceAccounts') === true;
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
    filterHasAbsence:
      ['condition', 'negated'].every((name) => filter.includes(name)) &&
      (operator?.enumValues?.some(({ name }) => name === 'EXISTS') ?? false),
    serviceAccountFields: listsAccounts
      ? SERVICE_ACCOUNT_FIELDS.filter((field) => account?.fields?.some(({ name }) => name === field))
      : [],
    tellsDurationPolicy: POLICY_FIELDS.every((field) => auth?.fields?.some(({ name }) => name === field)),
  };
}

async function knowsCreateInput(graphql: GraphQLEndpoint, signal: AbortSignal | undefined): Promise<boolean> {
  try {
    await graphql.runDocument(READ_SCHEMA, TYPE_PROBE, {}, signal);
    return true;
  } catch (thrown) {
    if (!isAboutRequest(thrown)) {
      throw thrown;
    }
    // Assumes the type unless the server denies it, as every real server has it. A creation would correct that.
    return !(
      thrown instanceof InvalidDocumentFailure &&
      thrown.complaints.some((text) => /unknown ?type/i.test(text) && text.includes('CreateAccessTokenInput'))
    );
  }
}

/**
 * Asks whether tokens can be looked up by their text, without sending one.
 * @throws ServiceFailure if the server can't be reached or rejects the credential.
 */
export async function knowsTokenLookup(graphql: GraphQLEndpoint, signal?: AbortSignal): Promise<boolean> {
  try {
    await graphql.runDocument(READ_SCHEMA, LOOKUP_PROBE, {}, signal);
    return true;
  } catch (thrown) {
    if (thrown instanceof ServiceFailure && thrown.kind === 'refused') {
      throw thrown;
    }
    if (thrown instanceof InvalidDocumentFailure) {
      return !capturedNames(thrown.complaints.join('\n'), UNKNOWN_FIELD).has('getAccessTokenMetadata');
    }
    if (isAboutRequest(thrown)) {
      return true;
    }
    throw thrown;
  }
}

/** "Field 'x' in type 'T' is undefined" (graphql-java), "Cannot query field "x" on type "T"" (GraphQL.js). */
const UNKNOWN_FIELD = /(?:Field '(\w+)' in type '\w+' is undefined|Cannot query field "(\w+)")/g;
/**
 * "… contains a field not in 'FacetFilterInput': 'values'", "Field "values" is not defined by type …"; the last is
 * for variables.
 */
const UNKNOWN_INPUT = new RegExp(
  String.raw`(?:contains a field not in '\w+': '(\w+)'|Field "(\w+)" is not defined by type|` +
    String.raw`contains a field name '(\w+)' that is not defined)`,
  'g',
);
/** "… is missing required fields '[value]'", "Field "FacetFilterInput.value" of required type "String!" …". */
const MISSING_INPUT = /(?:missing required fields '\[(\w+)\]'|Field "\w+\.(\w+)" of required type)/g;
const UNKNOWN_TYPE = /Unknown ?type '?"?(\w+)/gi;

/**
 * Learns from validation errors of a listing; undefined if they teach nothing new. Each lesson removes one
 * thing from the request, so learning ends and never widens a listing.
 */
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
  if (inputs.has('negated') && schema.filterHasAbsence === true) {
    learned = { ...learned, filterHasAbsence: false };
  }
  const tokenFields = learned.tokenFields.filter((field) => field === 'id' || !fields.has(field));
  if (tokenFields.length < learned.tokenFields.length) {
    learned = { ...learned, tokenFields };
  }
  if (learned !== schema) {
    return learned;
  }
  // Unknown words: request only what the interface description shows, then only in its spelling.
  const shownBySpec = schema.tokenFields.filter((field) => SPEC_TOKEN_FIELDS.includes(field));
  if (shownBySpec.length < schema.tokenFields.length) {
    return { ...schema, tokenFields: shownBySpec };
  }
  return schema.filterSpelling === 'values'
    ? { ...schema, filterSpelling: 'value', filterHasCondition: false }
    : undefined;
}

/** Learns from validation errors of a creation, for the next one. A creation is never repeated. */
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
