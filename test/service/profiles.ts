/** Differences between servers, as data. The code asks these fields and never a profile's name. */

export type ProfileName = 'spec' | '0.14' | '1.6' | '1.7' | 'next' | 'postgres';

/** Names of the GraphQL schemas. Servers that differ only in other respects share one. */
export type SchemaName = 'spec' | '0.14' | '1.6';

export type OperationName = 'truncateTimeseriesAspect' | 'getIndexSizes' | 'getEsTaskStatus';

export interface Profile {
  readonly name: ProfileName;
  /** Used in header names, aspect names and sentences. */
  readonly product: 'Service' | 'DataHub';
  /** Null: the server does not say. */
  readonly version: string | null;
  /** Default release of the ingestion client. */
  readonly clientRelease: string;
  readonly schema: SchemaName;
  readonly tokenUrnPrefix: string;
  readonly introspection: boolean;
  /** A document may ask for one type only: more is refused as introspection in bad faith. */
  readonly introspectsInGoodFaith: boolean;
  /**
   * Answers where the service doesn't: Jetty with pages or JSON, as the client accepts, or Spring with JSON. It
   * also decides on requests that can't be parsed.
   */
  readonly container: 'jetty' | 'spring';
  /** Responses have a `Date` header. A front end adds one in any case. */
  readonly datesResponses: boolean;

  /** Bearer tokens are checked. If false, the actor header alone identifies the caller, unverified. */
  readonly authentication: boolean;
  /**
   * The header authenticates GraphQL by itself and operations need a Bearer token, as in the description's examples.
   */
  readonly actorHeaderForGraphQL: boolean;
  /** The privileges of the operations are enforced. */
  readonly restAuthorization: boolean;
  /** MANAGE_SYSTEM_OPERATIONS includes sizes and tasks (never truncation). */
  readonly systemOperationsPrivilege: boolean;
  /** A token that revokes itself is answered 401, although it is revoked. */
  readonly rejectsSelfRevocation: boolean;

  readonly graphqlPaths: readonly string[];
  readonly operationPaths: readonly string[];
  readonly operations: readonly OperationName[];
  /** /config and /health exist. */
  readonly sideDoors: boolean;
  /** A front proxy is in front of the server. Otherwise one address serves everything. */
  readonly frontProxy: boolean;

  readonly forceFlags: boolean;
  /** Unknown body parameters are refused. Real servers ignore them. */
  readonly strictParameters: boolean;
  /** Rows exactly at endTimeMillis are deleted as well. */
  readonly inclusiveCutoff: boolean;
  /** Documents have usage statistics. */
  readonly documentUsage: boolean;
  /** Storage of the time series. Tasks, names, sizes, batches and timeouts depend on it. */
  readonly timeseriesStore: 'searchCluster' | 'postgres';
  /**
   * How rows are deleted: by a reindex for more than half of them, always by a query, or (as in the description) by a
   * query that is called a reindex.
   */
  readonly strategy: 'byShare' | 'byQuery' | 'byQueryCalledReindex';
  /** Before copying rows, a reindex turns off refreshes and replicas of the new index, and never restores them. */
  readonly reindexTunesIndex: boolean;
  /** How often each index of the time series is refreshed, in ms. */
  readonly refreshIntervalMillis: number;
  /** `sizeInMb` is in megabytes. `sizeMb` is in kilobytes, and wrong from 2^31 bytes on. */
  readonly sizeField: 'sizeMb' | 'sizeInMb';

  /** Durations in ms, null for never. A missing one fails as an unrecognized duration. */
  readonly durations: Readonly<Record<string, number | null>>;
  readonly allowNoExpiry: boolean;
  /** The owner of a token may look up its metadata by its string. Otherwise only managers may. */
  readonly metadataForOwners: boolean;
  readonly defaultPage: { readonly start: number; readonly count: number } | null;
  /** The size of a page for a count that is negative or above the search window. Null: an error. */
  readonly largestPage: number | null;
  /** Filter fields that select the caller's own tokens. */
  readonly ownFields: readonly string[];
  /** Spelling of the filter that the ownership check reads. */
  readonly ownFilterSpelling: 'value' | 'values';
  readonly defaultBatchSize: number;
  /** Lag of the search index for tokens, in ms. */
  readonly lagMillis: number;
  /** Unmapped errors have the chain of causes as their text, instead of one sentence for all. */
  readonly explainsServerErrors: boolean;
}

const day = 24 * 60 * 60 * 1000;

/** Those of 0.14.0. ONE_WEEK is missing on purpose: the schema has it, but the server can't compute it. */
const durations: Record<string, number | null> = {
  ONE_HOUR: day / 24,
  ONE_DAY: day,
  ONE_MONTH: 30 * day,
  THREE_MONTHS: 90 * day,
  SIX_MONTHS: 180 * day,
  ONE_YEAR: 365 * day,
  NO_EXPIRY: null,
};

const spec: Profile = {
  name: 'spec',
  product: 'Service',
  version: null,
  clientRelease: '0.14.0',
  schema: 'spec',
  tokenUrnPrefix: 'urn:li:serviceAccessToken:',
  introspection: false,
  introspectsInGoodFaith: false,
  container: 'jetty',
  datesResponses: true,
  authentication: true,
  actorHeaderForGraphQL: true,
  restAuthorization: true,
  systemOperationsPrivilege: false,
  rejectsSelfRevocation: false,
  graphqlPaths: ['/api/graphql'],
  operationPaths: ['/gms/operations', '/api/gms/operations'],
  operations: ['truncateTimeseriesAspect', 'getIndexSizes'],
  sideDoors: false,
  frontProxy: false,
  forceFlags: false,
  strictParameters: true,
  inclusiveCutoff: false,
  documentUsage: false,
  timeseriesStore: 'searchCluster',
  strategy: 'byQueryCalledReindex',
  reindexTunesIndex: false,
  refreshIntervalMillis: 1000,
  sizeField: 'sizeMb',
  durations: { ...durations, ONE_WEEK: 7 * day },
  allowNoExpiry: true,
  metadataForOwners: false,
  defaultPage: null,
  largestPage: null,
  ownFields: ['ownerUrn', 'actorUrn'],
  ownFilterSpelling: 'value',
  defaultBatchSize: 10_000,
  lagMillis: 0,
  explainsServerErrors: true,
};

/** Release 0.14.0, as seen running. */
const v0_14: Profile = {
  name: '0.14',
  product: 'DataHub',
  version: 'v0.14.0',
  clientRelease: '0.14.0',
  schema: '0.14',
  tokenUrnPrefix: 'urn:li:dataHubAccessToken:',
  introspection: true,
  introspectsInGoodFaith: false,
  container: 'jetty',
  datesResponses: true,
  authentication: false,
  actorHeaderForGraphQL: false,
  restAuthorization: false,
  systemOperationsPrivilege: false,
  rejectsSelfRevocation: true,
  graphqlPaths: ['/api/graphql'],
  operationPaths: ['/operations'],
  operations: ['truncateTimeseriesAspect', 'getIndexSizes', 'getEsTaskStatus'],
  sideDoors: true,
  frontProxy: true,
  forceFlags: true,
  strictParameters: false,
  inclusiveCutoff: true,
  documentUsage: false,
  timeseriesStore: 'searchCluster',
  strategy: 'byShare',
  reindexTunesIndex: false,
  refreshIntervalMillis: 1000,
  sizeField: 'sizeInMb',
  durations,
  allowNoExpiry: true,
  metadataForOwners: false,
  defaultPage: null,
  largestPage: null,
  ownFields: ['ownerUrn'],
  ownFilterSpelling: 'values',
  defaultBatchSize: 10_000,
  lagMillis: 1000,
  explainsServerErrors: false,
};

/** The line before 1.7, as seen running: v1.6.0.16rc6. */
const v1_6: Profile = {
  ...v0_14,
  name: '1.6',
  version: 'v1.6.0.16rc6',
  clientRelease: '1.6.0.15',
  schema: '1.6',
  introspectsInGoodFaith: true,
  container: 'spring',
  datesResponses: false,
  authentication: true,
  restAuthorization: true,
  systemOperationsPrivilege: true,
  rejectsSelfRevocation: false,
  documentUsage: true,
  reindexTunesIndex: true,
  refreshIntervalMillis: 3000,
  durations: { ...durations, ONE_WEEK: 7 * day },
  defaultPage: { start: 0, count: 20 },
  largestPage: 5000,
  defaultBatchSize: 5000,
  explainsServerErrors: true,
};

/** Release 1.7.0.1. Nothing that was read of it differs from the line before. */
const v1_7: Profile = { ...v1_6, name: '1.7', version: 'v1.7.0.1', clientRelease: '1.7.0.1' };

/** The main line after it, not released yet: read, never seen running. Its own notes call it "Next". */
const next: Profile = {
  ...v1_7,
  name: 'next',
  // Made up, because there is no release.
  version: 'v1.7.1-SNAPSHOT',
  clientRelease: '1.7.1-SNAPSHOT',
  allowNoExpiry: false,
  metadataForOwners: true,
};

/** The main line with its time series in PostgreSQL, as in a pull request of 2026: read, never seen running. */
const postgres: Profile = { ...next, name: 'postgres', timeseriesStore: 'postgres', strategy: 'byQuery' };

export const profiles: Readonly<Record<ProfileName, Profile>> = {
  spec,
  '0.14': v0_14,
  '1.6': v1_6,
  '1.7': v1_7,
  next,
  postgres,
};

/** Header with the actor, in lower case as in Node.js. */
export function actorHeader(profile: Profile): string {
  return `x-${profile.product.toLowerCase()}-actor`;
}
