/** What people read of a truncation under way or ended. Pure, so that wizard, tree and tests say the same. */
import { l10n } from '../service/words.ts';
import type { ServerStrategy } from './dryRunReport.ts';
import type { Ending, Failing, TaskProgress } from './truncation.ts';
import { standing } from './truncationRecord.ts';
import type { TruncationRecord } from './truncationRecord.ts';

export const strategyTexts: Readonly<Record<ServerStrategy, { readonly name: () => string; readonly meaning: () => string }>> = {
  reindex: {
    name: () => l10n.t('Reindex'),
    meaning: () =>
      l10n.t(
        'The server copies the rows that stay into a new index, as it does when more than half of them go. Until that ends readers do not see them; should it fail, they stay hidden until an administrator steps in. The old index keeps its space until it is removed.',
      ),
  },
  deleteByQuery: {
    name: () => l10n.t('Delete by query'),
    meaning: () => l10n.t('Rows are deleted in batches while the others stay readable. The space is freed little by little, as the search engine merges its files.'),
  },
  unknown: {
    name: () => l10n.t('Not told'),
    meaning: () => l10n.t('The server does not say in known words how it will delete: read its own words before you go on.'),
  },
};

export const taskTexts = {
  /** For a reindex: what stays is counted too, since an empty new index has nothing left to delete either. */
  notKnownReindex: (): Failing => ({ sentence: taskTexts.notKnown(undefined).sentence, next: taskTexts.failed('reindex').next }),
  notKnown: (remaining: number | undefined): Failing => ({
    sentence: l10n.t('The server does not know this task any more: it ended, or its node was restarted.'),
    next:
      remaining === undefined
        ? l10n.t('Run the dry run again: it tells how many rows are left.')
        : l10n.t('{0} rows older than the cut-off are still there. Run the dry run again in a while; if the number stays, truncate again.', remaining),
  }),
  cancelled: (reason: string): Failing => ({
    sentence: reason === '' ? l10n.t('The task was cancelled on the server.') : l10n.t('The task was cancelled on the server: {0}', reason),
    next: l10n.t('What was deleted until then is gone; run the dry run again to see what is left.'),
  }),
  failed: (strategy: ServerStrategy): Failing => ({
    sentence: l10n.t('The task ended with failures.'),
    next:
      strategy === 'reindex'
        ? l10n.t('The rows that should stay may be hidden: ask an administrator to look at the alias of the index before anything else.')
        : l10n.t('Run the dry run again to see what is left.'),
  }),
  endedEarly: (strategy: ServerStrategy, done: number, total: number): Failing => ({
    sentence: l10n.t('The task ended before it was done: it got through {0} of {1} rows.', done, total),
    next: taskTexts.failed(strategy).next,
  }),
  stopped: (remaining: number): Failing => ({
    sentence: l10n.t('The number of rows has stopped falling; this server cannot say whether the task still runs.'),
    next: l10n.t('{0} rows older than the cut-off are left. Run the dry run again in a while.', remaining),
  }),
  lost: (): Failing => ({
    sentence: l10n.t('The answer to the execution was lost, so it is not known whether the server deletes.'),
    next: l10n.t('It is never sent again by itself. Run the dry run again: fewer rows than before mean that it runs.'),
  }),
} as const;

/** One sentence on where a truncation stands, with numbers in the locale. */
export function standingText(record: TruncationRecord, progress: TaskProgress | undefined, now: number, locale: string): string {
  const number = new Intl.NumberFormat(locale);
  switch (standing(record, now)) {
    case 'sending':
      return l10n.t('Sending…');
    case 'lost':
      return taskTexts.lost().sentence;
    case 'running':
      if (progress?.total === undefined) {
        return l10n.t('The server is at work.');
      }
      return progress.counts === 'copied'
        ? l10n.t('Copying the rows that stay: {0} of {1}.', number.format(progress.done), number.format(progress.total))
        : l10n.t('Deleting: {0} of {1} rows.', number.format(progress.done), number.format(progress.total));
    case 'finished':
    case 'failed':
    case 'unknown':
      return endingText(record.ending, number);
  }
}

function endingText(ending: Ending | undefined, number: Intl.NumberFormat): string {
  if (ending === undefined) {
    return '';
  }
  if (ending.kind !== 'finished') {
    return ending.failing.sentence;
  }
  const deleted = ending.deleted === undefined ? l10n.t('Finished.') : l10n.t('Finished: {0} rows deleted.', number.format(ending.deleted));
  return ending.versionConflicts === 0
    ? deleted
    : `${deleted} ${l10n.t('{0} rows changed meanwhile and were left.', number.format(ending.versionConflicts))}`;
}

/** What to do after an end; undefined when there is nothing. */
export function nextText(record: TruncationRecord): string | undefined {
  const { ending } = record;
  if (ending?.kind === 'finished') {
    return record.report.strategy === 'reindex'
      ? l10n.t('The old index keeps its space until an administrator removes it.')
      : l10n.t('The size falls little by little, as the search engine merges its files; refresh the indices in a while.');
  }
  return ending?.failing.next;
}
