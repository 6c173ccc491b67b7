/** What became of an execution that was sent, from its answer and, where that is not enough, from counting the rows again. */
import type { ServiceFailure } from '../../service/failure/failure.ts';
import type { Execution } from '../../service/indices/indices.ts';
import * as l10n from '@vscode/l10n';
import type { DryRunReport } from './dryRun.ts';
import { mayHideRows } from './remaining.ts';
import { taskTexts } from './texts.ts';
import type { Outcome, Failing } from './state.ts';

export type ExecutionOutcome =
  | { readonly kind: 'started'; readonly taskId: string }
  /** Certain: nothing was deleted, and nothing will be. */
  | { readonly kind: 'nothingHappened'; readonly failing: Failing }
  | { readonly kind: 'unknown'; readonly ending: UnknownOutcome };

type UnknownOutcome = Extract<Outcome, { readonly kind: 'unknown' }>;

/** The same dry run as before the execution, once more; undefined when it fails. */
type Recount = () => Promise<DryRunReport | undefined>;

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
 * @param planned What the dry run right before the execution found.
 * @param failing The failure as it is told where it is certain that nothing happened.
 */
export async function outcomeOfFailure(
  failure: ServiceFailure,
  failing: Failing,
  planned: DryRunReport,
  recount: Recount,
): Promise<ExecutionOutcome> {
  if (isReindexFailure(failure)) {
    return outcomeOfReindexFailure(planned, await recount(), taskTexts.notReindexed());
  }
  if (failure.mayHaveActed) {
    return { kind: 'unknown', ending: lostAnswer(planned, await recount()) };
  }
  // Its words can be missing, cut off, or those of a gateway: of what may have been a reindex only a count tells.
  if (failure.status === 400 && planned.strategy !== 'deleteByQuery') {
    return outcomeOfReindexFailure(planned, await recount(), failing);
  }
  return { kind: 'nothingHappened', failing };
}

/**
 * Servers say the same when the index cannot be reindexed, so that nothing was done, and when the reindex broke off after readers
 * were pointed at the new, empty index. Only the rows that readers see now tell which.
 */
function isReindexFailure({ serverText = '' }: ServiceFailure): boolean {
  return /reindex(?:ing)? failed|reindexInPlace|should be an alias/i.test(serverText);
}

/** @param nothingHappened How it is told when all rows are there. */
function outcomeOfReindexFailure(
  { rows: planned }: DryRunReport,
  now: DryRunReport | undefined,
  nothingHappened: Failing,
): ExecutionOutcome {
  const rows = now?.rows;
  const areAllThere =
    rows !== undefined && planned !== undefined && rows.total >= planned.total && rows.toDelete >= planned.toDelete;
  return areAllThere
    ? { kind: 'nothingHappened', failing: nothingHappened }
    : { kind: 'unknown', ending: { kind: 'unknown', failing: taskTexts.rowsHidden(rows?.total), hidesRows: true } };
}

/** The answer is lost and the request is never repeated: a count tells whether rows are going. */
function lostAnswer(planned: DryRunReport, now: DryRunReport | undefined): UnknownOutcome {
  const { sentence, next } = taskTexts.lost();
  if (now?.rows === undefined || planned.rows === undefined) {
    return { kind: 'unknown', failing: { sentence, next } };
  }
  if (mayHideRows(planned, now)) {
    return {
      kind: 'unknown',
      failing: { sentence, next: taskTexts.mayHideRows(now.rows.total).next },
      hidesRows: true,
    };
  }
  return {
    kind: 'unknown',
    failing: {
      sentence,
      next:
        now.rows.toDelete < planned.rows.toDelete
          ? taskTexts.countIsFalling(now.rows.toDelete)
          : taskTexts.countIsUnchanged(),
    },
  };
}
