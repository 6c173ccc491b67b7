/**
 * Notifies the user about truncations whose page is not visible: those sent from this window, and those the
 * user asked for. A progress notification counts as looking, so the task is watched. After a reload, nothing is
 * followed until the user asks.
 */
import { type Disposable, disposeAll, type Event } from '../platform/events.ts';
import type { Clock } from '../time.ts';
import type { TruncationRecord } from './record.ts';
import type { JobStore } from './jobStore.ts';
import type { TaskWatch } from './watch.ts';

/** Shorter tasks and hidden moments have no notification. In ms. */
export const SHOWN_AFTER_MILLIS = 1_000;

/** A progress notification, which stays until it is closed. */
export interface RunningNotification {
  /** Shows the current progress. */
  update(): void;
  close(): void;
}

interface FollowParts {
  readonly watch: Pick<TaskWatch, 'keepWatching' | 'onDidChange'>;
  readonly jobs: Pick<JobStore, 'get' | 'onDidChange'>;
  /** True if the page of a truncation is visible. */
  readonly isShowing: (recordId: string) => boolean;
  readonly onDidChangeShowing: readonly Event<void>[];
  /** @param dismissed Called when the user closes the notification. */
  readonly notify: (record: TruncationRecord, dismissed: () => void) => RunningNotification;
  /** Notifies the user of the end. */
  readonly notifyEnded: (record: TruncationRecord) => void;
  readonly clock: Pick<Clock, 'after'>;
}

interface FollowedTruncation {
  readonly record: TruncationRecord;
  /** Set while the page is not visible. */
  away:
    | { readonly looking: Disposable; readonly stopTimer: () => void; notification?: RunningNotification }
    | undefined;
}

export class FollowedTruncations implements Disposable {
  readonly #parts: FollowParts;
  readonly #followed = new Map<string, FollowedTruncation>();
  readonly #subscriptions: readonly Disposable[];

  constructor(parts: FollowParts) {
    this.#parts = parts;
    this.#subscriptions = [
      ...parts.onDidChangeShowing.map((event) =>
        event(() => {
          for (const followed of this.#followed.values()) {
            this.#updateNotification(followed);
          }
        }),
      ),
      parts.watch.onDidChange(({ id }) => this.#followed.get(id)?.away?.notification?.update()),
      parts.jobs.onDidChange((connectionId) => this.#checkConnection(connectionId)),
    ];
  }

  /** Follows a running truncation until it ends. */
  follow(record: TruncationRecord): void {
    if (record.taskId !== undefined && record.ending === undefined && !this.#followed.has(record.id)) {
      const followed = { record, away: undefined };
      this.#followed.set(record.id, followed);
      this.#updateNotification(followed);
    }
  }

  /** Follows a new task, or notifies the user of its end. */
  concluded(record: TruncationRecord): void {
    if (record.ending === undefined) {
      this.follow(record);
    } else if (!this.#parts.isShowing(record.id)) {
      this.#parts.notifyEnded(record);
    }
  }

  dispose(): void {
    disposeAll(this.#subscriptions);
    for (const followed of this.#followed.values()) {
      closeNotification(followed);
    }
    this.#followed.clear();
  }

  /** Shows a notification only while the page is not visible. */
  #updateNotification(followed: FollowedTruncation): void {
    const { watch, isShowing, clock, notify } = this.#parts;
    const { record } = followed;
    if (isShowing(record.id)) {
      closeNotification(followed);
      return;
    }
    followed.away ??= {
      looking: watch.keepWatching(record.id),
      stopTimer: clock.after(SHOWN_AFTER_MILLIS, () => {
        if (followed.away !== undefined) {
          followed.away.notification = notify(record, () => this.#unfollow(followed));
        }
      }),
    };
  }

  /** Any window may have stored the end. */
  #checkConnection(connectionId: string): void {
    for (const followed of [...this.#followed.values()].filter(({ record }) => record.connectionId === connectionId)) {
      const stored = this.#parts.jobs.get(connectionId, followed.record.id);
      if (stored === undefined || stored.ending !== undefined) {
        this.#unfollow(followed);
      }
      if (stored?.ending !== undefined && !this.#parts.isShowing(stored.id)) {
        this.#parts.notifyEnded(stored);
      }
    }
  }

  #unfollow(followed: FollowedTruncation): void {
    this.#followed.delete(followed.record.id);
    closeNotification(followed);
  }
}

function closeNotification(followed: FollowedTruncation): void {
  const { away } = followed;
  followed.away = undefined;
  away?.stopTimer();
  away?.looking.dispose();
  away?.notification?.close();
}
