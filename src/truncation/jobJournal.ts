/** The journal of a job that this window sends. */
import { recordId, type JobRef } from './job.ts';
import type { JobFact, PlannedFact } from './jobFacts.ts';
import type { JobStore } from './jobStore.ts';
import type { TruncationRecord } from './record.ts';

/** Without what every fact has. */
type WithoutPlace<Fact> = Fact extends unknown ? Omit<Fact, 'at' | 'item'> : never;

export class JobJournal {
  readonly ref: JobRef;
  readonly #jobs: JobStore;
  readonly #planned: PlannedFact;
  readonly #now: () => number;
  #isWritten = false;

  /** @param now Unix time in ms. */
  constructor(jobs: JobStore, connectionId: string, planned: PlannedFact, now: () => number) {
    this.#jobs = jobs;
    this.ref = { connectionId, id: crypto.randomUUID() };
    this.#planned = planned;
    this.#now = now;
  }

  /**
   * Writes that an item is sent, and the job with its first one.
   * @returns undefined if another window dismissed the item. @throws what the file system throws.
   */
  async writeSent(
    dryRun: Extract<JobFact, { kind: 'dryRun' }>,
    sent: Extract<JobFact, { kind: 'sent' }>,
  ): Promise<TruncationRecord | undefined> {
    if (!this.#isWritten) {
      await this.#jobs.create(this.ref, this.#planned, dryRun, sent);
      this.#isWritten = true;
      return this.#truncation(sent.item);
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
  async write(item: number, fact: WithoutPlace<JobFact>): Promise<void> {
    await this.#jobs.append(this.ref, { ...fact, at: this.#now(), item } as JobFact);
  }

  /**
   * Says of each item without a *sent* that it isn't sent, if another line can't be read, which would be in doubt.
   * @throws what the file system throws.
   */
  async conclude(): Promise<void> {
    if (!this.#isWritten) {
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
