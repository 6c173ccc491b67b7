/** The view of a job in the overview's page. Pure but for the translated words. */
import * as l10n from '@vscode/l10n';
import { readOnlyReason } from '../../../connections/role.ts';
import { indexNameKey, indexNameText } from '../../../indices/indexName.ts';
import { language, plural } from '../../../language.ts';
import type { ReportedIndexSize } from '../../../service/indices/indexSize.ts';
import { percentToDelete, type RowCounts } from '../../../truncation/dryRun.ts';
import { itemsAt, itemsLeft, shownTruncations, type Job, type JobItem as StoredItem } from '../../../truncation/job.ts';
import { truncateAloneText, type JobItem } from '../../../truncation/jobItem.ts';
import type { JobRun } from '../../../truncation/jobRun.ts';
import type { InterruptedJob } from '../../../truncation/jobStore.ts';
import { problemText, type Problem } from '../../../truncation/outcome.ts';
import { deletedRows, statusOf, type TruncationRecord } from '../../../truncation/record.ts';
import { indexLines, snapshotText, bytesToDelete } from '../../../truncation/texts/consequenceTexts.ts';
import { endedStateProblem } from '../../../truncation/texts/endingTexts.ts';
import { runningText } from '../../../truncation/texts/progressTexts.ts';
import { strategyTexts } from '../../../truncation/texts/reviewTexts.ts';
import {
  failedMessage,
  nextStepAfterEnd,
  problemBeforeEnd,
  shortStatus,
  statusText,
} from '../../../truncation/texts/statusTexts.ts';
import { taskTexts } from '../../../truncation/texts/taskTexts.ts';
import type { TaskWatch } from '../../../truncation/watch.ts';
import { inPlainText, inSentence } from '../../../ui/foreignText.ts';
import { type LocalizedFormats, formatsOf } from '../../../ui/formats.ts';
import type { InterruptedJobView, JobItemView, JobNote, JobView } from '../jobProtocol.ts';

export interface JobFacts {
  readonly isReadOnly: boolean;
  readonly job: Pick<JobRun, 'items' | 'plannedItems' | 'shown' | 'state' | 'timeZone'>;
  /** The stored jobs that may be continued, the latest first. */
  readonly interrupted: readonly InterruptedJob[];
  readonly sizeOf: (index: { readonly entityType: string; readonly aspect: string }) => ReportedIndexSize;
  readonly watch: Pick<TaskWatch, 'progress' | 'watchProblem'>;
  readonly now: number;
}

export function jobView(facts: JobFacts): JobView {
  const { job } = facts;
  const { phase, failing, isStopping } = job.state;
  // Read once: every access searches the stored truncations.
  const outdated = outdatedReason(job);
  const plan = outdated === undefined ? job.plannedItems : outdatedPlan(job);
  const shared = sharedCutoff(facts);
  const items = job.items.map((item) =>
    itemView(item, plan.includes(item), facts, {
      hasOwnCutoff: shared === undefined,
      isOutdated: outdated !== undefined,
    }),
  );
  const isEnded = phase === 'ended';
  const isPlanned = !isEnded && outdated === undefined && plan.length > 0;
  return {
    phase,
    items,
    cutoff: shared === undefined ? undefined : rowsUpToText(timesOf(facts).fullTime(shared)),
    sum: jobTotals(plan, facts),
    progress: phase === 'executing' ? percentDeleted(plan, facts) : undefined,
    notes: isEnded ? problemNotes(items) : outdated === undefined ? consequenceNotes(plan, facts) : [],
    outdated,
    refusal: facts.isReadOnly ? readOnlyReason() : undefined,
    failure: failing && { sentence: failing.sentence, next: failing.next },
    outcome: isEnded ? outcomeView(plan) : undefined,
    isStopping,
    current: currentView(plan, facts),
    canCopyRecipe: isPlanned || job.items.some(({ isForRecipe }) => isForRecipe),
    canCopyJob: isPlanned || job.items.some(({ forSchedule }) => forSchedule !== undefined),
    hasReceipt: isEnded && plan.some(({ status }) => status !== 'notSent'),
    // The table shows the current job already.
    interrupted: facts.interrupted.flatMap((one) => interruptedView(beside(one, facts), facts)),
  };
}

/** Set if every review is outdated, so that nothing of them can be deleted. */
function outdatedReason({ state: { phase }, items }: JobFacts['job']): string | undefined {
  const outdated = items.find(({ state, dryRunResult }) => state.phase === 'editing' && dryRunResult !== undefined);
  const isOutdated = phase === 'planned' && items.every(({ review }) => review === undefined);
  return isOutdated && outdated?.exclusion !== undefined ? inSentence(outdated.exclusion.sentence) : undefined;
}

/** The items whose rows the outdated dry runs would have deleted. */
function outdatedPlan({ items }: JobFacts['job']): readonly JobItem[] {
  return items.filter(
    ({ current, dryRunResult }) =>
      current.isSelected &&
      dryRunResult?.report.strategy === 'deleteByQuery' &&
      (dryRunResult.report.rows?.toDelete ?? 0) > 0,
  );
}

/** The item that is sent or counted again, or that still runs after a stop. */
function currentView(plan: readonly JobItem[], facts: JobFacts): JobView['current'] {
  const item = plan.find(({ status }) => ['counting', 'sending', 'running'].includes(status));
  if (item === undefined || !isSending(facts)) {
    return undefined;
  }
  const record = item.status === 'running' ? item.record : undefined;
  return {
    name: inPlainText(indexNameText(item.state.draft)),
    isSent: item.status !== 'counting',
    pace:
      record && watchProblemOf(record, facts) === undefined
        ? runningText(facts.watch.progress(record.id), record, facts.now)
        : undefined,
  };
}

function jobTotals(plan: readonly JobItem[], facts: JobFacts): JobView['sum'] {
  const rows = plan.map((item) => shownRows(item, facts));
  const toDelete = sum(rows.map((one) => one?.toDelete ?? 0));
  const total = sum(plan.map(({ dryRunResult }) => dryRunResult?.report.rows?.total ?? 0));
  const bytes = plan.map((item, place) => shownBytes(item, rows[place], facts));
  return {
    rows: toDelete,
    total,
    percent: percentToDelete({ toDelete, total }),
    isLeast: facts.job.state.phase === 'ended' && rows.includes(undefined),
    bytesToDelete: bytes.includes(undefined) ? undefined : sum(bytes.map((one = 0) => one)),
    count: plan.length,
  };
}

/** Rows to delete; once the job has ended, those that were deleted. Undefined if unknown. */
function shownRows(item: JobItem, facts: JobFacts): RowCounts | undefined {
  const rows = item.dryRunResult?.report.rows;
  const toDelete = facts.job.state.phase === 'ended' ? deletedRows(item.record) : rows?.toDelete;
  return rows === undefined || toDelete === undefined ? undefined : { toDelete, total: rows.total };
}

function shownBytes(item: JobItem, rows: RowCounts | undefined, facts: JobFacts): number | undefined {
  const report = item.dryRunResult?.report;
  return report && rows && bytesToDelete({ report: { ...report, rows }, size: sizeBefore(item, facts) });
}

/** Undefined if there is nothing to delete. */
function percentDeleted(plan: readonly JobItem[], { watch }: JobFacts): number | undefined {
  const done = plan.map(({ status, review, record }) => {
    const { toDelete = 0 } = review?.report.rows ?? {};
    const progress = record && watch.progress(record.id);
    return status === 'finished' ? toDelete : Math.min(toDelete, progress?.done ?? 0);
  });
  const all = sum(plan.map(({ review }) => review?.report.rows?.toDelete ?? 0));
  return all === 0 ? undefined : (sum(done) / all) * 100;
}

/** Facts to read before deleting: about all, then about the rows of each. */
function consequenceNotes(plan: readonly JobItem[], facts: JobFacts): readonly JobNote[] {
  if (plan.length === 0 || facts.job.state.phase === 'dryRunning') {
    return [];
  }
  const lines = plan.flatMap(({ review }) =>
    review === undefined
      ? []
      : indexLines(review.plan, facts.job.timeZone).map((text) => ({ text, name: indexNameText(review.plan) })),
  );
  return [
    { text: strategyTexts.deleteByQuery.meaning(), names: [] },
    { text: snapshotText(), names: [] },
    ...groupedNotes(lines, plan.length),
  ];
}

/** Why some were not sent, or failed. */
function problemNotes(items: readonly JobItemView[]): readonly JobNote[] {
  const lines = items.flatMap(({ name, isSelected, remark, status }) =>
    isSelected && remark !== undefined && status?.kind === 'trouble' ? [{ text: remark, name }] : [],
  );
  return groupedNotes(lines, Number.POSITIVE_INFINITY);
}

/** Each sentence once, with the items that it is about. @param all Number of all items. */
function groupedNotes(
  lines: readonly { readonly text: string; readonly name: string }[],
  all: number,
): readonly JobNote[] {
  return [...Map.groupBy(lines, ({ text }) => text)].map(([text, same]) => ({
    text: inSentence(text),
    names: same.length === all ? [] : same.map(({ name }) => inPlainText(name)),
  }));
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

/** Unix time in ms. Undefined if the cutoffs differ. */
function sharedCutoff({ job }: JobFacts): number | undefined {
  const cutoffs = new Set(job.items.map(({ state }) => state.draft.endTimeMillis));
  return cutoffs.size === 1 ? [...cutoffs][0] : undefined;
}

function rowsUpToText(time: string): string {
  return l10n.t('Rows up to {0}', time);
}

/** Formats in the user's time zone. */
function timesOf({ job }: JobFacts): LocalizedFormats {
  return formatsOf(language(), job.timeZone);
}

function itemView(
  item: JobItem,
  isInPlan: boolean,
  facts: JobFacts,
  { hasOwnCutoff, isOutdated }: { readonly hasOwnCutoff: boolean; readonly isOutdated: boolean },
): JobItemView {
  const { endTimeMillis } = item.state.draft;
  const { exclusion, dryRunResult } = item;
  // The bar gives the reason once for all.
  const isKept = isOutdated && dryRunResult !== undefined;
  // Before the confirmation, the user may select it again.
  const hasRows = isInPlan || isKept || (!isSending(facts) && exclusion === undefined);
  const rows = hasRows ? shownRows(item, facts) : undefined;
  const remark = isKept ? undefined : remarkOf(item, exclusion, facts);
  const isStillCounted = facts.job.state.phase === 'dryRunning' && item.current.isSelected && exclusion === undefined;
  return {
    name: inPlainText(indexNameText(item.state.draft)),
    cutoff: hasOwnCutoff && endTimeMillis !== undefined ? rowsUpToText(timesOf(facts).time(endTimeMillis)) : undefined,
    rows: rows && { ...rows, percent: percentToDelete(rows) },
    isSelected: isInPlan || isStillCounted,
    isCounted: dryRunResult !== undefined,
    canBeSelected: item.state.phase === 'reviewed' && exclusion === undefined,
    remark: remark && inSentence(remark),
    // Only its strategy, its state or a caution excludes it.
    canUseWizard: item.state.phase === 'reviewed' && exclusion?.next === truncateAloneText(),
    status: statusView(item, isInPlan, exclusion !== undefined, facts),
  };
}

/** The size before sending, if it was sent: the index may be smaller by now. */
function sizeBefore({ record, state }: JobItem, { sizeOf }: JobFacts): ReportedIndexSize {
  const { sizeBefore: bytes, sizePrecision: precision = 'exact' } = record ?? {};
  return bytes === undefined ? sizeOf(state.draft) : { bytes, precision };
}

function isSending({ job }: JobFacts): boolean {
  return job.state.phase === 'executing' || job.state.phase === 'ended';
}

function remarkOf(item: JobItem, exclusion: Problem | undefined, facts: JobFacts): string | undefined {
  const { state } = item;
  if (exclusion !== undefined) {
    return problemText(exclusion);
  }
  const ended = endedStateProblem(state, item.record);
  if (ended !== undefined) {
    return problemText(ended);
  }
  if (isSending(facts)) {
    const watchProblem = watchProblemOf(item.record, facts);
    return watchProblem && problemText(watchProblem);
  }
  return grownText(item);
}

/** Set if an interrupted item was confirmed with fewer rows than there are to delete now. */
function grownText({ current, review }: JobItem): string | undefined {
  const { toDelete = 0 } = review?.report.rows ?? {};
  const confirmed = current.confirmedBefore?.toDelete;
  return confirmed === undefined || toDelete <= confirmed
    ? undefined
    : l10n.t('More rows than the {0} that you confirmed.', formatsOf(language()).number(confirmed));
}

function statusView(item: JobItem, isInPlan: boolean, isLeftOut: boolean, facts: JobFacts): JobItemView['status'] {
  const {
    state,
    record,
    current: { hasBegun },
  } = item;
  if (!isSending(facts)) {
    if (isLeftOut || (hasBegun && state.phase !== 'dryRunning')) {
      return undefined;
    }
    return facts.job.state.phase === 'dryRunning'
      ? { text: hasBegun ? l10n.t('counting…') : l10n.t('waiting'), kind: 'working' }
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
      return { text: recordStatus(record, facts) ?? l10n.t('running'), kind: 'working' };
    case 'finished':
      return { text: l10n.t('finished'), kind: 'done' };
    case 'failed':
      return { text: l10n.t('failed'), kind: 'trouble' };
    case 'unknown':
      return { text: recordStatus(record, facts) ?? l10n.t('outcome unknown'), kind: 'trouble' };
  }
}

function watchProblemOf(record: TruncationRecord | undefined, { watch }: JobFacts): Problem | undefined {
  return record && problemBeforeEnd(record, watch.watchProblem(record.id));
}

function recordStatus(record: TruncationRecord | undefined, { watch, now }: JobFacts): string | undefined {
  return record && shortStatus(record, watch.progress(record.id), now, watch.watchProblem(record.id));
}

/** How many items were truncated, and what is left to do. */
function outcomeView(items: readonly JobItem[]): JobView['outcome'] {
  const finished = items.filter(({ status }) => status === 'finished').length;
  const { number } = formatsOf(language());
  const [done, all] = [number(finished), number(items.length)];
  const running = items.find(({ status }) => status === 'running' || status === 'sending');
  if (running !== undefined) {
    // The user stopped the job, or changed the connection.
    const name = inPlainText(indexNameText(running.state.draft));
    const sentence = plural(
      items.length,
      l10n.t('{0} of {1} index truncated so far. {2} is still being truncated.', done, all, name),
      l10n.t('{0} of {1} indices truncated so far. {2} is still being truncated.', done, all, name),
    );
    return { sentence, next: undefined, kind: 'running' };
  }
  // A reindex has other next steps than a delete by query.
  const next = new Set(items.flatMap(({ record }) => (record && nextStepAfterEnd(record)) ?? []));
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

/** Of the job that is shown, only what the user left out. */
function beside({ job, left }: InterruptedJob, { job: { shown, plannedItems } }: JobFacts): InterruptedJob {
  const confirmed = new Set(plannedItems.map(({ state }) => indexNameKey(state.draft)));
  return {
    job,
    left: job.id === shown?.id ? left.filter(({ plan }) => !confirmed.has(indexNameKey(plan))) : left,
  };
}

function interruptedView({ job, left }: InterruptedJob, facts: JobFacts): readonly InterruptedJobView[] {
  const underWay = underWayOf(job, facts.now);
  const names = left.map(({ plan }) => inPlainText(indexNameText(plan)));
  const [first] = left;
  return first === undefined
    ? []
    : [
        {
          jobId: job.id,
          sentence: sentText(job, first.confirmedAt, left, facts.job),
          left: l10n.t('Not sent: {0}', names.join(', ')),
          underWay:
            watchProblemOf(underWay, facts)?.sentence ??
            (underWay && statusText(underWay, facts.watch.progress(underWay.id), facts.now)),
        },
      ];
}

/** How many of the items that were confirmed then were sent, of those that were sent or still have to be. */
function sentText(
  { items }: Job,
  confirmedAt: number,
  left: readonly StoredItem[],
  { timeZone }: Pick<JobRun, 'timeZone'>,
): string {
  const then = items.filter((item) => item.confirmedAt === confirmedAt);
  const sent = then.filter(({ status }) => status === 'sent').length;
  const count = sent + then.filter((item) => left.includes(item)).length;
  const { number, time } = formatsOf(language(), timeZone);
  return plural(
    count,
    l10n.t('Confirmed {2}: truncation sent for {0} of {1} index.', number(sent), number(count), time(confirmedAt)),
    l10n.t('Confirmed {2}: truncation sent for {0} of {1} indices.', number(sent), number(count), time(confirmedAt)),
  );
}

/** The item that runs or is being sent now, from whichever window. @param now Unix time in ms. */
export function underWayOf(job: Job, now: number): TruncationRecord | undefined {
  return shownTruncations(job).find((record) => ['sending', 'running'].includes(statusOf(record, now)));
}

export interface StopFacts {
  readonly job: Pick<JobRun, 'items' | 'plannedItems' | 'state' | 'timeZone'>;
  /** As it is stored. Undefined if it could not be. */
  readonly stored: Job | undefined;
  readonly connectionName: string;
  readonly isPageClosed: boolean;
  /** The user said yes. */
  readonly isAgreed: boolean;
}

/**
 * Why the rest of a job was not sent, if its page is hidden. Undefined if everything was sent, or the user
 * stopped the job. A sent truncation that failed is reported separately.
 */
export function stopMessage({ job, stored, connectionName, isPageClosed, isAgreed }: StopFacts): string | undefined {
  const { phase, failing, isStopping } = job.state;
  // A yes that came too late: the dry runs are outdated.
  const isWithdrawn = isAgreed && phase === 'planned';
  if (phase !== 'ended' && !isWithdrawn) {
    return undefined;
  }
  if (failing !== undefined) {
    return problemText(failing);
  }
  const closed = isPageClosed && !isStopping ? taskTexts.pageClosed() : undefined;
  const asked = isWithdrawn ? job.items.filter(({ current }) => current.isSelected) : job.plannedItems;
  const [stopped] = asked.flatMap((item) => {
    const reason = item.exclusion ?? closed;
    return item.status !== 'notSent' || reason === undefined
      ? []
      : [failedMessage(item.state.draft, connectionName, reason)];
  });
  const left = stored === undefined ? [] : itemsAt(stored, itemsLeft(stored));
  return (
    stopped && [stopped, ...(stored === undefined ? [] : [sentText(stored, stored.confirmedAt, left, job)])].join(' ')
  );
}
