/** Connections that users remove: nothing of them may stay behind. */
import type { Promises } from './promises.ts';
import type { Timeline } from './timeline.ts';

export class Removals {
  readonly #promises: Promises;
  readonly #timeline: Pick<Timeline, 'now'>;
  /** IDs of connections that the user removes or has removed. */
  readonly connections = new Set<string>();
  /** When the removal of a connection was reported, by its ID. */
  readonly #reported = new Map<string, number>();
  /** When each file was first written, by kind and name. */
  readonly #firstWritten = new Map<string, number>();

  constructor(promises: Promises, timeline: Pick<Timeline, 'now'>) {
    this.#promises = promises;
    this.#timeline = timeline;
  }

  reported(connectionId: string): void {
    this.#reported.set(connectionId, this.#timeline.now);
  }

  /** @param path Kind and name of a file. */
  written(path: string): void {
    this.#firstWritten.set(path, this.#firstWritten.get(path) ?? this.#timeline.now);
  }

  /**
   * Nothing stays behind of a connection whose removal was reported, unless a window wrote it afterwards and died.
   * @param names Keys of secrets, and files by kind and name.
   */
  foundLeftovers(names: readonly string[], hasDied: boolean): void {
    const promises: Promises = this.#promises;
    for (const [id, reportedAt] of this.#reported) {
      const counts = (name: string): boolean => !hasDied || (this.#firstWritten.get(name) ?? 0) < reportedAt;
      const left = names.filter((name) => name.includes(id) && counts(name));
      promises.must(
        left.length === 0,
        `a connection was removed, and is still there: ${left.join().replaceAll(id, 'ID')}`,
      );
    }
  }
}
