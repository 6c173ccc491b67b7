/** Exports of the overview's job: recipe, scheduled job, receipt. */
import type { Connection } from '../../../connections/connection.ts';
import type { IndexWithCutoff } from '../../../recipe/serverRecipe.ts';
import { toServiceFailure } from '../../../service/failure/failure.ts';
import type { JobRun } from '../../../truncation/jobRun.ts';
import { jobReceipt, jobReceiptFileName } from '../../../truncation/receipt.ts';
import type { ReviewedIndex } from '../../../truncation/state.ts';
import type { Clipboard } from '../../../ui/clipboard.ts';
import type { Notices } from '../../../ui/notices.ts';
import { offerAutomation } from '../../kit/host/automate.ts';
import { offerReceipt } from '../../kit/host/receipt.ts';

export interface JobExportParts {
  readonly copyRecipe: (cutoffs: readonly IndexWithCutoff[], connection: Connection) => Promise<void>;
  readonly copyScheduledJob: (connection: Connection, indices: readonly ReviewedIndex[]) => Promise<void>;
  readonly clipboard: Clipboard;
  readonly notices: Notices;
}

export class JobExports {
  readonly #job: JobRun;
  readonly #connection: () => Connection | undefined;
  readonly #parts: JobExportParts;

  constructor(job: JobRun, connection: () => Connection | undefined, parts: JobExportParts) {
    this.#job = job;
    this.#connection = connection;
    this.#parts = parts;
  }

  /** Of the items as they are now: the page may show others before the user has chosen. */
  offerAutomation(): Promise<void> {
    const cutoffs = this.#job.items
      .filter(({ isForRecipe }) => isForRecipe)
      .flatMap(({ review, current: { firstReviewAt: chosenAt } }) =>
        review === undefined || chosenAt === undefined ? [] : [{ ...review.plan, chosenAt }],
      );
    const scheduled = this.#job.items.map(({ record, forSchedule }) => ({ sentTo: record?.baseUrl, forSchedule }));
    return offerAutomation({
      copyRecipe: () => this.#copyRecipe(cutoffs),
      copyJob: () =>
        this.#withConnection((connection) => {
          // The connection may have another address since, where these rows are not.
          const there = scheduled.filter(({ sentTo = connection.baseUrl }) => sentTo === connection.baseUrl);
          return this.#parts.copyScheduledJob(
            connection,
            there.flatMap(({ forSchedule }) => forSchedule ?? []),
          );
        }),
    });
  }

  /** Facts about the truncations that were sent, in their order. */
  offerReceipt(): Promise<void> {
    const items = this.#job.plannedItems;
    const text = jobReceipt(items, this.#connection()?.name ?? '', Date.now());
    return offerReceipt(jobReceiptFileName(Date.now()), text, this.#parts);
  }

  /** Copies the cutoffs as a recipe for the server's own cleanup. */
  async #copyRecipe(cutoffs: readonly IndexWithCutoff[]): Promise<void> {
    if (cutoffs.length > 0) {
      await this.#withConnection((connection) => this.#parts.copyRecipe(cutoffs, connection));
    }
  }

  async #withConnection(copy: (connection: Connection) => Promise<void>): Promise<void> {
    const connection = this.#connection();
    if (connection !== undefined) {
      await copy(connection).catch((thrown: unknown) =>
        this.#parts.notices.failure(toServiceFailure(thrown), connection),
      );
    }
  }
}
