/**
 * Watches the tasks of sent truncations, only while somebody looks (the tree is visible, or a wizard), ever more slowly, and
 * never longer than the connection lives. Where a server cannot tell of its tasks, repeated dry runs do.
 */
import * as vscode from 'vscode';
import type { ConnectionStore } from '../connections/connectionStore.ts';
import type { Services } from '../connections/services.ts';
import { asFailure } from '../service/failure.ts';
import type { Service } from '../service/service.ts';
import { cannotWatch } from '../service/tasks.ts';
import type { TaskStatus } from '../service/tasks.ts';
import { readDryRun } from './dryRunReport.ts';
import type { DryRunReport } from './dryRunReport.ts';
import { taskTexts } from './taskTexts.ts';
import type { Ending, TaskProgress } from './truncation.ts';
import { standing } from './truncationRecord.ts';
import type { TruncationRecord } from './truncationRecord.ts';
import type { TruncationRecords } from './truncationRecords.ts';

const FIRST_PAUSE_MILLIS = 1_000;
const LONGEST_PAUSE_MILLIS = 30_000;
/** So many dry runs without a change, and the task is taken to have stopped. */
const MOST_IDLE_COUNTS = 5;

/** What is known of a task beyond its record: not worth writing down, since it can be asked again. */
interface Watched {
  timer: NodeJS.Timeout | undefined;
  pauseMillis: number;
  progress: TaskProgress | undefined;
  byDryRuns: boolean;
  lastCount: DryRunReport | undefined;
  idleCounts: number;
  checking: Promise<void> | undefined;
}

export class TaskWatch implements vscode.Disposable {
  readonly #records: TruncationRecords;
  readonly #services: Services;
  readonly #store: ConnectionStore;
  readonly #ended: (record: TruncationRecord) => Promise<TruncationRecord>;
  readonly #watched = new Map<string, Watched>();
  readonly #changed = new vscode.EventEmitter<TruncationRecord>();
  readonly #subscriptions: vscode.Disposable;
  #viewers = 0;
  /** A truncation whose progress or end is to be shown anew. */
  readonly onDidChange = this.#changed.event;

  /** @param ended Completes the record of a task that was just seen to have ended. */
  constructor(records: TruncationRecords, services: Services, store: ConnectionStore, ended: (record: TruncationRecord) => Promise<TruncationRecord>) {
    this.#records = records;
    this.#services = services;
    this.#store = store;
    this.#ended = ended;
    this.#subscriptions = vscode.Disposable.from(
      records.onDidChange(() => this.#schedule()),
      store.onDidChange(() => this.#schedule()),
    );
  }

  /** Somebody looks, until it is disposed. */
  look(): vscode.Disposable {
    this.#viewers++;
    this.#schedule();
    let looking = true;
    return new vscode.Disposable(() => {
      if (looking) {
        looking = false;
        this.#viewers--;
        this.#schedule();
      }
    });
  }

  progress(recordId: string): TaskProgress | undefined {
    return this.#watched.get(recordId)?.progress;
  }

  /** Asks at once, whoever looks. */
  async checkNow(record: TruncationRecord): Promise<void> {
    const watched = this.#of(record.id);
    watched.checking ??= this.#check(record, watched).finally(() => (watched.checking = undefined));
    await watched.checking;
    this.#schedule();
  }

  dispose(): void {
    this.#subscriptions.dispose();
    for (const { timer } of this.#watched.values()) {
      clearTimeout(timer);
    }
    this.#watched.clear();
    this.#changed.dispose();
  }

  #of(id: string): Watched {
    let watched = this.#watched.get(id);
    if (watched === undefined) {
      watched = { timer: undefined, pauseMillis: FIRST_PAUSE_MILLIS, progress: undefined, byDryRuns: false, lastCount: undefined, idleCounts: 0, checking: undefined };
      this.#watched.set(id, watched);
    }
    return watched;
  }

  /** Sets a timer for each running task that has none, or takes all timers away when nobody looks. */
  #schedule(): void {
    const running = new Map<string, TruncationRecord>();
    if (this.#viewers > 0) {
      for (const { id } of this.#store.all()) {
        for (const record of this.#records.of(id)) {
          if (standing(record, Date.now()) === 'running') {
            running.set(record.id, record);
          }
        }
      }
    }
    for (const [id, watched] of this.#watched) {
      if (!running.has(id)) {
        clearTimeout(watched.timer);
        watched.timer = undefined;
      }
    }
    for (const record of running.values()) {
      const watched = this.#of(record.id);
      watched.timer ??= setTimeout(() => {
        watched.timer = undefined;
        void this.checkNow(record);
      }, watched.pauseMillis);
    }
  }

  async #check(stale: TruncationRecord, watched: Watched): Promise<void> {
    const record = this.#records.get(stale.connectionId, stale.id);
    const connection = this.#store.get(stale.connectionId);
    if (record?.taskId === undefined || record.ending !== undefined || connection === undefined) {
      return;
    }
    const service = this.#services.of(connection);
    const before = JSON.stringify([watched.progress, watched.lastCount?.rows]);
    const ending = watched.byDryRuns ? await this.#byDryRun(service, record, watched) : await this.#byTask(service, record, record.taskId, watched);
    const moved = JSON.stringify([watched.progress, watched.lastCount?.rows]) !== before;
    watched.pauseMillis = Math.min(LONGEST_PAUSE_MILLIS, watched.pauseMillis * (moved ? 1.2 : 1.6));
    if (ending !== undefined) {
      const ended = await this.#ended({ ...record, ending, endedAt: Date.now() });
      await this.#records.save(ended);
      this.#changed.fire(ended);
    } else if (moved) {
      this.#changed.fire(record);
    }
  }

  async #byTask(service: Service, record: TruncationRecord, taskId: string, watched: Watched): Promise<Ending | undefined> {
    let status: TaskStatus;
    try {
      status = await service.tasks.status(taskId);
    } catch (thrown) {
      // Anything else is the network's or the server's trouble of a moment: the task is asked for again.
      watched.byDryRuns = cannotWatch(asFailure(thrown));
      return undefined;
    }
    if (status.kind === 'unknown') {
      const count = await this.#count(service, record);
      return count?.rows?.toDelete === 0
        ? { kind: 'finished', deleted: record.report.rows?.toDelete, versionConflicts: 0 }
        : { kind: 'unknown', failing: taskTexts.notKnown(count?.rows?.toDelete) };
    }
    const done = record.report.strategy === 'reindex' ? status.created + status.updated : status.deleted;
    watched.progress = { done, total: status.total > 0 ? status.total : undefined };
    if (!status.completed) {
      return undefined;
    }
    if (status.cancelled !== undefined) {
      return { kind: 'failed', failing: taskTexts.cancelled(status.cancelled), failures: status.failures };
    }
    if (status.failures.length > 0) {
      return { kind: 'failed', failing: taskTexts.failed(record.report.strategy), failures: status.failures };
    }
    // Servers pass on no reason why a task broke off; that it did shows in rows it never came to.
    const handled = status.created + status.updated + status.deleted;
    if (handled + status.versionConflicts < status.total) {
      return { kind: 'failed', failing: taskTexts.endedEarly(record.report.strategy, handled, status.total), failures: [] };
    }
    const deleted = record.report.strategy === 'reindex' ? record.report.rows?.toDelete : status.deleted;
    return { kind: 'finished', deleted, versionConflicts: status.versionConflicts };
  }

  /** What remains to be deleted is what the task has not done yet; it is over when nothing remains and nothing moves. */
  async #byDryRun(service: Service, record: TruncationRecord, watched: Watched): Promise<Ending | undefined> {
    const count = await this.#count(service, record);
    if (count?.rows === undefined) {
      return undefined;
    }
    const before = watched.lastCount?.rows;
    watched.lastCount = count;
    const planned = record.report.rows?.toDelete;
    watched.progress = planned === undefined ? undefined : { done: Math.max(0, planned - count.rows.toDelete), total: planned };
    const isStill = before?.toDelete === count.rows.toDelete && before.total === count.rows.total;
    watched.idleCounts = isStill ? watched.idleCounts + 1 : 0;
    if (isStill && count.rows.toDelete === 0) {
      return { kind: 'finished', deleted: planned, versionConflicts: 0 };
    }
    return watched.idleCounts >= MOST_IDLE_COUNTS ? { kind: 'unknown', failing: taskTexts.stopped(count.rows.toDelete) } : undefined;
  }

  async #count(service: Service, record: TruncationRecord): Promise<DryRunReport | undefined> {
    return service.indices.dryRun(record.plan).then(readDryRun, () => undefined);
  }
}
