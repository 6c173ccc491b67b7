/**
 * Watches sent truncations while the user looks (at the tree, a page or a progress notification), at growing
 * intervals. After a task has ended, rows are counted for ten minutes or until they are as planned, and again
 * whenever the index is counted.
 */
import type { ConnectionStore } from '../../connections/connectionStore.ts';
import type { ServicePool } from '../../connections/servicePool.ts';
import { type Disposable, disposeAll, Emitter } from '../../platform/events.ts';
import type { Clock } from '../../time.ts';
import { taskTexts } from '../texts/taskTexts.ts';
import type { IndexName } from '../../indices/indexName.ts';
import {
  blockingReason,
  canBeJudgedAgain,
  LOST_AFTER_MILLIS,
  statusOf,
  type TruncationRecord,
} from '../sentTruncation.ts';
import { STILL_MILLIS } from '../judgeCompletion.ts';
import { pollTruncation } from './poll.ts';
import { countsSinceEnd, isUncounted, withPoll, type Poll, type Polls } from './pollHistory.ts';
import type { JobStore } from '../jobStore.ts';

/** Pauses between two polls, in ms. */
const FIRST_PAUSE_MILLIS = 1_000;
const LONGEST_PAUSE_MILLIS = 30_000;
/** Reaches the longest after about a minute. */
const PAUSE_GROWTH = 1.4;
/** Pause between right counts: five take ten seconds. */
const CLEAN_PAUSE_MILLIS = 2_500;

interface WatchedTruncation {
  polls: Polls;
  /** End of counting. Unix time in ms. */
  judgedUntil: number;
  /** Stops the timer that runs. */
  stopTimer: (() => void) | undefined;
  /** True: the timer waits for the response, not for the next poll. */
  waitsForAnswer: boolean;
  pauseMillis: number;
  checking: Promise<void> | undefined;
}

export class TaskWatch implements Disposable {
  readonly #jobs: JobStore;
  readonly #services: ServicePool;
  readonly #store: ConnectionStore;
  readonly #watched = new Map<string, WatchedTruncation>();
  readonly #changed = new Emitter<TruncationRecord>();
  readonly #subscriptions: readonly Disposable[];
  readonly #clock: Clock;
  readonly #viewers = new Set<{ readonly only: string | undefined }>();
  /** Fires a truncation whose progress or end may have changed. */
  readonly onDidChange = this.#changed.event;

  constructor(jobs: JobStore, services: ServicePool, store: ConnectionStore, clock: Clock) {
    this.#jobs = jobs;
    this.#clock = clock;
    this.#services = services;
    this.#store = store;
    this.#subscriptions = [jobs.onDidChange(() => this.#schedule()), store.onDidChange(() => this.#schedule())];
  }

  /**
   * Watches until the result is disposed.
   * @param only ID of a single truncation to watch; all if omitted.
   */
  keepWatching(only?: string): Disposable {
    const viewer = { only };
    this.#viewers.add(viewer);
    void this.#jobs.load().then(() => this.#schedule());
    return {
      dispose: () => {
        if (this.#viewers.delete(viewer)) {
          this.#schedule();
        }
      },
    };
  }

  /** Undefined before the first poll in this window. */
  lastPoll(recordId: string): Poll | undefined {
    return this.#watched.get(recordId)?.polls.at(-1);
  }

  /** True if asking and counting again may change the end. */
  canCheck(record: TruncationRecord): boolean {
    return canBeJudgedAgain(record) && (record.ending === undefined || this.#isJudged(record));
  }

  /** Polls at once, even if the truncation has ended. */
  async checkNow(record: TruncationRecord): Promise<void> {
    const watched = this.#watchedFor(record);
    watched.judgedUntil = this.#clock.now() + STILL_MILLIS;
    await this.#joinCheck(record, watched);
  }

  /** Judges the latest truncation of a counted index again. */
  judgeAgain(server: { readonly id: string; readonly baseUrl: string }, index: IndexName): void {
    const [latest] = this.#jobs.sentTo(server, index).toSorted((a, b) => b.sentAt - a.sentAt);
    if (latest?.ending !== undefined && canBeJudgedAgain(latest)) {
      const watched = this.#watchedFor(latest);
      watched.judgedUntil = this.#clock.now() + STILL_MILLIS;
      watched.pauseMillis = FIRST_PAUSE_MILLIS;
      this.#schedule();
    }
  }

  /**
   * True while the rows of the index show how this truncation ended: no later one was sent, or this one blocks
   * the index. A truncation dated in the future was sent before the clock was set back.
   */
  #isJudged(record: TruncationRecord): boolean {
    const { connectionId, baseUrl, plan, sentAt } = record;
    const now = this.#clock.now();
    return (
      blockingReason(record) !== undefined ||
      this.#jobs
        .sentTo({ id: connectionId, baseUrl }, plan)
        .filter((other) => other.baseUrl === baseUrl)
        .every((other) => other.sentAt <= sentAt || other.sentAt > now)
    );
  }

  async #joinCheck(record: TruncationRecord, watched: WatchedTruncation): Promise<void> {
    watched.checking ??= this.#checkTruncation(record, watched).finally(() => (watched.checking = undefined));
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

  #watchedFor(record: TruncationRecord): WatchedTruncation {
    let watched = this.#watched.get(record.id);
    if (watched === undefined) {
      watched = {
        polls: [],
        judgedUntil: judgedUntil(record),
        stopTimer: undefined,
        waitsForAnswer: false,
        pauseMillis: FIRST_PAUSE_MILLIS,
        checking: undefined,
      };
      this.#watched.set(record.id, watched);
    }
    return watched;
  }

  /** True if another poll can still change something. */
  #canStillChange(record: TruncationRecord, now: number): boolean {
    if (['running', 'sending'].includes(statusOf(record, now))) {
      return true;
    }
    const watched = this.#watched.get(record.id);
    return (
      canBeJudgedAgain(record) &&
      now < (watched?.judgedUntil ?? judgedUntil(record)) &&
      // Last, since it searches all truncations.
      this.#isJudged(record)
    );
  }

  /** Starts timers of open truncations, stops those of others. */
  #schedule(): void {
    const now = this.#clock.now();
    const underWay = new Map<string, TruncationRecord>();
    for (const { id } of this.#viewers.size > 0 ? this.#store.all() : []) {
      for (const record of this.#jobs.of(id)) {
        const isLookedAt = [...this.#viewers].some(({ only }) => only === undefined || only === record.id);
        if (isLookedAt && this.#canStillChange(record, now)) {
          underWay.set(record.id, record);
        }
      }
    }
    for (const [id, watched] of this.#watched) {
      if (!underWay.has(id)) {
        stopTimerOf(watched);
      }
    }
    for (const record of underWay.values()) {
      const watched = this.#watchedFor(record);
      // One count proves nothing, so counting continues once the user asked.
      const waitsForAnswer = statusOf(record, now) === 'sending' && countsSinceEnd(watched.polls).length === 0;
      if (watched.waitsForAnswer !== waitsForAnswer) {
        // The response came, or the user asked: watch the task.
        stopTimerOf(watched);
        watched.waitsForAnswer = waitsForAnswer;
      }
      watched.stopTimer ??= this.#clock.after(
        waitsForAnswer ? Math.max(0, record.sentAt + LOST_AFTER_MILLIS - now) : watched.pauseMillis,
        () => {
          watched.stopTimer = undefined;
          // Without a response it is lost by now.
          const work = waitsForAnswer ? Promise.resolve(this.#changed.fire(record)) : this.#joinCheck(record, watched);
          work.catch(() => undefined);
        },
      );
    }
  }

  async #checkTruncation(stale: TruncationRecord, watched: WatchedTruncation): Promise<void> {
    await this.#jobs.load();
    if (statusOf(stale, this.#clock.now()) === 'sending') {
      // Another window may have stored the response.
      await this.#jobs.reload();
    }
    const record = this.#jobs.get(stale.connectionId, stale.id);
    const connection = this.#store.get(stale.connectionId);
    if (record === undefined || connection === undefined) {
      return;
    }
    // Another window may have seen the end.
    if (!this.canCheck(record)) {
      watched.polls = watched.polls.map((poll) => ({ ...poll, problem: undefined }));
      this.#changed.fire(record);
      return;
    }
    if (record.baseUrl !== connection.baseUrl) {
      // Another server knows neither the task nor the rows.
      const { progress } = watched.polls.at(-1) ?? {};
      const problem = taskTexts.sentElsewhere(record.baseUrl);
      watched.polls = withPoll(watched.polls, { at: this.#clock.now(), problem, progress });
      watched.pauseMillis = LONGEST_PAUSE_MILLIS;
      this.#changed.fire(record);
      return;
    }
    const before = watched.polls;
    const now = (): number => this.#clock.now();
    const isJudged = this.#isJudged(record);
    const { record: found, poll } = await pollTruncation(this.#services.get(connection), record, before, now, isJudged);
    watched.polls = withPoll(before, poll);
    watched.pauseMillis = pauseAfter(watched.polls, watched.pauseMillis);
    const isSending = statusOf(record, now()) === 'sending';
    // While the response may come, only deleted rows prove anything.
    const isWorthStoring = JSON.stringify(found) !== JSON.stringify(record);
    if (!isWorthStoring || (isSending && found.ending?.kind !== 'finished')) {
      this.#changed.fire(record);
      return;
    }
    // Another window may have judged or dismissed it, or sent another one, and removing a connection deletes its journals.
    await this.#jobs.reload();
    const stored = this.#jobs.get(record.connectionId, record.id);
    const isSame = JSON.stringify(stored) === JSON.stringify(record);
    if (!isSame || this.#store.get(connection.id) === undefined || this.#isJudged(record) !== isJudged) {
      this.#changed.fire(stored ?? record);
      return;
    }
    try {
      await this.#jobs.saveCounted(found, now());
    } finally {
      // Also if the disk is full: the poll has the count, and the next one stores it.
      this.#changed.fire(found);
    }
  }
}

/** Ten minutes, unless the user asks again. Unix time in ms. */
function judgedUntil({ endedAt, sentAt }: TruncationRecord): number {
  return (endedAt ?? sentAt + LOST_AFTER_MILLIS) + STILL_MILLIS;
}

function stopTimerOf(watched: WatchedTruncation): void {
  watched.stopTimer?.();
  watched.stopTimer = undefined;
}

/** Repeats right counts soon; otherwise pauses grow. @param before The pause before the last poll. */
function pauseAfter(polls: Polls, before: number): number {
  const counts = countsSinceEnd(polls);
  if (counts.at(-1)?.toDelete === 0 && !isUncounted(polls)) {
    return Math.min(CLEAN_PAUSE_MILLIS * Math.max(1, Math.ceil(counts.length / 10)), LONGEST_PAUSE_MILLIS);
  }
  return Math.min(LONGEST_PAUSE_MILLIS, before * PAUSE_GROWTH);
}
