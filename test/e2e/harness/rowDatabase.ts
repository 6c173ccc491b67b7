import { DatabaseSync } from 'node:sqlite';

export type TimeRow = { readonly timestampMillis: number; readonly urn: string };

/** The local service's database, read from outside: its real content, whatever the service says. */
export class RowDatabase {
  readonly #database: DatabaseSync;

  constructor(file: string) {
    this.#database = new DatabaseSync(file);
  }

  /** Rows of an index, oldest first, without deleted ones that are still in its files. */
  rows(entity: string, aspect: string): TimeRow[] {
    return this.#database
      .prepare(
        `SELECT timestamp_millis, urn FROM time_row WHERE time_index = ? AND deleted_at IS NULL
         ORDER BY timestamp_millis, urn`,
      )
      .all(this.#index(entity, aspect))
      .map((row) => ({ timestampMillis: Number(row['timestamp_millis']), urn: String(row['urn']) }));
  }

  /** Adds rows of one moment (Unix time in ms), as a running ingestion does. */
  insert(entity: string, aspect: string, timestampMillis: number, count: number): void {
    const statement = this.#database.prepare(
      'INSERT INTO time_row (time_index, timestamp_millis, urn) VALUES (?, ?, ?)',
    );
    const index = this.#index(entity, aspect);
    this.#database.exec('BEGIN IMMEDIATE');
    for (let number = 0; number < count; number += 1)
      statement.run(index, timestampMillis, `urn:li:${entity}:late${number}`);
    this.#database.exec('COMMIT');
  }

  close(): void {
    this.#database.close();
  }

  /** The index behind the alias, or, if it was never reindexed, the index of that name. */
  #index(entity: string, aspect: string): number {
    const name = `${entity}_${aspect}aspect_v1`;
    const row = this.#database
      .prepare('SELECT id FROM time_index WHERE alias = ? OR (alias IS NULL AND physical_name = ?)')
      .get(name, name);
    if (row === undefined) throw new Error(`There is no index of ${entity}/${aspect}.`);
    return Number(row['id']);
  }
}
