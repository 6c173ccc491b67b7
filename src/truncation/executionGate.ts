/** The gate of an execution: its connection, its record, the other truncations of its index, and its page. */
import { accessOf, type Connection } from '../connections/connection.ts';
import { mayStillSend } from '../connections/mayStillSend.ts';
import type { ServicePool } from '../connections/servicePool.ts';
import { ServiceFailure, sentTooLate } from '../service/failure/failure.ts';
import type { MayStillSend } from '../service/http/transport.ts';
import type { Problem } from './outcome.ts';
import type { TruncationRecord } from './record.ts';
import { taskTexts } from './texts/taskTexts.ts';
import type { SharedStores } from './truncationStore.ts';

interface ExecutionGateOptions {
  /** As the user was asked about it. */
  readonly connection: Connection;
  /** About to be written. */
  readonly record: TruncationRecord;
  /** Why the page or the batch sends nothing more, if so. */
  readonly obstacle: () => Problem | undefined;
  readonly isDryRunTooOld: () => boolean;
}

/** Makes the gate of one execution. Call it before its record is written. */
export function executionGate(
  environment: SharedStores & { readonly services: ServicePool },
  { connection, record, obstacle, isDryRunTooOld }: ExecutionGateOptions,
): MayStillSend {
  const { records, services } = environment;
  const isStillAgreed = mayStillSend(environment, connection, accessOf, () =>
    // Another window may have forgotten it, or written one for the same index.
    records.readAgain().catch(() => refuse(taskTexts.notRecorded(undefined))),
  );
  return async () => {
    await isStillAgreed();
    refuse(obstacle());
    if (records.get(connection.id, record.id) === undefined) {
      refuse(taskTexts.forgotten());
    }
    const other = records.inTheWay(connection, record.plan, record.id, services.network.clock.now());
    refuse(other && taskTexts.blockedBy(other));
    if (isDryRunTooOld()) {
      throw sentTooLate();
    }
  };
}

function refuse(problem: Problem | undefined): void {
  if (problem !== undefined) {
    throw new ServiceFailure('notSent', problem.sentence, { next: problem.next });
  }
}
