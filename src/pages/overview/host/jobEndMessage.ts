/** What the user is told if a job ends while its page is hidden. */
import * as l10n from '@vscode/l10n';
import { language, plural } from '../../../language.ts';
import { itemsAt, itemsLeft, type Job } from '../../../truncation/job.ts';
import type { JobItem } from '../../../truncation/jobItem.ts';
import type { JobRun } from '../../../truncation/jobRun.ts';
import { problemText } from '../../../truncation/outcome.ts';
import { deletedRows } from '../../../truncation/record.ts';
import { endedStateProblem } from '../../../truncation/texts/endingTexts.ts';
import { failedMessage } from '../../../truncation/texts/statusTexts.ts';
import { taskTexts } from '../../../truncation/texts/taskTexts.ts';
import { formatsOf } from '../../../ui/formats.ts';
import { sentText } from './interruptedView.ts';

export interface JobEndFacts {
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
}

/** Undefined if the job has not ended, the user stopped it, or its last item still runs: that one tells its own end. */
export function jobEndMessage(facts: JobEndFacts): JobEndMessage | undefined {
  const stop = stopText(facts);
  if (stop !== undefined) {
    return { text: stop, isTrouble: true };
  }
  const { job, connectionName } = facts;
  const plan = job.plannedItems;
  if (job.state.phase !== 'ended') {
    return undefined;
  }
  const [failed] = plan.flatMap(({ state, record }) => {
    const problem = endedStateProblem(state, record);
    return problem === undefined ? [] : [failedMessage(state.draft, connectionName, problem)];
  });
  if (failed !== undefined) {
    return { text: failed, isTrouble: true };
  }
  return plan.every(({ status }) => status === 'finished')
    ? { text: finishedText(plan, connectionName), isTrouble: false }
    : undefined;
}

function finishedText(items: readonly JobItem[], connectionName: string): string {
  const { number } = formatsOf(language());
  const rows = items.reduce((sum, { record }) => sum + (deletedRows(record) ?? 0), 0);
  return plural(
    items.length,
    l10n.t('Truncated {0} index on {1}: {2} rows deleted.', number(items.length), connectionName, number(rows)),
    l10n.t('Truncated {0} indices on {1}: {2} rows deleted.', number(items.length), connectionName, number(rows)),
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
  const left = stored === undefined ? [] : itemsAt(stored, itemsLeft(stored));
  return (
    stopped && [stopped, ...(stored === undefined ? [] : [sentText(stored, stored.confirmedAt, left, job)])].join(' ')
  );
}
