/** How a truncation ended that didn't finish, or why that isn't known, and what to do next. */
import * as l10n from '@vscode/l10n';
import { language, plural } from '../../language.ts';
import { withServerText } from '../../service/failure/failure.ts';
import { formatsOf } from '../../ui/formats.ts';
import type { TruncationOutcome, UnknownOutcome } from '../outcome.ts';
import type { Problem } from '../problem.ts';
import { hidesRows, repairOf, statusOf, type TruncationRecord } from '../sentTruncation.ts';
import type { TruncationState } from '../state.ts';

type Unfinished = Exclude<TruncationOutcome, { readonly kind: 'finished' }>;

/** What the words depend on besides the end. */
type EndedTruncation = Pick<TruncationRecord, 'report' | 'baseline' | 'taskEnd'>;

export function endingProblem(ending: Unfinished, truncation: EndedTruncation): Problem {
  switch (ending.reason) {
    case 'stopped':
      return stoppedProblem(ending.rowsLeft ?? 0, truncation);
    case 'neverBegan':
      return {
        sentence: l10n.t('The task ended without changing a row.'),
        next: checkHealthStep(),
      };
    case 'writesRefused':
      return writesRefused();
    case 'endedEarly':
      return {
        sentence: truncation.taskEnd === undefined ? '' : earlySentence(truncation.taskEnd),
        next: l10n.t('Run the dry run again.'),
      };
    case 'rowsHidden':
      return { sentence: hiddenSentence(ending), next: bringBackStep() };
    case 'missing':
      return missingProblem(ending, truncation);
    case 'notCounted':
      return {
        sentence: uncountedSentence(truncation.taskEnd),
        next: l10n.t("Check again later: the rows couldn't be counted."),
      };
    case 'superseded':
      return {
        sentence: uncountedSentence(truncation.taskEnd),
        next: supersededText(),
      };
    case 'lostInTime':
      return {
        ...lostProblem(),
        sentence: l10n.t('No response was received in time, so the deletion has probably started.'),
      };
    case 'lost':
      return { ...lostProblem(), ...(ending.answer && { sentence: answerSentence(ending.answer) }) };
  }
}

export function supersededText(): string {
  return l10n.t("A later truncation of this index was sent, so this one can't be checked anymore.");
}

/** The problem of a state that has ended, if it has one. */
export function endedStateProblem(state: TruncationState): Problem | undefined {
  if (state.phase !== 'failed') {
    return undefined;
  }
  const { record } = state;
  if (record === undefined) {
    return state.failing;
  }
  const { ending } = record;
  return ending === undefined || ending.kind === 'finished' ? lostProblem() : endingProblem(ending, record);
}

/** Details of a failure, an unknown outcome or a lost response, beyond its sentence and next step. */
export function endingRemarks(record: TruncationRecord, now: number): readonly string[] {
  const { ending, taskEnd } = record;
  const missing = ending?.kind === 'unknown' ? ending.missing : undefined;
  const isStopped = ending?.kind === 'failed' && ending.reason === 'stopped';
  return [
    isStopped && taskEnd !== undefined ? earlySentence(taskEnd) : undefined,
    hidesRows(record)
      ? l10n.t('This extension deletes nothing from this index until searches find the rows to keep.')
      : undefined,
    missing === 'notAvailable'
      ? l10n.t('If all parts of the index are available, another job may have deleted rows.')
      : undefined,
    ending?.kind === 'failed' && repairOf(record) !== undefined ? staysUnrefreshedText() : undefined,
    isUnanswered(record, now) ? l10n.t('The request is never sent again automatically.') : undefined,
  ].filter((remark) => remark !== undefined);
}

/** A single refresh finds the rows once, and a system update makes no replicas (PROTOCOL.md §7.5). */
export function staysUnrefreshedText(): string {
  return l10n.t(
    'Unless an administrator sent all of the copied requests, rows written later may stay hidden, and the index may have no replicas.',
  );
}

/** Without a response. */
export function lostProblem(): Problem {
  return {
    sentence: l10n.t('No response was received, so the deletion may or may not have started.'),
    next: l10n.t("Check again later: a falling row count means it's running."),
  };
}

export function writesRefused(): Problem {
  return {
    sentence: l10n.t('The cluster refuses writes, probably because its disk is full.'),
    next: l10n.t('Free up disk space on the search cluster first.'),
  };
}

/** The task handled fewer rows than it found, or the server doesn't know it any more. */
function earlySentence({ kind, done = 0, total = 0, cancelled }: NonNullable<TruncationRecord['taskEnd']>): string {
  if (cancelled !== undefined) {
    return withServerText(l10n.t('The task was canceled on the server.'), cancelled);
  }
  if (kind === 'gone') {
    return l10n.t('The server no longer knows this task: it has ended, or its node was restarted.');
  }
  if (kind === 'neverBegan') {
    return l10n.t('The task ended without changing a row.');
  }
  return plural(
    total,
    l10n.t('The task ended early, after {0} of {1} row.', formatCount(done), formatCount(total)),
    l10n.t('The task ended early, after {0} of {1} rows.', formatCount(done), formatCount(total)),
  );
}

function isUnanswered(record: TruncationRecord, now: number): boolean {
  const { ending, taskId } = record;
  // After a refused reindex, the request was answered.
  const isAnswered = ending?.kind === 'unknown' && (ending.reason === 'rowsHidden' || ending.reason === 'missing');
  return taskId === undefined && !isAnswered && ['lost', 'unknown'].includes(statusOf(record, now));
}

/** @param rows 0 if searches find none any more, which more counts may prove. */
function stoppedProblem(rows: number, { taskEnd }: EndedTruncation): Problem {
  if (rows === 0) {
    return { sentence: l10n.t('No rows to delete are left.'), next: l10n.t('Check again later.') };
  }
  const sentence = plural(
    rows,
    l10n.t('Stopped with {0} row left to delete.', formatCount(rows)),
    l10n.t('Stopped with {0} rows left to delete.', formatCount(rows)),
  );
  // Another truncation would end the same: a write block, for example, stays.
  if (taskEnd?.kind === 'short' && taskEnd.done === 0 && taskEnd.cancelled === undefined) {
    return { sentence, next: checkHealthStep() };
  }
  return { sentence, next: l10n.t('Run the dry run again.') };
}

/** The reindex was refused, or failed after searches were pointed at the new index. */
function hiddenSentence({ found }: UnknownOutcome): string {
  if (found === undefined) {
    return l10n.t("The reindex failed and may have hidden rows to keep, which couldn't be counted.");
  }
  const visible = found.kept + (found.toDelete ?? 0);
  return plural(
    visible,
    l10n.t(
      'The reindex failed, and searches find only {0} row now: the others are hidden, not deleted.',
      formatCount(visible),
    ),
    l10n.t(
      'The reindex failed, and searches find only {0} rows now: the others are hidden, not deleted.',
      formatCount(visible),
    ),
  );
}

function missingProblem({ found, missing }: UnknownOutcome, truncation: EndedTruncation): Problem {
  if (missing === 'copiesDisagree') {
    return {
      sentence: l10n.t('Replicas of this index disagree: searches find different numbers of rows.'),
      next: l10n.t('Send an administrator the request that refreshes them.'),
    };
  }
  const visible = Math.max(0, found?.kept ?? 0);
  const expected = truncation.baseline?.kept ?? visible;
  const counts = [formatCount(visible), formatCount(expected)] as const;
  const plain = l10n.t('Searches find {0} of {1} rows to keep.', ...counts);
  if (missing === undefined || visible >= expected) {
    // Until more counts prove it.
    return { sentence: plain, next: l10n.t('Check again later.') };
  }
  // A server whose dry run wasn't understood may have deleted by query: it isn't known where the others are.
  const isReindex = truncation.report.strategy !== 'unknown';
  switch (missing) {
    case 'notRefreshed':
      return {
        sentence: l10n.t(
          "Searches find {0} of {1} rows to keep: the others are in the new index, which the server didn't refresh.",
          ...counts,
        ),
        next: l10n.t("Send an administrator the requests that refresh it, or wait for DataHub's next upgrade."),
      };
    case 'notCopied':
      return {
        sentence: isReindex
          ? l10n.t('Searches find {0} of {1} rows to keep: the others are only in the old index.', ...counts)
          : plain,
        next: bringBackStep(),
      };
    case 'notRefreshedOrCopied':
      return {
        sentence: isReindex
          ? l10n.t(
              "Searches find {0} of {1} rows to keep: the others are in the new index, which the server didn't refresh, or only in the old one.",
              ...counts,
            )
          : plain,
        next: bringBackStep(),
      };
    case 'notAvailable':
      return {
        sentence: plain,
        next: l10n.t('Send an administrator the request that shows whether part of the index is unavailable.'),
      };
  }
}

function uncountedSentence(taskEnd: TruncationRecord['taskEnd']): string {
  if (taskEnd === undefined) {
    return l10n.t("The server doesn't report how the truncation ended.");
  }
  return taskEnd.kind === 'whole' ? l10n.t('Finished on the server; not checked.') : earlySentence(taskEnd);
}

/** PostgreSQL responds with an error after the timeout of a deletion (PROTOCOL.md §10). */
function answerSentence({ status, serverText }: NonNullable<UnknownOutcome['answer']>): string {
  const sentence = l10n.t('The deletion may or may not have started: the server reported an error (HTTP {0}).', status);
  return withServerText(sentence, serverText);
}

function checkHealthStep(): string {
  return l10n.t('Check the batch size and the health of the index, then run the dry run again.');
}

/** An upgrade may come before the administrator. */
function bringBackStep(): string {
  return l10n.t(
    "Send an administrator the requests that bring them back, before DataHub's next upgrade, which can delete the old index.",
  );
}

function formatCount(count: number): string {
  return formatsOf(language()).number(count);
}
