import type { DatabaseSync } from 'node:sqlite';
import type { IndexStatistics, RowSummary } from './searchCluster.ts';

/** One physical index of time series rows. */
export interface TimeIndex {
  readonly id: number;
  readonly physicalName: string;
  /** The name that readers use; null when the index was never reindexed and the physical name is the only one. */
  readonly alias: string | null;
  readonly bytesPerRow: number;
}

/** A place in an index in order of time; `row` tells rows of the same moment apart. */
export interface RowPlace {
  readonly timestampMillis: number;
  readonly row: number;
}

/** The time series indices of the server and their rows. */
export class TimeIndices {
  readonly #database: DatabaseSync;

  constructor(database: DatabaseSync) {
    this.#database = database;
  }

  /** The index of a physical name or an alias. */
  find(name: string): TimeIndex | null {
    const row = this.#database.prepare('SELECT * FROM time_index WHERE alias = ? OR physical_name = ?').get(name, name);
    return row ? indexOf(row) : null;
  }

  /** Every physical index in order of creation. */
  all(): TimeIndex[] {
    return this.#database.prepare('SELECT * FROM time_index ORDER BY id').all().map(indexOf);
  }

  /** Sizes of the indices that readers can use, as counted from the rows that are there. */
  statistics(): IndexStatistics[] {
    const byId = new Map<number, number>();
    for (const row of this.#database
      .prepare('SELECT time_index, count(*) AS count FROM time_row GROUP BY time_index')
      .all()) {
      byId.set(Number(row['time_index']), Number(row['count']));
    }
    return this.all()
      .filter(({ alias, physicalName }) => alias !== null || physicalName.endsWith('aspect_v1'))
      .map(({ id, physicalName, bytesPerRow }) => ({ name: physicalName, bytes: (byId.get(id) ?? 0) * bytesPerRow }));
  }

  summary(index: TimeIndex): RowSummary {
    const row = this.#database
      .prepare(
        'SELECT count(*) AS count, min(timestamp_millis) AS min, max(timestamp_millis) AS max FROM time_row WHERE time_index = ?',
      )
      .get(index.id);
    return { count: Number(row?.['count']), min: numberOrNull(row?.['min']), max: numberOrNull(row?.['max']) };
  }

  /** Rows whose timestamp is at most `lastMillis`. */
  countUpTo(index: TimeIndex, lastMillis: number): number {
    const row = this.#database
      .prepare('SELECT count(*) AS count FROM time_row WHERE time_index = ? AND timestamp_millis <= ?')
      .get(index.id, lastMillis);
    return Number(row?.['count']);
  }

  /** Deletes up to `limit` rows whose timestamp is at most `lastMillis`, but never the `spared` oldest; returns how many went. */
  deleteBatch(index: TimeIndex, lastMillis: number, limit: number, spared: number): number {
    const { changes } = this.#database
      .prepare(
        `DELETE FROM time_row WHERE rowid IN
           (SELECT rowid FROM time_row WHERE time_index = ? AND timestamp_millis <= ? ORDER BY timestamp_millis LIMIT ? OFFSET ?)`,
      )
      .run(index.id, lastMillis, limit, spared);
    return Number(changes);
  }

  rowsOf(index: TimeIndex): { readonly timestampMillis: number; readonly urn: string }[] {
    return this.#database
      .prepare('SELECT timestamp_millis, urn FROM time_row WHERE time_index = ?')
      .all(index.id)
      .map((row) => ({ timestampMillis: Number(row['timestamp_millis']), urn: String(row['urn']) }));
  }

  addRow(index: TimeIndex, timestampMillis: number): void {
    this.#database
      .prepare('INSERT INTO time_row (time_index, timestamp_millis, urn) VALUES (?, ?, ?)')
      .run(index.id, timestampMillis, 'urn:li:row:written');
  }

  moveAlias(alias: string, from: TimeIndex, to: TimeIndex): void {
    this.#database.prepare('UPDATE time_index SET alias = NULL WHERE id = ?').run(from.id);
    this.#database.prepare('UPDATE time_index SET alias = ? WHERE id = ?').run(alias, to.id);
  }

  /** Copies up to `limit` rows that come after the given place in order of time; returns how many, and the place reached. */
  copyBatch(
    from: TimeIndex,
    to: TimeIndex,
    after: RowPlace,
    limit: number,
  ): { readonly copied: number; readonly reached: RowPlace } {
    const bounds = [from.id, after.timestampMillis, after.row, limit] as const;
    const batch = `
      FROM time_row WHERE time_index = ? AND (timestamp_millis, rowid) > (?, ?) ORDER BY timestamp_millis, rowid LIMIT ?`;
    const last = this.#database
      .prepare(
        `SELECT * FROM (SELECT timestamp_millis, rowid AS row ${batch}) ORDER BY timestamp_millis DESC, row DESC`,
      )
      .get(...bounds);
    const { changes } = this.#database
      .prepare(`INSERT INTO time_row (time_index, timestamp_millis, urn) SELECT ?, timestamp_millis, urn ${batch}`)
      .run(to.id, ...bounds);
    const reached = last ? { timestampMillis: Number(last['timestamp_millis']), row: Number(last['row']) } : after;
    return { copied: Number(changes), reached };
  }

  add(index: Omit<TimeIndex, 'id'>): void {
    this.#database
      .prepare('INSERT INTO time_index (physical_name, alias, bytes_per_row) VALUES (?, ?, ?)')
      .run(index.physicalName, index.alias, index.bytesPerRow);
  }
}

function numberOrNull(value: unknown): number | null {
  return value === null || value === undefined ? null : Number(value);
}

function indexOf(row: Record<string, unknown>): TimeIndex {
  return {
    id: Number(row['id']),
    physicalName: String(row['physical_name']),
    alias: row['alias'] === null ? null : String(row['alias']),
    bytesPerRow: Number(row['bytes_per_row']),
  };
}
