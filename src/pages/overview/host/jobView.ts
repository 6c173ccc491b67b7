/** The overview's job and its items, as its page draws them. Pure except for translation. */
import * as l10n from '@vscode/l10n';
import type { Connection } from '../../../connections/connection.ts';
import { readOnlyReason } from '../../../connections/role.ts';
import type { IndexName } from '../../../indices/indexName.ts';
import { shownNameText } from '../../../indices/timeseriesAspects.ts';
import { language, plural } from '../../../language.ts';
import type { JobItem } from '../../../truncation/jobItem.ts';
import type { JobRun } from '../../../truncation/jobRun.ts';
import { problemText, type Problem } from '../../../truncation/problem.ts';
import { type TruncationRecord, wholeEnding } from '../../../truncation/sentTruncation.ts';
import { bytesToDelete, lossText, scopeText, unrecoverable } from '../../../truncation/texts/consequenceTexts.ts';
import { endedStateProblem } from '../../../truncation/texts/endingTexts.ts';
import { runningText } from '../../../truncation/texts/progressTexts.ts';
import { problemBeforeEnd, shortStatus, spaceText } from '../../../truncation/texts/statusTexts.ts';
import type { TaskWatch } from '../../../truncation/watching/watch.ts';
import { inPlainText, inSentence } from '../../../ui/foreignText.ts';
import { formatsOf } from '../../../ui/formats.ts';
import {
  cautionViews,
  deleteLabel,
  deleteQuestion,
  dryRunTimeFact,
  headlineOf,
  planFacts,
  requestFacts,
  riskFacts,
  rowsView,
  shownSize,
} from '../../kit/host/review.ts';
import type { JobItemView, JobView } from '../protocol.ts';
import { jobOutcome, sumOf, sumOfKnown } from './jobEnd.ts';

export interface JobViewFacts {
  readonly connection: Connection;
  readonly job: Pick<JobRun, 'items' | 'plannedItems' | 'state' | 'timeZone'>;
  readonly sizeOf: (index: IndexName) => number | undefined;
  /** Name on the search cluster, if known. */
  readonly physicalName: (index: IndexName) => string | undefined;
  readonly watch: Pick<TaskWatch, 'lastPoll'>;
  readonly now: number;
}

export function jobView(facts: JobViewFacts): JobView {
  const { job, connection } = facts;
  const { phase, isStopping } = job.state;
  // Read once: every access searches the stored truncations.
  const plan = job.plannedItems;
  const shared = sharedCutoff(facts);
  const isEnded = phase === 'ended';
  const sum = totals(plan, facts);
  const items = job.items.map((item) => itemView(item, plan.includes(item), facts));
  return {
    phase,
    items,
    scope: shared && scopeText(shared.endTimeMillis, shared.at, connection, job.timeZone),
    question: questionText(items, sum),
    deleteLabel: deleteLabel(sum.count === 0 ? undefined : sum.toDelete),
    sum,
    tally: tally(items),
    consequences: plan.length === 0 ? undefined : unrecoverable(connection.role === 'production'),
    details: detailsOf(plan, facts),
    refusal: connection.role === 'readOnly' ? readOnlyReason() : undefined,
    outcome: isEnded ? jobOutcome(plan, facts) : undefined,
    isStopping,
    current: currentView(plan, facts),
    isAnyWaiting: phase === 'executing' && plan.some(({ status }) => status === 'waiting'),
    canAutomate: isEnded && job.items.some(({ repeatable }) => repeatable !== undefined),
    hasReceipt: isEnded && plan.some(({ status }) => status !== 'notSent'),
  };
}

/** The cutoff of all items, and the time of the first dry run. Unix times in ms. Undefined before there are any. */
function sharedCutoff({ job, now }: JobViewFacts): { readonly endTimeMillis: number; readonly at: number } | undefined {
  const endTimeMillis = job.items[0]?.state.draft.endTimeMillis;
  const at = Math.min(now, ...job.items.flatMap(({ review }) => review?.at ?? []));
  return endTimeMillis === undefined ? undefined : { endTimeMillis, at };
}

/** The item that is sent or counted again, or that still runs after a stop. */
function currentView(plan: readonly JobItem[], facts: JobViewFacts): JobView['current'] {
  const item = plan.find(({ status }) => ['counting', 'sending', 'running'].includes(status));
  if (item === undefined || !hasBegunSending(facts)) {
    return undefined;
  }
  const record = item.status === 'running' ? item.record : undefined;
  return {
    name: inPlainText(shownNameText(item.state.draft)),
    isSent: item.status !== 'counting',
    pace:
      record && watchProblemOf(record, facts) === undefined
        ? runningText(facts.watch.lastPoll(record.id)?.progress, record, facts.now)
        : undefined,
  };
}

function questionText(items: JobView['items'], sum: JobView['sum']): string {
  if (sum.count > 1) {
    const { number } = formatsOf(language());
    const texts = [number(sum.toDelete), number(sum.total), number(sum.count)] as const;
    return l10n.t('Delete {0} of {1} rows of {2} indices?', ...texts);
  }
  if (sum.count === 1) {
    return deleteQuestion(sum);
  }
  // Each row says why: it may have no old rows, or its dry run may have failed.
  return items.some(({ canBeSelected }) => canBeSelected)
    ? l10n.t('No index is ticked')
    : l10n.t('No index to truncate');
}

function totals(plan: readonly JobItem[], { sizeOf }: JobViewFacts): JobView['sum'] {
  const counts = plan.map(({ review }) => review?.report.rows ?? { toDelete: 0, total: 0 });
  const toDelete = sumOf(counts.map((one) => one.toDelete));
  const total = sumOf(counts.map((one) => one.total));
  const sizes = plan.map(({ review, state }) => {
    const size = sizeOf(state.draft);
    return { toDelete: review && bytesToDelete({ report: review.report, size }), all: size };
  });
  return {
    ...rowsView({ toDelete, total }),
    count: plan.length,
    size: shownSize(sumOfKnown(sizes.map((one) => one.toDelete)), sumOfKnown(sizes.map((one) => one.all))),
  };
}

/** "2 ticked · 1 has nothing to delete" */
function tally(items: JobView['items']): string {
  const { number } = formatsOf(language());
  const ticked = items.filter(({ isSelected }) => isSelected).length;
  const boxes = items.filter(({ canBeSelected }) => canBeSelected).length;
  const empty = items.filter(({ shown }) => shown === 'not').length;
  const others = items.length - boxes - empty;
  return [
    ...(boxes === 0 ? [] : [l10n.t('{0} ticked', number(ticked))]),
    ...(empty === 0
      ? []
      : [
          plural(
            empty,
            l10n.t('{0} has nothing to delete', number(empty)),
            l10n.t('{0} have nothing to delete', number(empty)),
          ),
        ]),
    ...(others === 0 ? [] : [l10n.t('{0} left out', number(others))]),
  ].join(' · ');
}

function detailsOf(plan: readonly JobItem[], facts: JobViewFacts): JobView['details'] {
  if (hasBegunSending(facts)) {
    return [...spaceFacts(plan), ...administratorFacts(plan, facts)];
  }
  return facts.job.state.phase === 'dryRunning' || plan.length === 0 ? [] : reviewFacts(plan, facts.job.timeZone);
}

function reviewFacts(items: readonly JobItem[], timeZone: string): JobView['details'] {
  const dryRuns = items.flatMap(({ review }) => review ?? []);
  // They differ in their index alone.
  const [first] = dryRuns;
  return [
    ...riskFacts(),
    ...(first === undefined ? [] : planFacts(first, timeZone)),
    dryRunTimeFact(Math.min(...dryRuns.map(({ at }) => at)), timeZone),
    ...dryRuns.map(({ plan, report }) => ({
      name: inPlainText(shownNameText(plan)),
      quoted: inPlainText(report.serverText),
    })),
  ];
}

/** Why the indices may keep their sizes. */
function spaceFacts(items: readonly JobItem[]): JobView['details'] {
  const texts = new Set(
    items.flatMap(({ record }) => (record && wholeEnding(record) ? (spaceText(record) ?? []) : [])),
  );
  return [...texts].map((value) => ({ name: l10n.t('Disk space'), value }));
}

function administratorFacts(plan: readonly JobItem[], { job, physicalName, now }: JobViewFacts): JobView['details'] {
  return plan.flatMap((item) => {
    const place = job.items.indexOf(item);
    const name = inPlainText(shownNameText(item.state.draft));
    const indexName = physicalName(item.state.draft);
    return item.record === undefined ? [] : requestFacts(item.record, { place, name, indexName, now });
  });
}

/** @param isInPlan It is sent after a yes, or was confirmed. */
function itemView(item: JobItem, isInPlan: boolean, facts: JobViewFacts): JobItemView {
  const { exclusion, review } = item;
  const isReviewed = item.state.phase === 'reviewed' || item.state.phase === 'confirming';
  const canBeSelected = isReviewed && exclusion === undefined && !hasBegunSending(facts);
  const rows = isInPlan || canBeSelected ? review?.report.rows : undefined;
  const remark = remarkOf(item, exclusion, isInPlan, facts);
  const isCounting = facts.job.state.phase === 'dryRunning';
  const isLeftOut = exclusion !== undefined && !isInPlan && !isCounting;
  const isStillCounted = isCounting && item.isSelected && exclusion === undefined;
  return {
    name: inPlainText(shownNameText(item.state.draft)),
    shown: isLeftOut ? (exclusion.hasNothingToDelete === true ? 'not' : 'below') : 'above',
    rows: rows && rowsView(rows),
    consequence: canBeSelected && review !== undefined ? lossText(review.plan, facts.job.timeZone) : undefined,
    cautions: canBeSelected ? cautionViews(item.cautions, facts.job.timeZone) : [],
    isSelected: isInPlan || isStillCounted,
    canBeSelected,
    at: review?.at,
    remark: remark && inSentence(remark),
    recordId: item.record?.id,
    status: statusView(item, isInPlan, exclusion !== undefined, facts),
  };
}

function hasBegunSending({ job }: JobViewFacts): boolean {
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
  const ended = endedStateProblem(item.state);
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
      return record !== undefined && wholeEnding(record) !== undefined
        ? { text: l10n.t('finished'), kind: 'done' }
        : { text: recordStatus(record, facts) ?? l10n.t('finished'), kind: 'trouble' };
    case 'failed':
      return { text: l10n.t('failed'), kind: 'trouble' };
    case 'unknown':
      return { text: recordStatus(record, facts) ?? l10n.t('outcome unknown'), kind: 'trouble' };
  }
}

function watchProblemOf(record: TruncationRecord | undefined, { watch }: JobViewFacts): Problem | undefined {
  return record && problemBeforeEnd(record, watch.lastPoll(record.id));
}

function recordStatus(record: TruncationRecord | undefined, { watch, now }: JobViewFacts): string | undefined {
  return record && shortStatus(record, watch.lastPoll(record.id), now);
}
