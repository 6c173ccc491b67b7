import type { DatabaseSync } from 'node:sqlite';
import { inTransaction } from '../database.ts';
import type { RowSummary } from './searchCluster.ts';

/** Rows as one search finds them. */
export interface RowView {
  readonly indexId: number;
  /** Writes and deletions after this moment are invisible. Unix ms by the cluster's clock. */
  readonly upTo: number;
  /** The rows of one shard are missing. */
  readonly shardMissing: boolean;
}

/** A position in an index ordered by time. `row` distinguishes rows of the same moment. */
export interface RowPlace {
  readonly timestampMillis: number;
  readonly row: number;
}

export interface FoundRow extends RowPlace {
  /** Deleted since the view was taken. */
  readonly deleted: boolean;
}

/** Disk space of an index. */
export interface StoredRows {
  readonly live: number;
  /** Deleted, but still in the index's files. */
  readonly deleted: number;
  readonly lastDeletedAt: number;
}

/** Number of shards over which an index's rows are spread. */
const shards = 3;

const found = `time_index = ? AND written_at <= ? AND (deleted_at IS NULL OR deleted_at > ?) AND rowid % ${shards} <> ?`;

/** Rows of all indices. A deleted row stays until it is expunged, so that readers can still see it. */
export class TimeRows {
  readonly #database: DatabaseSync;

  constructor(database: DatabaseSync) {
    this.#database = database;
  }

  /** @param lastMillis rows up to and including this moment, or null for all */
  count(view: RowView, lastMillis: number | null): number {
    const last = lastMillis ?? Number.MAX_SAFE_INTEGER;
    // With millions of unchanged rows, pointless comparisons would take most of the time.
    const row = this.#neverChanged(view)
      ? this.#database
          .prepare('SELECT count(*) AS count FROM time_row WHERE time_index = ? AND timestamp_millis <= ?')
          .get(view.indexId, last)
      : this.#database
          .prepare(`SELECT count(*) AS count FROM time_row WHERE ${found} AND timestamp_millis <= ?`)
          .get(...bounds(view), last);
    return Number(row?.['count']);
  }

  summary(view: RowView): RowSummary {
    const row = this.#database
      .prepare(
        `SELECT count(*) AS count, min(timestamp_millis) AS min, max(timestamp_millis) AS max FROM time_row
         WHERE ${found}`,
      )
      .get(...bounds(view));
    return { count: Number(row?.['count']), min: numberOrNull(row?.['min']), max: numberOrNull(row?.['max']) };
  }

  /** Up to `limit` rows after a position in order of time, none later than `lastMillis`. */
  page(view: RowView, after: RowPlace, lastMillis: number, limit: number): FoundRow[] {
    return this.#database
      .prepare(
        `SELECT timestamp_millis, rowid AS row, deleted_at IS NOT NULL AS deleted FROM time_row
         WHERE ${found} AND timestamp_millis <= ? AND (timestamp_millis, rowid) > (?, ?)
         ORDER BY timestamp_millis, rowid LIMIT ?`,
      )
      .all(...bounds(view), lastMillis, after.timestampMillis, after.row, limit)
      .map((row) => ({
        timestampMillis: Number(row['timestamp_millis']),
        row: Number(row['row']),
        deleted: row['deleted'] === 1,
      }));
  }

  /** Every row of an index, for copying it elsewhere. */
  all(indexId: number): { readonly timestampMillis: number; readonly urn: string }[] {
    return this.#database
      .prepare('SELECT timestamp_millis, urn FROM time_row WHERE time_index = ?')
      .all(indexId)
      .map((row) => ({ timestampMillis: Number(row['timestamp_millis']), urn: String(row['urn']) }));
  }

  write(indexId: number, timestampsMillis: readonly number[], at: number): void {
    const insert = this.#database.prepare(
      'INSERT INTO time_row (time_index, timestamp_millis, urn, written_at) VALUES (?, ?, ?, ?)',
    );
    inTransaction(this.#database, () => {
      for (const timestampMillis of timestampsMillis) {
        insert.run(indexId, timestampMillis, 'urn:li:row:written', at);
      }
    });
  }

  /** Copies rows into another index, except those already copied. Returns how many were copied. */
  copy(rows: readonly RowPlace[], to: number, at: number): number {
    const insert = this.#database.prepare(
      `INSERT INTO time_row (time_index, timestamp_millis, urn, written_at, copy_of)
       SELECT ?, timestamp_millis, urn, ?, coalesce(copy_of, rowid) AS original FROM time_row WHERE rowid = ?
         AND NOT EXISTS (SELECT 1 FROM time_row AS copied
                         WHERE copied.time_index = ? AND copied.copy_of = original AND copied.deleted_at IS NULL)`,
    );
    return inTransaction(this.#database, () =>
      rows.reduce((copied, { row }) => copied + Number(insert.run(to, at, row, to).changes), 0),
    );
  }

  delete(rows: readonly RowPlace[], at: number): void {
    const update = this.#database.prepare('UPDATE time_row SET deleted_at = ? WHERE rowid = ?');
    inTransaction(this.#database, () => {
      for (const { row } of rows) {
        update.run(at, row);
      }
    });
  }

  /** Removes up to `limit` rows at or before `lastMillis`, at once and for every reader. Returns their number. */
  remove(indexId: number, lastMillis: number, limit: number): number {
    const { changes } = this.#database
      .prepare(
        `DELETE FROM time_row WHERE rowid IN
           (SELECT rowid FROM time_row WHERE time_index = ? AND timestamp_millis <= ?
            ORDER BY timestamp_millis LIMIT ?)`,
      )
      .run(indexId, lastMillis, limit);
    return Number(changes);
  }

  /** Removes rows deleted before a moment from the index's files. */
  expunge(indexId: number, deletedBefore: number): void {
    this.#database.prepare('DELETE FROM time_row WHERE time_index = ? AND deleted_at <= ?').run(indexId, deletedBefore);
  }

  /** Disk space of each index that isn't empty, by its ID. */
  stored(): Map<number, StoredRows> {
    const rows = this.#database
      .prepare(
        `SELECT time_index, count(*) AS count, count(deleted_at) AS deleted, max(deleted_at) AS last FROM time_row
         GROUP BY time_index`,
      )
      .all();
    return new Map(
      rows.map((row) => {
        const deleted = Number(row['deleted']);
        return [
          Number(row['time_index']),
          { live: Number(row['count']) - deleted, deleted, lastDeletedAt: Number(row['last'] ?? 0) },
        ];
      }),
    );
  }

  #neverChanged({ indexId, shardMissing }: RowView): boolean {
    const changed = this.#database
      .prepare(
        `SELECT 1 FROM time_row INDEXED BY time_row_changed
         WHERE time_index = ? AND (written_at > 0 OR deleted_at IS NOT NULL) LIMIT 1`,
      )
      .get(indexId);
    return changed === undefined && !shardMissing;
  }
}

/** All rows in their current state. */
export function wholeView(indexId: number): RowView {
  return { indexId, upTo: Number.POSITIVE_INFINITY, shardMissing: false };
}

function bounds({ indexId, upTo, shardMissing }: RowView): [number, number, number, number] {
  return [indexId, upTo, upTo, shardMissing ? 0 : -1];
}

function numberOrNull(value: unknown): number | null {
  return value === null || value === undefined ? null : Number(value);
}
