/** One index of several that are truncated with one confirmation. What deletes is its run, the same as for an index alone. */
import { holdsState } from '../indices/timeseriesAspects.ts';
import type { TruncationPlan } from '../service/indices/truncation.ts';
import { hasManyRows } from '../truncation/texts/reviewTexts.ts';
import { GENTLE_BATCH_SIZE } from '../truncation/plan.ts';
import type { PlanDraft } from '../truncation/plan.ts';
import type { Problem } from '../truncation/problem.ts';
import type { DryRunReview, TruncationState } from '../truncation/state.ts';
import type { TruncationRun } from '../truncation/run.ts';
import type { Confirmation } from '../truncation/runEnvironment.ts';
import type { BatchRecordItem } from './batchRecord.ts';
import { hasOnlyNoRows, whyAlone, whyLeftOut } from './whyLeftOut.ts';

/**
 * Where one of several stands, once all were confirmed.
 */
export type BatchItemStatus =
  | 'waiting'
  | 'counting'
  | 'sending'
  | 'running'
  | 'finished'
  | 'failed'
  | 'unknown'
  | 'notSent';

export class BatchItem {
  readonly draft: PlanDraft;
  readonly #blocked: (plan: TruncationPlan, recordId: string) => Problem | undefined;
  #run: TruncationRun | undefined;
  #question: Confirmation | undefined;
  /** Whether `send` was called, or never will be. */
  #turn: 'before' | 'now' | 'never' = 'before';
  /** The person doesn't want it. */
  isTakenOut = false;

  /** The interrupted one that this goes on with. */
  readonly continues: BatchRecordItem | undefined;

  /** @param blocked Why nothing may be deleted from an index at the moment. */
  constructor(
    draft: PlanDraft,
    blocked: (plan: TruncationPlan, recordId: string) => Problem | undefined,
    continues?: BatchRecordItem,
  ) {
    this.draft = draft;
    this.#blocked = blocked;
    this.continues = continues;
  }

  /** Undefined before its dry run began. */
  get run(): TruncationRun | undefined {
    return this.#run;
  }

  get state(): TruncationState | undefined {
    return this.#run?.state;
  }

  get review(): DryRunReview | undefined {
    return this.state !== undefined && 'review' in this.state ? this.state.review : undefined;
  }

  /** Why it can't be deleted with the others; undefined also while its dry run has not ended. */
  get leftOut(): Problem | undefined {
    const { state } = this;
    if (state === undefined) {
      return undefined;
    }
    return whyLeftOut(state) ?? (state.phase === 'reviewed' ? this.#blockedBy(state.review) : undefined);
  }

  /** Whether nothing but the way of deleting keeps it from being deleted with the others. */
  get canBeAlone(): boolean {
    const { state } = this;
    return state?.phase === 'reviewed' && whyAlone(state) !== undefined && this.leftOut?.next === whyAlone(state)?.next;
  }

  /** Whether its cut-off may be left to the server to apply by itself: also where there are no rows to delete yet. */
  get isForRecipe(): boolean {
    const { state, review } = this;
    if (this.isTakenOut || state === undefined || review === undefined) {
      return false;
    }
    if (holdsState(review.plan) || this.#blockedBy(review) !== undefined) {
      return false;
    }
    return state.phase === 'reviewed'
      ? this.leftOut === undefined || hasOnlyNoRows(state)
      : this.status !== 'failed' && this.status !== 'unknown';
  }

  /** Whether it is among those that are deleted when all are confirmed. */
  get isInPlan(): boolean {
    return !this.isTakenOut && this.state?.phase === 'reviewed' && this.leftOut === undefined;
  }

  get status(): BatchItemStatus {
    const { state } = this;
    switch (state?.phase) {
      case 'executing':
        return state.step === 'recounting'
          ? ({ before: 'waiting', now: 'counting', never: 'notSent' } as const)[this.#turn]
          : 'sending';
      case 'running':
      case 'finished':
        return state.phase;
      case 'failed':
        return state.ending.kind === 'unknown' ? 'unknown' : 'failed';
      default:
        return 'notSent';
    }
  }

  async dryRun(run: TruncationRun): Promise<void> {
    this.#run = run;
    await run.dryRun();
    const { review } = this;
    // There is no field for it with several: such a deletion loads the search cluster for hours.
    if (
      review !== undefined &&
      hasManyRows(review.report.rows?.toDelete) &&
      review.plan.batchSize > GENTLE_BATCH_SIZE
    ) {
      run.edit({ ...run.state.draft, batchSize: String(GENTLE_BATCH_SIZE) });
      await run.dryRun();
    }
  }

  /** Checks whether it may be sent: if so, its state is `confirming` then. */
  async check(): Promise<void> {
    this.#question = await this.#run?.check();
  }

  /** Takes the answer to the question for the whole batch. @returns whether it may still be sent. */
  answer(isYes: boolean): boolean {
    const question = this.#question;
    this.#question = undefined;
    return question !== undefined && this.#run?.answer(question, isYes) === true;
  }

  /** Counts again and sends. Never rejects. */
  async send(): Promise<void> {
    this.#turn = 'now';
    await this.#run?.send();
  }

  /** Its turn will not come. */
  skip(): void {
    if (this.#turn === 'before') {
      this.#turn = 'never';
    }
  }

  dispose(): void {
    this.#run?.dispose();
  }

  #blockedBy({ plan }: DryRunReview): Problem | undefined {
    return this.#blocked(plan, this.#run?.recordId ?? '');
  }
}
