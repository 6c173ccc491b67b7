/** What became of an execution that was sent, from its answer and, where that is not enough, from counting the rows again. */
import type { ServiceFailure } from '../service/failure/failure.ts';
import type { Execution } from '../service/indices/indices.ts';
import * as l10n from '@vscode/l10n';
import { judgementTexts } from './texts/judgementTexts.ts';
import type { ReaderCount } from './readerJudgement.ts';
import { keptBefore, type TruncationRecord } from './record.ts';
import type { TaskEnd } from './taskEnd.ts';
import { taskTexts } from './texts/taskTexts.ts';
import type { Outcome } from './outcome.ts';
import type { Problem } from './problem.ts';

export type ExecutionOutcome =
  | { readonly kind: 'started'; readonly taskId: string }
  /** Certain: nothing was deleted, and nothing will be. */
  | { readonly kind: 'nothingHappened'; readonly failing: Problem }
  | { readonly kind: 'unknown'; readonly ending: UnknownOutcome; readonly taskEnd?: TaskEnd };

type UnknownOutcome = Extract<Outcome, { readonly kind: 'unknown' }>;

/** Counts readers after the execution was answered; undefined if the rows can't be counted. */
type Recount = () => Promise<ReaderCount | undefined>;

/** The counts taken right before the execution. */
export type CountedPlan = Pick<TruncationRecord, 'report' | 'baseline'>;

export function outcomeOfAnswer(execution: Execution): ExecutionOutcome {
  if (execution.kind === 'started') {
    return { kind: 'started', taskId: execution.taskId };
  }
  // A sentence is a refusal in the server's words: nothing runs.
  return {
    kind: 'nothingHappened',
    failing: {
      sentence: l10n.t("The server didn't start the deletion: {0}", execution.serverText),
      next: l10n.t('Edit the options and run the dry run again.'),
    },
  };
}

/**
 * @param failing The failure as it is told where it is certain that nothing happened.
 */
export async function outcomeOfFailure(
  failure: ServiceFailure,
  failing: Problem,
  planned: CountedPlan,
  recount: Recount,
): Promise<ExecutionOutcome> {
  if (isReindexFailure(failure)) {
    return outcomeOfReindexFailure(planned, await recount(), taskTexts.notReindexed());
  }
  if (failure.mayHaveActed) {
    return { kind: 'unknown', ending: lostAnswer(planned, await recount(), lostText(failure)) };
  }
  // Its words can be missing, cut off, or those of a gateway: of what may have been a reindex only a count tells.
  if (failure.status === 400 && planned.report.strategy !== 'deleteByQuery') {
    return outcomeOfReindexFailure(planned, await recount(), failing);
  }
  return { kind: 'nothingHappened', failing };
}

/**
 * Servers say the same when the index can't be reindexed, so that nothing was done, and when the reindex broke off after searches
 * were pointed at the new, empty index. Only the rows that readers see now tell which.
 */
function isReindexFailure({ serverText = '' }: ServiceFailure): boolean {
  return /reindex(?:ing)? failed|reindexInPlace|should be an alias/i.test(serverText);
}

/** @param nothingHappened How it is told when all rows are there. */
function outcomeOfReindexFailure(
  planned: CountedPlan,
  seen: ReaderCount | undefined,
  nothingHappened: Problem,
): ExecutionOutcome {
  const { rows } = planned.report;
  const kept = keptBefore(planned);
  const areAllThere =
    seen !== undefined &&
    rows !== undefined &&
    kept !== undefined &&
    seen.kept >= kept &&
    seen.toDelete >= rows.toDelete;
  return areAllThere
    ? { kind: 'nothingHappened', failing: nothingHappened }
    : {
        kind: 'unknown',
        taskEnd: { kind: 'short' },
        ending: {
          kind: 'unknown',
          failing: taskTexts.rowsHidden(seen && seen.kept + seen.toDelete),
          hidesRows: true,
          missing: 'notCopied',
        },
      };
}

/** PostgreSQL answers once the deletion has ended (PROTOCOL.md §10), so a proxy or this client gives up while it runs. */
function lostText(failure: ServiceFailure): Problem {
  const { kind, status } = failure;
  if (kind === 'timedOut' || status === 504) {
    return taskTexts.lostInTime();
  }
  return kind === 'server' && status !== undefined ? errorText(status, failure.serverText) : taskTexts.lost();
}

/** As PostgreSQL answers once the timeout of a deletion has ended it. */
function errorText(status: number, serverText = ''): Problem {
  return {
    ...taskTexts.lost(),
    sentence:
      serverText === ''
        ? l10n.t('The deletion may or may not have started: the server reported an error (HTTP {0}).', status)
        : l10n.t(
            'The deletion may or may not have started: the server reported an error (HTTP {0}: {1}).',
            status,
            serverText,
          ),
  };
}

/** The answer is lost and the request is never repeated: a count tells whether rows are going. */
function lostAnswer(planned: CountedPlan, seen: ReaderCount | undefined, { sentence, next }: Problem): UnknownOutcome {
  const isCounted = seen !== undefined && keptBefore(planned) !== undefined;
  return {
    kind: 'unknown',
    failing: { sentence, next: isCounted ? judgementTexts.countedAgain(planned, seen) : next },
  };
}
