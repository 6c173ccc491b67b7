/**
 * Watches truncations that were sent from this window, and those that the user asked for, and says how they end. After
 * a reload, nothing is followed until the user asks.
 */
import { type Disposable } from '../../platform/events.ts';
import type { Problem } from '../problem.ts';
import type { TruncationRecord } from '../sentTruncation.ts';
import type { JobStore } from '../jobStore.ts';
import type { TaskWatch } from './watch.ts';

export interface FollowParts {
  readonly watch: Pick<TaskWatch, 'keepWatching'>;
  readonly jobs: Pick<JobStore, 'get' | 'onDidChange'>;
  readonly isTreeVisible: () => boolean;
  /** True if a page shows how the truncation ends, or reports it with others. */
  readonly isOnPage: (recordId: string) => boolean;
  /** Notifies the user of the end. */
  readonly notifyEnded: FollowedTruncations['concluded'];
}

interface FollowedTruncation {
  readonly record: TruncationRecord;
  readonly watching: Disposable;
}

export class FollowedTruncations implements Disposable {
  readonly #parts: FollowParts;
  readonly #followed = new Map<string, FollowedTruncation>();
  readonly #subscription: Disposable;

  constructor(parts: FollowParts) {
    this.#parts = parts;
    this.#subscription = parts.jobs.onDidChange((connectionId) => this.#checkConnection(connectionId));
  }

  /** Follows a running truncation until it ends. */
  follow(record: TruncationRecord): void {
    if (record.taskId !== undefined && record.ending === undefined && !this.#followed.has(record.id)) {
      this.#followed.set(record.id, { record, watching: this.#parts.watch.keepWatching(record.id) });
    }
  }

  /** Follows a new task, or notifies the user of its end. @param refusal Why the server refused it, if so. */
  concluded(record: TruncationRecord, refusal?: Problem): void {
    if (record.ending === undefined && refusal === undefined) {
      this.follow(record);
    } else {
      this.#ended(record, refusal);
    }
  }

  /** True if the tree shows it as it stands: one that the server refused has no row, and an end may not be stored. */
  isInTree({ connectionId, id, ending }: TruncationRecord): boolean {
    const stored = this.#parts.jobs.get(connectionId, id);
    return this.#parts.isTreeVisible() && stored !== undefined && (ending === undefined || stored.ending !== undefined);
  }

  dispose(): void {
    this.#subscription.dispose();
    [...this.#followed.keys()].forEach((id) => this.#unfollow(id));
  }

  /** Any window may have stored the end. */
  #checkConnection(connectionId: string): void {
    for (const { record } of this.#followed.values()) {
      const stored = this.#parts.jobs.get(connectionId, record.id);
      if (record.connectionId === connectionId && (stored === undefined || stored.ending !== undefined)) {
        this.#unfollow(record.id);
        if (stored !== undefined) {
          this.#ended(stored);
        }
      }
    }
  }

  #ended(record: TruncationRecord, refusal?: Problem): void {
    // If a refusal couldn't be stored, the tree shows it as sent.
    const isInTree = refusal === undefined && this.isInTree(record);
    if (!isInTree && !this.#parts.isOnPage(record.id)) {
      this.#parts.notifyEnded(record, refusal);
    }
  }

  #unfollow(id: string): void {
    this.#followed.get(id)?.watching.dispose();
    this.#followed.delete(id);
  }
}
