import type { DatabaseSync } from 'node:sqlite';
import type { IndexSettings } from './searchCluster.ts';

/** One physical index of time series rows. */
export interface TimeIndex {
  readonly id: number;
  readonly physicalName: string;
  /** Name that readers use. Null if the index was never reindexed, so that there is only the physical name. */
  readonly alias: string | null;
  readonly bytesPerRow: number;
  /** Milliseconds. -1: none. null: the cluster's default. */
  readonly refreshIntervalMillis: number | null;
  /** Last refresh of each copy, the primary first. Unix ms by the cluster's clock. */
  readonly refreshedAt: readonly number[];
  readonly writeBlocked: boolean;
  /** One of its shards is not assigned to a node. */
  readonly shardUnassigned: boolean;
}

type NewIndex = Pick<TimeIndex, 'physicalName' | 'alias' | 'bytesPerRow'>;

/** Indices of the cluster with their settings, without rows. */
export class TimeIndices {
  readonly #database: DatabaseSync;
  readonly #configured: Pick<IndexSettings, 'refreshIntervalMillis' | 'replicas'>;

  /** @param configured settings that the platform gives a new index */
  constructor(database: DatabaseSync, configured: Pick<IndexSettings, 'refreshIntervalMillis' | 'replicas'>) {
    this.#database = database;
    this.#configured = configured;
  }

  /** Finds an index by its physical name or alias. */
  find(name: string): TimeIndex | null {
    const row = this.#database.prepare('SELECT * FROM time_index WHERE alias = ? OR physical_name = ?').get(name, name);
    return row ? indexOf(row) : null;
  }

  /**
   * Finds indices by the name that readers use: the alias if there is one. In order of creation.
   * @param pattern `*` stands for any text
   */
  matching(pattern: string): TimeIndex[] {
    return this.#database
      .prepare('SELECT * FROM time_index WHERE coalesce(alias, physical_name) GLOB ? ORDER BY id')
      .all(pattern)
      .map(indexOf);
  }

  /** Every physical index, in order of creation. */
  all(): TimeIndex[] {
    return this.#database.prepare('SELECT * FROM time_index ORDER BY id').all().map(indexOf);
  }

  add({ physicalName, alias, bytesPerRow }: NewIndex): TimeIndex {
    const { refreshIntervalMillis, replicas } = this.#configured;
    this.#database
      .prepare(
        `INSERT INTO time_index (physical_name, alias, bytes_per_row, refresh_interval, refreshed_at)
         VALUES (?, ?, ?, ?, ?)`,
      )
      .run(physicalName, alias, bytesPerRow, refreshIntervalMillis, JSON.stringify(Array(replicas + 1).fill(0)));
    const added = this.find(physicalName);
    if (!added) {
      throw new Error(`The index ${physicalName} was not added.`);
    }
    return added;
  }

  setAlias(index: TimeIndex, alias: string | null): void {
    this.#set(index, 'alias', alias);
  }

  setRefreshInterval(index: TimeIndex, millis: number | null): void {
    this.#set(index, 'refresh_interval', millis);
  }

  setRefreshedAt(index: TimeIndex, refreshedAt: readonly number[]): void {
    this.#set(index, 'refreshed_at', JSON.stringify(refreshedAt));
  }

  setWriteBlocked(index: TimeIndex, blocked: boolean): void {
    this.#set(index, 'write_blocked', Number(blocked));
  }

  setShardUnassigned(index: TimeIndex, unassigned: boolean): void {
    this.#set(index, 'shard_unassigned', Number(unassigned));
  }

  #set(index: TimeIndex, column: string, value: string | number | null): void {
    this.#database.prepare(`UPDATE time_index SET ${column} = ? WHERE id = ?`).run(value, index.id);
  }
}

function indexOf(row: Record<string, unknown>): TimeIndex {
  return {
    id: Number(row['id']),
    physicalName: String(row['physical_name']),
    alias: row['alias'] === null ? null : String(row['alias']),
    bytesPerRow: Number(row['bytes_per_row']),
    refreshIntervalMillis: row['refresh_interval'] === null ? null : Number(row['refresh_interval']),
    refreshedAt: JSON.parse(String(row['refreshed_at'])) as number[],
    writeBlocked: row['write_blocked'] === 1,
    shardUnassigned: row['shard_unassigned'] === 1,
  };
}
