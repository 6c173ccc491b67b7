/** The view of a batch in the overview's page. Pure but for the translated words. */
import * as l10n from '@vscode/l10n';
import { indexNameText, type IndexName } from '../indices/indexName.ts';
import { readOnlyReason } from '../connections/role.ts';
import { language, plural } from '../language.ts';
import type { ReportedIndexSize } from '../service/indices/indexSize.ts';
import { inPlainText, inSentence } from '../ui/foreignText.ts';
import { type LocalizedFormats, formatsOf } from '../ui/formats.ts';
import { percentToDelete, type RowCounts } from '../truncation/dryRun.ts';
import { indexLines, onlyCopyText, bytesToDelete } from '../truncation/texts/consequenceTexts.ts';
import { deletedRows, statusOf, type TruncationRecord } from '../truncation/record.ts';
import { problemText, type Problem } from '../truncation/outcome.ts';
import { endedStateProblem } from '../truncation/texts/endingTexts.ts';
import { runningText } from '../truncation/texts/progressTexts.ts';
import {
  failedMessage,
  nextStepAfterEnd,
  problemBeforeEnd,
  shortStatus,
  statusText,
} from '../truncation/texts/statusTexts.ts';
import { strategyTexts } from '../truncation/texts/reviewTexts.ts';
import { taskTexts } from '../truncation/texts/taskTexts.ts';
import type { TaskWatch } from '../truncation/watch.ts';
import { truncateAloneText, type BatchItem } from './batchItem.ts';
import { itemsLeft, itemsToContinue, type BatchRecord, type BatchRecordItem } from './batchStore.ts';
import type { BatchRun } from './batchRun.ts';
import type { InterruptedBatchView, BatchItemView, BatchNote, BatchView } from './protocol.ts';

export interface BatchFacts {
  readonly isReadOnly: boolean;
  readonly batch: Pick<
    BatchRun,
    'phase' | 'items' | 'plannedItems' | 'failing' | 'isStopping' | 'recordId' | 'timeZone'
  >;
  /** The stored batches of this connection, the latest first. */
  readonly batches: readonly BatchRecord[];
  readonly sizeOf: (index: { readonly entityType: string; readonly aspect: string }) => ReportedIndexSize;
  /** The stored record of a truncation. */
  readonly recordOf: (recordId: string) => TruncationRecord | undefined;
  /** The stored records of an index. */
  readonly recordsOf: (index: IndexName) => readonly TruncationRecord[];
  readonly watch: Pick<TaskWatch, 'progress' | 'watchProblem'>;
  readonly now: number;
}

export function batchView(facts: BatchFacts): BatchView {
  const { batch } = facts;
  // Read once: every access searches the stored records.
  const outdated = outdatedReason(batch);
  const plan = outdated === undefined ? batch.plannedItems : outdatedPlan(batch);
  const shared = sharedCutoff(facts);
  const items = batch.items.map((item) =>
    itemView(item, plan.includes(item), facts, {
      hasOwnCutoff: shared === undefined,
      isOutdated: outdated !== undefined,
    }),
  );
  const isEnded = batch.phase === 'ended';
  const isPlanned = !isEnded && outdated === undefined && plan.length > 0;
  return {
    phase: batch.phase,
    items,
    cutoff: shared === undefined ? undefined : rowsUpToText(timesOf(facts).fullTime(shared)),
    sum: batchTotals(plan, facts),
    progress: batch.phase === 'executing' ? percentDeleted(plan, facts) : undefined,
    notes: isEnded ? problemNotes(items) : outdated === undefined ? consequenceNotes(plan, facts) : [],
    outdated,
    refusal: facts.isReadOnly ? readOnlyReason() : undefined,
    failure: batch.failing && { sentence: batch.failing.sentence, next: batch.failing.next },
    outcome: isEnded ? outcomeView(plan) : undefined,
    isStopping: batch.isStopping,
    current: currentView(plan, facts),
    canCopyRecipe: isPlanned || batch.items.some(({ isForRecipe }) => isForRecipe),
    canCopyJob: isPlanned || batch.items.some(({ forJob }) => forJob !== undefined),
    hasReceipt: isEnded && plan.some(({ status }) => status !== 'notSent'),
    // The table shows the current batch already.
    interrupted: facts.batches
      .filter(({ id }) => id !== batch.recordId)
      .flatMap((record) => interruptedView(record, facts)),
  };
}

/** Set if every review is outdated, so that nothing of them can be deleted. */
function outdatedReason({ phase, items }: BatchFacts['batch']): string | undefined {
  const outdated = items.find(({ state, dryRunResult }) => state?.phase === 'editing' && dryRunResult !== undefined);
  const isOutdated = phase === 'planned' && items.every(({ review }) => review === undefined);
  return isOutdated && outdated?.exclusion !== undefined ? inSentence(outdated.exclusion.sentence) : undefined;
}

/** The items whose rows the outdated dry runs would have deleted. */
function outdatedPlan({ items }: BatchFacts['batch']): readonly BatchItem[] {
  return items.filter(
    ({ isSelected, dryRunResult }) =>
      isSelected && dryRunResult?.report.strategy === 'deleteByQuery' && (dryRunResult.report.rows?.toDelete ?? 0) > 0,
  );
}

/** The item that is sent or counted again, or that still runs after a stop. */
function currentView(plan: readonly BatchItem[], facts: BatchFacts): BatchView['current'] {
  const item = plan.find(({ status }) => ['counting', 'sending', 'running'].includes(status));
  if (item === undefined || !isSending(facts)) {
    return undefined;
  }
  const record = item.status === 'running' ? item.run?.record : undefined;
  return {
    name: inPlainText(indexNameText(item.draft)),
    isSent: item.status !== 'counting',
    pace:
      record && watchProblemOf(record, facts) === undefined
        ? runningText(facts.watch.progress(record.id), record, facts.now)
        : undefined,
  };
}

function batchTotals(plan: readonly BatchItem[], facts: BatchFacts): BatchView['sum'] {
  const rows = plan.map((item) => shownRows(item, facts));
  const toDelete = sum(rows.map((one) => one?.toDelete ?? 0));
  const total = sum(plan.map(({ dryRunResult }) => dryRunResult?.report.rows?.total ?? 0));
  const bytes = plan.map((item, place) => shownBytes(item, rows[place], facts));
  return {
    rows: toDelete,
    total,
    percent: percentToDelete({ toDelete, total }),
    isLeast: facts.batch.phase === 'ended' && rows.includes(undefined),
    bytesToDelete: bytes.includes(undefined) ? undefined : sum(bytes.map((one = 0) => one)),
    count: plan.length,
  };
}

/** Rows to delete; once the batch has ended, those that were deleted. Undefined if unknown. */
function shownRows(item: BatchItem, facts: BatchFacts): RowCounts | undefined {
  const rows = item.dryRunResult?.report.rows;
  const toDelete = facts.batch.phase === 'ended' ? deletedRows(item.run?.record) : rows?.toDelete;
  return rows === undefined || toDelete === undefined ? undefined : { toDelete, total: rows.total };
}

function shownBytes(item: BatchItem, rows: RowCounts | undefined, facts: BatchFacts): number | undefined {
  const report = item.dryRunResult?.report;
  return report && rows && bytesToDelete({ report: { ...report, rows }, size: sizeBefore(item, facts) });
}

/** Undefined if there is nothing to delete. */
function percentDeleted(plan: readonly BatchItem[], { watch }: BatchFacts): number | undefined {
  const done = plan.map(({ status, review, run }) => {
    const { toDelete = 0 } = review?.report.rows ?? {};
    const progress = run?.record && watch.progress(run.record.id);
    return status === 'finished' ? toDelete : Math.min(toDelete, progress?.done ?? 0);
  });
  const all = sum(plan.map(({ review }) => review?.report.rows?.toDelete ?? 0));
  return all === 0 ? undefined : (sum(done) / all) * 100;
}

/** Facts to read before deleting: about all, then about the rows of each. */
function consequenceNotes(plan: readonly BatchItem[], facts: BatchFacts): readonly BatchNote[] {
  if (plan.length === 0 || facts.batch.phase === 'dryRunning') {
    return [];
  }
  const lines = plan.flatMap(({ review, draft }) =>
    review === undefined
      ? []
      : indexLines(review.plan, facts.batch.timeZone).map((text) => ({ text, name: indexNameText(draft) })),
  );
  return [
    { text: strategyTexts.deleteByQuery.meaning(), names: [] },
    { text: onlyCopyText(), names: [] },
    ...groupedNotes(lines, plan.length),
  ];
}

/** Why some were not sent, or failed. */
function problemNotes(items: readonly BatchItemView[]): readonly BatchNote[] {
  const lines = items.flatMap(({ name, isSelected, remark, status }) =>
    isSelected && remark !== undefined && status?.kind === 'trouble' ? [{ text: remark, name }] : [],
  );
  return groupedNotes(lines, Number.POSITIVE_INFINITY);
}

/** Each sentence once, with the items that it is about. @param all Number of all items. */
function groupedNotes(
  lines: readonly { readonly text: string; readonly name: string }[],
  all: number,
): readonly BatchNote[] {
  return [...Map.groupBy(lines, ({ text }) => text)].map(([text, same]) => ({
    text: inSentence(text),
    names: same.length === all ? [] : same.map(({ name }) => inPlainText(name)),
  }));
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

/** Unix time in ms. Undefined if the cutoffs differ, as in batches of an earlier version. */
function sharedCutoff({ batch }: BatchFacts): number | undefined {
  const cutoffs = new Set(batch.items.map(({ draft }) => draft.endTimeMillis));
  return cutoffs.size === 1 ? [...cutoffs][0] : undefined;
}

function rowsUpToText(time: string): string {
  return l10n.t('Rows up to {0}', time);
}

/** Formats in the user's time zone. */
function timesOf({ batch }: BatchFacts): LocalizedFormats {
  return formatsOf(language(), batch.timeZone);
}

function itemView(
  item: BatchItem,
  isInPlan: boolean,
  facts: BatchFacts,
  { hasOwnCutoff, isOutdated }: { readonly hasOwnCutoff: boolean; readonly isOutdated: boolean },
): BatchItemView {
  const { endTimeMillis } = item.draft;
  const { exclusion, dryRunResult } = item;
  // The bar gives the reason once for all.
  const isKept = isOutdated && dryRunResult !== undefined;
  // Before the confirmation, the user may select it again.
  const hasRows = isInPlan || isKept || (!isSending(facts) && exclusion === undefined);
  const rows = hasRows ? shownRows(item, facts) : undefined;
  const remark = isKept ? undefined : remarkOf(item, exclusion, facts);
  const isStillCounted = facts.batch.phase === 'dryRunning' && item.isSelected && exclusion === undefined;
  return {
    name: inPlainText(indexNameText(item.draft)),
    cutoff: hasOwnCutoff && endTimeMillis !== undefined ? rowsUpToText(timesOf(facts).time(endTimeMillis)) : undefined,
    rows: rows && { ...rows, percent: percentToDelete(rows) },
    isSelected: isInPlan || isStillCounted,
    isCounted: dryRunResult !== undefined,
    canBeSelected: item.state?.phase === 'reviewed' && exclusion === undefined,
    remark: remark && inSentence(remark),
    // Only its strategy, its state or a caution excludes it.
    canUseWizard: item.state?.phase === 'reviewed' && exclusion?.next === truncateAloneText(),
    status: statusView(item, isInPlan, exclusion !== undefined, facts),
  };
}

/** The size before sending, if it was sent: the index may be smaller by now. */
function sizeBefore({ run, draft }: BatchItem, { sizeOf }: BatchFacts): ReportedIndexSize {
  const { sizeBefore: bytes, sizePrecision: precision = 'exact' } = run?.record ?? {};
  return bytes === undefined ? sizeOf(draft) : { bytes, precision };
}

function isSending({ batch }: BatchFacts): boolean {
  return batch.phase === 'executing' || batch.phase === 'ended';
}

function remarkOf(item: BatchItem, exclusion: Problem | undefined, facts: BatchFacts): string | undefined {
  const { state } = item;
  if (exclusion !== undefined) {
    return problemText(exclusion);
  }
  const ended = state && endedStateProblem(state, item.run?.record);
  if (ended !== undefined) {
    return problemText(ended);
  }
  if (isSending(facts)) {
    const watchProblem = watchProblemOf(item.run?.record, facts);
    return watchProblem && problemText(watchProblem);
  }
  return grownText(item);
}

/** Set if an interrupted item was confirmed with fewer rows than there are to delete now. */
function grownText({ continues, review }: BatchItem): string | undefined {
  const { toDelete = 0 } = review?.report.rows ?? {};
  const confirmed = continues?.confirmedRows?.toDelete;
  return confirmed === undefined || toDelete <= confirmed
    ? undefined
    : l10n.t('More rows than the {0} that you confirmed.', formatsOf(language()).number(confirmed));
}

function statusView(
  item: BatchItem,
  isInPlan: boolean,
  isLeftOut: boolean,
  facts: BatchFacts,
): BatchItemView['status'] {
  const { state, run } = item;
  if (!isSending(facts)) {
    if (isLeftOut || (state !== undefined && state.phase !== 'dryRunning')) {
      return undefined;
    }
    const isWaiting = state === undefined;
    return facts.batch.phase === 'dryRunning'
      ? { text: isWaiting ? l10n.t('waiting') : l10n.t('counting…'), kind: 'working' }
      : { text: l10n.t('canceled'), kind: 'trouble' };
  }
  if (!isInPlan) {
    return undefined;
  }
  switch (item.status) {
    case 'waiting':
      return { text: l10n.t('waiting'), kind: 'waiting' };
    case 'counting':
      return { text: l10n.t('counting…'), kind: 'working' };
    case 'notSent':
      return { text: l10n.t('not sent'), kind: 'trouble', isUnsent: true };
    case 'sending':
      return { text: l10n.t('sending…'), kind: 'working' };
    case 'running':
      return { text: recordStatus(run?.record, facts) ?? l10n.t('running'), kind: 'working' };
    case 'finished':
      return { text: l10n.t('finished'), kind: 'done' };
    case 'failed':
      return { text: l10n.t('failed'), kind: 'trouble' };
    case 'unknown':
      return { text: recordStatus(run?.record, facts) ?? l10n.t('outcome unknown'), kind: 'trouble' };
  }
}

function watchProblemOf(record: TruncationRecord | undefined, { watch }: BatchFacts): Problem | undefined {
  return record && problemBeforeEnd(record, watch.watchProblem(record.id));
}

function recordStatus(record: TruncationRecord | undefined, { watch, now }: BatchFacts): string | undefined {
  return record && shortStatus(record, watch.progress(record.id), now, watch.watchProblem(record.id));
}

/** How many items were truncated, and what is left to do. */
function outcomeView(items: readonly BatchItem[]): BatchView['outcome'] {
  const finished = items.filter(({ status }) => status === 'finished').length;
  const { number } = formatsOf(language());
  const [done, all] = [number(finished), number(items.length)];
  const running = items.find(({ status }) => status === 'running' || status === 'sending');
  if (running !== undefined) {
    // The user stopped the batch, or changed the connection.
    const name = inPlainText(indexNameText(running.draft));
    const sentence = plural(
      items.length,
      l10n.t('{0} of {1} index truncated so far. {2} is still being truncated.', done, all, name),
      l10n.t('{0} of {1} indices truncated so far. {2} is still being truncated.', done, all, name),
    );
    return { sentence, next: undefined, kind: 'running' };
  }
  // A reindex has other next steps than a delete by query.
  const next = new Set(items.flatMap(({ run }) => (run?.record && nextStepAfterEnd(run.record)) ?? []));
  const isTrouble = finished < items.length;
  const isFailed = items.some(({ status }) => status === 'failed');
  return {
    sentence: plural(
      items.length,
      l10n.t('{0} of {1} index truncated.', done, all),
      l10n.t('{0} of {1} indices truncated.', done, all),
    ),
    next: isTrouble || next.size === 0 ? undefined : [...next].join(' '),
    kind: isFailed ? 'failed' : isTrouble ? 'trouble' : 'done',
  };
}

function interruptedView(record: BatchRecord, facts: BatchFacts): InterruptedBatchView[] {
  const left = itemsToContinue(record, facts.recordsOf);
  const underWay = underWayOf(record, facts);
  return left.length === 0
    ? []
    : [
        {
          recordId: record.id,
          sentence: sentText(record, left, facts.batch),
          left: l10n.t('Not sent: {0}', left.map(({ plan }) => inPlainText(indexNameText(plan))).join(', ')),
          underWay:
            watchProblemOf(underWay, facts)?.sentence ??
            (underWay && statusText(underWay, facts.watch.progress(underWay.id), facts.now)),
        },
      ];
}

/** How many of the confirmed items were sent, of those that were sent or still have to be. */
function sentText(
  { items, confirmedAt }: BatchRecord,
  left: readonly BatchRecordItem[],
  { timeZone }: Pick<BatchRun, 'timeZone'>,
): string {
  const count = items.filter(({ isSent }) => isSent).length + left.length;
  const { number, time } = formatsOf(language(), timeZone);
  const [sent, all] = [number(count - left.length), number(count)];
  return plural(
    count,
    l10n.t('Confirmed {2}: truncation sent for {0} of {1} index.', sent, all, time(confirmedAt)),
    l10n.t('Confirmed {2}: truncation sent for {0} of {1} indices.', sent, all, time(confirmedAt)),
  );
}

/** The item that runs or is being sent now, from whichever window. */
export function underWayOf(
  { items }: BatchRecord,
  { recordOf, now }: Pick<BatchFacts, 'recordOf' | 'now'>,
): TruncationRecord | undefined {
  return items
    .flatMap(({ recordId, isSent }) => (isSent ? (recordOf(recordId) ?? []) : []))
    .find((record) => ['sending', 'running'].includes(statusOf(record, now)));
}

export interface StopFacts {
  readonly batch: Pick<BatchRun, 'failing' | 'isStopping' | 'phase' | 'plannedItems' | 'timeZone'>;
  /** As it is stored. Undefined if it could not be. */
  readonly record: BatchRecord | undefined;
  readonly connectionName: string;
  readonly isPageClosed: boolean;
}

/**
 * Why the rest of a batch was not sent, if its page is hidden. Undefined if everything was sent, or the user
 * stopped the batch. A sent truncation that failed is reported separately.
 */
export function stopMessage({ batch, record, connectionName, isPageClosed }: StopFacts): string | undefined {
  if (batch.phase !== 'ended') {
    return undefined;
  }
  if (batch.failing !== undefined) {
    return problemText(batch.failing);
  }
  const closed = isPageClosed && !batch.isStopping ? taskTexts.pageClosed() : undefined;
  const [stopped] = batch.plannedItems.flatMap((item) => {
    const failing = item.exclusion ?? closed;
    return item.status !== 'notSent' || failing === undefined
      ? []
      : [failedMessage(item.draft, connectionName, failing)];
  });
  return stopped && [stopped, ...(record === undefined ? [] : [sentText(record, itemsLeft(record), batch)])].join(' ');
}
