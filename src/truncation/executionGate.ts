/**
 * The gate of an execution: its connection, its journal, the other truncations of its index, its page, and the age of
 * its dry run (`isTooOld` of state.ts).
 */
import type { Connection } from '../connections/connection.ts';
import { mayStillSend } from '../connections/gate.ts';
import type { ServicePool } from '../connections/servicePool.ts';
import { ServiceFailure } from '../service/failure/failure.ts';
import { sentTooLate } from '../service/failure/localFailures.ts';
import type { MayStillSend } from '../service/http/transport.ts';
import type { TruncationPlan } from '../service/indices/truncation.ts';
import { recordId, whyNotSend, type JobRef } from './job.ts';
import type { Problem } from './outcome.ts';
import { taskTexts } from './texts/taskTexts.ts';
import type { SharedStores } from './jobStore.ts';

interface ExecutionGateOptions {
  /** As the user was asked about it. */
  readonly connection: Connection;
  readonly plan: TruncationPlan;
  /** Its journal, to which the item's *sent* is about to be written. */
  readonly job: JobRef;
  readonly item: number;
  /** Why the page or the job sends nothing more, if so. */
  readonly obstacle: () => Problem | undefined;
  readonly isDryRunTooOld: () => boolean;
}

/** Makes the gate of one execution. Call it before its *sent* is written. */
export function executionGate(
  environment: SharedStores & { readonly services: ServicePool },
  { connection, plan, job, item, obstacle, isDryRunTooOld }: ExecutionGateOptions,
): MayStillSend {
  const { jobs, services } = environment;
  const isStillAgreed = mayStillSend(environment, connection, () =>
    // Another window may have dismissed it, or written one for the same index.
    jobs.readAgain().catch(() => refuse(taskTexts.notRecorded(undefined))),
  );
  return async () => {
    await isStillAgreed();
    refuse(obstacle());
    const current = jobs.job(job);
    const reason = current === undefined ? 'dismissed' : whyNotSend(current, item);
    refuse(reason && REFUSALS[reason]());
    const other = jobs.inTheWay(connection, plan, recordId(job.id, item), services.network.clock.now());
    refuse(other && taskTexts.blockedBy(other));
    if (isDryRunTooOld()) {
      throw sentTooLate();
    }
  };
}

const REFUSALS = {
  dismissed: taskTexts.forgotten,
  unreadable: () => taskTexts.notRecorded(undefined),
} as const;

function refuse(problem: Problem | undefined): void {
  if (problem !== undefined) {
    throw new ServiceFailure('notSent', problem.sentence, { next: problem.next });
  }
}
