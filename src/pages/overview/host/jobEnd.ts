/** The end of a job: on its page, and in the message while that is hidden. Pure except for translation. */
import * as l10n from '@vscode/l10n';
import type { IndexName } from '../../../indices/indexName.ts';
import { shownNameText } from '../../../indices/timeseriesAspects.ts';
import { language, plural } from '../../../language.ts';
import type { JobItem } from '../../../truncation/jobItem.ts';
import { deletedRows, wholeEnding } from '../../../truncation/sentTruncation.ts';
import {
  outcomeHeadline,
  rowsDeletedText,
  shortStatus,
  type SizeChange,
  sizeChangeOf,
} from '../../../truncation/texts/statusTexts.ts';
import { inPlainText } from '../../../ui/foreignText.ts';
import { formatsOf } from '../../../ui/formats.ts';
import type { JobView } from '../protocol.ts';

/** Current sizes of indices in bytes, and the time: Unix time in ms. */
interface EndFacts {
  readonly sizeOf: (index: IndexName) => number | undefined;
  readonly now: number;
}

type EndedItem = Pick<JobItem, 'state' | 'record' | 'status'>;

/** Of a job that has ended. */
export function jobOutcome(items: readonly EndedItem[], facts: EndFacts): NonNullable<JobView['outcome']> {
  if (items.every(isFinished)) {
    const kind = items.every(isWhole) ? 'done' : 'trouble';
    return { headline: finishedText(items, facts), deleted: undefined, kind };
  }
  const isFailed = items.some(({ status }) => status === 'failed');
  return {
    headline: truncatedText(items),
    deleted: deletedText(items),
    kind: items.some(({ status }) => isRunning(status)) ? 'running' : isFailed ? 'failed' : 'trouble',
  };
}

/** How many of a job were truncated that didn't finish. */
function truncatedText(items: readonly EndedItem[]): string {
  const { number } = formatsOf(language());
  const [done, all] = [number(items.filter(isFinished).length), number(items.length)];
  const running = items.find(({ status }) => isRunning(status));
  if (running === undefined) {
    return plural(
      items.length,
      l10n.t('{0} of {1} index truncated.', done, all),
      l10n.t('{0} of {1} indices truncated.', done, all),
    );
  }
  const name = inPlainText(shownNameText(running.state.draft));
  return plural(
    items.length,
    l10n.t('{0} of {1} index truncated so far; {2} is still being truncated.', done, all, name),
    l10n.t('{0} of {1} indices truncated so far; {2} is still being truncated.', done, all, name),
  );
}

/** "1,534 rows deleted · 8 MB → 6 MB · 2 indices", and why one isn't proven: its rows alone would read as success. */
function finishedText(items: readonly EndedItem[], { sizeOf, now }: EndFacts): string {
  const { number } = formatsOf(language());
  const deleted = sumOfKnown(items.map(({ record }) => deletedRows(record)));
  const changes = items.map(({ record }) => record && sizeChangeOf(record, sizeOf(record.plan), now));
  const known = changes.filter((change) => change !== undefined);
  const change: SizeChange | undefined =
    known.length < changes.length
      ? undefined
      : { before: sumOf(known.map(({ before }) => before)), after: sumOf(known.map(({ after }) => after)) };
  const count = number(items.length);
  const unproven = items.find((item) => !isWhole(item))?.record;
  return [
    outcomeHeadline(deleted, change),
    plural(items.length, l10n.t('{0} index', count), l10n.t('{0} indices', count)),
    ...(unproven === undefined ? [] : [shortStatus(unproven, undefined, now)]),
  ].join(' · ');
}

/** Undefined while nothing is known. */
function deletedText(items: readonly EndedItem[]): string | undefined {
  const rows = items.map(({ record }) => deletedRows(record));
  const deleted = sumOf(rows.map((one = 0) => one));
  const text = rowsDeletedText(deleted);
  if (!rows.includes(undefined)) {
    return text;
  }
  return deleted === 0 ? undefined : l10n.t('at least {0}', text);
}

interface JobEnd extends EndFacts {
  readonly isStopping: boolean;
  readonly isPageClosed: boolean;
  readonly connectionName: string;
}

interface JobEndMessage {
  readonly text: string;
  /** Something was not truncated, or it isn't certain. */
  readonly isTrouble: boolean;
}

/**
 * The headline of the page. Undefined if the user stopped the job and nothing went wrong, or its last item still runs:
 * that one tells its own end.
 * @param items Those that the user said yes to, also if that came too late.
 */
export function jobEndMessage(items: readonly EndedItem[], end: JobEnd): JobEndMessage | undefined {
  const unproven = items.filter((item) => !isWhole(item));
  const isNews = ({ status }: EndedItem): boolean => !isRunning(status) && !(end.isStopping && status === 'notSent');
  // A refusal is told as it comes, where no page shows it.
  const isTold =
    end.isPageClosed &&
    items.length === 1 &&
    items.every(({ record, status }) => record === undefined && status === 'failed');
  if (isTold || (unproven.length > 0 && !unproven.some(isNews))) {
    return undefined;
  }
  const { headline, kind } = jobOutcome(items, end);
  return { text: l10n.t('{0}: {1}', end.connectionName, headline), isTrouble: kind !== 'done' };
}

/** Still, after the user stopped the job, changed the connection or closed the page. */
function isRunning(status: EndedItem['status']): boolean {
  return status === 'running' || status === 'sending';
}

function isFinished({ status }: EndedItem): boolean {
  return status === 'finished';
}

function isWhole({ record }: EndedItem): boolean {
  return record !== undefined && wholeEnding(record) !== undefined;
}

/** Undefined if one isn't known: a sum without it would be too low. */
export function sumOfKnown(values: readonly (number | undefined)[]): number | undefined {
  const known = values.filter((one) => one !== undefined);
  return known.length < values.length || values.length === 0 ? undefined : sumOf(known);
}

export function sumOf(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
