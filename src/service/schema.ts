/**
 * What a server's GraphQL schema calls things (facts §1, §2, §7): found by introspection where that is allowed, else from
 * its validation errors. Nothing here is a guess that could widen a listing or send a mutation twice.
 */
import * as v from 'valibot';
import { ServiceFailure } from './failure.ts';
import type { Operation } from './failure.ts';
import { InvalidDocument } from './graphql.ts';
import type { GraphQL } from './graphql.ts';
import { l10n } from './words.ts';

/** Fields of a listed token that we can use; the first three are the spec's and always asked for. */
export const TOKEN_FIELDS = ['urn', 'id', 'actorUrn', 'name', 'description', 'ownerUrn', 'createdAt', 'expiresAt'] as const;
export type TokenField = (typeof TOKEN_FIELDS)[number];
const SPEC_TOKEN_FIELDS: readonly TokenField[] = ['urn', 'id', 'actorUrn'];

export type CreateInputType = 'CreateAccessTokenInput' | 'GetAccessTokenInput';

export interface SchemaFacts {
  /** How a filter's value is spelled; `values` is tried first because a wrong spelling is rejected, never ignored. */
  readonly filterSpelling: 'values' | 'value';
  readonly filterHasCondition: boolean;
  readonly createInputType: CreateInputType;
  readonly createTakesDescription: boolean;
  readonly createTakesDurationIso: boolean;
  readonly tokenFields: readonly TokenField[];
  /** Names of the duration enum; undefined when the server does not tell. */
  readonly durations: readonly string[] | undefined;
  readonly serviceAccounts: boolean;
}

const PROBE: Operation = { name: 'schema', doing: () => l10n.t("read the server's schema") };

const INTROSPECTION = `query schema {
  create: __type(name: "CreateAccessTokenInput") { inputFields { name } }
  specCreate: __type(name: "GetAccessTokenInput") { inputFields { name } }
  filter: __type(name: "FacetFilterInput") { inputFields { name } }
  token: __type(name: "AccessTokenMetadata") { fields { name } }
  duration: __type(name: "AccessTokenDuration") { enumValues { name } }
  kind: __type(name: "AccessTokenType") { enumValues { name } }
}`;

/** Executes nothing; a server that lacks the type says so while it validates. */
const TYPE_PROBE = 'query schema($input: CreateAccessTokenInput) { __typename }';

const NAMES = v.array(v.object({ name: v.string() }));
const TYPE = v.nullish(v.object({ inputFields: v.nullish(NAMES), fields: v.nullish(NAMES), enumValues: v.nullish(NAMES) }));
const INTROSPECTED = v.object({ create: TYPE, specCreate: TYPE, filter: TYPE, token: TYPE, duration: TYPE, kind: TYPE });

/** @throws ServiceFailure when the server cannot be reached or does not accept the credential. */
export async function askSchema(graphql: GraphQL, signal?: AbortSignal): Promise<SchemaFacts> {
  const introspected = await introspect(graphql, signal);
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
  };
}

async function introspect(graphql: GraphQL, signal: AbortSignal | undefined): Promise<SchemaFacts | undefined> {
  let data: unknown;
  try {
    ({ data } = await graphql.run(PROBE, INTROSPECTION, {}, signal));
  } catch (thrown) {
    // Switched off, forbidden or failing: each server says so in its own way. Only what concerns every request is an end.
    if (thrown instanceof ServiceFailure && ['invalidDocument', 'badRequest', 'refused', 'server', 'unsupported'].includes(thrown.kind)) {
      return undefined;
    }
    throw thrown;
  }
  const parsed = v.safeParse(INTROSPECTED, data);
  const filter = parsed.success ? parsed.output.filter?.inputFields?.map(({ name }) => name) : undefined;
  if (!parsed.success || filter === undefined) {
    return undefined;
  }
  const { create, specCreate, token, duration, kind } = parsed.output;
  const createFields = (create ?? specCreate)?.inputFields?.map(({ name }) => name) ?? [];
  const known = token?.fields?.map(({ name }) => name);
  return {
    filterSpelling: filter.includes('values') ? 'values' : 'value',
    filterHasCondition: filter.includes('condition'),
    createInputType: create ? 'CreateAccessTokenInput' : 'GetAccessTokenInput',
    createTakesDescription: createFields.includes('description'),
    createTakesDurationIso: createFields.includes('durationIso'),
    tokenFields: known === undefined ? TOKEN_FIELDS : TOKEN_FIELDS.filter((field) => known.includes(field) || SPEC_TOKEN_FIELDS.includes(field)),
    durations: duration?.enumValues?.map(({ name }) => name),
    serviceAccounts: kind?.enumValues?.some(({ name }) => name === 'SERVICE_ACCOUNT') ?? false,
  };
}

async function knowsCreateInput(graphql: GraphQL, signal: AbortSignal | undefined): Promise<boolean> {
  try {
    await graphql.run(PROBE, TYPE_PROBE, {}, signal);
    return true;
  } catch (thrown) {
    if (thrown instanceof InvalidDocument) {
      return !thrown.complaints.some((text) => /unknown ?type/i.test(text) && text.includes('CreateAccessTokenInput'));
    }
    throw thrown;
  }
}

/** "Field 'x' in type 'T' is undefined" (graphql-java), "Cannot query field "x" on type "T"" (GraphQL.js). */
const UNKNOWN_FIELD = /(?:Field '(\w+)' in type '\w+' is undefined|Cannot query field "(\w+)")/g;
/** "… contains a field not in 'FacetFilterInput': 'values'", "Field "values" is not defined by type "FacetFilterInput"". */
const UNKNOWN_INPUT = /(?:contains a field not in '\w+': '(\w+)'|Field "(\w+)" is not defined by type)/g;

/**
 * What a listing's validation errors teach, or undefined when they teach nothing new.
 * Each lesson only takes something away that was asked for too much, so learning ends.
 */
export function learn(schema: SchemaFacts, complaints: readonly string[]): SchemaFacts | undefined {
  const text = complaints.join('\n');
  const fields = namesIn(text, UNKNOWN_FIELD);
  const inputs = namesIn(text, UNKNOWN_INPUT);
  if (fields.has('listAccessTokens')) {
    return undefined;
  }
  let learned = schema;
  if (inputs.has('values') && schema.filterSpelling === 'values') {
    learned = { ...learned, filterSpelling: 'value' };
  }
  if (inputs.has('condition') && schema.filterHasCondition) {
    learned = { ...learned, filterHasCondition: false };
  }
  const tokenFields = learned.tokenFields.filter((field) => !fields.has(field));
  if (tokenFields.length < learned.tokenFields.length) {
    learned = { ...learned, tokenFields };
  }
  if (learned !== schema) {
    return learned;
  }
  // Said in words we do not know: ask for no more than the spec shows.
  return schema.tokenFields.length > SPEC_TOKEN_FIELDS.length ? { ...schema, tokenFields: SPEC_TOKEN_FIELDS } : undefined;
}

function namesIn(text: string, pattern: RegExp): Set<string> {
  return new Set(Array.from(text.matchAll(pattern), (match) => match[1] ?? match[2] ?? ''));
}
