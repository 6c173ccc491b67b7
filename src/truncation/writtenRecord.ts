/** The record of one execution: written before anything is sent, and kept in step with what comes back. */
import type { Connection } from '../connections/connection.ts';
import type { TruncationRecord } from './record.ts';
import type { TruncationStore } from './truncationStore.ts';

interface Parts {
  readonly records: Pick<TruncationStore, 'claim' | 'settle' | 'takeBack' | 'save' | 'forget'>;
  /** As it is stored now; undefined once it was removed. */
  readonly connection: () => Connection | undefined;
  /** Tells the user that what came of a truncation could not be stored. */
  readonly tellNotStored: () => void;
  /** Learns what other windows stored. Never throws. */
  readonly reload: () => Promise<void>;
}

export class WrittenRecord {
  readonly #parts: Parts;
  readonly #failed: (thrown: unknown) => void;
  #current: TruncationRecord | undefined;

  /** @param failed Told of what couldn't be written after something was sent: that is no failure of what was sent. */
  constructor(parts: Parts, failed: (thrown: unknown) => void, current?: TruncationRecord) {
    this.#parts = parts;
    this.#failed = failed;
    this.#current = current;
  }

  get current(): TruncationRecord | undefined {
    return this.#current;
  }

  /**
   * Writes down a truncation before it is sent, where every window sees it.
   * @returns false if another window sends it: then this one may not, and the record is that window's.
   * @throws what the storage throws: then nothing may be sent.
   */
  async claim(record: TruncationRecord): Promise<boolean> {
    const { records } = this.#parts;
    this.#current = record;
    const isMine = (await records.claim(record)) && (await records.settle(record));
    if (!isMine) {
      this.#current = undefined;
    }
    return isMine;
  }

  /** Writes down more of what was sent. */
  async update(record: TruncationRecord): Promise<void> {
    this.#current = record;
    await this.#parts.reload();
    // A connection that was removed meanwhile took its records along: none comes back.
    if (this.#parts.connection() !== undefined) {
      await this.#parts.records.save(record).catch((thrown: unknown) => {
        this.#failed(thrown);
        this.#parts.tellNotStored();
      });
    }
  }

  /** It may not be sent. Of a claim that failed, half may stand, or it may be another window's. */
  async takeBack(record: TruncationRecord): Promise<void> {
    this.#current = undefined;
    await this.#parts.records.takeBack(record).catch(this.#failed);
  }

  /** Nothing was sent, or nothing came of it. */
  async drop(record: TruncationRecord): Promise<void> {
    this.#current = undefined;
    // One that stays behind says too much, not too little.
    await this.#parts.records.forget(record).catch(this.#failed);
  }

  /** As somebody else wrote it. */
  follow(record: TruncationRecord): void {
    this.#current = record;
  }

  /** What comes next is another truncation. */
  leave(): void {
    this.#current = undefined;
  }
}
