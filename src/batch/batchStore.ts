/**
 * Truncations that were confirmed together, written down before the first is sent: after a reload, a crash or a stop it is known which
 * were sent and which were not. What became of each that was sent stands in its own record. Deleted once nothing is left to be sent.
 */
import type { DurableFolder } from '../platform/durableFolder.ts';
import { DurableStore } from '../platform/durableStore.ts';
import { Emitter } from '../platform/events.ts';
import type { Disposable } from '../platform/events.ts';
import type { Memento } from '../platform/memento.ts';
import type { Clock } from '../service/clock.ts';
import { MILLIS_PER_DAY } from '../time.ts';
import type { RunRecords } from '../truncation/runEnvironment.ts';
import type { TruncationStore } from '../truncation/truncationStore.ts';
import { itemsLeft, parseBatchRecord, plansLeft, restOf } from './batchRecord.ts';
import type { BatchRecord, BatchRecordItem } from './batchRecord.ts';

const PREFIX = 'several.';
/** Two windows may have continued the same ones: the rest of those that failed has nothing left once the other ones end. */
const SENT_REMEMBERED_MILLIS = 30 * MILLIS_PER_DAY;

type BatchKey = Pick<BatchRecord, 'connectionId' | 'id'>;

export class BatchStore implements Disposable {
  readonly #stored: DurableStore<BatchRecord>;
  readonly #records: Pick<TruncationStore, 'get'>;
  readonly #changed = new Emitter<string>();
  /** The id of a connection. */
  readonly onDidChange = this.#changed.event;

  /** @param records Of the truncations themselves: an item with a record was sent, whatever a window that failed has marked. */
  constructor(memento: Memento, folder: DurableFolder, clock: Clock, records: Pick<TruncationStore, 'get'>) {
    this.#records = records;
    this.#stored = new DurableStore({
      folder,
      memento,
      prefix: PREFIX,
      parse: parseBatchRecord,
      clock,
      deletionIsFinal: true,
      isStale: (batch, now) =>
        now - batch.confirmedAt > SENT_REMEMBERED_MILLIS && plansLeft(this.#withSent(batch)).length === 0,
    });
  }

  /** Reads the files anew: another window may have written some. Never throws. */
  async reload(): Promise<void> {
    await this.#stored.reload();
  }

  /** The latest first. @param baseUrl Only what was confirmed for this server; undefined: for any. */
  of(connectionId: string, baseUrl?: string): readonly BatchRecord[] {
    return [...this.#stored.all().values()]
      .map((batch) => this.#withSent(batch))
      .filter((batch) => batch.connectionId === connectionId && batch.items.length > 0)
      .filter((batch) => baseUrl === undefined || batch.baseUrl === undefined || batch.baseUrl === baseUrl)
      .toSorted((a, b) => b.confirmedAt - a.confirmedAt);
  }

  /** On disk once it is fulfilled. @throws what the file system throws. */
  async save(batch: BatchRecord): Promise<void> {
    await this.#stored.load();
    await this.#stored.put(key(batch), batch);
    this.#changed.fire(batch.connectionId);
  }

  async forget(batch: BatchKey): Promise<void> {
    await this.#stored.load();
    await this.#stored.delete(key(batch));
    this.#changed.fire(batch.connectionId);
  }

  /**
   * Records of the batch's runs: each item is marked in the batch before its own record allows sending.
   * @param batch The batch that is being sent; undefined before it was confirmed.
   */
  recordsOf(records: TruncationStore, batch: () => BatchKey | undefined): RunRecords {
    // No record can be written again under the ID of one that was dropped.
    const markNotSent = (recordId: string): Promise<unknown> =>
      this.#mark(batch(), recordId, { isSent: false, recordId: crypto.randomUUID() });
    return {
      get: (connectionId, id) => records.get(connectionId, id),
      blocking: (server, plan, except) => records.blocking(server, plan, except),
      claim: async (record) => {
        // Another window may have dismissed or continued the item.
        const current = await this.#now(batch());
        if (current === undefined || !hasItem(current, record.id)) {
          return false;
        }
        const isMine = await records.claim(record);
        if (!isMine && (await records.isForgotten(record))) {
          // Another window claimed it and sent nothing. A record that merely can't be read may have been sent.
          await markNotSent(record.id);
        }
        return isMine;
      },
      // An item with a record counts as sent. The mark outlives that record, and shows whether the batch was dismissed meanwhile.
      settle: async (record) => {
        if (!(await records.settle(record))) {
          return false;
        }
        const maySend = await this.#mark(batch(), record.id, { isSent: true });
        if (!maySend) {
          await records.takeBack(record);
        }
        return maySend;
      },
      takeBack: async (record) => {
        const isUsedUp = await records.takeBack(record);
        if (isUsedUp) {
          await markNotSent(record.id);
        }
        return isUsedUp;
      },
      save: (record) => records.save(record),
      forget: async (record) => {
        await records.forget(record);
        await markNotSent(record.id);
      },
    };
  }

  /**
   * Moves what an interrupted batch has left into the one that continues it, and waits until other machines know.
   * @returns false if another window sent, continued or dismissed one of them meanwhile: then none may be sent.
   * @throws what the file system throws, and ServiceFailure `storage`: then none may be sent either.
   */
  async goOn(from: BatchKey, to: BatchRecord): Promise<boolean> {
    if ((await this.#rest(from, to)) === undefined) {
      return false;
    }
    // Saved first: a crash in between leaves them twice, not lost.
    await this.save(to);
    const rest = await this.#rest(from, to);
    if (rest === undefined) {
      await this.forget(to);
      return false;
    }
    // Emptied, not deleted: a deletion means that the user dismissed it.
    await this.save(plansLeft(rest).length === 0 ? { ...rest, items: [] } : rest);
    const [isMine] = await Promise.all([this.#stored.settle(key(to)), this.#stored.settle(key(from))]);
    if (this.#stored.get(key(from)) === undefined) {
      // Dismissed meanwhile.
      await this.forget(to);
    }
    // Where another window has dismissed or continued these by now, it has the items.
    return isMine && this.#stored.get(key(to)) !== undefined && !this.#hasRival(to);
  }

  /**
   * Whether another window continues one of the items too: the batch with the smaller ID goes on. The other one keeps its items,
   * which count as sent once their records are there. A batch that was continued to this one, and still has its items because a
   * window crashed meanwhile, is no rival.
   */
  #hasRival(to: BatchRecord): boolean {
    const mine = new Set(to.items.map(({ recordId }) => recordId));
    const continued = this.#continuedTo(to);
    return this.of(to.connectionId).some(
      (batch) =>
        batch.id < to.id && !continued.has(batch.id) && itemsLeft(batch).some(({ recordId }) => mine.has(recordId)),
    );
  }

  /** IDs of the batch that this one continues, of the one which that continued, and so on. */
  #continuedTo({ connectionId, continues }: BatchRecord): ReadonlySet<string> {
    const ids = new Set<string>();
    for (let id = continues; id !== undefined && !ids.has(id);) {
      ids.add(id);
      id = this.#stored.get(key({ connectionId, id }))?.continues;
    }
    return ids;
  }

  /** Forgets them on every machine: a window there that is about to send the next one does not. */
  async dismiss(batch: BatchKey): Promise<void> {
    await this.#stored.reload();
    // Each is remembered for a while: what never was is none.
    if (this.#stored.get(key(batch)) === undefined && !this.#stored.isDeleted(key(batch))) {
      return;
    }
    await this.forget(batch);
    await this.#stored.settle(key(batch));
  }

  async forgetConnection(connectionId: string): Promise<void> {
    await this.#stored.load();
    await Promise.all(this.of(connectionId).map((batch) => this.forget(batch)));
  }

  /** As any window stored it last. */
  async #now(batch: BatchKey | undefined): Promise<BatchRecord | undefined> {
    await this.#stored.reload();
    const current = batch && this.#stored.get(key(batch));
    return current && this.#withSent(current);
  }

  #withSent(batch: BatchRecord): BatchRecord {
    const { connectionId, items } = batch;
    const withSent = (item: BatchRecordItem): BatchRecordItem =>
      this.#records.get(connectionId, item.recordId) === undefined ? item : { ...item, isSent: true };
    return { ...batch, items: items.map(withSent) };
  }

  async #rest(from: BatchKey, to: BatchRecord): Promise<BatchRecord | undefined> {
    const current = await this.#now(from);
    return current && restOf(current, to);
  }

  /** @returns false if the batch is gone: another window dismissed it. @throws what the file system throws. */
  async #mark(
    batch: BatchKey | undefined,
    recordId: string,
    change: { readonly isSent: boolean; readonly recordId?: string },
  ): Promise<boolean> {
    const current = await this.#now(batch);
    if (current !== undefined && hasItem(current, recordId)) {
      const items = current.items.map((item) => (item.recordId === recordId ? { ...item, ...change } : item));
      await this.save({ ...current, items });
    }
    return current !== undefined;
  }

  dispose(): void {
    this.#changed.dispose();
  }
}

function key({ connectionId, id }: BatchKey): string {
  return `${connectionId}.${id}`;
}

function hasItem({ items }: BatchRecord, recordId: string): boolean {
  return items.some((item) => item.recordId === recordId);
}
