/** Outcome of a sent execution, from its response and, if that is not enough, from a new count of the rows. */
import * as l10n from '@vscode/l10n';
import { asSentence } from '../language.ts';
import { ServiceFailure, toServiceFailure } from '../service/failure/failure.ts';
import type { ExecutionResult } from '../service/indices/indices.ts';
import type { MayStillSend } from '../service/http/transport.ts';
import type { MetadataService } from '../service/service.ts';
import { countReaders } from './countRows.ts';
import { causeOfUncopied, type ReaderCount } from './readerJudgement.ts';
import type { TruncationRecord } from './record.ts';
import type { Problem, UnknownOutcome } from './outcome.ts';
import type { TaskEnd } from './taskEnd.ts';
import { taskTexts } from './texts/taskTexts.ts';

export type ExecutionOutcome =
  | { readonly kind: 'started'; readonly taskId: string }
  /** The gate refused: nothing was sent. */
  | { readonly kind: 'notSent'; readonly failing: Problem }
  /** Nothing was deleted, and nothing will be. */
  | ({ readonly kind: 'nothingHappened'; readonly failing: Problem } & ServerWords)
  | { readonly kind: 'unknown'; readonly ending: UnknownOutcome; readonly taskEnd?: TaskEnd };

/** As the server refused, if it did. */
interface ServerWords {
  readonly status?: number | undefined;
  readonly serverText?: string | undefined;
}

/** Counts from right before the execution. */
type CountedPlan = Pick<TruncationRecord, 'report' | 'baseline'>;

interface ExecutionRequestOptions {
  readonly mayStillSend: MayStillSend;
  /** Logs a failure. @returns what to show for it. */
  readonly logProblem: (thrown: unknown) => Problem;
  /** Unix time in ms. */
  readonly now: () => number;
}

/** Sends the request, once. `readers`: counted only if the outcome depended on them. */
export async function requestExecution(
  service: MetadataService,
  record: TruncationRecord,
  { mayStillSend, logProblem, now }: ExecutionRequestOptions,
): Promise<{ readonly outcome: ExecutionOutcome; readonly readers: ReaderCount | undefined }> {
  try {
    return { outcome: outcomeOfResponse(await service.indices.execute(record.plan, mayStillSend)), readers: undefined };
  } catch (thrown) {
    const failing = logProblem(thrown);
    const failure = thrown instanceof ServiceFailure ? thrown : toServiceFailure(thrown).with({ mayHaveActed: true });
    if (failure.kind === 'notSent' || failure.kind === 'readOnly') {
      return { outcome: { kind: 'notSent', failing }, readers: undefined };
    }
    const readers = needsRecount(failure, record)
      ? await countReaders(service, record, now).catch(() => undefined)
      : undefined;
    const hasLeft = failure.mayHaveActed || failure.status !== undefined;
    const told = hasLeft ? failing : taskTexts.unsent(failing);
    return { outcome: outcomeOfFailure(failure, told, record, readers, service.server.release), readers };
  }
}

function outcomeOfResponse(execution: ExecutionResult): ExecutionOutcome {
  if (execution.kind === 'started') {
    return { kind: 'started', taskId: execution.taskId };
  }
  // A sentence is a refusal: nothing runs.
  return {
    kind: 'nothingHappened',
    serverText: execution.serverText,
    failing: {
      sentence:
        execution.serverText === ''
          ? l10n.t("The server didn't start the deletion.")
          : l10n.t("The server didn't start the deletion: {0}", asSentence(execution.serverText)),
      next: l10n.t('Edit the options and run the dry run again.'),
    },
  };
}

/** True if the outcome depends on how many rows there are now. */
function needsRecount(failure: ServiceFailure, planned: CountedPlan): boolean {
  return isReindexFailure(failure) || (!failure.mayHaveActed && mayHaveReindexed(failure, planned));
}

/**
 * @param failing Shown if it is certain that nothing happened.
 * @param seen The new count if one is needed; undefined if the rows can't be counted.
 * @param release Of the server. Undefined if unknown.
 */
function outcomeOfFailure(
  failure: ServiceFailure,
  failing: Problem,
  planned: CountedPlan,
  seen: ReaderCount | undefined,
  release: string | undefined,
): ExecutionOutcome {
  const words = { status: failure.status, serverText: failure.serverText };
  if (isReindexFailure(failure)) {
    return outcomeOfReindexFailure(planned, seen, { ...words, failing: taskTexts.notReindexed() }, release);
  }
  if (failure.mayHaveActed) {
    return { kind: 'unknown', ending: lostResponse(failure) };
  }
  return mayHaveReindexed(failure, planned)
    ? outcomeOfReindexFailure(planned, seen, { ...words, failing }, release)
    : { kind: 'nothingHappened', failing, ...words };
}

/** The text may be missing, cut off, or a gateway's. Only a count shows whether a reindex has begun. */
function mayHaveReindexed({ status }: ServiceFailure, { report }: CountedPlan): boolean {
  return status === 400 && report.strategy !== 'deleteByQuery';
}

/**
 * Servers respond alike if an index can't be reindexed and nothing was done, and if the reindex failed after
 * searches were pointed at the new, empty index. Only a count distinguishes them.
 */
function isReindexFailure({ serverText = '' }: ServiceFailure): boolean {
  return /reindex(?:ing)? failed|reindexInPlace|should be an alias/i.test(serverText);
}

/** @param refusal If all rows are there, so that nothing happened. */
function outcomeOfReindexFailure(
  planned: CountedPlan,
  seen: ReaderCount | undefined,
  refusal: { readonly failing: Problem } & ServerWords,
  release: string | undefined,
): ExecutionOutcome {
  const { rows } = planned.report;
  const kept = planned.baseline?.kept;
  const areAllThere =
    seen !== undefined &&
    rows !== undefined &&
    kept !== undefined &&
    seen.kept >= kept &&
    seen.toDelete >= rows.toDelete;
  return areAllThere
    ? { kind: 'nothingHappened', ...refusal }
    : {
        kind: 'unknown',
        taskEnd: { kind: 'short' },
        ending: {
          kind: 'unknown',
          reason: 'rowsHidden',
          found: seen && { toDelete: seen.toDelete, kept: seen.kept },
          hidesRows: true,
          missing: causeOfUncopied(release),
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
