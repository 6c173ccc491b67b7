/**
 * Watches the tasks of sent truncations, only while somebody looks (the tree is visible, or a wizard, or a notification that shows
 * how far one is), ever more slowly, and never longer than the connection lives. Where a server cannot tell of its tasks, repeated dry runs do.
 */
import type { ConnectionStore } from '../connections/connectionStore.ts';
import type { ServicePool } from '../connections/servicePool.ts';
import { Emitter, disposeAll } from '../platform/events.ts';
import type { Disposable } from '../platform/events.ts';
import type { Clock } from '../service/clock.ts';
import { taskTexts } from './model/texts.ts';
import type { Outcome, Failing, TaskProgress } from './model/state.ts';
import { LOST_AFTER_MILLIS, hidesRows, statusOf } from './model/record.ts';
import type { TruncationRecord } from './model/record.ts';
import { checkGivenUp, checkRunning } from './taskCheck.ts';
import type { TaskSightings } from './taskCheck.ts';
import type { TruncationStore } from './truncationStore.ts';

const FIRST_PAUSE_MILLIS = 1_000;
const LONGEST_PAUSE_MILLIS = 30_000;

/** What is known of a task beyond its record: not worth writing down, since it can be asked again. */
interface Watched extends TaskSightings {
  /** Stops the timer that runs. */
  stopTimer: (() => void) | undefined;
  /** What the timer is for: the answer to the execution, or the next look at the task. */
  waitsForAnswer: boolean;
  pauseMillis: number;
  checking: Promise<void> | undefined;
}

export class TaskWatch implements Disposable {
  readonly #records: TruncationStore;
  readonly #services: ServicePool;
  readonly #store: ConnectionStore;
  readonly #watched = new Map<string, Watched>();
  readonly #changed = new Emitter<TruncationRecord>();
  readonly #subscriptions: readonly Disposable[];
  readonly #clock: Clock;
  readonly #viewers = new Set<{ readonly only: string | undefined }>();
  /** A truncation whose progress or end is to be shown anew. */
  readonly onDidChange = this.#changed.event;

  constructor(records: TruncationStore, services: ServicePool, store: ConnectionStore, clock: Clock) {
    this.#records = records;
    this.#clock = clock;
    this.#services = services;
    this.#store = store;
    this.#subscriptions = [records.onDidChange(() => this.#schedule()), store.onDidChange(() => this.#schedule())];
  }

  /**
   * Somebody looks, until it is disposed.
   * @param only Id of the one truncation that is looked at; without it all are.
   */
  look(only?: string): Disposable {
    const viewer = { only };
    this.#viewers.add(viewer);
    void this.#records.load().then(() => this.#schedule());
    return {
      dispose: () => {
        if (this.#viewers.delete(viewer)) {
          this.#schedule();
        }
      },
    };
  }

  progress(recordId: string): TaskProgress | undefined {
    return this.#watched.get(recordId)?.progress;
  }

  /** Why a running task cannot be watched at the moment; undefined while it can. */
  trouble(recordId: string): Failing | undefined {
    return this.#watched.get(recordId)?.trouble;
  }

  /** Asks at once, whoever looks; also for one that was given up as lost or unknown. */
  async checkNow(record: TruncationRecord): Promise<void> {
    const watched = this.#of(record.id);
    watched.checking ??= this.#check(record, watched).finally(() => (watched.checking = undefined));
    try {
      await watched.checking;
    } finally {
      this.#schedule();
    }
  }

  dispose(): void {
    disposeAll(this.#subscriptions);
    for (const { stopTimer } of this.#watched.values()) {
      stopTimer?.();
    }
    this.#viewers.clear();
    this.#watched.clear();
    this.#changed.dispose();
  }

  #of(id: string): Watched {
    let watched = this.#watched.get(id);
    if (watched === undefined) {
      watched = {
        stopTimer: undefined,
        waitsForAnswer: false,
        pauseMillis: FIRST_PAUSE_MILLIS,
        progress: undefined,
        trouble: undefined,
        byDryRuns: false,
        runTimeMillis: undefined,
        lastCount: undefined,
        movedAt: this.#clock.now(),
        checking: undefined,
      };
      this.#watched.set(id, watched);
    }
    return watched;
  }

  #isLookedAt(id: string): boolean {
    return [...this.#viewers].some(({ only }) => only === undefined || only === id);
  }

  /** Sets a timer for each task under way that has none, and takes away those of tasks that nobody looks at. */
  #schedule(): void {
    const now = this.#clock.now();
    const underWay = new Map<string, TruncationRecord>();
    for (const { id } of this.#viewers.size > 0 ? this.#store.all() : []) {
      for (const record of this.#records.of(id)) {
        if (['running', 'sending'].includes(statusOf(record, now)) && this.#isLookedAt(record.id)) {
          underWay.set(record.id, record);
        }
      }
    }
    for (const [id, watched] of this.#watched) {
      if (!underWay.has(id)) {
        stop(watched);
      }
    }
    for (const record of underWay.values()) {
      const watched = this.#of(record.id);
      const isSending = record.taskId === undefined;
      if (watched.waitsForAnswer !== isSending) {
        // The answer came: from here on the task itself is looked at.
        stop(watched);
        watched.waitsForAnswer = isSending;
      }
      watched.stopTimer ??= this.#clock.after(
        isSending ? Math.max(0, record.sentAt + LOST_AFTER_MILLIS - now) : watched.pauseMillis,
        () => {
          watched.stopTimer = undefined;
          // One whose answer never came is shown as lost when its time is over.
          const work = isSending ? Promise.resolve(this.#changed.fire(record)) : this.checkNow(record);
          work.catch(() => undefined);
        },
      );
    }
  }

  async #check(stale: TruncationRecord, watched: Watched): Promise<void> {
    await this.#records.load();
    const record = this.#records.get(stale.connectionId, stale.id);
    const connection = this.#store.get(stale.connectionId);
    if (record === undefined || connection === undefined) {
      return;
    }
    const is = statusOf(record, this.#clock.now());
    // Another window may have seen the end: whoever shows it here learns of it. Of one that may have hidden rows no count can say that
    // it is over: an administrator has to look.
    if (is === 'finished' || is === 'failed' || hidesRows(record)) {
      this.#changed.fire(record);
      return;
    }
    if (record.baseUrl !== undefined && record.baseUrl !== connection.baseUrl) {
      // Another server knows nothing of it, and its rows say nothing.
      watched.trouble = taskTexts.sentElsewhere(record.baseUrl);
      watched.pauseMillis = LONGEST_PAUSE_MILLIS;
      this.#changed.fire(record);
      return;
    }
    const service = this.#services.get(connection);
    const before = JSON.stringify([watched.progress, watched.lastCount?.rows, watched.trouble]);
    const found =
      is === 'running'
        ? await checkRunning(service, record, watched, this.#clock.now())
        : await checkGivenUp(service, record, watched);
    const moved = JSON.stringify([watched.progress, watched.lastCount?.rows, watched.trouble]) !== before;
    if (moved) {
      watched.movedAt = this.#clock.now();
    }
    watched.pauseMillis = Math.min(LONGEST_PAUSE_MILLIS, watched.pauseMillis * (moved ? 1.2 : 1.6));
    // As long as the answer may still come, only rows that are gone say anything.
    if (
      found === undefined ||
      (found === 'running' && record.ending === undefined) ||
      (is === 'sending' && found !== 'running' && found.kind !== 'finished')
    ) {
      this.#changed.fire(record);
      return;
    }
    // One that was given up and runs after all is a running one again.
    const { ending: _, endedAt: __, runTimeMillis: ___, ...open } = record;
    const ended =
      found === 'running'
        ? open
        : {
            ...record,
            ending: found,
            endedAt: this.#clock.now(),
            runTimeMillis: watched.runTimeMillis,
          };
    this.#watched.delete(record.id);
    // What was asked for took its time. Meanwhile another window may have written down more of it, such as the answer, or forgotten
    // it; and a connection that was removed took its records along: none comes back.
    await this.#records.reload();
    const stored = this.#records.get(record.connectionId, record.id);
    if (
      stored === undefined ||
      stored.taskId !== record.taskId ||
      !isSameOutcome(stored.ending, record.ending) ||
      this.#store.get(record.connectionId) === undefined
    ) {
      this.#changed.fire(stored ?? record);
      return;
    }
    await this.#records.save(ended);
    this.#changed.fire(ended);
  }
}

function isSameOutcome(a: Outcome | undefined, b: Outcome | undefined): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

function stop(watched: Watched): void {
  watched.stopTimer?.();
  watched.stopTimer = undefined;
}
