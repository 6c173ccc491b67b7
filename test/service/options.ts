import type { IngestionSource } from './ingestionSources.ts';
import { profiles, type Profile, type ProfileName } from './profiles.ts';
import type { Quirks } from './quirks.ts';

/** Options of a service. Every field has a default. */
export interface ServiceOptions extends Partial<Quirks> {
  /** `next` unless said otherwise. */
  readonly profile?: ProfileName;
  /** 0, the default: any free port. */
  readonly port?: number;
  readonly frontPort?: number;
  /** Bearer tokens are checked; as the profile has it. */
  readonly authentication?: boolean;
  /** The front proxy's own authentication; as `authentication`. */
  readonly frontAuthentication?: boolean;
  /** Privileges of the operations are enforced; as the profile has it. */
  readonly restAuthorization?: boolean;
  /** Tokens that never expire may be created; as the profile has it. */
  readonly allowNoExpiry?: boolean;
  /** A reindex turns off the refreshes of its new index; as the profile has it. */
  readonly reindexTunesIndex?: boolean;
  /** ISO 8601 texts, or null for no list; as the profile has it. */
  readonly allowedDurations?: readonly string[] | null;
  /** Makes the sample data; the same seed makes the same data relative to now. */
  readonly seed?: number;
  /** A file that keeps the data, or `:memory:`. A file that has data already is used as it is. */
  readonly database?: string;
  /**
   * URL of a search cluster that keeps the rows instead of SQLite, with its own tasks. It is filled with sample rows, which are
   * removed when the service is closed. `pacing` has no power there.
   */
  readonly searchCluster?: string;
  /** Size of the sample, of which each index has its share (sampleRows.ts); 500,000, in a search cluster 60,000. */
  readonly rows?: number;
  /** Further indices of one row each; none. */
  readonly smallIndices?: number;
  /** Rows of one further index, made by the database itself so that millions take seconds; none. */
  readonly largeIndexRows?: number;
  /** Sample tokens; 45. */
  readonly tokens?: number;
  /** Instead of a garbage collector and a warehouse. */
  readonly ingestionSources?: readonly IngestionSource[];
  /** How long the search index of tokens runs behind, in ms; as the profile has it. */
  readonly lagMillis?: number;
  /** How long a revoked token still works here, as on a replica that has not heard of it, in ms; 0. */
  readonly revocationCacheMillis?: number;
  /** Pause after each batch of a task, in ms; 0. */
  readonly batchDelayMillis?: number;
  /** How long the front waits for the service, in ms; two minutes. */
  readonly frontTimeoutMillis?: number;
  /** Serves HTTPS with this certificate; both in PEM. */
  readonly tls?: { readonly key: string; readonly cert: string };
}

/** The profile with what the options change in it. */
export function effectiveProfile(options: ServiceOptions): Profile {
  const base = profiles[options.profile ?? 'next'];
  return {
    ...base,
    authentication: options.authentication ?? base.authentication,
    restAuthorization: options.restAuthorization ?? base.restAuthorization,
    allowNoExpiry: options.allowNoExpiry ?? base.allowNoExpiry,
    reindexTunesIndex: options.reindexTunesIndex ?? base.reindexTunesIndex,
    allowedDurations: options.allowedDurations === undefined ? base.allowedDurations : options.allowedDurations,
    lagMillis: options.lagMillis ?? base.lagMillis,
  };
}

export function effectiveQuirks(options: ServiceOptions, profile: Profile): Quirks {
  return {
    introspection: options.introspection ?? profile.introspection,
    staleRows: options.staleRows ?? 'fail',
    phantomTokens: options.phantomTokens ?? 0,
    decimalSeparator: options.decimalSeparator ?? '.',
    durationWording: options.durationWording ?? 'later',
    refreshIntervalMillis: options.refreshIntervalMillis ?? null,
    replicas: options.replicas ?? 0,
    shards: options.shards ?? 1,
    databaseAnswers: options.databaseAnswers ?? 'atEnd',
  };
}
