/** Sentences about the judged end of a truncation. */
import * as l10n from '@vscode/l10n';
import { asSentence, language, plural } from '../../language.ts';
import { formatsOf } from '../../ui/formats.ts';
import type { ReaderJudgement, ReaderCount } from '../readerJudgement.ts';
import type { MissingCause, Problem } from '../outcome.ts';
import { askableTask, keptBefore, type TruncationRecord } from '../record.ts';

/** What the words depend on besides the judgement. */
type EndedTruncation = Pick<TruncationRecord, 'plan' | 'taskEnd' | 'taskId'>;

type MissingRows = Extract<ReaderJudgement, { readonly kind: 'missing' }>;

export const judgementTexts = {
  /** Shown between the ends of task and truncation. */
  settling: (record: TruncationRecord): string | undefined => {
    switch (record.taskEnd?.kind) {
      case undefined:
        return undefined;
      case 'whole':
        return record.report.strategy === 'reindex'
          ? l10n.t('The rows to keep were copied. Checking that searches find them…')
          : l10n.t('Deleted. Searches may still find the rows for a few seconds.');
      default:
        return `${judgementTexts.endedEarly(record).sentence} ${l10n.t('Counting what is left…')}`;
    }
  },
  /** @param rows 0 if searches find none any more, which more counts may prove. */
  stopped: (record: EndedTruncation, rows: number): Problem => ({
    sentence:
      rows === 0
        ? l10n.t('No rows to delete are left.')
        : plural(
            rows,
            l10n.t('Stopped with {0} row left to delete.', formatCount(rows)),
            l10n.t('Stopped with {0} rows left to delete.', formatCount(rows)),
          ),
    next: rows === 0 ? l10n.t('Check again later.') : nextAfterStop(record),
  }),
  neverBegan: (): Problem => ({
    sentence: l10n.t('It failed before it began: the task ended without changing a row.'),
    next: l10n.t('Check the batch size and the health of the index, then run the dry run again.'),
  }),
  writesRefused: (): Problem => ({
    sentence: l10n.t('The cluster refuses writes, probably because its disk is full.'),
    next: l10n.t('Free up disk space on the search cluster first.'),
  }),
  missing: ({ cause, visible, expected }: MissingRows): Problem => ({
    sentence: missingText(cause, formatCount(Math.max(0, visible)), formatCount(expected)),
    next: missingStep(cause),
  }),
  /** Until more counts prove it. */
  foundAgain: (visible: number, expected: number): Problem => ({
    sentence: missingText('notAvailable', formatCount(visible), formatCount(expected)),
    next: l10n.t('Check again later.'),
  }),
  /** A count failed, not the deletion. */
  notCountedNow: ({ sentence }: Problem): Problem => ({
    sentence: l10n.t("The rows couldn't be counted: {0}", sentence),
    next: l10n.t("They're counted again automatically."),
  }),
  notReadNow: ({ sentence }: Problem): Problem => ({
    sentence,
    next: l10n.t("The task's status is read again automatically."),
  }),
  /** Progress after a lost response, from a new count. */
  countedAgain: (
    record: Pick<TruncationRecord, 'report' | 'baseline'>,
    { toDelete, kept }: Pick<ReaderCount, 'toDelete' | 'kept'>,
  ): string => {
    const before = keptBefore(record);
    if (before !== undefined && kept < before && record.report.strategy !== 'deleteByQuery') {
      return l10n.t(
        'Check again later: searches find {0} of {1} rows to keep.',
        formatCount(Math.max(0, kept)),
        formatCount(before),
      );
    }
    if (toDelete >= (record.report.rows?.toDelete ?? 0)) {
      return l10n.t("Check again later: the row count hasn't changed yet.");
    }
    return toDelete === 0
      ? l10n.t('No rows to delete are left, so the deletion appears to have run.')
      : plural(
          toDelete,
          l10n.t(
            'The row count is falling ({0} row left to delete), so the deletion appears to be running.',
            formatCount(toDelete),
          ),
          l10n.t(
            'The row count is falling ({0} rows left to delete), so the deletion appears to be running.',
            formatCount(toDelete),
          ),
        );
  },
  copiesDisagree: (): Problem => ({
    sentence: l10n.t('Copies of this index disagree: searches find different numbers of rows.'),
    next: l10n.t('Send an administrator the request that refreshes them.'),
  }),
  /** The task handled fewer rows than it found. */
  endedEarly: ({ taskEnd }: Pick<TruncationRecord, 'taskEnd'>): Problem => ({
    sentence: taskEnd === undefined ? '' : earlySentence(taskEnd),
    next: l10n.t('Run the dry run again to see what is left.'),
  }),
  notCounted: ({ taskEnd }: Pick<TruncationRecord, 'taskEnd'>, isLatest: boolean): Problem => ({
    sentence: uncountedSentence(taskEnd),
    next: isLatest
      ? l10n.t("Check again later: the rows couldn't be counted.")
      : l10n.t('A later truncation of this index was sent, so its rows say nothing about this one.'),
  }),
} as const;

function uncountedSentence(taskEnd: TruncationRecord['taskEnd']): string {
  if (taskEnd === undefined) {
    return l10n.t("The server doesn't report how the truncation ended.");
  }
  return taskEnd.kind === 'whole' ? l10n.t('Finished on the server; not checked.') : earlySentence(taskEnd);
}

function nextAfterStop(record: EndedTruncation): string | undefined {
  return hasHandledNone(record)
    ? judgementTexts.neverBegan().next
    : (timeoutStep(record) ?? l10n.t('Run the truncation again.'));
}

/** Another truncation would end the same: a write block, for example, stays. */
function hasHandledNone({ taskEnd }: Pick<TruncationRecord, 'taskEnd'>): boolean {
  return taskEnd?.kind === 'short' && taskEnd.done === 0 && taskEnd.cancelled === undefined;
}

function earlySentence({
  kind,
  done = 0,
  total,
  cancelled,
  failures = [],
}: NonNullable<TruncationRecord['taskEnd']>): string {
  if (cancelled !== undefined) {
    return cancelled === ''
      ? l10n.t('The task was canceled on the server.')
      : l10n.t('The task was canceled on the server: {0}', asSentence(cancelled));
  }
  if (failures.length > 0) {
    return l10n.t('The task ended with failures.');
  }
  if (kind === 'gone') {
    return l10n.t('The server no longer knows this task: it has ended, or its node was restarted.');
  }
  if (kind === 'neverBegan') {
    return l10n.t('The task ended without changing a row.');
  }
  if (total === undefined) {
    return l10n.t('The server reported that the task failed.');
  }
  return plural(
    total,
    l10n.t('The task ended early, after {0} of {1} row.', formatCount(done), formatCount(total)),
    l10n.t('The task ended early, after {0} of {1} rows.', formatCount(done), formatCount(total)),
  );
}

function missingText(cause: MissingCause, visible: string, expected: string): string {
  switch (cause) {
    case 'notRefreshed':
      return l10n.t(
        "Searches find {0} of {1} rows to keep: the others are in the new index, which the server didn't refresh.",
        visible,
        expected,
      );
    case 'notCopied':
      return l10n.t('Searches find {0} of {1} rows to keep: the others are only in the old index.', visible, expected);
    case 'notRefreshedOrCopied':
      return l10n.t(
        "Searches find {0} of {1} rows to keep: the others are in the new index, which the server didn't refresh, or only in the old one.",
        visible,
        expected,
      );
    case 'notAvailable':
      return l10n.t('Searches find {0} of {1} rows to keep.', visible, expected);
  }
}

function missingStep(cause: MissingCause): string {
  switch (cause) {
    case 'notRefreshed':
      return l10n.t("Send an administrator the requests that refresh it, or wait for DataHub's next upgrade.");
    case 'notCopied':
    case 'notRefreshedOrCopied':
      return bringBackStep();
    case 'notAvailable':
      return l10n.t('Send an administrator the request that shows whether part of the index is unavailable.');
  }
}

/** An upgrade may come before the administrator. */
export function bringBackStep(): string {
  return l10n.t(
    "Send an administrator the requests that bring them back, before DataHub's next upgrade, which can delete the old index.",
  );
}

/** Only PostgreSQL ends a deletion by its timeout (PROTOCOL.md §10). Undefined if nothing did. */
function timeoutStep(record: EndedTruncation): string | undefined {
  const seconds = record.plan.timeoutSeconds;
  return seconds === undefined || record.taskId === undefined || askableTask(record) !== undefined
    ? undefined
    : plural(
        seconds,
        l10n.t('Run the truncation again, with a timeout of more than {0} second.', formatCount(seconds)),
        l10n.t('Run the truncation again, with a timeout of more than {0} seconds.', formatCount(seconds)),
      );
}

export function formatCount(count: number): string {
  return formatsOf(language()).number(count);
}

/** Joins those that are there. */
export function joinSentences(...sentences: readonly (string | undefined)[]): string {
  return sentences.filter((sentence) => sentence !== undefined && sentence !== '').join(' ');
}
