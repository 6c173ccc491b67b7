/** The message about a job that ends while its page is hidden. */
import * as l10n from '@vscode/l10n';
import { language, plural } from '../../../language.ts';
import { itemsAt, itemsLeft, type Job } from '../../../truncation/job.ts';
import type { JobItem } from '../../../truncation/jobItem.ts';
import type { JobRun } from '../../../truncation/jobRun.ts';
import { problemText } from '../../../truncation/outcome.ts';
import { deletedRows } from '../../../truncation/record.ts';
import { endedStateProblem } from '../../../truncation/texts/endingTexts.ts';
import { endMessage, failedMessage } from '../../../truncation/texts/statusTexts.ts';
import { wholeEnding } from '../../../truncation/texts/outcomeHeadline.ts';
import { taskTexts } from '../../../truncation/texts/taskTexts.ts';
import { formatsOf } from '../../../ui/formats.ts';
import { sentText } from './interruptedView.ts';
import { sumOfKnown } from './jobView.ts';

interface JobEndFacts {
  readonly job: Pick<JobRun, 'items' | 'plannedItems' | 'state' | 'timeZone'>;
  /** As it is stored. Undefined if it could not be. */
  readonly stored: Job | undefined;
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
  const stop = stopText(facts);
  if (stop !== undefined) {
    return { text: stop, isTrouble: true, isInTree: false };
  }
  const { job, connectionName } = facts;
  const plan = job.plannedItems;
  if (job.state.phase !== 'ended' || plan.some(({ status }) => status === 'running' || status === 'sending')) {
    return undefined;
  }
  const [trouble] = plan.flatMap((item) => troubleText(item, connectionName) ?? []);
  const isLeft = plan.some(({ status }) => status === 'notSent');
  if (trouble !== undefined) {
    const text = [trouble, ...(isLeft ? sentTexts(facts) : [])].join(' ');
    return { text, isTrouble: true, isInTree: !isLeft };
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
  return refused && failedMessage(state.draft, connectionName, refused);
}

function finishedText(items: readonly JobItem[], connectionName: string): string {
  const { number } = formatsOf(language());
  const deleted = sumOfKnown(items.map(({ record }) => deletedRows(record)));
  const texts = [number(items.length), connectionName] as const;
  if (deleted === undefined) {
    return plural(
      items.length,
      l10n.t('Truncated {0} index on {1}.', ...texts),
      l10n.t('Truncated {0} indices on {1}.', ...texts),
    );
  }
  const rows = number(deleted);
  return plural(
    items.length,
    l10n.t('Truncated {0} index on {1}: {2} rows deleted.', ...texts, rows),
    l10n.t('Truncated {0} indices on {1}: {2} rows deleted.', ...texts, rows),
  );
}

/** Why the rest of a job was not sent. Undefined if everything was sent, or the user stopped the job. */
function stopText({ job, stored, connectionName, isPageClosed, isAgreed }: JobEndFacts): string | undefined {
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
  return stopped && [stopped, ...sentTexts({ job, stored })].join(' ');
}

/** How many were sent of those that were confirmed. None if that isn't stored. */
function sentTexts({ job, stored }: Pick<JobEndFacts, 'job' | 'stored'>): readonly string[] {
  return stored === undefined ? [] : [sentText(stored, stored.confirmedAt, itemsAt(stored, itemsLeft(stored)), job)];
}
