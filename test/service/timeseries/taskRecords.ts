import type { DatabaseSync } from 'node:sqlite';
import type { TaskReport } from './searchCluster.ts';

/** Records of finished tasks, in an index of the cluster that survives restarts. */
export class TaskRecords {
  readonly #database: DatabaseSync;

  constructor(database: DatabaseSync) {
    this.#database = database;
  }

  keep(task: TaskReport): void {
    this.#database.prepare('INSERT INTO task_record (id, report) VALUES (?, ?)').run(task.id, JSON.stringify(task));
  }

  find(id: string): TaskReport | null {
    const row = this.#database.prepare('SELECT report FROM task_record WHERE id = ?').get(id);
    return row ? (JSON.parse(String(row['report'])) as TaskReport) : null;
  }
}
