/** Where the runs of several truncations write down what they send: with the others first, then in their own record. */
import type { TruncationStore } from '../truncation/truncationStore.ts';
import type { RunRecords } from '../truncation/runParts.ts';
import type { BulkRecord } from './bulkRecord.ts';
import type { BulkStore } from './bulkStore.ts';

/** @param bulk Those that are being sent together; undefined before somebody confirmed them. */
export function recordsOf(records: TruncationStore, bulks: BulkStore, bulk: () => BulkRecord | undefined): RunRecords {
  return {
    get: (connectionId, id) => records.get(connectionId, id),
    blocking: (server, plan, except) => records.blocking(server, plan, except),
    claim: async (record) => {
      if (!(await bulks.has(bulk(), record.id))) {
        return false;
      }
      const isMine = await records.claim(record);
      if (!isMine && (await records.isForgotten(record))) {
        // Another window claimed it and sent nothing: it can be sent under another ID. One that merely can't be seen may have been sent.
        await bulks.markNotSent(bulk(), record.id, crypto.randomUUID());
      }
      return isMine;
    },
    // With its record it counts as sent. The mark is for when that is forgotten, and shows that nothing was dismissed meanwhile.
    settle: async (record) => {
      if (!(await records.settle(record))) {
        return false;
      }
      const maySend = await bulks.markSent(bulk(), record.id);
      if (!maySend) {
        await records.takeBack(record);
      }
      return maySend;
    },
    takeBack: async (record) => {
      const isUsedUp = await records.takeBack(record);
      if (isUsedUp) {
        await bulks.markNotSent(bulk(), record.id, crypto.randomUUID());
      }
      return isUsedUp;
    },
    save: (record) => records.save(record),
    forget: async (record) => {
      await records.forget(record);
      await bulks.markNotSent(bulk(), record.id, crypto.randomUUID());
    },
  };
}
