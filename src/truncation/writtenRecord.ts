/** The record of one execution: written before anything is sent, and kept in step with what comes back. */
import type { Connection } from '../connections/connection.ts';
import type { TruncationRecord } from './model/record.ts';
import type { TruncationStore } from './truncationStore.ts';

interface Parts {
  readonly records: Pick<TruncationStore, 'save' | 'forget'>;
  /** As it is stored now; undefined once it was removed. */
  readonly connection: () => Connection | undefined;
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

  /** @throws what the storage throws: then nothing may be sent. */
  async write(record: TruncationRecord): Promise<void> {
    this.#current = record;
    await this.#parts.records.save(record);
  }

  /** Writes down more of what was sent. */
  async update(record: TruncationRecord): Promise<void> {
    this.#current = record;
    await this.#parts.reload();
    // A connection that was removed meanwhile took its records along: none comes back.
    if (this.#parts.connection() !== undefined) {
      await this.#parts.records.save(record).catch(this.#failed);
    }
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
