import { profiles, type Profile, type ProfileName } from './profiles.ts';
import type { Quirks } from './quirks.ts';

/** Options of a service. Every field has a default. */
export interface ServiceOptions extends Partial<Quirks> {
  /** `1.6` by default: the newest that was seen running. */
  readonly profile?: ProfileName;
  /** By default 0: any free port. */
  readonly port?: number;
  readonly frontPort?: number;
  /** Bearer tokens are checked. By default as in the profile. */
  readonly authentication?: boolean;
  /** A reindex turns off the refreshes of its new index. By default as in the profile. */
  readonly reindexTunesIndex?: boolean;
  /** File for the data, or `:memory:`. Existing data is kept. */
  readonly database?: string;
  /**
   * URL of a search cluster that keeps the rows instead of SQLite and runs its own tasks. It is filled with sample
   * rows, which are removed when the service is closed. `pacing` has no effect there.
   */
  readonly searchCluster?: string;
  /** Size of the sample, divided among its indices (sampleRows.ts). By default 500,000, in a search cluster 60,000. */
  readonly rows?: number;
  /** Number of one-row indices to add. None by default. */
  readonly smallIndices?: number;
  /** Number of sample tokens. 45 by default. */
  readonly tokens?: number;
  /** Lag of the search index for tokens, in ms. By default as in the profile. */
  readonly lagMillis?: number;
  /** Pause after each batch, in ms. 0 by default. */
  readonly batchDelayMillis?: number;
  /** Serves HTTPS with this certificate. Both are in PEM. */
  readonly tls?: { readonly key: string; readonly cert: string };
}

/** The profile, changed by the options. */
export function effectiveProfile(options: ServiceOptions): Profile {
  const base = profiles[options.profile ?? '1.6'];
  return {
    ...base,
    authentication: options.authentication ?? base.authentication,
    reindexTunesIndex: options.reindexTunesIndex ?? base.reindexTunesIndex,
    lagMillis: options.lagMillis ?? base.lagMillis,
  };
}

export function effectiveQuirks(options: ServiceOptions, profile: Profile): Quirks {
  return {
    introspection: options.introspection ?? profile.introspection,
    decimalSeparator: options.decimalSeparator ?? '.',
    refreshIntervalMillis:
      options.refreshIntervalMillis === undefined ? profile.refreshIntervalMillis : options.refreshIntervalMillis,
    replicas: options.replicas ?? 0,
  };
}
