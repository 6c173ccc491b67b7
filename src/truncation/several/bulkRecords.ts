/** Where the runs of several truncations write down what they send: with the others first, then in their own record. */
import type { TruncationStore } from '../truncationStore.ts';
import type { RunRecords } from '../runParts.ts';
import type { BulkRecord } from './bulkRecord.ts';
import type { BulkStore } from './bulkStore.ts';

/** @param bulk Those that are being sent together; undefined before somebody confirmed them. */
export function recordsOf(records: TruncationStore, bulks: BulkStore, bulk: () => BulkRecord | undefined): RunRecords {
  return {
    get: (connectionId, id) => records.get(connectionId, id),
    blocking: (server, plan, except) => records.blocking(server, plan, except),
    save: async (record) => {
      // Marked first: whatever happens in between, those that are said to be sent are never too few.
      if (records.get(record.connectionId, record.id) === undefined) {
        await bulks.markSent(bulk(), record.id);
      }
      await records.save(record);
    },
    forget: async (record) => {
      await records.forget(record);
      await bulks.markNotSent(bulk(), record.id);
    },
  };
}
