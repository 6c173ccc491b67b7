import { DatabaseSync } from 'node:sqlite';

/** The time series indices of a service as it started with them: tests that truncate put them back for those after them. */
export class StartingRows {
  readonly #database: DatabaseSync;

  /** @param file the database of a service that has started */
  constructor(file: string) {
    this.#database = new DatabaseSync(file);
    this.#database.exec(
      'CREATE TEMP TABLE first_index AS SELECT * FROM time_index; CREATE TEMP TABLE first_row AS SELECT * FROM time_row;',
    );
  }

  /** To be called while no task runs. */
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
