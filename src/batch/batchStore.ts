/**
 * Stores batches before their first item is sent, so that after a reload, a crash or a stop it is known which
 * items were sent. The outcome of an item is in its own record. A batch is deleted once everything was sent.
 */
import * as v from 'valibot';
import { Emitter, type Disposable } from '../platform/events.ts';
import { FileStore } from '../platform/fileStore.ts';
import type { Folder } from '../platform/folder.ts';
import type { TruncationStore } from '../truncation/truncationStore.ts';
import type { TruncationPlan } from '../service/indices/truncation.ts';
import type { RowCounts } from '../truncation/dryRun.ts';
import { planSchema, type TruncationRecord } from '../truncation/record.ts';

const UUID = v.pipe(v.string(), v.uuid());
const BATCH = v.object({
  id: UUID,
  connectionId: v.string(),
  /** Of the server at that time; the connection may have changed. */
  baseUrl: v.string(),
  /** When the user confirmed the batch: Unix time in ms. */
  confirmedAt: v.number(),
  /** In the order of sending. */
  items: v.array(
    v.object({
      /** ID of the truncation's own record. */
      recordId: UUID,
      plan: planSchema(),
      /** Rows that were shown in the question. */
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

type RecordsOf = (index: TruncationPlan) => readonly TruncationRecord[];

type BatchKey = Pick<BatchRecord, 'connectionId' | 'id'>;

export class BatchStore implements Disposable {
  readonly #files: FileStore<BatchRecord>;
  readonly #records: Pick<TruncationStore, 'get'>;
  readonly #changed = new Emitter<string>();
  /** ID of the connection whose batches changed. */
  readonly onDidChange = this.#changed.event;

  /** @param records An item with a record counts as sent, even if its window crashed before marking it. */
  constructor(folder: Folder, records: Pick<TruncationStore, 'get'>) {
    this.#files = new FileStore(folder, parseBatchRecord);
    this.#records = records;
  }

  /** Reads the files again: another window may have written some. Never throws. */
  async reload(): Promise<void> {
    await this.#files.reload().catch(() => undefined);
  }

  /** The latest first. @param baseUrl Only batches that were confirmed for this server. Undefined: for any. */
  of(connectionId: string, baseUrl?: string): readonly BatchRecord[] {
    return [...this.#files.all().values()]
      .map((batch) => this.#withSent(batch))
      .filter((batch) => batch.connectionId === connectionId)
      .filter((batch) => baseUrl === undefined || batch.baseUrl === baseUrl)
      .toSorted((a, b) => b.confirmedAt - a.confirmedAt);
  }

  /** Stores a confirmed batch. It is on disk once fulfilled. @throws what the file system throws. */
  async add(batch: BatchRecord): Promise<void> {
    await this.#files.create(batchStorageKey(batch), batch);
    this.#changed.fire(batch.connectionId);
  }

  /** Forgets a batch, so that no window sends its next item. @returns false if another window did. */
  async forget(batch: BatchKey): Promise<boolean> {
    const isMine = await this.#files.remove(batchStorageKey(batch));
    this.#changed.fire(batch.connectionId);
    return isMine;
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
   * Moves items of an interrupted batch into the one that continues it.
   * @returns false if another window sent, continued or dismissed an item meanwhile: then nothing may be sent.
   * @throws what the file system throws: then nothing may be sent either.
   */
  async moveItems(from: BatchKey, to: BatchRecord): Promise<boolean> {
    const current = await this.#latest(from);
    const rest = current && withoutContinuedItems(current, to);
    if (rest === undefined) {
      return false;
    }
    // Written before the interrupted one is removed, so that a crash in between loses no item.
    const added = [to, ...(plansLeft(rest).length === 0 ? [] : [{ ...rest, id: crypto.randomUUID() }])];
    await Promise.all(added.map((batch) => this.add(batch)));
    // Of several windows, one removes it.
    const isMine = await this.forget(from);
    if (!isMine) {
      await Promise.all(added.map((batch) => this.forget(batch)));
    }
    return isMine;
  }

  /**
   * Takes out the items that another truncation has made unnecessary, since its record may be forgotten later.
   * @param recordsOf The stored truncations of an index. @throws what the file system throws.
   */
  async dropUnneeded(connectionId: string, recordsOf: RecordsOf): Promise<void> {
    for (const batch of this.of(connectionId)) {
      const needed = itemsToContinue(batch, recordsOf);
      const dropped = new Set(itemsLeft(batch).flatMap((item) => (needed.includes(item) ? [] : [item.recordId])));
      if (dropped.size > 0) {
        await this.#dropItems(batch, dropped);
      }
    }
  }

  async forgetConnection(connectionId: string): Promise<void> {
    await this.#files.reload();
    const ids = [...this.#files.all().keys(), ...this.#files.unreadable().keys()];
    const mine = ids.filter((id) => id.startsWith(batchStorageKey({ connectionId, id: '' })));
    await Promise.all(mine.map((id) => this.#files.remove(id)));
  }

  /** The batch as any window stored it last. */
  async #latest(batch: BatchKey): Promise<BatchRecord | undefined> {
    await this.#files.reload();
    const current = this.#files.get(batchStorageKey(batch));
    return current && this.#withSent(current);
  }

  #withSent(batch: BatchRecord): BatchRecord {
    const { connectionId, items } = batch;
    const withSent = (item: BatchRecordItem): BatchRecordItem =>
      this.#records.get(connectionId, item.recordId) === undefined ? item : { ...item, isSent: true };
    return { ...batch, items: items.map(withSent) };
  }

  /** @returns false if the batch is gone: another window dismissed it. @throws what the file system throws. */
  async #mark(
    batch: BatchKey,
    recordId: string,
    change: { readonly isSent: boolean; readonly recordId?: string },
  ): Promise<boolean> {
    const changed = await this.#files.change(batchStorageKey(batch), (stored) =>
      stored !== undefined && hasItem(stored, recordId)
        ? { ...stored, items: stored.items.map((item) => (item.recordId === recordId ? { ...item, ...change } : item)) }
        : undefined,
    );
    this.#changed.fire(batch.connectionId);
    return changed !== undefined;
  }

  async #dropItems(batch: BatchKey, dropped: ReadonlySet<string>): Promise<void> {
    const changed = await this.#files.change(batchStorageKey(batch), (stored) =>
      stored === undefined
        ? undefined
        : { ...stored, items: stored.items.filter(({ recordId }) => !dropped.has(recordId)) },
    );
    if (changed?.items.length === 0) {
      await this.#files.remove(batchStorageKey(batch));
    }
    this.#changed.fire(batch.connectionId);
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
