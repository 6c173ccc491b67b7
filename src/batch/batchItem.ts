/** One index of a batch. Its rows are deleted by a run, the same as for a single index. */
import * as l10n from '@vscode/l10n';
import { holdsPipelineState, mayHoldPipelineState } from '../indices/timeseriesAspects.ts';
import type { TruncationPlan } from '../service/indices/truncation.ts';
import type { Caution } from '../truncation/cautions.ts';
import { GENTLE_BATCH_SIZE, type PlanDraft } from '../truncation/plan.ts';
import type { Problem } from '../truncation/outcome.ts';
import { deletedRows } from '../truncation/record.ts';
import type { TruncationRun } from '../truncation/run.ts';
import type { Confirmation } from '../truncation/runEnvironment.ts';
import {
  type DryRunReview,
  type OutdatedDryRun,
  type ReviewedIndex,
  type TruncationState,
  canExecute,
} from '../truncation/state.ts';
import { holdsStateText } from '../truncation/texts/consequenceTexts.ts';
import { hasManyRows, noticeText } from '../truncation/texts/reviewTexts.ts';
import { taskTexts } from '../truncation/texts/taskTexts.ts';
import type { BatchRecordItem } from './batchStore.ts';

/** Progress of an item once its batch was confirmed. */
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
  readonly #findBlockingProblem: (review: DryRunReview, recordId: string) => Problem | undefined;
  #run: TruncationRun | undefined;
  #question: Confirmation | undefined;
  /** Its turn to be sent: still to come, reached, or never reached. */
  #turn: 'before' | 'now' | 'never' = 'before';
  #firstReviewAt: number | undefined;
  /** The user deselected it. */
  isSelected = true;

  /** The item of an interrupted batch that this one continues. */
  readonly continues: BatchRecordItem | undefined;

  /** @param findBlockingProblem Why nothing may be deleted from an index now. */
  constructor(
    draft: PlanDraft,
    findBlockingProblem: (review: DryRunReview, recordId: string) => Problem | undefined,
    continues?: BatchRecordItem,
  ) {
    this.draft = draft;
    this.#findBlockingProblem = findBlockingProblem;
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

  /** When its cutoff was so many days ago: it is counted again hours later, when its turn comes. Unix time in ms. */
  get firstReviewAt(): number | undefined {
    return this.#firstReviewAt;
  }

  /** The dry run under review, or the one that a change of the connection has outdated. */
  get dryRunResult(): Omit<OutdatedDryRun, 'reason'> | undefined {
    const { state } = this;
    return this.review ?? (state !== undefined && 'outdated' in state ? state.outdated : undefined);
  }

  /** Why it can't be part of the plan. Undefined also before its dry run has ended. */
  get exclusion(): Problem | undefined {
    const { state } = this;
    if (state === undefined) {
      return undefined;
    }
    return exclusionReason(state) ?? (state.phase === 'reviewed' ? this.#blockingProblem(state.review) : undefined);
  }

  /** True if a recipe may hold its cutoff, for the server's own cleanup. It needs no rows to delete yet. */
  get isForRecipe(): boolean {
    const { state, review } = this;
    if (!this.isSelected || state === undefined || review === undefined) {
      return false;
    }
    if (holdsPipelineState(review.plan) || this.#blockingProblem(review) !== undefined) {
      return false;
    }
    return state.phase === 'reviewed'
      ? this.exclusion === undefined || isOnlyEmpty(state)
      : this.status !== 'failed' && this.status !== 'unknown';
  }

  /** Its dry run, if a scheduled job can repeat it: by query, and within limits that follow from its rows. */
  get forJob(): ReviewedIndex | undefined {
    const { review, firstReviewAt: at } = this;
    const deletedSince = deletedRows(this.#run?.record) ?? 0;
    return review !== undefined &&
      at !== undefined &&
      this.isForRecipe &&
      !mayHoldPipelineState(review.plan) &&
      review.report.strategy === 'deleteByQuery' &&
      (review.report.rows?.total ?? 0) > deletedSince
      ? { ...review, at, deletedSince }
      : undefined;
  }

  /** True if its rows are deleted once the batch is confirmed. */
  get isInPlan(): boolean {
    return this.isSelected && this.state?.phase === 'reviewed' && this.exclusion === undefined;
  }

  get status(): BatchItemStatus {
    const { state } = this;
    switch (state?.phase) {
      case 'executing':
        return this.#turn === 'now' && state.step !== 'recounting'
          ? 'sending'
          : ({ before: 'waiting', now: 'counting', never: 'notSent' } as const)[this.#turn];
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
    this.#firstReviewAt ??= review?.at;
    // A batch has no field for the batch size, and so many rows load the search cluster for hours.
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

  /** Those of the question that is open. */
  get cautions(): readonly { readonly plan: TruncationPlan; readonly caution: Caution }[] {
    const { review, cautions = [] } = this.#question ?? {};
    return review === undefined ? [] : cautions.map((caution) => ({ plan: review.plan, caution }));
  }

  /** Takes the answer to the question for the whole batch: if it may still be sent, its state is `executing` then. */
  answer(isYes: boolean): void {
    const question = this.#question;
    this.#question = undefined;
    if (question !== undefined) {
      this.#run?.answer(question, isYes);
    }
  }

  /** Counts again, since its turn has come. @returns whether it may still be sent. */
  async recount(): Promise<boolean> {
    this.#turn = 'now';
    return (await this.#run?.recount()) === true;
  }

  /** Sends it. @param isStopping Whether the user has stopped the batch: then nothing leaves any more. */
  async transmit(isStopping: () => boolean): Promise<void> {
    await this.#run?.transmit(() => (isStopping() ? taskTexts.stopped() : undefined));
  }

  /** Nothing more is sent, so its turn will not come if it has not come yet. */
  skip(): void {
    if (this.state?.phase === 'executing') {
      this.#turn = 'never';
    }
  }

  dispose(): void {
    this.#run?.dispose();
  }

  #blockingProblem(review: DryRunReview): Problem | undefined {
    return this.#findBlockingProblem(review, this.#run?.recordId ?? '');
  }
}

/** Undefined if nothing excludes it, or its dry run has not ended. */
function exclusionReason(state: TruncationState): Problem | undefined {
  if (state.phase === 'editing') {
    return state.failing ?? { sentence: l10n.t('Dry run canceled') };
  }
  return (
    unreadReason(state) ??
    (isOnlyEmpty(state) ? { sentence: l10n.t('No rows to delete') } : undefined) ??
    singleOnlyReason(state)
  );
}

/** A batch only deletes by query: losing state, or a reindex that can hide rows, needs a decision of its own. */
function singleOnlyReason(state: TruncationState): Problem | undefined {
  const sentence = state.phase === 'reviewed' ? singleOnlySentence(state.review) : undefined;
  return sentence === undefined ? undefined : { sentence, next: truncateAloneText() };
}

/** Named in the question for the whole batch. Any other caution needs the wizard. */
const NAMED_CAUTIONS = ['noRowStays', 'muchYounger'] as const;

/** The draft of an item: its question names what is accepted here. */
export function itemDraft(draft: PlanDraft): PlanDraft {
  return { ...draft, acceptedCautions: NAMED_CAUTIONS };
}

export function excludesFromBatch({ kind }: Caution): boolean {
  return !NAMED_CAUTIONS.some((one) => one === kind);
}

/** The wizard asks one more question. */
export function truncateAloneText(): string {
  return l10n.t('Truncate it alone.');
}

/** The page offers no index that holds state, but an interrupted batch of an earlier version may have one. */
function singleOnlySentence({ plan, report }: DryRunReview): string | undefined {
  if (holdsPipelineState(plan)) {
    return holdsStateText();
  }
  switch (report.strategy) {
    case 'deleteByQuery':
      return undefined;
    case 'reindex':
      return l10n.t('The server would reindex it.');
    case 'unknown':
      return l10n.t("The server doesn't say how it would delete.");
  }
}

/** True if it is excluded only because it has no rows to delete. */
function isOnlyEmpty(state: TruncationState): boolean {
  return state.phase === 'reviewed' && unreadReason(state) === undefined && !canExecute(state.review);
}

function unreadReason(state: TruncationState): Problem | undefined {
  if (state.phase !== 'reviewed') {
    return undefined;
  }
  const { review, failing } = state;
  const notice = noticeText(review);
  if (failing !== undefined || notice !== undefined) {
    return failing ?? { sentence: notice ?? '' };
  }
  // A batch shows sums of rows. The wizard asks one more question instead.
  return review.report.rows === undefined ? { sentence: l10n.t('Row count not available') } : undefined;
}
