/**
 * Stores batches before their first item is sent, so that after a reload, a crash or a stop it is known which
 * items were sent. The outcome of an item is in its own record. A batch is deleted once everything was sent.
 */
import * as v from 'valibot';
import type { DurableFolder } from '../platform/durableFolder.ts';
import { DurableStore } from '../platform/durableStore.ts';
import { Emitter, type Disposable } from '../platform/events.ts';
import type { Memento } from '../platform/memento.ts';
import { type Clock, MILLIS_PER_DAY } from '../time.ts';
import type { TruncationStore } from '../truncation/truncationStore.ts';
import type { TruncationPlan } from '../service/indices/truncation.ts';
import type { RowCounts } from '../truncation/dryRun.ts';
import { planSchema, type TruncationRecord } from '../truncation/record.ts';

const UUID = v.pipe(v.string(), v.uuid());
const BATCH = v.object({
  id: UUID,
  connectionId: v.string(),
  /** Of the server at that time; the connection may have changed. Undefined in records of earlier versions. */
  baseUrl: v.optional(v.string()),
  /** ID of the interrupted batch that this one continues. Undefined also in records of earlier versions. */
  continues: v.optional(UUID),
  /** When the user confirmed the batch: Unix time in ms. */
  confirmedAt: v.number(),
  /** In the order of sending. */
  items: v.array(
    v.object({
      /** ID of the truncation's own record. */
      recordId: UUID,
      plan: planSchema(),
      /** Rows that were shown in the question. Undefined in records of earlier versions. */
      confirmedRows: v.optional(v.object({ toDelete: v.number(), total: v.number() })),
      /** True if it was or may have been sent. Set before sending, reset if nothing was started. */
      isSent: v.boolean(),
    }),
  ),
});

export interface BatchRecordItem {
  readonly recordId: string;
  readonly plan: TruncationPlan;
  readonly confirmedRows?: RowCounts | undefined;
  readonly isSent: boolean;
}

export type BatchRecord = Omit<v.InferOutput<typeof BATCH>, 'items'> & { readonly items: readonly BatchRecordItem[] };

/** Must stay: earlier versions stored batches under it. */
const PREFIX = 'several.';
/** Two windows may have continued the same batch: the copy that lost has nothing left once the other one ends. */
const SENT_REMEMBERED_MILLIS = 30 * MILLIS_PER_DAY;

type RecordsOf = (index: TruncationPlan) => readonly TruncationRecord[];

type BatchKey = Pick<BatchRecord, 'connectionId' | 'id'>;

export class BatchStore implements Disposable {
  readonly #stored: DurableStore<BatchRecord>;
  readonly #records: Pick<TruncationStore, 'get'>;
  readonly #changed = new Emitter<string>();
  /** ID of the connection whose batches changed. */
  readonly onDidChange = this.#changed.event;

  /** @param records An item with a record counts as sent, even if its window crashed before marking it. */
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

  /** Reads the files again: another window may have written some. Never throws. */
  async reload(): Promise<void> {
    await this.#stored.reload();
  }

  /** The latest first. @param baseUrl Only batches that were confirmed for this server. Undefined: for any. */
  of(connectionId: string, baseUrl?: string): readonly BatchRecord[] {
    return [...this.#stored.all().values()]
      .map((batch) => this.#withSent(batch))
      .filter((batch) => batch.connectionId === connectionId && batch.items.length > 0)
      .filter((batch) => baseUrl === undefined || batch.baseUrl === undefined || batch.baseUrl === baseUrl)
      .toSorted((a, b) => b.confirmedAt - a.confirmedAt);
  }

  /** Resolves once the batch is on disk. @throws what the file system throws. */
  async save(batch: BatchRecord): Promise<void> {
    await this.#stored.load();
    await this.#stored.put(batchStorageKey(batch), batch);
    this.#changed.fire(batch.connectionId);
  }

  async forget(batch: BatchKey): Promise<void> {
    await this.#stored.load();
    await this.#stored.delete(batchStorageKey(batch));
    this.#changed.fire(batch.connectionId);
  }

  /** True if the item is in the batch as stored now: no other window has dismissed or continued it. */
  async holdsItem(batch: BatchKey, recordId: string): Promise<boolean> {
    const current = await this.#latest(batch);
    return current !== undefined && hasItem(current, recordId);
  }

  /**
   * Marks an item once its own record is written and before it is sent. The mark outlives the record.
   * @returns false if another window dismissed the batch meanwhile. @throws what the file system throws.
   */
  markSent(batch: BatchKey, recordId: string): Promise<boolean> {
    return this.#mark(batch, recordId, { isSent: true });
  }

  /** Returns an item to the batch. No record can be written again under the ID of one that was dropped. */
  async markNotSent(batch: BatchKey, recordId: string): Promise<void> {
    await this.#mark(batch, recordId, { isSent: false, recordId: crypto.randomUUID() });
  }

  /**
   * Moves items of an interrupted batch into the one that continues it, and waits until other machines know.
   * @returns false if another window sent, continued or dismissed an item meanwhile: then nothing may be sent.
   * @throws what the file system throws, and ServiceFailure `storage`: then nothing may be sent either.
   */
  async moveItems(from: BatchKey, to: BatchRecord): Promise<boolean> {
    if ((await this.#rest(from, to)) === undefined) {
      return false;
    }
    // Saved first: after a crash in between, the items are stored twice, not lost.
    await this.save(to);
    const rest = await this.#rest(from, to);
    if (rest === undefined) {
      await this.forget(to);
      return false;
    }
    // Emptied, not deleted: deletion means that the user dismissed it.
    await this.save(plansLeft(rest).length === 0 ? { ...rest, items: [] } : rest);
    const [isMine] = await Promise.all([
      this.#stored.settle(batchStorageKey(to)),
      this.#stored.settle(batchStorageKey(from)),
    ]);
    if (this.#stored.get(batchStorageKey(from)) === undefined) {
      // Dismissed meanwhile.
      await this.forget(to);
    }
    // If another window has dismissed or continued this batch by now, the items are that window's.
    return isMine && this.#stored.get(batchStorageKey(to)) !== undefined && !this.#hasRival(to);
  }

  /**
   * True if another window continues one of the items too: the batch with the smaller ID wins. The other one
   * keeps its items, which count as sent once they have records. A batch that this one continues is no rival,
   * even if a crash left the items in it.
   */
  #hasRival(to: BatchRecord): boolean {
    const mine = new Set(to.items.map(({ recordId }) => recordId));
    const continued = this.#continuedTo(to);
    return this.of(to.connectionId).some(
      (batch) =>
        batch.id < to.id && !continued.has(batch.id) && itemsLeft(batch).some(({ recordId }) => mine.has(recordId)),
    );
  }

  /** IDs of the batch that this one continues, of the one that it continued, and so on. */
  #continuedTo({ connectionId, continues }: BatchRecord): ReadonlySet<string> {
    const ids = new Set<string>();
    for (let id = continues; id !== undefined && !ids.has(id);) {
      ids.add(id);
      id = this.#stored.get(batchStorageKey({ connectionId, id }))?.continues;
    }
    return ids;
  }

  /**
   * Takes out the items that another truncation has made unnecessary, since its record may be forgotten later.
   * @param recordsOf The stored truncations of an index. @throws what the file system throws.
   */
  async dropUnneeded(connectionId: string, recordsOf: RecordsOf): Promise<void> {
    for (const batch of this.of(connectionId)) {
      const needed = itemsToContinue(batch, recordsOf);
      const dropped = new Set(itemsLeft(batch).flatMap((item) => (needed.includes(item) ? [] : [item.recordId])));
      const current = dropped.size === 0 ? undefined : await this.#latest(batch);
      if (current !== undefined) {
        await this.save({ ...current, items: current.items.filter(({ recordId }) => !dropped.has(recordId)) });
      }
    }
  }

  /** Forgets a batch on every machine, so that no window sends its next item. */
  async dismiss(batch: BatchKey): Promise<void> {
    await this.#stored.reload();
    // Deletions are remembered for a while. A batch that never existed needs none.
    if (this.#stored.get(batchStorageKey(batch)) === undefined && !this.#stored.isDeleted(batchStorageKey(batch))) {
      return;
    }
    await this.forget(batch);
    await this.#stored.settle(batchStorageKey(batch));
  }

  async forgetConnection(connectionId: string): Promise<void> {
    await this.#stored.load();
    await Promise.all(this.of(connectionId).map((batch) => this.forget(batch)));
  }

  /** The batch as any window stored it last. */
  async #latest(batch: BatchKey): Promise<BatchRecord | undefined> {
    await this.#stored.reload();
    const current = this.#stored.get(batchStorageKey(batch));
    return current && this.#withSent(current);
  }

  #withSent(batch: BatchRecord): BatchRecord {
    const { connectionId, items } = batch;
    const withSent = (item: BatchRecordItem): BatchRecordItem =>
      this.#records.get(connectionId, item.recordId) === undefined ? item : { ...item, isSent: true };
    return { ...batch, items: items.map(withSent) };
  }

  async #rest(from: BatchKey, to: BatchRecord): Promise<BatchRecord | undefined> {
    const current = await this.#latest(from);
    return current && withoutContinuedItems(current, to);
  }

  /** @returns false if the batch is gone: another window dismissed it. @throws what the file system throws. */
  async #mark(
    batch: BatchKey,
    recordId: string,
    change: { readonly isSent: boolean; readonly recordId?: string },
  ): Promise<boolean> {
    const current = await this.#latest(batch);
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

function batchStorageKey({ connectionId, id }: BatchKey): string {
  return `${connectionId}.${id}`;
}

function hasItem({ items }: BatchRecord, recordId: string): boolean {
  return items.some((item) => item.recordId === recordId);
}

/** Undefined if the stored value is damaged. */
export function parseBatchRecord(stored: unknown): BatchRecord | undefined {
  const parsed = v.safeParse(BATCH, stored);
  if (!parsed.success) {
    return undefined;
  }
  const items = parsed.output.items.map(({ plan, ...item }) => ({
    ...item,
    plan: { ...plan, timeoutSeconds: plan.timeoutSeconds },
  }));
  return { ...parsed.output, items };
}

/** Items that were not sent, in their order. */
export function itemsLeft({ items }: BatchRecord): readonly BatchRecordItem[] {
  return items.filter(({ isSent }) => !isSent);
}

/**
 * Items that were not sent, without those whose rows another truncation has deleted since the user confirmed them.
 * @param recordsOf The stored truncations of an index.
 */
export function itemsToContinue(batch: BatchRecord, recordsOf: RecordsOf): readonly BatchRecordItem[] {
  const isDone = ({ plan }: BatchRecordItem): boolean =>
    recordsOf(plan).some(
      (record) =>
        record.ending?.kind === 'finished' &&
        record.sentAt >= batch.confirmedAt &&
        record.plan.endTimeMillis >= plan.endTimeMillis,
    );
  return itemsLeft(batch).filter((item) => !isDone(item));
}

/** Plans of the items that were not sent, in their order. */
export function plansLeft(record: BatchRecord): readonly TruncationPlan[] {
  return itemsLeft(record).map(({ plan }) => plan);
}

/** Removes continued items from an interrupted batch. Undefined if another window sent or took one of them. */
function withoutContinuedItems(from: BatchRecord, continued: BatchRecord): BatchRecord | undefined {
  const taken = new Set(continued.items.map(({ recordId }) => recordId));
  const left = new Set(itemsLeft(from).map(({ recordId }) => recordId));
  return [...taken].every((recordId) => left.has(recordId))
    ? { ...from, items: from.items.filter(({ recordId }) => !taken.has(recordId)) }
    : undefined;
}
