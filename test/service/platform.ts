import type { DatabaseSync } from 'node:sqlite';
import { openDatabase } from './database.ts';
import { effectiveProfile, effectiveQuirks, type ServiceOptions } from './options.ts';
import type { Profile } from './profiles.ts';
import type { Quirks } from './quirks.ts';
import { addForeignIndex, addSampleRows, addSmallIndices } from './timeseries/sampleRows.ts';
import { addSampleTokens } from './tokens/sampleTokens.ts';
import type { TaskPacing } from './timeseries/tasks.ts';
import { openSearchTimeseries } from './timeseries/openSearchTimeseries.ts';
import { TimeIndices } from './timeseries/indices.ts';
import { sqliteTimeseries, type Timeseries } from './timeseries/timeseries.ts';
import { TokenStore } from './tokens/tokens.ts';

/** Everything behind the protocol, shared by all endpoints. */
export interface Platform {
  readonly profile: Profile;
  readonly database: DatabaseSync;
  readonly tokens: TokenStore;
  readonly timeseries: Timeseries;
  readonly pacing: TaskPacing;
  readonly quirks: Quirks;
  /** The server's clock, Unix ms. */
  readonly clock: () => number;
}

/**
 * Opens the database and fills it with the sample data if it is empty. A search cluster gets the rows from there.
 *
 * @throws Error with a sentence for the user if the search cluster can't be used
 */
export async function createPlatform(
  options: ServiceOptions,
  pacing: TaskPacing,
  clock: () => number,
): Promise<Platform> {
  const profile = effectiveProfile(options);
  const quirks = effectiveQuirks(options, profile);
  const database = openDatabase(options.database ?? ':memory:');
  const tokens = new TokenStore(database, {
    issuer: `${profile.product.toLowerCase()}-metadata-service`,
    lagMillis: profile.lagMillis,
  });
  const indices = new TimeIndices(database, quirks);
  if (indices.all().length === 0) {
    addSampleTokens(database, tokens, options.tokens ?? 45, clock());
    const rows = options.rows ?? (options.searchCluster === undefined ? 500_000 : 60_000);
    addSampleRows(database, indices, profile, rows, clock());
    addForeignIndex(database, indices, rows, clock());
    addSmallIndices(database, indices, options.smallIndices ?? 0, clock());
  }
  const timeseries =
    options.searchCluster === undefined
      ? sqliteTimeseries(database, indices, profile, pacing, clock)
      : await openSearchTimeseries(options.searchCluster, database, indices, profile, quirks, pacing, clock);
  return {
    profile,
    database,
    tokens,
    timeseries,
    pacing,
    quirks,
    clock,
  };
}
