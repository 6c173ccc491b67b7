/** The end of a job: on its page, and in the message while that is hidden. Pure except for translation. */
import * as l10n from '@vscode/l10n';
import type { IndexName } from '../../../indices/indexName.ts';
import { shownNameText } from '../../../indices/timeseriesAspects.ts';
import { language, plural } from '../../../language.ts';
import type { JobItem } from '../../../truncation/jobItem.ts';
import type { JobState } from '../../../truncation/jobState.ts';
import type { Problem } from '../../../truncation/outcome.ts';
import { deletedRows, wholeEnding } from '../../../truncation/sentTruncation.ts';
import { endedStateProblem } from '../../../truncation/texts/endingTexts.ts';
import {
  endMessage,
  outcomeHeadline,
  problemMessage,
  rowsDeletedText,
  type SizeChange,
  sizeChangeOf,
} from '../../../truncation/texts/statusTexts.ts';
import { taskTexts } from '../../../truncation/texts/taskTexts.ts';
import { inPlainText } from '../../../ui/foreignText.ts';
import { formatsOf } from '../../../ui/formats.ts';
import type { JobView } from '../protocol.ts';

/** Current sizes of indices in bytes, and the time: Unix time in ms. */
interface EndFacts {
  readonly sizeOf: (index: IndexName) => number | undefined;
  readonly now: number;
}

/** Of a job that has ended. */
export function jobOutcome(items: readonly JobItem[], facts: EndFacts): JobView['outcome'] {
  if (items.every(({ status }) => status === 'finished')) {
    const isWhole = items.every(({ record }) => record !== undefined && wholeEnding(record));
    return { headline: finishedText(items, facts), deleted: undefined, kind: isWhole ? 'done' : 'trouble' };
  }
  const isRunning = runningItem(items) !== undefined;
  const isFailed = items.some(({ status }) => status === 'failed');
  return {
    headline: truncatedText(items),
    deleted: deletedText(items),
    kind: isRunning ? 'running' : isFailed ? 'failed' : 'trouble',
  };
}

type SentItem = Pick<JobItem, 'state' | 'record' | 'status'>;

/** Still, after the user stopped the job, changed the connection or closed the page. */
function runningItem(items: readonly SentItem[]): SentItem | undefined {
  return items.find(({ status }) => status === 'running' || status === 'sending');
}

/** How many of a job were truncated that didn't finish. */
function truncatedText(items: readonly SentItem[]): string {
  const { number } = formatsOf(language());
  const finished = items.filter(({ status }) => status === 'finished').length;
  const [done, all] = [number(finished), number(items.length)];
  const running = runningItem(items);
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

/** "1,534 rows deleted · 8 MB → 6 MB · 2 indices". */
function finishedText(items: readonly JobItem[], { sizeOf, now }: EndFacts): string {
  const { number } = formatsOf(language());
  const deleted = sumOfKnown(items.map(({ record }) => deletedRows(record)));
  const changes = items.map(({ record }) => record && sizeChangeOf(record, sizeOf(record.plan), now));
  const known = changes.filter((change) => change !== undefined);
  const change: SizeChange | undefined =
    known.length < changes.length
      ? undefined
      : { before: sumOf(known.map(({ before }) => before)), after: sumOf(known.map(({ after }) => after)) };
  const count = number(items.length);
  return [
    outcomeHeadline(deleted, change),
    plural(items.length, l10n.t('{0} index', count), l10n.t('{0} indices', count)),
  ].join(' · ');
}

/** Undefined while nothing is known. */
function deletedText(items: readonly SentItem[]): string | undefined {
  const rows = items.map(({ record }) => deletedRows(record));
  const deleted = sumOf(rows.map((one = 0) => one));
  const text = rowsDeletedText(deleted);
  if (!rows.includes(undefined)) {
    return text;
  }
  return deleted === 0 ? undefined : l10n.t('at least {0}', text);
}

type EndedItem = Pick<JobItem, 'state' | 'record' | 'status' | 'exclusion'>;

interface JobEndFacts {
  readonly state: Pick<JobState, 'phase' | 'isStopping'>;
  /** Those that the user said yes to, also if that came too late. */
  readonly items: readonly EndedItem[];
  readonly connectionName: string;
  readonly isPageClosed: boolean;
}

interface JobEndMessage {
  readonly text: string;
  /** Something was not truncated, or it isn't certain. */
  readonly isTrouble: boolean;
}

/**
 * One sentence: how many were truncated of several, or the first problem. Undefined if the user stopped the job, or its
 * last item still runs: that one tells its own end.
 */
export function jobEndMessage({ state, items, connectionName, isPageClosed }: JobEndFacts): JobEndMessage | undefined {
  const closed = isPageClosed && !state.isStopping ? taskTexts.pageClosed() : undefined;
  const reasons = items.map((item) => reasonOf(item, connectionName, closed));
  const reason = reasons.find((text) => text !== undefined);
  const isFinished = items.every(({ status }) => status === 'finished');
  const [first, ...others] = items;
  if (isPageClosed && others.length === 0 && first?.status === 'failed' && first.record === undefined) {
    // A refusal is told as it comes.
    return undefined;
  }
  if (reason !== undefined) {
    const isCounted = state.phase === 'ended' && items.length > 1 && !isFinished;
    return { text: isCounted ? l10n.t('{0}: {1}', connectionName, truncatedText(items)) : reason, isTrouble: true };
  }
  return isFinished ? { text: allTruncatedText(items, connectionName), isTrouble: false } : undefined;
}

/** Undefined for one that runs, was stopped, or was found whole. @param closed Why the page left the rest unsent. */
function reasonOf(
  { state, record, status, exclusion }: EndedItem,
  connectionName: string,
  closed: Problem | undefined,
): string | undefined {
  if (record !== undefined) {
    const isOver = record.ending !== undefined && status !== 'running';
    return isOver && wholeEnding(record) === undefined ? endMessage(record, connectionName) : undefined;
  }
  const problem = endedStateProblem(state) ?? (status === 'notSent' ? (exclusion ?? closed) : undefined);
  return problem && problemMessage(state.draft, connectionName, problem);
}

function allTruncatedText(items: readonly EndedItem[], connectionName: string): string {
  const texts = [formatsOf(language()).number(items.length), connectionName] as const;
  const deleted = deletedText(items);
  const truncated = plural(
    items.length,
    l10n.t('Truncated {0} index on {1}', ...texts),
    l10n.t('Truncated {0} indices on {1}', ...texts),
  );
  return deleted === undefined ? truncated : l10n.t('{0}: {1}', truncated, deleted);
}

/** Undefined if one isn't known: a sum without it would be too low. */
export function sumOfKnown(values: readonly (number | undefined)[]): number | undefined {
  const known = values.filter((one) => one !== undefined);
  return known.length < values.length || values.length === 0 ? undefined : sumOf(known);
}

export function sumOf(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
