/** Status of a truncation for pages, tree and lists. */
import * as l10n from '@vscode/l10n';
import type { TruncationOutcome } from '../outcome.ts';
import type { Problem } from '../problem.ts';
import type { TaskProgress } from '../taskEnd.ts';
import { formatCount, joinSentences, judgementTexts } from './judgementTexts.ts';
import { standstillOf, standstillText } from '../standstill.ts';
import { hidesRows, isOnSearchCluster, shownStatusOf, type TruncationRecord } from '../record.ts';
import { language, plural } from '../../language.ts';
import { formatsOf } from '../../ui/formats.ts';

/** Problems of truncations without a known response. */
export const answerTexts = {
  lost: (): Problem => ({
    sentence: l10n.t('No response was received, so the deletion may or may not have started.'),
    next: l10n.t(
      "The request is never sent again automatically. Check again later: a falling row count means it's running.",
    ),
  }),
  /** Sent by another window, or before a reload. */
  unanswered: (): Problem => ({
    sentence: l10n.t(
      'Outcome unknown: this was sent from another window, or before a reload, and no response is stored.',
    ),
    next: l10n.t(
      'If that window is still open, check again for its response. The request is never sent again automatically.',
    ),
  }),
  sentElsewhere: (baseUrl: string): Problem => ({
    sentence: l10n.t('This truncation was sent to {0}, which the connection no longer points to.', baseUrl),
    next: l10n.t('Edit the connection to check on it.'),
  }),
} as const;

/** Status in one sentence. */
export function statusText(record: TruncationRecord, progress: TaskProgress | undefined, now: number): string {
  switch (shownStatusOf(record, now)) {
    case 'sending':
      return l10n.t('Sending…');
    case 'unanswered':
      return answerTexts.unanswered().sentence;
    case 'lost':
      return answerTexts.lost().sentence;
    case 'running': {
      const settling = judgementTexts.settling(record);
      if (settling !== undefined) {
        return settling;
      }
      if (progress?.total === undefined) {
        return progress === undefined
          ? l10n.t('Running on the server…')
          : l10n.t('Running on the server; progress not known.');
      }
      return progress.counts === 'copied'
        ? l10n.t('Copying remaining rows: {0} of {1}.', formatCount(progress.done), formatCount(progress.total))
        : plural(
            progress.total,
            l10n.t('Deleting: {0} of {1} row.', formatCount(progress.done), formatCount(progress.total)),
            l10n.t('Deleting: {0} of {1} rows.', formatCount(progress.done), formatCount(progress.total)),
          );
    }
    case 'finished':
    case 'failed':
    case 'unknown':
      return outcomeText(record.ending);
  }
}

/** Status, and a note if there is no progress. */
export function longStatus(record: TruncationRecord, progress: TaskProgress | undefined, now: number): string {
  return joinSentences(statusText(record, progress, now), standstillText(progress, record));
}

/** For a narrow row: numbers first, no reasons. */
export function shortStatus(record: TruncationRecord, progress: TaskProgress | undefined, now: number): string {
  if (hidesRows(record)) {
    return l10n.t('rows may be hidden');
  }
  const { ending } = record;
  switch (shownStatusOf(record, now)) {
    case 'sending':
      return l10n.t('sending…');
    case 'running':
      if (record.taskEnd !== undefined) {
        return l10n.t('checking…');
      }
      return runningShare(record, progress);
    case 'finished': {
      const deleted = ending?.kind === 'finished' ? ending.deleted : undefined;
      return deleted === undefined
        ? l10n.t('finished')
        : plural(
            deleted,
            l10n.t('{0} row deleted', formatCount(deleted)),
            l10n.t('{0} rows deleted', formatCount(deleted)),
          );
    }
    case 'failed':
      return l10n.t('failed');
    case 'unanswered':
    case 'lost':
    case 'unknown':
      return l10n.t('outcome unknown');
  }
}

function runningShare(record: TruncationRecord, progress: TaskProgress | undefined): string {
  if (!progress?.total) {
    return l10n.t('running');
  }
  const share = formatsOf(language()).share((progress.done / progress.total) * 100);
  return standstillOf(progress, record) === undefined ? share : l10n.t('{0}, stalled', share);
}

function outcomeText(ending: TruncationOutcome | undefined): string {
  if (ending === undefined) {
    return '';
  }
  if (ending.kind !== 'finished') {
    return ending.failing.sentence;
  }
  switch (ending.readers) {
    case 'rowsLeft':
      return rowsLeftText(ending.rowsLeft ?? 0);
    case 'notChecked':
      return l10n.t('Finished on the server; not checked.');
    default:
      return ending.deleted === undefined ? l10n.t('Finished.') : deletedText(ending.deleted);
  }
}

function rowsLeftText(rows: number): string {
  return plural(
    rows,
    l10n.t(
      'Finished. {0} row dated before the cutoff is there, written meanwhile or still searchable.',
      formatCount(rows),
    ),
    l10n.t(
      'Finished. {0} rows dated before the cutoff are there, written meanwhile or still searchable.',
      formatCount(rows),
    ),
  );
}

function deletedText(rows: number): string {
  return plural(
    rows,
    l10n.t('Finished: {0} row deleted.', formatCount(rows)),
    l10n.t('Finished: {0} rows deleted.', formatCount(rows)),
  );
}

/** Next step after an end or without a response. */
export function nextStepText(record: TruncationRecord, now: number): string | undefined {
  switch (shownStatusOf(record, now)) {
    case 'unanswered':
      return answerTexts.unanswered().next;
    case 'lost':
      return answerTexts.lost().next;
    default:
      return nextText(record);
  }
}

/** Next step after an end. Undefined if there is none. */
export function nextText(record: TruncationRecord): string | undefined {
  const { ending } = record;
  if (ending?.kind === 'finished') {
    return spaceText(record);
  }
  return ending?.failing.next;
}

/** Says that rows are gone only if they were counted. */
export function spaceText(record: Pick<TruncationRecord, 'ending' | 'report' | 'taskId'>): string {
  if (record.report.strategy === 'reindex') {
    return l10n.t(
      "The old index isn't listed any more and keeps its disk space until it's removed. An upgrade of DataHub may remove it.",
    );
  }
  const isGone = record.ending?.kind === 'finished' && record.ending.readers === 'clean';
  if (!isOnSearchCluster(record)) {
    return isGone
      ? l10n.t('The rows are gone. The table may keep its size; the database reuses the space of deleted rows.')
      : l10n.t('The table may keep its size; the database reuses the space of deleted rows.');
  }
  return isGone
    ? l10n.t(
        'The rows are gone for searches. The index may keep its size until the search engine merges its files, or for good if little was deleted.',
      )
    : l10n.t(
        'The index may keep its size until the search engine merges its files, or for good if little was deleted.',
      );
}
