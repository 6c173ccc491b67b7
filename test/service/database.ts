import { DatabaseSync } from 'node:sqlite';

/**
 * Tokens are stored twice, as on a real server: `token` is the primary store, `token_document` the search index that
 * lags behind it. A document is visible from `visible_from` until `visible_until`, so the lag needs no timers and
 * survives a restart.
 *
 * A row of `time_index` is one physical index; an index that was reindexed once is behind an alias. Its rows are
 * visible from the first refresh after `written_at` until the first one after `deleted_at`; `copy_of` is the row that
 * a copy was made from. `task_record` keeps the results of finished tasks.
 */
const tables = `
  CREATE TABLE IF NOT EXISTS setting (name TEXT PRIMARY KEY, value TEXT NOT NULL);

  CREATE TABLE IF NOT EXISTS token (
    id TEXT PRIMARY KEY, name TEXT NOT NULL, description TEXT, actor_urn TEXT NOT NULL, owner_urn TEXT NOT NULL,
    created_at INTEGER NOT NULL, expires_at INTEGER
  );
  CREATE TABLE IF NOT EXISTS token_document (
    id TEXT PRIMARY KEY, name TEXT NOT NULL, actor_urn TEXT NOT NULL, owner_urn TEXT NOT NULL,
    created_at INTEGER NOT NULL, expires_at INTEGER, visible_from INTEGER NOT NULL, visible_until INTEGER
  );

  CREATE TABLE IF NOT EXISTS time_index (
    id INTEGER PRIMARY KEY, physical_name TEXT NOT NULL UNIQUE, alias TEXT UNIQUE, bytes_per_row INTEGER NOT NULL,
    refresh_interval INTEGER, refreshed_at TEXT NOT NULL,
    write_blocked INTEGER NOT NULL DEFAULT 0, shard_unassigned INTEGER NOT NULL DEFAULT 0
  );
  CREATE TABLE IF NOT EXISTS time_row (
    time_index INTEGER NOT NULL, timestamp_millis INTEGER NOT NULL, urn TEXT NOT NULL,
    written_at REAL NOT NULL DEFAULT 0, deleted_at REAL, copy_of INTEGER
  );
  CREATE INDEX IF NOT EXISTS time_row_by_time ON time_row (time_index, timestamp_millis, written_at, deleted_at);
  CREATE INDEX IF NOT EXISTS time_row_changed ON time_row (time_index) WHERE written_at > 0 OR deleted_at IS NOT NULL;
  CREATE INDEX IF NOT EXISTS time_row_copied ON time_row (time_index, copy_of) WHERE copy_of IS NOT NULL;
  CREATE TABLE IF NOT EXISTS task_record (id TEXT PRIMARY KEY, report TEXT NOT NULL);
`;

/** Opens the database at a path, or in memory for `:memory:`. Creates its tables if needed. */
export function openDatabase(path: string): DatabaseSync {
  const database = new DatabaseSync(path);
  database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = OFF;');
  database.exec(tables);
  return database;
}

/** Runs `work` as one transaction. */
export function inTransaction<T>(database: DatabaseSync, work: () => T): T {
  database.exec('BEGIN');
  try {
    const result = work();
    database.exec('COMMIT');
    return result;
  } catch (error) {
    database.exec('ROLLBACK');
    throw error;
  }
}

/** A value that is made once and then stored with the data, such as the key that signs tokens. */
export function keptSetting(database: DatabaseSync, name: string, make: () => string): string {
  const kept = database.prepare('SELECT value FROM setting WHERE name = ?').get(name);
  if (kept) {
    return String(kept['value']);
  }
  const value = make();
  database.prepare('INSERT INTO setting (name, value) VALUES (?, ?)').run(name, value);
  return value;
}
