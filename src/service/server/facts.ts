/**
 * The differences between servers: one table that says how each is known and how long that holds, and the record of
 * what is known of a server. `docs/servers.md` has a row for each.
 * Facts about the GraphQL schema are assumed as every release of DataHub has them where introspection is off. After a
 * validation error, a listing falls back to the interface description: no guess can widen it or send a mutation twice.
 */
import * as v from 'valibot';
import type { GraphQLEndpoint } from '../http/graphql.ts';
import type { Transport } from '../http/transport.ts';
import { DURATIONS, type TokenDuration } from '../tokens/durations.ts';
import { askCallerRights, requestCallerInfo, type CallerInfo, type CallerRights } from './callerRights.ts';
import { fromType, knowsCreateInput } from './introspection.ts';
import { askServerIdentity, type ServerIdentity } from './serverInfo.ts';

/** Behind the front end, as in the interface description, and on the service itself (PROTOCOL.md §3.1). */
export const OPERATION_PATHS = ['/api/gms/operations', '/gms/operations', '/operations'] as const;
export type OperationsPath = (typeof OPERATION_PATHS)[number];

/** Useful fields of a listed token. The first three are in the interface description and always requested. */
const TOKEN_FIELDS = ['urn', 'id', 'actorUrn', 'name', 'description', 'ownerUrn', 'createdAt', 'expiresAt'] as const;
type TokenFieldName = (typeof TOKEN_FIELDS)[number];
const SPEC_TOKEN_FIELDS: readonly TokenFieldName[] = ['urn', 'id', 'actorUrn'];

/** Useful fields of a listed service account. */
const SERVICE_ACCOUNT_FIELDS = ['urn', 'name', 'displayName'] as const;

interface FilterSchema {
  /** `values` is tried first: a wrong spelling is rejected, never ignored. */
  readonly spelling: 'values' | 'value';
  readonly hasCondition: boolean;
  /** True if a filter can ask for rows without a value. */
  readonly hasAbsence: boolean;
}

export interface CreationSchema {
  readonly inputType: 'CreateAccessTokenInput' | 'GetAccessTokenInput';
  readonly takesDescription: boolean;
}

/** Of the interface description, which asks for less than any other words. */
export const LISTING_BY_DESCRIPTION: ListingSchema = {
  filter: { spelling: 'value', hasCondition: false, hasAbsence: false },
  tokenFields: SPEC_TOKEN_FIELDS,
};
const CREATION_BY_DESCRIPTION: CreationSchema = {
  inputType: 'GetAccessTokenInput',
  takesDescription: false,
};

/** Facts that are asked when they are needed. */
export interface AskedFacts {
  readonly filter: FilterSchema;
  readonly tokenFields: readonly TokenFieldName[];
  readonly creation: CreationSchema;
  /** Values of the duration enum. */
  readonly durations: readonly TokenDuration[];
  /** Fields of a listed service account; empty if the server has none. */
  readonly serviceAccountFields: readonly (typeof SERVICE_ACCOUNT_FIELDS)[number][];
  readonly identity: ServerIdentity;
  /** A server that doesn't say who that is is no failure. */
  readonly caller: CallerInfo;
  readonly rights: CallerRights;
}
export type AskedFactName = keyof AskedFacts;

/** Facts that answers to other requests show. */
interface LearnedFacts {
  /** With the caller's information, so it is read in every session. Another one means an upgrade. */
  readonly appVersion: string;
  /** Of a server that doesn't say what it is. */
  readonly operationsPath: OperationsPath;
}

/** Facts that only the release tells, as neither the schema nor an answer shows them. */
type ReleaseFactName =
  /** Before, a week is in the schema, but can't be created (PROTOCOL.md §5.3). */
  | 'createsWeeks'
  /** A reindex leaves its new index without refreshes, unless an administrator turned that off (PROTOCOL.md §7.5). */
  | 'leavesIndexUnrefreshed';

type ServerFacts = AskedFacts & LearnedFacts;
/** As far as they are known. Free of secrets; those that are stored between sessions are JSON. */
export type KnownFacts = { readonly [Name in keyof ServerFacts]?: ServerFacts[Name] | undefined };

export type ListingSchema = Pick<AskedFacts, 'filter' | 'tokenFields'>;

/** What a question needs of a server. */
interface FactQuestion {
  readonly transport: Transport;
  readonly graphql: GraphQLEndpoint;
  callerActorUrn(): Promise<string>;
}

interface FactRow<Fact> {
  /**
   * Checks one from a file, since fields, paths and type names become part of requests. Without it the fact holds for
   * one session.
   */
  readonly stored?: v.GenericSchema<unknown, Fact>;
}

interface AskedFactRow<Fact> extends FactRow<Fact> {
  /** @returns undefined if the server does not say. */
  readonly ask: (question: FactQuestion) => Promise<Fact | undefined>;
  /** Where the server does not say: for one session, and never stored. */
  readonly assumed?: Fact;
}

interface ReleaseFactRow {
  /** The first release, by its numbers. */
  readonly since: readonly number[];
}

const askCreationInput = fromType(
  'CreateAccessTokenInput',
  'inputFields',
  (names): CreationSchema | undefined =>
    names && {
      inputType: 'CreateAccessTokenInput',
      takesDescription: names.includes('description'),
    },
);

export const FACTS: { readonly [Name in AskedFactName]: AskedFactRow<AskedFacts[Name]> } & {
  readonly [Name in keyof LearnedFacts]: FactRow<LearnedFacts[Name]>;
} & Readonly<Record<ReleaseFactName, ReleaseFactRow>> = {
  filter: {
    ask: fromType('FacetFilterInput', 'inputFields', (names = []) => {
      const spelling = (['values', 'value'] as const).find((name) => names.includes(name));
      const hasCondition = names.includes('condition');
      return spelling && { spelling, hasCondition, hasAbsence: hasCondition && names.includes('negated') };
    }),
    assumed: { spelling: 'values', hasCondition: true, hasAbsence: true },
    stored: v.object({
      spelling: v.picklist(['values', 'value']),
      hasCondition: v.boolean(),
      hasAbsence: v.boolean(),
    }),
  },
  tokenFields: {
    ask: fromType(
      'AccessTokenMetadata',
      'fields',
      (names) => names && TOKEN_FIELDS.filter((field) => names.includes(field) || SPEC_TOKEN_FIELDS.includes(field)),
    ),
    assumed: TOKEN_FIELDS,
    stored: v.pipe(v.array(v.picklist(TOKEN_FIELDS)), v.minLength(1)),
  },
  creation: {
    ask: async (question) =>
      (await askCreationInput(question)) ??
      ((await knowsCreateInput(question.graphql)) ? undefined : CREATION_BY_DESCRIPTION),
    assumed: { inputType: 'CreateAccessTokenInput', takesDescription: true },
    stored: v.object({
      inputType: v.picklist(['CreateAccessTokenInput', 'GetAccessTokenInput']),
      takesDescription: v.boolean(),
    }),
  },
  durations: {
    ask: fromType('AccessTokenDuration', 'enumValues', (names = []) => {
      const known = DURATIONS.filter((duration) => names.includes(duration));
      return known.length === 0 ? undefined : known;
    }),
    assumed: DURATIONS,
    stored: v.array(v.picklist(DURATIONS)),
  },
  serviceAccountFields: {
    ask: fromType('ServiceAccount', 'fields', (names = []) =>
      SERVICE_ACCOUNT_FIELDS.filter((field) => names.includes(field)),
    ),
    assumed: [],
    stored: v.array(v.picklist(SERVICE_ACCOUNT_FIELDS)),
  },
  identity: {
    ask: ({ transport }) => askServerIdentity(transport),
    stored: v.pipe(
      v.object({
        /** A server without one may have been signed out or behind a gateway, so ask again in each session. */
        product: v.literal('DataHub'),
        version: v.optional(v.string()),
        entrance: v.picklist(['direct', 'front', 'unknown']),
      }),
      v.transform((identity) => ({ ...identity, version: identity.version })),
    ),
  },
  caller: {
    ask: ({ graphql, transport }) => transport.repeatRead(() => requestCallerInfo(graphql), undefined),
  },
  rights: {
    ask: async (server) => {
      const caller = await server.callerActorUrn();
      return server.transport.repeatRead(() => askCallerRights(server.graphql, caller), undefined);
    },
  },
  appVersion: { stored: v.string() },
  operationsPath: { stored: v.picklist(OPERATION_PATHS) },
  createsWeeks: { since: [1, 2, 0, 2] },
  leavesIndexUnrefreshed: { since: [1, 2, 0] },
};

/**
 * A fact that the release tells.
 * @param release As `v1.6.0.16rc6`.
 * @returns undefined if the release is unknown, or may be a date.
 */
export function isTrueOfRelease(name: ReleaseFactName, release: string | undefined): boolean | undefined {
  const numbers = /^v?(\d(?:\.\d+){1,3})(?!\d)/
    .exec(release ?? '')?.[1]
    ?.split('.')
    .map(Number);
  return numbers && compareReleases(numbers, FACTS[name].since) >= 0;
}

/** Negative if `a` is older. Missing numbers are 0. */
export function compareReleases(a: readonly number[], b: readonly number[]): number {
  const place = [0, 1, 2, 3].find((index) => (a[index] ?? 0) !== (b[index] ?? 0));
  return place === undefined ? 0 : (a[place] ?? 0) - (b[place] ?? 0);
}

export function factsToStore(known: KnownFacts): KnownFacts {
  return Object.fromEntries(
    Object.entries(known).filter(([name, fact]) => fact !== undefined && FACTS[name as keyof ServerFacts].stored),
  );
}

/** The stored facts that are still understood: anything else is asked again. */
export function parseStoredFacts(stored: unknown): KnownFacts {
  const values = v.safeParse(v.looseObject({}), stored);
  return Object.fromEntries(
    Object.entries(FACTS).flatMap(([name, row]) => {
      const schema = 'stored' in row ? row.stored : undefined;
      const fact = schema && values.success ? v.safeParse(schema, values.output[name]) : undefined;
      return fact?.success === true ? [[name, fact.output]] : [];
    }),
  );
}
