/** An item of the overview's job, in the order of sending. Pure but for the translated words. */
import * as l10n from '@vscode/l10n';
import { indexNameText } from '../../../indices/indexName.ts';
import type { JobItem } from '../../../truncation/jobItem.ts';
import { problemText, type Problem } from '../../../truncation/outcome.ts';
import { type TruncationRecord, wholeEnding } from '../../../truncation/record.ts';
import { indexLines } from '../../../truncation/texts/consequenceTexts.ts';
import { endedStateProblem } from '../../../truncation/texts/endingTexts.ts';
import { problemBeforeEnd, shortStatus } from '../../../truncation/texts/statusTexts.ts';
import { inPlainText, inSentence } from '../../../ui/foreignText.ts';
import { cautionViews, headlineOf, rowsView } from '../../kit/host/review.ts';
import type { JobItemView } from '../protocol.ts';
import type { Connection } from '../../../connections/connection.ts';
import type { JobRun } from '../../../truncation/jobRun.ts';
import type { TaskWatch } from '../../../truncation/watch.ts';

/** @param isInPlan It is sent after a yes, or was confirmed. */
export function itemView(item: JobItem, isInPlan: boolean, facts: JobViewFacts): JobItemView {
  const { exclusion, review } = item;
  const isReviewed = item.state.phase === 'reviewed' || item.state.phase === 'confirming';
  const canBeSelected = isReviewed && exclusion === undefined && !hasBegunSending(facts);
  const rows = isInPlan || canBeSelected ? review?.report.rows : undefined;
  const remark = remarkOf(item, exclusion, isInPlan, facts);
  const isStillCounted = facts.job.state.phase === 'dryRunning' && item.isSelected && exclusion === undefined;
  return {
    name: inPlainText(indexNameText(item.state.draft)),
    rows: rows && rowsView(rows),
    consequence: canBeSelected ? consequenceOf(item, facts) : undefined,
    cautions: canBeSelected ? cautionViews(item.cautions, facts.job.timeZone) : [],
    isSelected: isInPlan || isStillCounted,
    canBeSelected,
    at: review?.at,
    remark: remark && inSentence(remark),
    canShow: item.record !== undefined,
    status: statusView(item, isInPlan, exclusion !== undefined, facts),
  };
}

function consequenceOf({ review }: JobItem, { job }: JobViewFacts): string | undefined {
  const lines = review === undefined ? [] : indexLines(review.plan, job.timeZone);
  return lines.length === 0 ? undefined : inSentence(lines.join(' '));
}

export function hasBegunSending({ job }: JobViewFacts): boolean {
  return job.state.phase === 'executing' || job.state.phase === 'ended';
}

function remarkOf(
  item: JobItem,
  exclusion: Problem | undefined,
  isInPlan: boolean,
  facts: JobViewFacts,
): string | undefined {
  if (exclusion !== undefined) {
    return problemText(exclusion);
  }
  const ended = endedStateProblem(item.state, item.record);
  if (ended !== undefined) {
    return problemText(ended);
  }
  if (!hasBegunSending(facts)) {
    return undefined;
  }
  if (!isInPlan) {
    return l10n.t('Not ticked');
  }
  const watchProblem = watchProblemOf(item.record, facts);
  if (watchProblem !== undefined) {
    return problemText(watchProblem);
  }
  const { record } = item;
  return record?.ending?.kind === 'finished'
    ? headlineOf(record, facts.sizeOf(record.plan), undefined, facts.now)
    : undefined;
}

function statusView(item: JobItem, isInPlan: boolean, isLeftOut: boolean, facts: JobViewFacts): JobItemView['status'] {
  const { state, record, hasBegun } = item;
  if (!hasBegunSending(facts)) {
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
      return { text: l10n.t('finished'), kind: record !== undefined && wholeEnding(record) ? 'done' : 'trouble' };
    case 'failed':
      return { text: l10n.t('failed'), kind: 'trouble' };
    case 'unknown':
      return { text: recordStatus(record, facts) ?? l10n.t('outcome unknown'), kind: 'trouble' };
  }
}

export function watchProblemOf(record: TruncationRecord | undefined, { watch }: JobViewFacts): Problem | undefined {
  return record && problemBeforeEnd(record, watch.watchProblem(record.id));
}

function recordStatus(record: TruncationRecord | undefined, { watch, now }: JobViewFacts): string | undefined {
  return record && shortStatus(record, watch.progress(record.id), now, watch.watchProblem(record.id));
}

export interface JobViewFacts {
  readonly connection: Connection;
  readonly job: Pick<JobRun, 'items' | 'plannedItems' | 'state' | 'timeZone'>;
  readonly sizeOf: (index: { readonly entityType: string; readonly aspect: string }) => number | undefined;
  readonly watch: Pick<TaskWatch, 'progress' | 'watchProblem'>;
  readonly now: number;
}
