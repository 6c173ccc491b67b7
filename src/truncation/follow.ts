/**
 * Truncations that a person is told about although nothing on the screen shows them: those that were sent from this window, and
 * those they asked for. While the page of one is out of sight, a notification shows how far it is. That counts as looking, so its
 * task is watched. After a reload nothing is followed until somebody asks for it.
 */
import { type Disposable, disposeAll, type Event } from '../platform/events.ts';
import type { Clock } from '../service/clock.ts';
import type { TruncationRecord } from './record.ts';
import type { TruncationStore } from './truncationStore.ts';
import type { TaskWatch } from './watch.ts';

/** A page that is hidden for a moment, and a task that takes no longer, are not worth a notification. In ms. */
export const SHOWN_AFTER_MILLIS = 1_000;

/** A notification that stays until it is closed. */
export interface RunningNotification {
  /** Shows how far the truncation is now. */
  update(): void;
  close(): void;
}

interface FollowParts {
  readonly watch: Pick<TaskWatch, 'look' | 'onDidChange'>;
  readonly records: Pick<TruncationStore, 'get' | 'onDidChange'>;
  /** Whether the page of a truncation is in sight. */
  readonly isShowing: (recordId: string) => boolean;
  readonly onDidChangeShowing: readonly Event<void>[];
  /** Opens the notification. @param dismissed The person doesn't want it any more. */
  readonly notify: (record: TruncationRecord, dismissed: () => void) => RunningNotification;
  /** Tells how a truncation ended. */
  readonly tell: (record: TruncationRecord) => void;
  readonly clock: Pick<Clock, 'after'>;
}

interface Followed {
  readonly record: TruncationRecord;
  /** While its page is out of sight. */
  away:
    | { readonly looking: Disposable; readonly stopTimer: () => void; notification?: RunningNotification }
    | undefined;
}

export class FollowedTruncations implements Disposable {
  readonly #parts: FollowParts;
  readonly #followed = new Map<string, Followed>();
  readonly #subscriptions: readonly Disposable[];

  constructor(parts: FollowParts) {
    this.#parts = parts;
    this.#subscriptions = [
      ...parts.onDidChangeShowing.map((event) =>
        event(() => {
          for (const followed of this.#followed.values()) {
            this.#show(followed);
          }
        }),
      ),
      parts.watch.onDidChange(({ id }) => this.#followed.get(id)?.away?.notification?.update()),
      parts.records.onDidChange((connectionId) => this.#check(connectionId)),
    ];
  }

  /** Tells about a truncation from now on, until it ends. One that doesn't run is left alone. */
  follow(record: TruncationRecord): void {
    if (record.taskId !== undefined && record.ending === undefined && !this.#followed.has(record.id)) {
      const followed = { record, away: undefined };
      this.#followed.set(record.id, followed);
      this.#show(followed);
    }
  }

  /** What came of an execution that was sent from this window: a task to follow, or an ending to tell. */
  concluded(record: TruncationRecord): void {
    if (record.ending === undefined) {
      this.follow(record);
    } else if (!this.#parts.isShowing(record.id)) {
      this.#parts.tell(record);
    }
  }

  dispose(): void {
    disposeAll(this.#subscriptions);
    for (const followed of this.#followed.values()) {
      hide(followed);
    }
    this.#followed.clear();
  }

  /** The page shows everything, so that there is a notification only without it. */
  #show(followed: Followed): void {
    const { watch, isShowing, clock, notify } = this.#parts;
    const { record } = followed;
    if (isShowing(record.id)) {
      hide(followed);
      return;
    }
    followed.away ??= {
      looking: watch.look(record.id),
      stopTimer: clock.after(SHOWN_AFTER_MILLIS, () => {
        if (followed.away !== undefined) {
          followed.away.notification = notify(record, () => this.#leave(followed));
        }
      }),
    };
  }

  /** An end is written down by whichever window saw it; one that was forgotten is told to nobody. */
  #check(connectionId: string): void {
    for (const followed of [...this.#followed.values()].filter(({ record }) => record.connectionId === connectionId)) {
      const stored = this.#parts.records.get(connectionId, followed.record.id);
      if (stored === undefined || stored.ending !== undefined) {
        this.#leave(followed);
      }
      if (stored?.ending !== undefined && !this.#parts.isShowing(stored.id)) {
        this.#parts.tell(stored);
      }
    }
  }

  #leave(followed: Followed): void {
    this.#followed.delete(followed.record.id);
    hide(followed);
  }
}

function hide(followed: Followed): void {
  const { away } = followed;
  followed.away = undefined;
  away?.stopTimer();
  away?.looking.dispose();
  away?.notification?.close();
}
