/** Writes down those that were confirmed together, before the first of them is sent. */
import type { Connection } from '../connections/connection.ts';
import { toServiceFailure } from '../service/failure/failure.ts';
import type { Problem } from '../truncation/problem.ts';
import { taskTexts } from '../truncation/texts/taskTexts.ts';
import type { BulkItem } from './bulkItem.ts';
import type { BulkParts } from './bulkParts.ts';
import type { BulkRecord } from './bulkRecord.ts';

type Parts = Pick<BulkParts, 'bulks' | 'connection' | 'clock' | 'newId' | 'observe'>;

/**
 * @param continues Interrupted ones that these go on with.
 * @returns what is on disk, or why nothing may be sent: it could not be written, or another window went on with some of them. Undefined
 * where the connection was removed meanwhile: then nothing may be sent either, and nothing stays.
 */
export async function writeDown(
  { bulks, connection, clock, newId, observe }: Parts,
  { id, baseUrl }: Connection,
  plan: readonly BulkItem[],
  continues: BulkRecord | undefined,
): Promise<BulkRecord | Problem | undefined> {
  const record: BulkRecord = {
    id: newId(),
    connectionId: id,
    baseUrl,
    ...(continues === undefined ? {} : { continues: continues.id }),
    confirmedAt: clock.now(),
    items: plan.flatMap(({ run, review }) =>
      run === undefined || review === undefined
        ? []
        : [{ recordId: run.recordId, plan: review.plan, confirmedRows: review.report.rows, isSent: false }],
    ),
  };
  try {
    if (continues === undefined) {
      await bulks.save(record);
    } else if (!(await bulks.goOn(continues, record))) {
      return taskTexts.continuedByAnother();
    }
    // The removal has deleted what was stored by then.
    if (connection() === undefined) {
      await bulks.forget(record);
      return undefined;
    }
  } catch (thrown) {
    const failure = toServiceFailure(thrown);
    observe(failure);
    return taskTexts.notRecorded(failure.next);
  }
  return record;
}
