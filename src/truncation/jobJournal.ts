/** The journal of a job that this window sends. */
import { recordId, type JobItem, type JobRef } from './job.ts';
import type { ItemFact, JobFact, PlannedFact } from './jobFacts.ts';
import type { JobStore } from './jobStore.ts';
import { SESSION_ID, type TruncationRecord } from './record.ts';

/** Without what every fact of an item has. */
type WithoutPlace<Fact> = Fact extends unknown ? Omit<Fact, 'at' | 'item'> : never;

export class JobJournal {
  readonly ref: JobRef;
  readonly #jobs: JobStore;
  readonly #planned: PlannedFact;
  readonly #now: () => number;
  #isMine = false;

  /** @param now Unix time in ms. */
  constructor(jobs: JobStore, ref: JobRef, planned: PlannedFact, now: () => number) {
    this.#jobs = jobs;
    this.ref = ref;
    this.#planned = planned;
    this.#now = now;
  }

  /** True once this window has written it. Only that window sends its items. */
  get isMine(): boolean {
    return this.#isMine;
  }

  /**
   * Writes the overview's job.
   * @param others Items of the job that this one continues, which the user left out: they stay to be continued.
   * @returns true. @throws what the file system throws.
   */
  async create(others: readonly JobItem[] = []): Promise<boolean> {
    const left = others.map(({ plan, confirmedAt }) => ({ plan, confirmedAt }));
    const planned = { ...this.#planned, items: [...this.#planned.items, ...left] };
    await this.#jobs.create(this.ref, planned).catch(async (thrown: unknown) => {
      // It may be there all the same. No other window has its ID.
      await this.#jobs.readAgain();
      if (this.#jobs.job(this.ref) === undefined) {
        throw thrown;
      }
    });
    return (this.#isMine = true);
  }

  /**
   * Writes that an item is sent. The wizard's job is written with it.
   * @returns undefined if another window wrote a job of this ID, or dismissed the item. @throws what the file system
   * throws.
   */
  async writeSent(
    dryRun: Extract<JobFact, { kind: 'dryRun' }>,
    sent: Extract<JobFact, { kind: 'sent' }>,
  ): Promise<TruncationRecord | undefined> {
    if (!this.#isMine) {
      this.#isMine = await this.#jobs.create(this.ref, this.#planned, dryRun, sent);
      return this.#isMine ? this.#truncation(sent.item) : undefined;
    }
    await this.#jobs.append(this.ref, dryRun);
    await this.#jobs.append(this.ref, sent);
    if (this.#truncation(sent.item) === undefined) {
      // The last reading may have failed.
      await this.#jobs.readAgain();
    }
    return this.#truncation(sent.item);
  }

  /** @throws what the file system throws. */
  async write(item: number, fact: WithoutPlace<ItemFact>): Promise<void> {
    await this.#jobs.append(this.ref, { ...fact, at: this.#now(), item } as ItemFact);
  }

  /** Takes back what may be written of an item that isn't sent. @throws what the file system throws. */
  async withdraw(item: number): Promise<void> {
    await this.#jobs.readAgain();
    // Writing it may have failed after the file was there.
    const isMine = this.#isMine || this.#truncation(item)?.sessionId === SESSION_ID;
    if (isMine) {
      await this.write(item, { kind: 'notSent' });
    }
  }

  /**
   * Says of each item without a *sent* that it isn't sent, if another line can't be read, which would be in doubt.
   * @throws what the file system throws.
   */
  async conclude(): Promise<void> {
    if (!this.#isMine) {
      return;
    }
    await this.#jobs.readAgain();
    const job = this.#jobs.job(this.ref);
    for (const [item, { status }] of job?.hasUnreadableLine === true ? job.items.entries() : []) {
      if (status === 'planned') {
        await this.write(item, { kind: 'notSent' });
      }
    }
  }

  #truncation(item: number): TruncationRecord | undefined {
    return this.#jobs.get(this.ref.connectionId, recordId(this.ref.id, item));
  }
}
