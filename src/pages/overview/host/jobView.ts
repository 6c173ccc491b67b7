/** The overview's job, as its page draws it. Pure but for the translated words. */
import * as l10n from '@vscode/l10n';
import { readOnlyReason } from '../../../connections/role.ts';
import { indexNameText } from '../../../indices/indexName.ts';
import { language, plural } from '../../../language.ts';
import type { JobItem } from '../../../truncation/jobItem.ts';
import { deletedRows, wholeEnding } from '../../../truncation/record.ts';
import { bytesToDelete, scopeText, unrecoverable } from '../../../truncation/texts/consequenceTexts.ts';
import { runningText } from '../../../truncation/texts/progressTexts.ts';
import {
  outcomeHeadline,
  rowsDeletedText,
  type SizeChange,
  sizeChangeOf,
  spaceText,
} from '../../../truncation/texts/statusTexts.ts';
import { inPlainText } from '../../../ui/foreignText.ts';
import { formatsOf } from '../../../ui/formats.ts';
import {
  deleteLabel,
  deleteQuestion,
  dryRunTimeFact,
  planFacts,
  riskFacts,
  rowsView,
  shownSize,
} from '../../kit/host/review.ts';
import type { JobView } from '../protocol.ts';
import { hasBegunSending, itemView, watchProblemOf, type JobViewFacts } from './jobItemView.ts';

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
    tally: tally(items, job.items.filter(({ isOnlyEmpty }) => isOnlyEmpty).length),
    consequences: plan.length === 0 ? undefined : unrecoverable(connection.role === 'production'),
    details: isEnded ? spaceFacts(plan) : reviewFacts(plan, job.timeZone),
    refusal: connection.role === 'readOnly' ? readOnlyReason() : undefined,
    outcome: isEnded ? outcomeView(plan, facts) : undefined,
    isStopping,
    current: currentView(plan, facts),
    isAnyWaiting: phase === 'executing' && plan.some(({ status }) => status === 'waiting'),
    canAutomate: isEnded && job.items.some(({ forAutomation }) => forAutomation !== undefined),
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
    name: inPlainText(indexNameText(item.state.draft)),
    isSent: item.status !== 'counting',
    pace:
      record && watchProblemOf(record, facts) === undefined
        ? runningText(facts.watch.progress(record.id), record, facts.now)
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

/** "2 ticked · 1 has nothing to delete". @param empty Number of the items that have nothing to delete. */
function tally(items: JobView['items'], empty: number): string {
  const { number } = formatsOf(language());
  const ticked = items.filter(({ isSelected }) => isSelected).length;
  const boxes = items.filter(({ canBeSelected }) => canBeSelected).length;
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

function reviewFacts(items: readonly JobItem[], timeZone: string): JobView['details'] {
  const dryRuns = items.flatMap(({ review }) => review ?? []);
  return [
    ...riskFacts(),
    ...planFacts(dryRuns, timeZone),
    dryRunTimeFact(Math.min(...dryRuns.map(({ at }) => at)), timeZone),
    ...dryRuns.map(({ plan, report }) => ({
      name: inPlainText(indexNameText(plan)),
      quoted: inPlainText(report.serverText),
    })),
  ];
}

/** Why the indices may keep their sizes. */
function spaceFacts(items: readonly JobItem[]): JobView['details'] {
  const texts = new Set(items.flatMap(({ record }) => (record && wholeEnding(record) ? spaceText(record) : [])));
  return [...texts].map((value) => ({ name: l10n.t('Disk space'), value }));
}

function outcomeView(items: readonly JobItem[], facts: JobViewFacts): JobView['outcome'] {
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
export function truncatedText(items: readonly SentItem[]): string {
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
  const name = inPlainText(indexNameText(running.state.draft));
  return plural(
    items.length,
    l10n.t('{0} of {1} index truncated so far. {2} is still being truncated.', done, all, name),
    l10n.t('{0} of {1} indices truncated so far. {2} is still being truncated.', done, all, name),
  );
}

/** "1,534 rows deleted · 8 MB → 6 MB · 2 indices". */
function finishedText(items: readonly JobItem[], { sizeOf, now }: JobViewFacts): string {
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
export function deletedText(items: readonly SentItem[]): string | undefined {
  const rows = items.map(({ record }) => deletedRows(record));
  const deleted = sumOf(rows.map((one = 0) => one));
  const text = rowsDeletedText(deleted);
  if (!rows.includes(undefined)) {
    return text;
  }
  return deleted === 0 ? undefined : l10n.t('at least {0}', text);
}

/** Undefined if one isn't known: a sum without it would be too low. */
function sumOfKnown(values: readonly (number | undefined)[]): number | undefined {
  const known = values.filter((one) => one !== undefined);
  return known.length < values.length || values.length === 0 ? undefined : sumOf(known);
}

function sumOf(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
