import type { Platform } from './platform.ts';
import type { IndexSize } from './timeIndices.ts';

/** One table holds everything. Its schema and prefix are a matter of the installation; these are made up. */
const table = 'public.timeseries_aspect';

/** What a server lists: each index of a search cluster, or each table of a database, which says nothing of what is in it. */
export function listedSizes({ profile, indices }: Platform, now: number): IndexSize[] {
  const sizes = indices.sizes(now);
  if (profile.timeseriesStore === 'searchCluster') {
    return sizes;
  }
  const megabytes = sizes.reduce((sum, size) => sum + size.megabytes, 0);
  return [{ indexName: table, names: { entity: '*', aspect: '*' }, megabytes }];
}
