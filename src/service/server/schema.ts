/**
 * Facts about a server's GraphQL schema (PROTOCOL.md §3.6): by introspection where allowed, otherwise as every release of
 * DataHub has them. Validation errors correct both. No guess here can widen a listing or send a mutation twice.
 */
import * as v from 'valibot';
import { DURATIONS, type TokenDuration } from '../tokens/durations.ts';

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

/** How a fact about the schema is known. */
export interface SchemaQuestion<Fact> {
  readonly type: string;
  readonly part: 'fields' | 'inputFields' | 'enumValues';
  /**
   * @param names In that part of the type; undefined: the server has no such type.
   * @returns undefined if they can't be those of a server.
   */
  readonly read: (names: readonly string[] | undefined) => Fact | undefined;
  /** Where the server does not say. */
  readonly assumed: Fact;
  /** Checks a stored one: its names become part of documents. */
  readonly stored: v.GenericSchema<unknown, Fact>;
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
    stored: v.object({
      spelling: v.picklist(['values', 'value']),
      hasCondition: v.boolean(),
      hasAbsence: v.boolean(),
    }),
  },
  tokenFields: {
    type: 'AccessTokenMetadata',
    part: 'fields',
    read: (names) =>
      names && TOKEN_FIELDS.filter((field) => names.includes(field) || SPEC_TOKEN_FIELDS.includes(field)),
    assumed: TOKEN_FIELDS,
    stored: v.pipe(v.array(v.picklist(TOKEN_FIELDS)), v.minLength(1)),
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
    stored: v.object({
      inputType: v.picklist(['CreateAccessTokenInput', 'GetAccessTokenInput']),
      takesDescription: v.boolean(),
      takesDurationIso: v.boolean(),
    }),
  },
  durations: {
    type: 'AccessTokenDuration',
    part: 'enumValues',
    read: (names = []) => {
      const known = DURATIONS.filter((duration) => names.includes(duration));
      return known.length === 0 ? undefined : known;
    },
    assumed: DURATIONS,
    stored: v.array(v.picklist(DURATIONS)),
  },
  tellsDurationPolicy: {
    type: 'AuthConfig',
    part: 'fields',
    read: (names = []) => POLICY_FIELDS.every((field) => names.includes(field)),
    assumed: false,
    stored: v.boolean(),
  },
  serviceAccountFields: {
    type: 'ServiceAccount',
    part: 'fields',
    read: (names = []) => SERVICE_ACCOUNT_FIELDS.filter((field) => names.includes(field)),
    assumed: [],
    stored: v.array(v.picklist(SERVICE_ACCOUNT_FIELDS)),
  },
};

/** Of the interface description. */
export const CREATION_BY_DESCRIPTION: CreationSchema = {
  inputType: 'GetAccessTokenInput',
  takesDescription: false,
  takesDurationIso: false,
};
