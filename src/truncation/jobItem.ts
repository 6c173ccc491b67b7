/** An item of a job, and the rules of the page where the job began. */
import * as l10n from '@vscode/l10n';
import { holdsPipelineState } from '../indices/timeseriesAspects.ts';
import { firstUnaccepted } from './cautions.ts';
import { ItemRun } from './itemRun.ts';
import type { JobOrigin } from './jobState.ts';
import type { Problem } from './outcome.ts';
import { canExecute, type DryRunReview, type ReviewedIndex, type TruncationState } from './state.ts';
import { noticeText } from './texts/reviewTexts.ts';
import { taskTexts } from './texts/taskTexts.ts';

/** Progress of an item once its job was confirmed. */
type ItemStatus = 'waiting' | 'counting' | 'sending' | 'running' | 'finished' | 'failed' | 'unknown' | 'notSent';

export class JobItem extends ItemRun {
  readonly #origin: JobOrigin;

  /** The user can deselect it. */
  isSelected: boolean;
  /** Its turn to be sent: still to come, reached, or never reached. */
  turn: 'before' | 'now' | 'never' = 'before';

  constructor(origin: JobOrigin, isSelected: boolean, ...item: ConstructorParameters<typeof ItemRun>) {
    super(...item);
    this.#origin = origin;
    this.isSelected = isSelected;
  }

  get status(): ItemStatus {
    const { state, turn } = this;
    switch (state.phase) {
      case 'executing':
        return turn === 'now' && state.step !== 'recounting'
          ? 'sending'
          : ({ before: 'waiting', now: 'counting', never: 'notSent' } as const)[turn];
      case 'running':
      case 'finished':
        return state.phase;
      case 'failed':
        return state.ending.kind === 'unknown' ? 'unknown' : 'failed';
      default:
        return 'notSent';
    }
  }

  /** Why it can't be part of the plan. Undefined also before its dry run has ended. */
  get exclusion(): Problem | undefined {
    const { state } = this;
    if (this.#origin === 'wizard' || !this.hasBegun) {
      return undefined;
    }
    if (state.phase === 'editing') {
      return state.failing ?? { sentence: l10n.t('Dry run canceled') };
    }
    if (state.phase !== 'reviewed') {
      return undefined;
    }
    // Rows that another truncation may have hidden are not gone.
    return (
      this.#obstacle(state.review) ??
      unreadReason(state) ??
      (canExecute(state.review) ? aloneReason(state.review) : { sentence: l10n.t('No rows to delete') })
    );
  }

  /** True if it is excluded only because it has no rows to delete. */
  get isOnlyEmpty(): boolean {
    const { state } = this;
    return state.phase === 'reviewed' && unreadReason(state) === undefined && !canExecute(state.review);
  }

  /** True if its rows are deleted once the job is confirmed: ticked, with all that it warns of. */
  get isInPlan(): boolean {
    return (
      this.isSelected && this.state.phase === 'reviewed' && this.exclusion === undefined && this.#areCautionsAccepted
    );
  }

  /** Its first dry run, if it was sent and didn't fail: a recipe or a scheduled job can repeat it. */
  get forAutomation(): ReviewedIndex | undefined {
    const { review, record, status, firstReviewAt: at } = this;
    const isSent = record !== undefined && status !== 'failed' && status !== 'unknown';
    return isSent && review !== undefined && at !== undefined ? { ...review, at } : undefined;
  }

  get #areCautionsAccepted(): boolean {
    return firstUnaccepted(this.cautions, this.state.draft.acceptedCautions) === undefined;
  }

  /** Another truncation of the index. */
  #obstacle(review: Pick<DryRunReview, 'plan'>): Problem | undefined {
    const { connection, now } = this;
    const other = connection && this.environment.jobs.inTheWay(connection, review.plan, this.record?.id, now);
    return other && taskTexts.blockedBy(other);
  }
}

/**
 * The overview shows sums of rows, and only deletes by query: losing state, or a reindex that can hide rows, needs a
 * decision of its own.
 */
function aloneReason({ plan, report }: DryRunReview): Problem | undefined {
  return report.rows === undefined || report.strategy !== 'deleteByQuery' || holdsPipelineState(plan)
    ? { sentence: l10n.t('It needs a decision of its own.'), next: l10n.t('Truncate it alone.') }
    : undefined;
}

function unreadReason({ review, failing }: Extract<TruncationState, { phase: 'reviewed' }>): Problem | undefined {
  const notice = noticeText(review);
  return failing ?? (notice === undefined ? undefined : { sentence: notice });
}
