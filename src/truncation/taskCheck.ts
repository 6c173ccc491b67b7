/** Looks once how far a truncation is that was sent: asks for its task, and counts rows where that says nothing. */
import { asFailure } from '../service/failure/failure.ts';
import { isTaskId } from '../service/indices/taskId.ts';
import { cannotWatch } from '../service/indices/tasks.ts';
import type { Service } from '../service/service.ts';
import { countAgain } from './countRows.ts';
import type { NewCount } from './countRows.ts';
import type { DryRunReport } from './model/dryRun.ts';
import type { TruncationRecord } from './model/record.ts';
import { mayHideRows, remaining } from './model/remaining.ts';
import type { Failing, Outcome, TaskProgress } from './model/state.ts';
import { outcomeOf, progressOf } from './model/taskOutcome.ts';
import { taskTexts } from './model/texts.ts';

/** A count that stays the same so long says that the task has stopped, where nothing else can. */
const STILL_MILLIS = 10 * 60_000;

/** What was seen of a task so far: each look goes on from it, and writes down more. */
export interface TaskSightings {
  progress: TaskProgress | undefined;
  /** Why it cannot be watched at the moment. */
  trouble: Failing | undefined;
  byDryRuns: boolean;
  lastCount: DryRunReport | undefined;
  /** How long the task ran, in ms, once it has ended and the server tells. */
  runTimeMillis: number | undefined;
  /** When the counts moved last, Unix time in ms. */
  movedAt: number;
}

/** How a task ended, or that it runs, as the server tells it. */
type Found = Outcome | 'running';

/** One that runs, as far as is known. @returns undefined while nothing is known. */
export function checkRunning(
  service: Service,
  record: TruncationRecord,
  seen: TaskSightings,
  now: number,
): Promise<Found | undefined> {
  const taskId = askableTask(record);
  return taskId === undefined || seen.byDryRuns
    ? byDryRun(service, record, seen, now)
    : byTask(service, record, taskId, seen);
}

async function byTask(
  service: Service,
  record: TruncationRecord,
  taskId: string,
  seen: TaskSightings,
): Promise<Found | undefined> {
  try {
    const status = await service.tasks.status(taskId);
    seen.trouble = undefined;
    if (status.kind === 'unknown') {
      return await judge(service, record, taskTexts.notKnown);
    }
    seen.progress = progressOf(record, status);
    seen.runTimeMillis = status.completed ? status.runTimeMillis : undefined;
    const outcome = outcomeOf(record, status);
    return outcome === 'untold' ? await judge(service, record, taskTexts.endedUntold) : (outcome ?? 'running');
  } catch (thrown) {
    const failure = asFailure(thrown);
    seen.byDryRuns = cannotWatch(failure);
    // The network's or the server's trouble of a moment: the task is asked for again, and the person knows why nothing moves.
    seen.trouble = seen.byDryRuns ? undefined : { sentence: failure.message, next: failure.next };
    return undefined;
  }
}

/** What remains to be deleted is what the task has not done yet; it is over when nothing remains and nothing moves. */
async function byDryRun(
  service: Service,
  record: TruncationRecord,
  seen: TaskSightings,
  now: number,
): Promise<Outcome | undefined> {
  let count: NewCount;
  try {
    count = await countAgain(service, record);
  } catch (thrown) {
    const failure = asFailure(thrown);
    seen.trouble = { sentence: failure.message, next: failure.next };
    return undefined;
  }
  seen.trouble = undefined;
  const before = seen.lastCount?.rows;
  const { report, old } = count;
  seen.lastCount = report;
  const { isOver, progress } = remaining(record.report, report, old);
  seen.progress = progress;
  const isStill =
    before !== undefined && before.toDelete === report.rows?.toDelete && before.total === report.rows.total;
  if (isOver && isStill) {
    return finishedByCount(record);
  }
  return isStill && now - seen.movedAt > STILL_MILLIS
    ? {
        kind: 'unknown',
        failing: taskTexts.stopped(
          report.rows?.toDelete ?? 0,
          isPostgres(record) ? record.plan.timeoutSeconds : undefined,
        ),
      }
    : undefined;
}

/** One that was given up is looked at once more: its task if it is known, else the rows. What was said of it stays true. */
export async function checkGivenUp(service: Service, record: TruncationRecord, seen: TaskSightings): Promise<Found> {
  const taskId = askableTask(record);
  const ending =
    (taskId === undefined ? undefined : await byTask(service, record, taskId, seen)) ??
    (await judge(service, record, taskTexts.notKnown));
  if (ending === 'running' || ending.kind !== 'unknown') {
    return ending;
  }
  const said = record.ending?.kind === 'unknown' ? record.ending.failing : taskTexts.lost();
  return {
    ...ending,
    failing: {
      sentence: ending.hidesRows === false ? ending.failing.sentence : said.sentence,
      next: ending.failing.next,
    },
  };
}

/** Without a task to ask, only a new count tells: over, or not known. */
async function judge(
  service: Service,
  record: TruncationRecord,
  said: (remaining: number | undefined) => Failing,
): Promise<Outcome> {
  const count = await countAgain(service, record).catch(() => undefined);
  if (count !== undefined && remaining(record.report, count.report, count.old).isOver) {
    return finishedByCount(record);
  }
  if (count !== undefined && mayHideRows(record.report, count.report)) {
    return { kind: 'unknown', failing: taskTexts.mayHideRows(count.report.rows?.total), hidesRows: true };
  }
  const left = count?.report.rows?.toDelete;
  return {
    kind: 'unknown',
    failing:
      record.report.strategy === 'reindex' && left === 0 ? taskTexts.notKnownReindex(said(undefined)) : said(left),
  };
}

/** What deletes in place is over when nothing is left to delete. Of a reindex a count says only that as many rows are seen as should be. */
function finishedByCount({ report }: TruncationRecord): Outcome {
  return report.strategy === 'deleteByQuery'
    ? { kind: 'finished', deleted: report.rows?.toDelete, versionConflicts: 0 }
    : { kind: 'unknown', failing: taskTexts.rowsAreBack(), hidesRows: false };
}

/** There alone the timeout ends a deletion, and there alone a task has no ID that could be asked for. */
function isPostgres(record: TruncationRecord): boolean {
  return record.taskId !== undefined && askableTask(record) === undefined;
}

/** The ID of a task whose status can be asked for. */
function askableTask({ taskId }: TruncationRecord): string | undefined {
  return taskId !== undefined && isTaskId(taskId) ? taskId : undefined;
}
