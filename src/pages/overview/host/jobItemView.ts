/** An item of the overview's job, in the order of sending. Pure but for the translated words. */
import * as l10n from '@vscode/l10n';
import { indexNameText } from '../../../indices/indexName.ts';
import { language } from '../../../language.ts';
import { percentToDelete } from '../../../truncation/dryRun.ts';
import type { JobItem } from '../../../truncation/jobItem.ts';
import { problemText, type Problem } from '../../../truncation/outcome.ts';
import { type TruncationRecord, wholeEnding } from '../../../truncation/record.ts';
import { indexLines } from '../../../truncation/texts/consequenceTexts.ts';
import { endedStateProblem } from '../../../truncation/texts/endingTexts.ts';
import { cautionText } from '../../../truncation/texts/reviewTexts.ts';
import {
  outcomeHeadline,
  problemBeforeEnd,
  shortStatus,
  sizeChangeOf,
  statusText,
} from '../../../truncation/texts/statusTexts.ts';
import { inPlainText, inSentence } from '../../../ui/foreignText.ts';
import { formatsOf } from '../../../ui/formats.ts';
import type { JobItemView } from '../protocol.ts';
import type { Connection } from '../../../connections/connection.ts';
import type { JobRun } from '../../../truncation/jobRun.ts';
import type { TaskWatch } from '../../../truncation/watch.ts';

interface ItemPlace {
  /** It is sent after a yes, or was confirmed. */
  readonly isInPlan: boolean;
}

export function itemView(item: JobItem, place: ItemPlace, facts: JobViewFacts): JobItemView {
  const { isInPlan } = place;
  const { exclusion, review } = item;
  const formats = formatsOf(language(), facts.job.timeZone);
  const isReviewed = item.state.phase === 'reviewed' || item.state.phase === 'confirming';
  const canBeSelected = isReviewed && exclusion === undefined && !hasBegunSending(facts);
  const rows = isInPlan || canBeSelected ? review?.report.rows : undefined;
  const remark = remarkOf(item, exclusion, isInPlan, facts);
  const isStillCounted = facts.job.state.phase === 'dryRunning' && item.isSelected && exclusion === undefined;
  return {
    name: inPlainText(indexNameText(item.state.draft)),
    rows: rows && { ...rows, percent: percentToDelete(rows) },
    consequence: canBeSelected ? consequenceOf(item, facts) : undefined,
    cautions: canBeSelected
      ? item.cautions.map((one) => ({ kind: one.kind, text: inSentence(cautionText(one, formats)) }))
      : [],
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
  return item.record && outcomeText(item.record, facts);
}

/** The result of a truncation, or the rows that searches still find. */
function outcomeText(record: TruncationRecord, { sizeOf, watch, now }: JobViewFacts): string | undefined {
  const whole = wholeEnding(record);
  if (whole !== undefined) {
    return outcomeHeadline(whole.deleted, sizeChangeOf(record, sizeOf(record.plan), now));
  }
  return record.ending?.kind === 'finished' ? statusText(record, watch.progress(record.id), now) : undefined;
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
