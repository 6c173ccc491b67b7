/** The message about a job that ends while its page is hidden: one sentence, with the first reason if not all went well. */
import * as l10n from '@vscode/l10n';
import { indexNameText } from '../../../indices/indexName.ts';
import { language, plural } from '../../../language.ts';
import { joinSentences } from '../../../ui/textLines.ts';
import type { JobItem } from '../../../truncation/jobItem.ts';
import type { JobRun } from '../../../truncation/jobRun.ts';
import { endedStateProblem } from '../../../truncation/texts/endingTexts.ts';
import { endMessage, problemMessage } from '../../../truncation/texts/statusTexts.ts';
import { wholeEnding } from '../../../truncation/record.ts';
import { taskTexts } from '../../../truncation/texts/taskTexts.ts';
import { formatsOf } from '../../../ui/formats.ts';
import { deletedText } from './jobView.ts';

interface JobEndFacts {
  readonly job: Pick<JobRun, 'items' | 'plannedItems' | 'state'>;
  readonly connectionName: string;
  readonly isPageClosed: boolean;
  /** The user said yes. */
  readonly isAgreed: boolean;
}

interface JobEndMessage {
  readonly text: string;
  /** Something was not truncated, or it isn't certain. */
  readonly isTrouble: boolean;
  /** The tree shows all of it. */
  readonly isInTree: boolean;
}

/** Undefined if the job has not ended, the user stopped it, or its last item still runs: that one tells its own end. */
export function jobEndMessage(facts: JobEndFacts): JobEndMessage | undefined {
  const { job, connectionName } = facts;
  const reason = closedText(facts) ?? whyNotSent(facts);
  if (reason !== undefined) {
    return { text: reason, isTrouble: true, isInTree: false };
  }
  const plan = job.plannedItems;
  if (job.state.phase !== 'ended' || plan.some(({ status }) => status === 'running' || status === 'sending')) {
    return undefined;
  }
  const isLeft = plan.some(({ status }) => status === 'notSent');
  const [trouble] = plan.flatMap((item) => {
    const text = troubleText(item, connectionName);
    return text === undefined ? [] : [{ text, isInTree: item.record !== undefined && !isLeft }];
  });
  if (trouble !== undefined) {
    return { ...trouble, isTrouble: true };
  }
  return isLeft ? undefined : { text: finishedText(plan, connectionName), isTrouble: false, isInTree: true };
}

/** Undefined for one that is waiting, running, or found whole. */
function troubleText({ state, record, status }: JobItem, connectionName: string): string | undefined {
  if (record !== undefined) {
    return wholeEnding(record) === undefined && status !== 'running'
      ? endMessage(record, connectionName, true)
      : undefined;
  }
  const refused = endedStateProblem(state, record);
  return refused && problemMessage(state.draft, connectionName, refused);
}

function finishedText(items: readonly JobItem[], connectionName: string): string {
  const texts = [formatsOf(language()).number(items.length), connectionName] as const;
  const deleted = deletedText(items);
  const truncated = plural(
    items.length,
    l10n.t('Truncated {0} index on {1}', ...texts),
    l10n.t('Truncated {0} indices on {1}', ...texts),
  );
  return deleted === undefined ? truncated : l10n.t('{0}: {1}', truncated, deleted);
}

/** How many were sent before the page was closed. Undefined if none was, or if anything else kept the rest back. */
function closedText({ job, connectionName, isPageClosed }: JobEndFacts): string | undefined {
  const { phase, isStopping } = job.state;
  const plan = job.plannedItems;
  const left = plan.filter(({ status }) => status === 'notSent');
  const sent = plan.length - left.length;
  if (!isPageClosed || isStopping || phase !== 'ended' || left.length === 0 || sent === 0 || hasFailed(plan)) {
    return undefined;
  }
  const { number } = formatsOf(language());
  const names = left.map(({ state }) => indexNameText(state.draft));
  return joinSentences(
    l10n.t(
      'The page was closed: truncation sent for {0} of {1} indices on {2}.',
      number(sent),
      number(plan.length),
      connectionName,
    ),
    l10n.t('Not sent: {0}', names.join(', ')),
  );
}

/** True if one that was sent failed, or may have: that keeps the rest back, and is told first. */
function hasFailed(plan: readonly JobItem[]): boolean {
  return plan.some(({ status }) => status === 'failed' || status === 'unknown');
}

/** Why the rest of a job was not sent. Undefined if everything was sent, or the user stopped the job. */
function whyNotSent({ job, connectionName, isPageClosed, isAgreed }: JobEndFacts): string | undefined {
  const { phase, isStopping } = job.state;
  // A yes that came too late: the dry runs are outdated.
  const isWithdrawn = isAgreed && phase === 'planned';
  if (phase !== 'ended' && !isWithdrawn) {
    return undefined;
  }
  const closed = isPageClosed && !isStopping && !hasFailed(job.plannedItems) ? taskTexts.pageClosed() : undefined;
  const asked = isWithdrawn ? job.items.filter(({ current }) => current.isSelected) : job.plannedItems;
  const [first] = asked.flatMap(({ status, exclusion = closed, state }) =>
    status === 'notSent' && exclusion !== undefined ? [problemMessage(state.draft, connectionName, exclusion)] : [],
  );
  return first;
}
