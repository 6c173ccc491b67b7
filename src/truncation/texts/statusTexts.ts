/** Status of a truncation for pages, tree, lists and notifications. */
import * as l10n from '@vscode/l10n';
import type { IndexName } from '../../indices/indexName.ts';
import { registrySpelling } from '../../indices/timeseriesAspects.ts';
import type { Problem } from '../problem.ts';
import type { TaskProgress } from '../taskEnd.ts';
import type { Poll } from '../watching/pollHistory.ts';
import { endingProblem, lostProblem, staysUnrefreshedText, supersededText } from './endingTexts.ts';
import { standstillOf, standstillText } from './progressTexts.ts';
import {
  deletedRows,
  hidesRows,
  isOnSearchCluster,
  isUnchecked,
  leftRows,
  repairOf,
  statusOf,
  type TruncationRecord,
  wholeEnding,
} from '../sentTruncation.ts';
import { language, plural } from '../../language.ts';
import { MILLIS_PER_DAY } from '../../time.ts';
import { joinSentences } from '../../ui/textLines.ts';
import { formatsOf } from '../../ui/formats.ts';

/** Status in one sentence. */
export function statusText(record: TruncationRecord, progress: TaskProgress | undefined, now: number): string {
  switch (statusOf(record, now)) {
    case 'sending':
      return l10n.t('Sending…');
    case 'lost':
      return lostProblem().sentence;
    case 'running':
      return record.taskEnd === undefined ? progressText(progress) : l10n.t('Counting what is left…');
    case 'finished':
    case 'failed':
    case 'unknown':
      return outcomeText(record);
  }
}

function progressText(progress: TaskProgress | undefined): string {
  if (progress?.total === undefined) {
    return progress === undefined
      ? l10n.t('Running on the server…')
      : l10n.t('Running on the server; progress not known.');
  }
  const { number } = formatsOf(language());
  const counts = [number(progress.done), number(progress.total)] as const;
  return progress.counts === 'copied'
    ? l10n.t('Copying rows to keep: {0} of {1}.', ...counts)
    : plural(
        progress.total,
        l10n.t('Deleting: {0} of {1} row.', ...counts),
        l10n.t('Deleting: {0} of {1} rows.', ...counts),
      );
}

/** Result of the last poll. Undefined before the first. */
type LastPoll = Pick<Poll, 'progress' | 'problem'> | undefined;

/** Status, and a note if there is no progress, or why it can't be watched at the moment. */
export function longStatus(record: TruncationRecord, poll: LastPoll, now: number): string {
  const progress = poll?.progress;
  return (
    problemBeforeEnd(record, poll)?.sentence ??
    joinSentences(statusText(record, progress, now), standstillText(progress, record))
  );
}

/** Why it can't be watched. A failed count says nothing about an end that was judged before. */
export function problemBeforeEnd({ ending }: TruncationRecord, poll: LastPoll): Problem | undefined {
  return ending === undefined ? poll?.problem : undefined;
}

/** For a narrow row: numbers first, no reasons. */
export function shortStatus(record: TruncationRecord, poll: LastPoll, now: number): string {
  if (problemBeforeEnd(record, poll) !== undefined) {
    return l10n.t('status unavailable');
  }
  if (hidesRows(record)) {
    return l10n.t('rows may be hidden');
  }
  switch (statusOf(record, now)) {
    case 'sending':
      return l10n.t('sending…');
    case 'running':
      if (record.taskEnd !== undefined) {
        return l10n.t('checking…');
      }
      return runningShare(record, poll?.progress);
    case 'finished':
      return shortFinish(record);
    case 'failed':
      return l10n.t('failed');
    case 'lost':
    case 'unknown':
      return l10n.t('outcome unknown');
  }
}

/** Names no deleted rows while others are left or weren't counted: that would read as success. */
function shortFinish(record: TruncationRecord): string {
  if (leftRows(record)) {
    return l10n.t('rows left');
  }
  if (isUnchecked(record)) {
    return l10n.t('not checked');
  }
  const deleted = deletedRows(record);
  return deleted === undefined ? l10n.t('finished') : rowsDeletedText(deleted);
}

function runningShare(record: TruncationRecord, progress: TaskProgress | undefined): string {
  if (!progress?.total) {
    return l10n.t('running');
  }
  const share = formatsOf(language()).share((progress.done / progress.total) * 100);
  return standstillOf(progress, record) === undefined ? share : l10n.t('{0}, stalled', share);
}

function outcomeText(record: TruncationRecord): string {
  const { ending } = record;
  if (ending === undefined) {
    return '';
  }
  if (ending.kind !== 'finished') {
    return endingProblem(ending, record).sentence;
  }
  if (isUnchecked(record)) {
    return l10n.t('Finished on the server; not checked.');
  }
  if (leftRows(record)) {
    return rowsLeftText(ending.rowsLeft ?? 0);
  }
  return ending.deleted === undefined ? l10n.t('Finished.') : l10n.t('Finished: {0}.', rowsDeletedText(ending.deleted));
}

function rowsLeftText(rows: number): string {
  const count = formatsOf(language()).number(rows);
  return plural(
    rows,
    l10n.t('Finished, but searches still find {0} row dated before the cutoff.', count),
    l10n.t('Finished, but searches still find {0} rows dated before the cutoff.', count),
  );
}

/**
 * Next step after an end or without a response.
 * @param canCheck False if another count can't change the end.
 */
export function nextStepText(record: TruncationRecord, now: number, canCheck: boolean): string | undefined {
  if (statusOf(record, now) === 'lost') {
    return lostProblem().next;
  }
  const { ending } = record;
  if (ending?.kind === 'finished') {
    if (repairOf(record) !== undefined) {
      return staysUnrefreshedText();
    }
    if (!canCheck && wholeEnding(record) === undefined) {
      return supersededText();
    }
    if (leftRows(record)) {
      return l10n.t("Check again later: rows were written in the meantime, or the deletion of some isn't visible yet.");
    }
    if (!isUnchecked(record)) {
      return undefined;
    }
    // Rows that were left are gone by one count, which proves nothing.
    return ending.readers === 'rowsLeft'
      ? l10n.t('Check again later.')
      : l10n.t("Check again later: the rows couldn't be counted.");
  }
  return ending && endingProblem(ending, record).next;
}

/** Why the index may keep its size. Undefined where no search engine has the rows. */
export function spaceText(record: Pick<TruncationRecord, 'report' | 'taskId'>): string | undefined {
  if (record.report.strategy === 'reindex') {
    return l10n.t(
      "The old index is no longer listed, but uses disk space until it's removed, for example by a DataHub upgrade.",
    );
  }
  return isOnSearchCluster(record)
    ? l10n.t(
        'The index may keep its size until the search engine merges its files, or permanently if only a few rows were deleted.',
      )
    : undefined;
}

/** Names the truncation, and says how it ended, or why it isn't known to have worked. */
export function endMessage(target: IndexName, connectionName: string, { sentence }: Problem): string {
  const { entityType, aspect } = registrySpelling(target);
  return l10n.t('Truncation of {0}/{1} on {2}: {3}', entityType, aspect, connectionName, sentence);
}

/** Sizes before and after, in bytes. */
export interface SizeChange {
  readonly before: number;
  readonly after: number;
}

/**
 * Known for a day, since the index grows again. A reindex leaves the old index where it is.
 * @param size The current one in bytes, as listed. @param now Unix time in ms.
 */
export function sizeChangeOf(record: TruncationRecord, size: number | undefined, now: number): SizeChange | undefined {
  const { sizeBefore: before, report, sentAt } = record;
  const isKnown = now - sentAt < MILLIS_PER_DAY && report.strategy !== 'reindex';
  return isKnown && before !== undefined && size !== undefined ? { before, after: size } : undefined;
}

/** @param deleted Rows. Undefined if unknown. @param change Undefined if unknown. */
export function outcomeHeadline(deleted: number | undefined, change: SizeChange | undefined): string {
  return [deleted === undefined ? l10n.t('Finished') : rowsDeletedText(deleted), change && sizeChangeText(change)]
    .filter((part) => part !== undefined)
    .join(' · ');
}

export function rowsDeletedText(deleted: number): string {
  const { number } = formatsOf(language());
  return plural(deleted, l10n.t('{0} row deleted', number(deleted)), l10n.t('{0} rows deleted', number(deleted)));
}

/** The size drops once the search engine merges its files, and grows until then. */
function sizeChangeText({ before, after }: SizeChange): string {
  const { size } = formatsOf(language());
  return after < before && size(before) !== size(after)
    ? `${size(before)} → ${size(after)}`
    : l10n.t('still {0}', size(after));
}
