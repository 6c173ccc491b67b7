/** What is said if a job stops before its end while its page is hidden. */
import { itemsAt, itemsLeft, type Job } from '../../../truncation/job.ts';
import type { JobRun } from '../../../truncation/jobRun.ts';
import { problemText } from '../../../truncation/outcome.ts';
import { failedMessage } from '../../../truncation/texts/statusTexts.ts';
import { taskTexts } from '../../../truncation/texts/taskTexts.ts';
import { sentText } from './interruptedView.ts';

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
