/** Ways to repeat the overview's job: a recipe for the server's own cleanup, or a scheduled job. */
import type { Connection } from '../../../connections/connection.ts';
import { mayHoldPipelineState } from '../../../indices/timeseriesAspects.ts';
import { copyGcRecipe } from '../../../recipe/copyRecipe.ts';
import { toServiceFailure } from '../../../service/failure/failure.ts';
import type { JobRun } from '../../../truncation/jobRun.ts';
import { offerAutomation } from '../../kit/host/actions.ts';
import type { PageParts } from '../../kit/host/pagePanel.ts';

/**
 * Of the items as they are now: the page may show others before the user has chosen.
 * @param connection Undefined once it was removed.
 */
export function offerJobAutomation(
  job: Pick<JobRun, 'items'>,
  connection: () => Connection | undefined,
  parts: PageParts,
): Promise<void> {
  const { services, watch, clipboard, notices, copyScheduledJob } = parts;
  const cutoffs = job.items.flatMap(({ forAutomation: sent }) => (sent ? [{ ...sent.plan, chosenAt: sent.at }] : []));
  const scheduled = job.items.flatMap(({ record, forAutomation: sent }) =>
    sent === undefined || mayHoldPipelineState(sent.plan) ? [] : [{ sentTo: record?.baseUrl, sent }],
  );
  const withConnection = async (copy: (there: Connection) => Promise<void>): Promise<void> => {
    const there = connection();
    if (there !== undefined) {
      await copy(there).catch((thrown: unknown) => notices.failure(toServiceFailure(thrown), there));
    }
  };
  return offerAutomation({
    copyRecipe: () =>
      withConnection(async (there) => {
        const server = { connection: there, service: services.get(there), watch };
        await (cutoffs.length > 0 ? copyGcRecipe(cutoffs, server, clipboard) : undefined);
      }),
    copyJob: () =>
      withConnection((there) => {
        // The connection may have another address since, where these rows are not.
        const reachable = scheduled.filter(({ sentTo }) => sentTo === there.baseUrl);
        return copyScheduledJob(
          there,
          reachable.map(({ sent }) => sent),
        );
      }),
  });
}
