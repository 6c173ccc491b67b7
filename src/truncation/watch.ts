/**
 * Watches the tasks of sent truncations, only while somebody looks (the tree is visible, or a wizard), ever more slowly, and
 * never longer than the connection lives. Where a server cannot tell of its tasks, repeated dry runs do.
 */
import type { ConnectionStore } from '../connections/connectionStore.ts';
import type { ServicePool } from '../connections/servicePool.ts';
import { Emitter, disposeAll } from '../platform/events.ts';
import type { Disposable } from '../platform/events.ts';
import type { Clock } from '../service/clock.ts';
import { asFailure } from '../service/failure/failure.ts';
import type { Service } from '../service/service.ts';
import { isTaskId } from '../service/indices/taskId.ts';
import { cannotWatch } from '../service/indices/tasks.ts';
import { countAgain } from './countRows.ts';
import type { NewCount } from './countRows.ts';
import type { DryRunReport } from './model/dryRun.ts';
import { mayHideRows, remaining } from './model/remaining.ts';
import { outcomeOf, progressOf } from './model/taskOutcome.ts';
import { taskTexts } from './model/texts.ts';
import type { Outcome, Failing, TaskProgress } from './model/state.ts';
import { LOST_AFTER_MILLIS, hidesRows, statusOf } from './model/record.ts';
import type { TruncationRecord } from './model/record.ts';
import type { TruncationStore } from './truncationStore.ts';

const FIRST_PAUSE_MILLIS = 1_000;
const LONGEST_PAUSE_MILLIS = 30_000;
/** A count that stays the same so long says that the task has stopped, where nothing else can. */
const STILL_MILLIS = 10 * 60_000;

/** How a task ended, or that it runs, as the server tells it. */
type Found = Outcome | 'running';

/** What is known of a task beyond its record: not worth writing down, since it can be asked again. */
interface Watched {
  /** Stops the timer that runs. */
  stopTimer: (() => void) | undefined;
  /** What the timer is for: the answer to the execution, or the next look at the task. */
  waitsForAnswer: boolean;
  pauseMillis: number;
  progress: TaskProgress | undefined;
  /** Why it cannot be watched at the moment. */
  trouble: Failing | undefined;
  byDryRuns: boolean;
  lastCount: DryRunReport | undefined;
  /** When the counts moved last. */
  movedAt: number;
  checking: Promise<void> | undefined;
}

export class TaskWatch implements Disposable {
  readonly #records: TruncationStore;
  readonly #services: ServicePool;
  readonly #store: ConnectionStore;
  readonly #sizeAfter: (record: TruncationRecord) => Promise<number | undefined>;
  readonly #watched = new Map<string, Watched>();
  readonly #changed = new Emitter<TruncationRecord>();
  readonly #ended = new Emitter<TruncationRecord>();
  readonly #subscriptions: readonly Disposable[];
  readonly #clock: Clock;
  #viewers = 0;
  /** A truncation whose progress or end is to be shown anew. */
  readonly onDidChange = this.#changed.event;
  /** A truncation whose end this window has seen and written down, once for each. */
  readonly onDidEnd = this.#ended.event;

  /** @param sizeAfter The size of the index now that a task has ended, in bytes; undefined where the server doesn't tell. */
  constructor(
    records: TruncationStore,
    services: ServicePool,
    store: ConnectionStore,
    clock: Clock,
    sizeAfter: (record: TruncationRecord) => Promise<number | undefined>,
  ) {
    this.#records = records;
    this.#clock = clock;
    this.#services = services;
    this.#store = store;
    this.#sizeAfter = sizeAfter;
    this.#subscriptions = [records.onDidChange(() => this.#schedule()), store.onDidChange(() => this.#schedule())];
  }

  /** Somebody looks, until it is disposed. */
  look(): Disposable {
    this.#viewers++;
    void this.#records.load().then(() => this.#schedule());
    let looking = true;
    return {
      dispose: () => {
        if (looking) {
          looking = false;
          this.#viewers--;
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
    this.#viewers = 0;
    this.#watched.clear();
    this.#changed.dispose();
    this.#ended.dispose();
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
        lastCount: undefined,
        movedAt: this.#clock.now(),
        checking: undefined,
      };
      this.#watched.set(id, watched);
    }
    return watched;
  }

  /** Sets a timer for each task under way that has none, or takes all timers away when nobody looks. */
  #schedule(): void {
    const now = this.#clock.now();
    const underWay = new Map<string, TruncationRecord>();
    for (const { id } of this.#viewers > 0 ? this.#store.all() : []) {
      for (const record of this.#records.of(id)) {
        if (['running', 'sending'].includes(statusOf(record, now))) {
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
      watched.stopTimer ??= this.#clock.after(isSending ? Math.max(0, record.sentAt + LOST_AFTER_MILLIS - now) : watched.pauseMillis, () => {
        watched.stopTimer = undefined;
        // One whose answer never came is shown as lost when its time is over.
        const work = isSending ? Promise.resolve(this.#changed.fire(record)) : this.checkNow(record);
        work.catch(() => undefined);
      });
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
    const found = is === 'running' ? await this.#watch(service, record, watched) : await this.#askAgain(service, record, watched);
    const moved = JSON.stringify([watched.progress, watched.lastCount?.rows, watched.trouble]) !== before;
    if (moved) {
      watched.movedAt = this.#clock.now();
    }
    watched.pauseMillis = Math.min(LONGEST_PAUSE_MILLIS, watched.pauseMillis * (moved ? 1.2 : 1.6));
    // As long as the answer may still come, only rows that are gone say anything.
    if (found === undefined || (found === 'running' && record.ending === undefined) || (is === 'sending' && found !== 'running' && found.kind !== 'finished')) {
      this.#changed.fire(record);
      return;
    }
    // One that was given up and runs after all is a running one again.
    const { ending: _, endedAt: __, ...open } = record;
    const ended = found === 'running' ? open : { ...record, ending: found, endedAt: this.#clock.now(), sizeAfter: await this.#sizeAfter(record) };
    this.#watched.delete(record.id);
    // What was asked for took its time. Meanwhile another window may have written down more of it, such as the answer, or forgotten
    // it; and a connection that was removed took its records along: none comes back.
    await this.#records.reload();
    const now = this.#records.get(record.connectionId, record.id);
    if (now === undefined || now.taskId !== record.taskId || !isSameOutcome(now.ending, record.ending) || this.#store.get(record.connectionId) === undefined) {
      this.#changed.fire(now ?? record);
      return;
    }
    await this.#records.save(ended);
    this.#changed.fire(ended);
    if (found !== 'running') {
      this.#ended.fire(ended);
    }
  }

  #watch(service: Service, record: TruncationRecord, watched: Watched): Promise<Found | undefined> {
    return record.taskId === undefined || !isTaskId(record.taskId) || watched.byDryRuns ? this.#byDryRun(service, record, watched) : this.#byTask(service, record, record.taskId, watched);
  }

  async #byTask(service: Service, record: TruncationRecord, taskId: string, watched: Watched): Promise<Found | undefined> {
    try {
      const status = await service.tasks.status(taskId);
      watched.trouble = undefined;
      if (status.kind === 'unknown') {
        return await this.#judge(service, record, taskTexts.notKnown);
      }
      watched.progress = progressOf(record, status);
      const outcome = outcomeOf(record, status);
      return outcome === 'untold' ? await this.#judge(service, record, taskTexts.endedUntold) : (outcome ?? 'running');
    } catch (thrown) {
      const failure = asFailure(thrown);
      watched.byDryRuns = cannotWatch(failure);
      // The network's or the server's trouble of a moment: the task is asked for again, and the person knows why nothing moves.
      watched.trouble = watched.byDryRuns ? undefined : { sentence: failure.message, next: failure.next };
      return undefined;
    }
  }

  /** What remains to be deleted is what the task has not done yet; it is over when nothing remains and nothing moves. */
  async #byDryRun(service: Service, record: TruncationRecord, watched: Watched): Promise<Outcome | undefined> {
    let count: NewCount;
    try {
      count = await countAgain(service, record);
    } catch (thrown) {
      const failure = asFailure(thrown);
      watched.trouble = { sentence: failure.message, next: failure.next };
      return undefined;
    }
    watched.trouble = undefined;
    const before = watched.lastCount?.rows;
    const { report, old } = count;
    watched.lastCount = report;
    const { isOver, progress } = remaining(record.report, report, old);
    watched.progress = progress;
    const isStill = before !== undefined && before.toDelete === report.rows?.toDelete && before.total === report.rows.total;
    if (isOver && isStill) {
      return finishedByCount(record);
    }
    return isStill && this.#clock.now() - watched.movedAt > STILL_MILLIS ? { kind: 'unknown', failing: taskTexts.stopped(report.rows?.toDelete ?? 0, isPostgres(record) ? record.plan.timeoutSeconds : undefined) } : undefined;
  }

  /** One that was given up is looked at once more: its task if it is known, else the rows. What was said of it stays true. */
  async #askAgain(service: Service, record: TruncationRecord, watched: Watched): Promise<Found> {
    const { taskId } = record;
    const ending = (taskId === undefined || !isTaskId(taskId) ? undefined : await this.#byTask(service, record, taskId, watched)) ?? (await this.#judge(service, record, taskTexts.notKnown));
    if (ending === 'running' || ending.kind !== 'unknown') {
      return ending;
    }
    const said = record.ending?.kind === 'unknown' ? record.ending.failing : taskTexts.lost();
    return { ...ending, failing: { sentence: ending.hidesRows === false ? ending.failing.sentence : said.sentence, next: ending.failing.next } };
  }

  /** Without a task to ask, only a new count tells: over, or not known. */
  async #judge(service: Service, record: TruncationRecord, said: (remaining: number | undefined) => Failing): Promise<Outcome> {
    const count = await countAgain(service, record).catch(() => undefined);
    if (count !== undefined && remaining(record.report, count.report, count.old).isOver) {
      return finishedByCount(record);
    }
    if (count !== undefined && mayHideRows(record.report, count.report)) {
      return { kind: 'unknown', failing: taskTexts.mayHideRows(count.report.rows?.total), hidesRows: true };
    }
    const left = count?.report.rows?.toDelete;
    return { kind: 'unknown', failing: record.report.strategy === 'reindex' && left === 0 ? taskTexts.notKnownReindex(said(undefined)) : said(left) };
  }
}

/** What deletes in place is over when nothing is left to delete. Of a reindex a count says only that as many rows are seen as should be. */
function finishedByCount({ report }: TruncationRecord): Outcome {
  return report.strategy === 'deleteByQuery'
    ? { kind: 'finished', deleted: report.rows?.toDelete, versionConflicts: 0 }
    : { kind: 'unknown', failing: taskTexts.rowsAreBack(), hidesRows: false };
}

/** There alone the timeout ends a deletion, and there alone a task has no ID that could be asked for. */
function isPostgres({ taskId }: TruncationRecord): boolean {
  return taskId !== undefined && !isTaskId(taskId);
}

function isSameOutcome(a: Outcome | undefined, b: Outcome | undefined): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

function stop(watched: Watched): void {
  watched.stopTimer?.();
  watched.stopTimer = undefined;
}
