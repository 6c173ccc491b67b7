import { DatabaseSync } from 'node:sqlite';

/** Original time series indices of a service. Tests that truncate restore them for the next ones. */
export class StartingRows {
  readonly #database: DatabaseSync;

  /** @param file database of a service that has started */
  constructor(file: string) {
    this.#database = new DatabaseSync(file);
    this.#database.exec(
      `CREATE TEMP TABLE first_index AS SELECT * FROM time_index;
       CREATE TEMP TABLE first_row AS SELECT * FROM time_row;`,
    );
  }

  /** Call this only while no task runs. */
  putBack(): void {
    this.#database.exec(`
      BEGIN IMMEDIATE;
      DELETE FROM time_row; DELETE FROM time_index;
      INSERT INTO time_index SELECT * FROM first_index; INSERT INTO time_row SELECT * FROM first_row;
      COMMIT;`);
  }

  close(): void {
    this.#database.close();
  }
}
