/**
 * Truncations that were confirmed together, written down before the first is sent: after a reload, a crash or a stop it is known which
 * were sent and which were not. What became of each that was sent stands in its own record. Deleted once nothing is left to be sent.
 */
import type { DurableFolder } from '../../platform/durableFolder.ts';
import { DurableStore } from '../../platform/durableStore.ts';
import { Emitter } from '../../platform/events.ts';
import type { Disposable } from '../../platform/events.ts';
import type { Memento } from '../../platform/memento.ts';
import type { Clock } from '../../service/clock.ts';
import { ServiceFailure } from '../../service/failure/failure.ts';
import { taskTexts } from '../model/texts.ts';
import { parseBulkRecord, plansLeft, restOf } from './bulkRecord.ts';
import type { BulkRecord } from './bulkRecord.ts';

const PREFIX = 'several.';

type BulkKey = Pick<BulkRecord, 'connectionId' | 'id'>;

export class BulkStore implements Disposable {
  readonly #stored: DurableStore<BulkRecord>;
  readonly #changed = new Emitter<string>();
  /** The id of a connection. */
  readonly onDidChange = this.#changed.event;

  constructor(memento: Memento, folder: DurableFolder, clock: Pick<Clock, 'now'>) {
    this.#stored = new DurableStore({
      folder,
      memento,
      prefix: PREFIX,
      parse: parseBulkRecord,
      now: () => clock.now(),
    });
  }

  /** Reads the files anew: another window may have written some. Never throws. */
  async reload(): Promise<void> {
    await this.#stored.reload();
  }

  /** The latest first. @param baseUrl Only what was confirmed for this server; undefined: for any. */
  of(connectionId: string, baseUrl?: string): readonly BulkRecord[] {
    return [...this.#stored.all().values()]
      .filter((bulk) => bulk.connectionId === connectionId)
      .filter((bulk) => baseUrl === undefined || bulk.baseUrl === undefined || bulk.baseUrl === baseUrl)
      .toSorted((a, b) => b.confirmedAt - a.confirmedAt);
  }

  /** On disk once it is fulfilled. @throws what the file system throws. */
  async save(bulk: BulkRecord): Promise<void> {
    await this.#stored.load();
    await this.#stored.put(key(bulk), bulk);
    this.#changed.fire(bulk.connectionId);
  }

  async forget(bulk: BulkKey): Promise<void> {
    await this.#stored.load();
    await this.#stored.delete(key(bulk));
    this.#changed.fire(bulk.connectionId);
  }

  /**
   * Writes down that one of them is sent, before it is.
   * @throws what the file system throws, and a ServiceFailure where they were dismissed: then it may not be sent.
   */
  async markSent(bulk: BulkKey | undefined, recordId: string): Promise<void> {
    const current = await this.#now(bulk);
    if (current === undefined || !(await this.#mark(current, recordId, true))) {
      const { sentence, next = '' } = taskTexts.forgotten();
      throw new ServiceFailure('badRequest', sentence, { next });
    }
  }

  /** Nothing came of it. @throws what the file system throws: then it is said to have been sent. */
  async markNotSent(bulk: BulkKey | undefined, recordId: string): Promise<void> {
    const current = await this.#now(bulk);
    await (current && this.#mark(current, recordId, false));
  }

  /**
   * Writes down those that go on with what others have left, and leaves them there no more: where nothing is left, nothing stays.
   * @returns false where one of them was sent or dismissed in the meantime, as another window may do: then none may be sent.
   * @throws what the file system throws: then none may be sent either.
   */
  async goOn(from: BulkKey, to: BulkRecord): Promise<boolean> {
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
    await (plansLeft(rest).length === 0 ? this.forget(from) : this.save(rest));
    return true;
  }

  async forgetConnection(connectionId: string): Promise<void> {
    await this.#stored.load();
    await Promise.all(this.of(connectionId).map((bulk) => this.forget(bulk)));
  }

  /** As any window stored it last. */
  async #now(bulk: BulkKey | undefined): Promise<BulkRecord | undefined> {
    await this.#stored.reload();
    return bulk && this.#stored.get(key(bulk));
  }

  async #rest(from: BulkKey, to: BulkRecord): Promise<BulkRecord | undefined> {
    const current = await this.#now(from);
    return current && restOf(current, to);
  }

  /** @returns whether it is one of them. */
  async #mark(bulk: BulkRecord, recordId: string, isSent: boolean): Promise<boolean> {
    const isOne = bulk.items.some((item) => item.recordId === recordId);
    const items = bulk.items.map((item) => (item.recordId === recordId ? { ...item, isSent } : item));
    await (isOne && this.save({ ...bulk, items }));
    return isOne;
  }

  dispose(): void {
    this.#changed.dispose();
  }
}

function key({ connectionId, id }: BulkKey): string {
  return `${connectionId}.${id}`;
}
