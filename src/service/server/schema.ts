/**
 * Names in a server's GraphQL schema (PROTOCOL.md §3.6): by introspection where allowed, otherwise as every release of
 * DataHub has them. Validation errors correct both. No guess here can widen a listing or send a mutation twice.
 */
import * as v from 'valibot';
import { DURATIONS, type TokenDuration } from '../tokens/durations.ts';
import { ServiceFailure, type ServerOperation } from '../failure/failure.ts';
import type { QueryDocument } from '../http/document.ts';
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

export interface FilterSchema {
  /** `values` is tried first: a wrong spelling is rejected, never ignored. */
  readonly spelling: 'values' | 'value';
  readonly hasCondition: boolean;
  /** True if a filter can ask for rows without a value. */
  readonly hasAbsence: boolean;
}

export interface CreationSchema {
  readonly inputType: 'CreateAccessTokenInput' | 'GetAccessTokenInput';
  readonly takesDescription: boolean;
  /** True if a duration may be any length in ISO 8601. */
  readonly takesDurationIso: boolean;
}

/** The facts that requests depend on. One type of the schema says each of them, which is asked for when needed. */
export interface SchemaFacts {
  readonly filter: FilterSchema;
  readonly tokenFields: readonly TokenFieldName[];
  readonly creation: CreationSchema;
  /** Values of the duration enum. */
  readonly durations: readonly TokenDuration[];
  /** True if the server reports which durations it allows. */
  readonly tellsDurationPolicy: boolean;
  /** Fields of a listed service account; empty if the server has none. */
  readonly serviceAccountFields: readonly ServiceAccountFieldName[];
}
export type SchemaFactName = keyof SchemaFacts;

/** The facts of a listing. */
export interface ListingSchema extends Pick<SchemaFacts, 'filter' | 'tokenFields'> {
  /**
   * The field that selects the caller's own tokens. The interface description shows both (PROTOCOL.md §2.2 rule 2).
   * Real servers check `ownerUrn`, the default until a server refuses it and takes the other.
   */
  readonly ownerField?: 'ownerUrn' | 'actorUrn' | undefined;
}

interface SchemaQuestion<Fact> {
  readonly type: string;
  readonly part: 'fields' | 'inputFields' | 'enumValues';
  /**
   * @param names In that part of the type; undefined: the server has no such type.
   * @returns undefined if they can't be those of a server.
   */
  readonly read: (names: readonly string[] | undefined) => Fact | undefined;
  /** Where the server does not say. */
  readonly assumed: Fact;
}

/** Requested together, and one missing field fails the whole query. */
const POLICY_FIELDS = ['allowNoExpiry', 'allowedAccessTokenDurations'];

export const SCHEMA_QUESTIONS: { readonly [Name in SchemaFactName]: SchemaQuestion<SchemaFacts[Name]> } = {
  filter: {
    type: 'FacetFilterInput',
    part: 'inputFields',
    read: (names = []) => {
      const spelling = (['values', 'value'] as const).find((name) => names.includes(name));
      const hasCondition = names.includes('condition');
      return spelling && { spelling, hasCondition, hasAbsence: hasCondition && names.includes('negated') };
    },
    assumed: { spelling: 'values', hasCondition: true, hasAbsence: true },
  },
  tokenFields: {
    type: 'AccessTokenMetadata',
    part: 'fields',
    read: (names) =>
      names && TOKEN_FIELDS.filter((field) => names.includes(field) || SPEC_TOKEN_FIELDS.includes(field)),
    assumed: TOKEN_FIELDS,
  },
  creation: {
    type: 'CreateAccessTokenInput',
    part: 'inputFields',
    read: (names) =>
      names && {
        inputType: 'CreateAccessTokenInput',
        takesDescription: names.includes('description'),
        takesDurationIso: names.includes('durationIso'),
      },
    assumed: { inputType: 'CreateAccessTokenInput', takesDescription: true, takesDurationIso: false },
  },
  durations: {
    type: 'AccessTokenDuration',
    part: 'enumValues',
    read: (names = []) => {
      const known = DURATIONS.filter((duration) => names.includes(duration));
      return known.length === 0 ? undefined : known;
    },
    assumed: DURATIONS,
  },
  tellsDurationPolicy: {
    type: 'AuthConfig',
    part: 'fields',
    read: (names = []) => POLICY_FIELDS.every((field) => names.includes(field)),
    assumed: false,
  },
  serviceAccountFields: {
    type: 'ServiceAccount',
    part: 'fields',
    read: (names = []) => SERVICE_ACCOUNT_FIELDS.filter((field) => names.includes(field)),
    assumed: [],
  },
};

const CREATION_BY_DESCRIPTION: CreationSchema = {
  inputType: 'GetAccessTokenInput',
  takesDescription: false,
  takesDurationIso: false,
};

const READ_SCHEMA: ServerOperation = { name: 'schema', actionPhrase: () => l10n.t("read the server's schema") };

/** One type a document: servers refuse more as introspection in bad faith (PROTOCOL.md §3.6). */
export function typeDocument({ type, part }: Pick<SchemaQuestion<unknown>, 'type' | 'part'>): QueryDocument {
  return `query schema { type: __type(name: "${type}") { ${part} { name } } }`;
}

/** Executes nothing. A server without the type says so during validation. */
export const TYPE_PROBE = 'query schema($input: CreateAccessTokenInput) { __typename }';

/** Executes nothing either: the variable has no value. A server without the query says so during validation. */
const LOOKUP_PROBE = 'query schema($token: String!) { getAccessTokenMetadata(token: $token) { id } }';

/** More names than any real type has. */
const MOST_NAMES = 1_000;
const NAMES = v.nullish(v.pipe(boundedArray(MOST_NAMES), v.array(v.object({ name: v.string() }))));
const TYPE = v.object({
  type: v.nullable(v.object({ fields: NAMES, inputFields: NAMES, enumValues: NAMES })),
});

/**
 * Asks for one fact.
 * @returns undefined if the server does not say.
 * @throws ServiceFailure if the server can't be reached or rejects the credential.
 */
export async function askSchemaFact<Name extends SchemaFactName>(
  graphql: GraphQLEndpoint,
  name: Name,
): Promise<SchemaFacts[Name] | undefined> {
  const question: SchemaQuestion<SchemaFacts[Name]> = SCHEMA_QUESTIONS[name];
  const fact = await readType(graphql, question);
  if (fact !== undefined || name !== 'creation' || (await knowsCreateInput(graphql))) {
    return fact;
  }
  return CREATION_BY_DESCRIPTION as SchemaFacts[Name];
}

async function readType<Fact>(graphql: GraphQLEndpoint, question: SchemaQuestion<Fact>): Promise<Fact | undefined> {
  let data: unknown;
  try {
    ({ data } = await graphql.runQuery(READ_SCHEMA, typeDocument(question), {}));
  } catch (thrown) {
    if (isAboutRequest(thrown)) {
      return undefined;
    }
    throw thrown;
  }
  const parsed = v.safeParse(TYPE, data);
  if (!parsed.success) {
    return undefined;
  }
  const { type } = parsed.output;
  const names = type?.[question.part]?.map(({ name }) => name);
  // Null names belong to a type of another kind, which says nothing.
  return type === null || names !== undefined ? question.read(names) : undefined;
}

async function knowsCreateInput(graphql: GraphQLEndpoint): Promise<boolean> {
  try {
    await graphql.runQuery(READ_SCHEMA, TYPE_PROBE, {});
    return true;
  } catch (thrown) {
    if (!isAboutRequest(thrown)) {
      throw thrown;
    }
    // Assumes the type unless the server denies it, as every real server has it. A creation would correct that.
    return !(thrown instanceof InvalidDocumentFailure && deniesCreateInput(thrown.complaints));
  }
}

/**
 * Asks whether tokens can be looked up by their text, without sending one.
 * @throws ServiceFailure if the server can't be reached or rejects the credential.
 */
export async function knowsTokenLookup(graphql: GraphQLEndpoint, signal?: AbortSignal): Promise<boolean> {
  try {
    await graphql.runQuery(READ_SCHEMA, LOOKUP_PROBE, {}, signal);
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
/** "… for enum 'FilterOperator' - 'EnumValue{name='EXISTS'}'", "Value "EXISTS" does not exist in "FilterOperator" enum". */
const UNKNOWN_EXISTS = /enum 'FilterOperator' - 'EnumValue\{name='EXISTS'|Value "EXISTS" does not exist/;
const UNKNOWN_TYPE = /Unknown ?type '?"?(\w+)/gi;

/**
 * Learns from validation errors of a listing; undefined if they teach nothing new. Each lesson removes one
 * thing from the request, so learning ends and never widens a listing.
 */
export function fallBackForListing(schema: ListingSchema, complaints: readonly string[]): ListingSchema | undefined {
  const text = complaints.join('\n');
  const fields = capturedNames(text, UNKNOWN_FIELD);
  const inputs = capturedNames(text, UNKNOWN_INPUT);
  if (fields.has('listAccessTokens')) {
    return undefined;
  }
  const { filter } = schema;
  const wantsValue = inputs.has('values') || capturedNames(text, MISSING_INPUT).has('value');
  const hasCondition = filter.hasCondition && !inputs.has('condition');
  const learned: FilterSchema = {
    spelling: wantsValue ? 'value' : filter.spelling,
    hasCondition,
    hasAbsence: filter.hasAbsence && hasCondition && !inputs.has('negated') && !UNKNOWN_EXISTS.test(text),
  };
  const tokenFields = schema.tokenFields.filter((field) => field === 'id' || !fields.has(field));
  if (
    learned.spelling !== filter.spelling ||
    learned.hasCondition !== filter.hasCondition ||
    learned.hasAbsence !== filter.hasAbsence ||
    tokenFields.length < schema.tokenFields.length
  ) {
    return { ...schema, filter: learned, tokenFields };
  }
  // Unknown words: request only what the interface description shows, then only in its spelling.
  const shownBySpec = schema.tokenFields.filter((field) => SPEC_TOKEN_FIELDS.includes(field));
  if (shownBySpec.length < schema.tokenFields.length) {
    return { ...schema, tokenFields: shownBySpec };
  }
  return filter.spelling === 'values'
    ? { ...schema, filter: { spelling: 'value', hasCondition: false, hasAbsence: false } }
    : undefined;
}

/** Learns from validation errors of a creation, for the next one. A creation is never repeated. */
export function fallBackForCreation(schema: CreationSchema, complaints: readonly string[]): CreationSchema | undefined {
  if (deniesCreateInput(complaints) && schema.inputType === 'CreateAccessTokenInput') {
    return CREATION_BY_DESCRIPTION;
  }
  const inputs = capturedNames(complaints.join('\n'), UNKNOWN_INPUT);
  const takesDescription = schema.takesDescription && !inputs.has('description');
  const takesDurationIso = schema.takesDurationIso && !inputs.has('durationIso');
  return takesDescription === schema.takesDescription && takesDurationIso === schema.takesDurationIso
    ? undefined
    : { ...schema, takesDescription, takesDurationIso };
}

function deniesCreateInput(complaints: readonly string[]): boolean {
  return capturedNames(complaints.join('\n'), UNKNOWN_TYPE).has('CreateAccessTokenInput');
}

function capturedNames(text: string, pattern: RegExp): Set<string> {
  return new Set(
    Array.from(text.matchAll(pattern), (match) => match.slice(1).find((name) => name !== undefined) ?? ''),
  );
}
