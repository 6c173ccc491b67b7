import type { DatabaseSync } from 'node:sqlite';
import type { Quirks } from './quirks.ts';

/** One physical index of time series rows. */
export interface TimeIndex {
  readonly id: number;
  readonly physicalName: string;
  /** The name that readers use; null when the index was never reindexed and the physical name is the only one. */
  readonly alias: string | null;
  readonly entity: string;
  readonly aspect: string;
  readonly bytesPerRow: number;
  readonly listedByPhysicalName: boolean;
}

/** An entry of the size listing. */
export interface IndexSize {
  readonly indexName: string;
  /** Missing where the server cannot tell them from the name. */
  readonly names: { readonly entity: string; readonly aspect: string } | null;
  /** Decimal megabytes. */
  readonly megabytes: number;
}

export interface RowSummary {
  readonly count: number;
  /** Unix milliseconds of the oldest and the newest row; null when there is none. */
  readonly min: number | null;
  readonly max: number | null;
}

/** A place in an index in order of time; `row` tells rows of the same moment apart. */
export interface RowPlace {
  readonly timestampMillis: number;
  readonly row: number;
}

/** The time series indices of the server and their rows. */
export class TimeIndices {
  readonly #database: DatabaseSync;
  readonly #quirks: Pick<Quirks, 'physicalNames' | 'namesReplaced'>;

  constructor(database: DatabaseSync, quirks: Pick<Quirks, 'physicalNames' | 'namesReplaced'>) {
    this.#database = database;
    this.#quirks = quirks;
  }

  /** The index that readers of an entity type and aspect see. Names are lower case in a search cluster, so case does not matter. */
  find(entity: string, aspect: string): TimeIndex | null {
    const name = canonicalName(entity.toLowerCase(), aspect.toLowerCase());
    const row = this.#database
      .prepare('SELECT * FROM time_index WHERE alias = ? OR (alias IS NULL AND physical_name = ?)')
      .get(name, name);
    return row ? indexOf(row) : null;
  }

  /** Every physical index that still takes space at `now`, in order of creation. */
  all(now: number): TimeIndex[] {
    return this.#database
      .prepare('SELECT * FROM time_index WHERE deleted_at IS NULL OR deleted_at > ? ORDER BY id')
      .all(now)
      .map(indexOf);
  }

  /** Sizes as counted from the rows that are there. */
  sizes(now: number): IndexSize[] {
    this.#purge(now);
    const byId = new Map<number, number>();
    for (const row of this.#database
      .prepare('SELECT time_index, count(*) AS count FROM time_row GROUP BY time_index')
      .all()) {
      byId.set(Number(row['time_index']), Number(row['count']));
    }
    return this.all(now).map((index) => {
      const canonical = canonicalName(index.entity, index.aspect);
      const isRead = index.alias === canonical || index.physicalName === canonical;
      const physical = index.listedByPhysicalName || (this.#quirks.physicalNames && index.alias !== null);
      const byName = isRead && !physical;
      return {
        indexName: byName ? canonical : index.physicalName,
        names:
          byName || (!isRead && this.#quirks.namesReplaced) ? { entity: index.entity, aspect: index.aspect } : null,
        megabytes: ((byId.get(index.id) ?? 0) * index.bytesPerRow) / 1e6,
      };
    });
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

  addRow(index: TimeIndex, timestampMillis: number): void {
    this.#database
      .prepare('INSERT INTO time_row (time_index, timestamp_millis, urn) VALUES (?, ?, ?)')
      .run(index.id, timestampMillis, `urn:li:${index.entity}:written`);
  }

  /** Makes a new, empty index behind the alias of `old`, which from then on nobody reads. */
  replaceBehindAlias(old: TimeIndex, physicalName: string): TimeIndex {
    this.#database.prepare('UPDATE time_index SET alias = NULL WHERE id = ?').run(old.id);
    this.add({ ...old, physicalName });
    const fresh = this.find(old.entity, old.aspect);
    if (!fresh) {
      throw new Error(`The alias ${String(old.alias)} lost its index.`);
    }
    return fresh;
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

  /** Lets an index that nobody reads go on taking space until `deletedAt`. */
  leaveUntil(index: TimeIndex, deletedAt: number): void {
    this.#database.prepare('UPDATE time_index SET deleted_at = ? WHERE id = ?').run(deletedAt, index.id);
  }

  add(index: Omit<TimeIndex, 'id'>): void {
    this.#database
      .prepare(
        `INSERT INTO time_index (physical_name, alias, entity, aspect, bytes_per_row, listed_by_physical_name)
         VALUES (?, ?, ?, ?, ?, ?)`,
      )
      .run(
        index.physicalName,
        index.alias,
        index.entity,
        index.aspect,
        index.bytesPerRow,
        index.listedByPhysicalName ? 1 : 0,
      );
  }

  /** Drops the rows of indices whose time has come. */
  #purge(now: number): void {
    this.#database
      .prepare('DELETE FROM time_row WHERE time_index IN (SELECT id FROM time_index WHERE deleted_at <= ?)')
      .run(now);
    this.#database.prepare('DELETE FROM time_index WHERE deleted_at <= ?').run(now);
  }
}

export function canonicalName(entity: string, aspect: string): string {
  return `${entity}_${aspect}aspect_v1`;
}

function numberOrNull(value: unknown): number | null {
  return value === null || value === undefined ? null : Number(value);
}

function indexOf(row: Record<string, unknown>): TimeIndex {
  return {
    id: Number(row['id']),
    physicalName: String(row['physical_name']),
    alias: row['alias'] === null ? null : String(row['alias']),
    entity: String(row['entity']),
    aspect: String(row['aspect']),
    bytesPerRow: Number(row['bytes_per_row']),
    listedByPhysicalName: row['listed_by_physical_name'] === 1,
  };
}
