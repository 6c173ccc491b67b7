/** Jobs of which not all was sent, as the overview offers to continue them. Pure but for the translated words. */
import * as l10n from '@vscode/l10n';
import { indexNameKey, indexNameText } from '../../../indices/indexName.ts';
import { language, plural } from '../../../language.ts';
import { shownTruncations, type Job, type JobItem as StoredItem } from '../../../truncation/job.ts';
import type { JobRun } from '../../../truncation/jobRun.ts';
import type { ItemDraft } from '../../../truncation/jobState.ts';
import type { InterruptedJob } from '../../../truncation/jobStore.ts';
import { draftFrom } from '../../../truncation/plan.ts';
import { isUnderWay, type TruncationRecord } from '../../../truncation/record.ts';
import { problemBeforeEnd, statusText } from '../../../truncation/texts/statusTexts.ts';
import { inPlainText } from '../../../ui/foreignText.ts';
import { formatsOf } from '../../../ui/formats.ts';
import type { InterruptedJobView } from '../protocol.ts';
import type { JobViewFacts } from './jobItemView.ts';

/** @param facts Its job is shown already. */
export function interruptedViews(facts: JobViewFacts): readonly InterruptedJobView[] {
  return facts.interrupted.flatMap((one) => interruptedView(beside(one, facts), facts));
}

/** Of the job that is shown, only what the user left out. */
function beside({ job, left }: InterruptedJob, { job: { shown, plannedItems } }: JobViewFacts): InterruptedJob {
  const confirmed = new Set(plannedItems.map(({ state }) => indexNameKey(state.draft)));
  return {
    job,
    left: job.id === shown?.id ? left.filter(({ plan }) => !confirmed.has(indexNameKey(plan))) : left,
  };
}

function interruptedView({ job, left }: InterruptedJob, facts: JobViewFacts): readonly InterruptedJobView[] {
  const underWay = underWayOf(job, facts.now);
  const watchProblem = underWay && problemBeforeEnd(underWay, facts.watch.watchProblem(underWay.id));
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
            watchProblem?.sentence ?? (underWay && statusText(underWay, facts.watch.progress(underWay.id), facts.now)),
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

/** Drafts of the items to continue. A server that had no strategies then may have them by now. */
export function draftsOfRest({ left }: InterruptedJob): readonly ItemDraft[] {
  return left.map(({ plan }) => ({ draft: { ...draftFrom(plan), strategy: 'deleteByQuery' } }));
}

/** The item that runs or is being sent now, from whichever window. @param now Unix time in ms. */
export function underWayOf(job: Job, now: number): TruncationRecord | undefined {
  return shownTruncations(job).find((record) => isUnderWay(record, now));
}
