/**
 * One execution. Its gate: its connection, its journal, the other truncations of its index, its page, and the age of its
 * dry run (dryRun.ts). Then its outcome, from its response and, if that is not enough, from a new count of
 * the rows.
 */
import * as l10n from '@vscode/l10n';
import type { Connection } from '../connections/connection.ts';
import { mayStillSend } from '../connections/changeGate.ts';
import type { ServicePool } from '../connections/servicePool.ts';
import { ServiceFailure, toServiceFailure, sentTooLate, withServerText } from '../service/failure/failure.ts';
import type { ExecutionResult } from '../service/indices/indices.ts';
import type { MayStillSend } from '../service/http/transport.ts';
import type { TruncationPlan } from '../service/indices/truncationRequest.ts';
import type { MetadataService } from '../service/service.ts';
import { countReaders } from './countRows.ts';
import { recordId, whyNotSend, type JobRef } from './storedJob.ts';
import type { SharedStores } from './jobStore.ts';
import { causeOfUncopied, type ReaderCount } from './judgeCompletion.ts';
import type { TruncationRecord } from './sentTruncation.ts';
import type { UnknownOutcome } from './outcome.ts';
import type { Problem } from './problem.ts';
import type { TaskEnd } from './taskEnd.ts';
import { taskTexts } from './texts/taskTexts.ts';

interface ExecutionGateOptions {
  /** As the user was asked about it. */
  readonly connection: Connection;
  readonly plan: TruncationPlan;
  /** Its journal, to which the item's *sent* is about to be written. */
  readonly job: JobRef;
  readonly item: number;
  /** Why the page or the job sends nothing more, if so. */
  readonly obstacle: () => Problem | undefined;
  readonly isDryRunTooOld: () => boolean;
}

/** Makes the gate of one execution. Call it before its *sent* is written. */
export function executionGate(
  environment: SharedStores & { readonly services: ServicePool },
  { connection, plan, job, item, obstacle, isDryRunTooOld }: ExecutionGateOptions,
): MayStillSend {
  const { jobs, services } = environment;
  const isStillAgreed = mayStillSend(environment, connection, () =>
    // Another window may have dismissed it, or written one for the same index.
    jobs.readAgain().catch(() => refuse(taskTexts.notRecorded())),
  );
  return async () => {
    await isStillAgreed();
    refuse(obstacle());
    const current = jobs.job(job);
    const reason = current === undefined ? 'dismissed' : whyNotSend(current, item);
    refuse(reason && REFUSALS[reason]());
    const other = jobs.inTheWay(connection, plan, recordId(job.id, item), services.network.clock.now());
    refuse(other && taskTexts.unsent(taskTexts.blockedBy(other)));
    if (isDryRunTooOld()) {
      throw sentTooLate();
    }
  };
}

const REFUSALS = {
  dismissed: taskTexts.forgotten,
  unreadable: () => taskTexts.notRecorded(),
} as const;

function refuse(problem: Problem | undefined): void {
  if (problem !== undefined) {
    throw new ServiceFailure('notSent', problem.sentence, { next: problem.next });
  }
}

export type ExecutionOutcome =
  | { readonly kind: 'started'; readonly taskId: string }
  /** The gate refused: nothing was sent. */
  | { readonly kind: 'notSent'; readonly failing: Problem }
  /** Nothing was deleted, and nothing will be. */
  | { readonly kind: 'nothingHappened'; readonly failing: Problem }
  /** `readers`: counted only if the outcome depended on them. */
  | {
      readonly kind: 'unknown';
      readonly ending: UnknownOutcome;
      readonly taskEnd?: TaskEnd;
      readonly readers?: ReaderCount | undefined;
    };

interface ExecutionRequestOptions {
  /** The gate. */
  readonly mayStillSend: MayStillSend;
  /** Logs a failure. @returns what to show for it. */
  readonly logProblem: (thrown: unknown) => Problem;
  /** Unix time in ms. */
  readonly now: () => number;
}

/** Sends the request, once. */
export async function requestExecution(
  service: MetadataService,
  record: TruncationRecord,
  { mayStillSend: gate, logProblem, now }: ExecutionRequestOptions,
): Promise<ExecutionOutcome> {
  try {
    return outcomeOfResponse(await service.indices.execute(record.plan, gate));
  } catch (thrown) {
    const problem = logProblem(thrown);
    const failure = thrown instanceof ServiceFailure ? thrown : toServiceFailure(thrown).with({ mayHaveActed: true });
    const { kind, status } = failure;
    if (kind === 'notSent' || kind === 'readOnly') {
      return { kind: 'notSent', failing: problem };
    }
    const hasReindexFailed = isReindexFailure(failure);
    if (failure.mayHaveActed && !hasReindexFailed) {
      return { kind: 'unknown', ending: lostResponse(failure) };
    }
    const told = status === undefined ? taskTexts.unsent(problem) : problem;
    const failing = hasReindexFailed ? { ...problem, ...taskTexts.notReindexed() } : told;
    const refusal = { kind: 'nothingHappened', failing } as const;
    // The text may be missing, cut off, or a gateway's. Only a count shows whether a reindex has begun.
    return hasReindexFailed || (status === 400 && record.report.strategy !== 'deleteByQuery')
      ? outcomeByCount(service, record, refusal, now)
      : refusal;
  }
}

function outcomeOfResponse(execution: ExecutionResult): ExecutionOutcome {
  if (execution.kind === 'started') {
    return { kind: 'started', taskId: execution.taskId };
  }
  // A sentence is a refusal: nothing runs.
  return {
    kind: 'nothingHappened',
    failing: {
      sentence: withServerText(l10n.t("The server didn't start the deletion."), execution.serverText),
      next: l10n.t('Edit the options and run the dry run again.'),
    },
  };
}

/**
 * Servers respond alike if an index can't be reindexed and nothing was done, and if the reindex failed after
 * searches were pointed at the new, empty index. Only a count distinguishes them.
 */
function isReindexFailure({ serverText = '' }: ServiceFailure): boolean {
  return /reindex(?:ing)? failed|reindexInPlace|should be an alias/i.test(serverText);
}

/** @param refusal If all rows are there, so that nothing happened. */
async function outcomeByCount(
  service: MetadataService,
  record: TruncationRecord,
  refusal: ExecutionOutcome,
  now: () => number,
): Promise<ExecutionOutcome> {
  const readers = await countReaders(service, record, now).catch(() => undefined);
  const { rows } = record.report;
  const kept = record.baseline?.kept;
  const areAllThere =
    readers !== undefined &&
    rows !== undefined &&
    kept !== undefined &&
    readers.kept >= kept &&
    readers.toDelete >= rows.toDelete;
  return areAllThere
    ? refusal
    : {
        kind: 'unknown',
        taskEnd: { kind: 'short' },
        readers,
        ending: {
          kind: 'unknown',
          reason: 'rowsHidden',
          found: readers && { toDelete: readers.toDelete, kept: readers.kept },
          hidesRows: true,
          missing: causeOfUncopied(service.server.release),
        },
      };
}

/** PostgreSQL responds after the deletion (PROTOCOL.md §10), perhaps after a timeout. */
function lostResponse({ kind, status, serverText }: ServiceFailure): UnknownOutcome {
  const isLate = kind === 'timedOut' || status === 504;
  return {
    kind: 'unknown',
    reason: isLate ? 'lostInTime' : 'lost',
    ...(!isLate && kind === 'server' && status !== undefined && { answer: { status, serverText } }),
  };
}
