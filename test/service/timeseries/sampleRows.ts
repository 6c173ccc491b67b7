import type { DatabaseSync } from 'node:sqlite';
import { inTransaction } from '../database.ts';
import { extraEntity, timeSeriesAspects } from './entityRegistry.ts';
import { canonicalName } from './indexName.ts';
import type { Profile } from '../profiles.ts';
import { seededRandom } from '../random.ts';
import type { TimeIndices } from './indices.ts';

interface SampleIndex {
  readonly entity: string;
  readonly aspect: string;
  /** Number of rows, in thousandths of the sample's size. */
  readonly share: number;
  readonly bytesPerRow: number;
  /** 1: rows are spread evenly over the two years. Above 1: most are recent. Below 1: most are old. */
  readonly recency: number;
  /** Behind an alias. An index without one cannot be reindexed. */
  readonly aliased?: false;
}

/** Servers truncate an index with a high recency by query, one with a low recency by a reindex. */
const sampleIndices: readonly SampleIndex[] = [
  { entity: 'dataset', aspect: 'datasetusagestatistics', share: 270, bytesPerRow: 60_000, recency: 1 },
  { entity: 'dataset', aspect: 'operation', share: 210, bytesPerRow: 4200, recency: 2.5 },
  { entity: 'dataset', aspect: 'datasetprofile', share: 160, bytesPerRow: 38_000, recency: 1.4 },
  { entity: 'chart', aspect: 'chartusagestatistics', share: 90, bytesPerRow: 2600, recency: 1 },
  {
    entity: 'dashboard',
    aspect: 'dashboardusagestatistics',
    share: 80,
    bytesPerRow: 2900,
    recency: 0.8,
    aliased: false,
  },
  { entity: 'datajob', aspect: 'datahubingestionrunsummary', share: 90, bytesPerRow: 9800, recency: 1.2 },
  { entity: 'datajob', aspect: 'datahubingestioncheckpoint', share: 60, bytesPerRow: 15_000, recency: 3 },
  { entity: 'query', aspect: 'queryusagestatistics', share: 40, bytesPerRow: 1100, recency: 2 },
  { entity: 'assertion', aspect: 'assertionrunevent', share: 300, bytesPerRow: 14_000, recency: 1.5 },
  {
    entity: 'dataprocessinstance',
    aspect: 'dataprocessinstancerunevent',
    share: 200,
    bytesPerRow: 8000,
    recency: 1.2,
  },
  { entity: 'document', aspect: 'documentusagestatistics', share: 10, bytesPerRow: 1200, recency: 3 },
];

/** An index of another installation on the same cluster, with its own prefix. */
const foreign = { name: `prod_${canonicalName('dataset', 'datasetprofile')}`, bytesPerRow: 60_000, rowsPerMille: 1 };

/** Age of the oldest row: two years. */
const retainedMillis = 730 * 24 * 60 * 60 * 1000;

/**
 * Fills the server's indices with rows of the two years before `now`. Each has a row at the oldest and at the newest
 * moment.
 * @param size the number that the shares are thousandths of
 */
export function addSampleRows(
  database: DatabaseSync,
  indices: TimeIndices,
  profile: Profile,
  size: number,
  now: number,
): void {
  const random = seededRandom(1);
  const insert = database.prepare('INSERT INTO time_row (time_index, timestamp_millis, urn) VALUES (?, ?, ?)');
  inTransaction(database, () => {
    for (const sample of samplesOf(profile)) {
      const name = canonicalName(sample.entity, sample.aspect);
      const { id } = indices.add({
        physicalName: sample.aliased === false ? name : `${name}_1690000000000`,
        alias: sample.aliased === false ? null : name,
        bytesPerRow: sample.bytesPerRow,
      });
      const count = Math.round((size * sample.share) / 1000);
      for (let row = 0; row < count; row += 1) {
        const share = row === 0 ? 1 : row === 1 ? 0 : random() ** sample.recency;
        insert.run(
          id,
          now - Math.round(retainedMillis * share),
          `urn:li:${sample.entity}:${Math.floor(random() * 5000)}`,
        );
      }
    }
  });
}

/** Adds a small index of another installation. All of its rows are older than two years. */
export function addForeignIndex(database: DatabaseSync, indices: TimeIndices, size: number, now: number): void {
  const { name, bytesPerRow, rowsPerMille } = foreign;
  const { id } = indices.add({ physicalName: name, alias: null, bytesPerRow });
  const insert = database.prepare('INSERT INTO time_row (time_index, timestamp_millis, urn) VALUES (?, ?, ?)');
  inTransaction(database, () => {
    for (let row = 0; row < Math.ceil((size * rowsPerMille) / 1000); row += 1) {
      insert.run(id, now - retainedMillis - row * 60_000, `urn:li:dataset:${row}`);
    }
  });
}

/** Sample indices of the aspects that the server knows. */
function samplesOf(profile: Profile): SampleIndex[] {
  const known = new Set(timeSeriesAspects(profile).map((names) => names.join('/').toLowerCase()));
  return sampleIndices.filter(({ entity, aspect }) => known.has(`${entity}/${aspect}`));
}

/** Adds this many indices with one row each, for a cluster that has grown large. */
export function addSmallIndices(database: DatabaseSync, indices: TimeIndices, count: number, now: number): void {
  inTransaction(database, () => {
    for (let number = 1; number <= count; number += 1) {
      const aspect = `aspect${String(number).padStart(5, '0')}`;
      const physicalName = canonicalName(extraEntity, aspect);
      const { id } = indices.add({ physicalName, alias: null, bytesPerRow: 1000 });
      database
        .prepare('INSERT INTO time_row (time_index, timestamp_millis, urn) VALUES (?, ?, ?)')
        .run(id, now, 'urn:li:extra:1');
    }
  });
}
