/**
 * State machine of one truncation (CONTRIBUTING.md, "Follow one value"). Pure: the host drives it, the page shows it.
 *   editing → dryRunning → reviewed → confirming → executing → running → finished | failed
 * An event that does not fit the state changes nothing. Executing follows only a review of exactly the plan
 * that is sent.
 */
import {
  type AgeLimit,
  canExecute,
  type ClockTimes,
  type DryRunReview,
  isTooOld,
  type DryRunReport,
} from './dryRun.ts';
import { recountReason } from './recount.ts';
import { checkDraft, draftFrom, type PlanDraft, isSamePlan } from './plan.ts';
import type { Problem } from './problem.ts';
import type { TruncationRecord } from './sentTruncation.ts';
import type { TruncationPlan } from '../service/indices/truncationRequest.ts';

export type TruncationState =
  | {
      readonly phase: 'editing';
      readonly draft: PlanDraft;
      readonly failing?: Problem;
    }
  | {
      readonly phase: 'dryRunning';
      readonly draft: PlanDraft;
      readonly plan: TruncationPlan;
      readonly access: string;
    }
  | { readonly phase: 'reviewed'; readonly draft: PlanDraft; readonly review: DryRunReview; readonly failing?: Problem }
  | { readonly phase: 'confirming'; readonly draft: PlanDraft; readonly review: DryRunReview }
  /** Sends only after a repeated dry run without a regression. */
  | {
      readonly phase: 'executing';
      readonly draft: PlanDraft;
      readonly review: DryRunReview;
      readonly step: 'recounting' | 'recounted';
    }
  /** Its record is written: without a response yet. */
  | (SentTruncation & { readonly phase: 'executing'; readonly step: 'sent' })
  /** `failed`: also if its response was lost, or its outcome is unknown. */
  | (SentTruncation & { readonly phase: 'running' | 'finished' | 'failed' })
  /** The server refused it: nothing happened, and no record is kept. */
  | {
      readonly phase: 'failed';
      readonly draft: PlanDraft;
      readonly review: DryRunReview;
      readonly record?: undefined;
      readonly failing: Problem;
    };

interface SentTruncation {
  readonly draft: PlanDraft;
  readonly review: DryRunReview;
  /** Its task and its end, as far as this window knows. */
  readonly record: TruncationRecord;
}

export type TruncationEvent =
  | { readonly type: 'edited'; readonly draft: PlanDraft }
  | { readonly type: 'dryRunStarted'; readonly access: string }
  | ({
      readonly type: 'dryRunAnswered';
      readonly plan: TruncationPlan;
      readonly access: string;
      readonly report: DryRunReport;
    } & ClockTimes)
  | { readonly type: 'dryRunFailed'; readonly failing?: Problem }
  /** Any change of the connection. `access`: undefined after removal. */
  | { readonly type: 'accessChanged'; readonly access: string | undefined; readonly failing: Problem }
  /** The user goes back to the fields of a reviewed plan. */
  | { readonly type: 'wentBack' }
  /** The user pressed the button. */
  | ({ readonly type: 'executeAsked'; readonly access: string | undefined } & AgeLimit)
  | { readonly type: 'declined' }
  | ({
      readonly type: 'confirmed';
      readonly plan: TruncationPlan;
      readonly access: string | undefined;
    } & AgeLimit)
  /** Repeated dry run right before executing. */
  | ({
      readonly type: 'recounted';
      readonly report: DryRunReport;
      /** A caution that the question didn't name. */
      readonly hasNewCaution?: boolean;
    } & ClockTimes)
  | { readonly type: 'notSent'; readonly failing: Problem }
  | { readonly type: 'sent'; readonly record: TruncationRecord }
  /** The gate refused: the request never left. */
  | { readonly type: 'heldBack'; readonly failing: Problem }
  | { readonly type: 'refused'; readonly failing: Problem }
  /** This window, the watch or another window has learned of its task or its end. */
  | { readonly type: 'learned'; readonly record: TruncationRecord };

export function editing(draft: PlanDraft, failing?: Problem): TruncationState {
  return { phase: 'editing', draft, ...(failing && { failing }) };
}

/** Returns the same object if the event does not fit. */
export function reduceState(state: TruncationState, event: TruncationEvent): TruncationState {
  switch (event.type) {
    case 'edited':
      return afterEdit(state, event.draft);
    case 'dryRunStarted':
      return afterDryRunStarted(state, event.access);
    case 'dryRunAnswered': {
      if (state.phase !== 'dryRunning' || !isDraftOf(state.draft, event.plan) || state.access !== event.access) {
        return state;
      }
      const { plan, access, report, at, monotonicAt } = event;
      return { phase: 'reviewed', draft: state.draft, review: { plan, access, report, at, monotonicAt } };
    }
    case 'dryRunFailed':
      return state.phase === 'dryRunning' ? editing(state.draft, event.failing) : state;
    case 'accessChanged':
      return afterAccessChange(state, event.access, event.failing);
    case 'wentBack':
      return state.phase === 'reviewed' ? editing(asNew(state.draft)) : state;
    case 'executeAsked':
      return afterExecuteAsked(state, event);
    case 'declined':
      return state.phase === 'confirming' ? { phase: 'reviewed', draft: state.draft, review: state.review } : state;
    case 'confirmed':
      return afterConfirmed(state, event);
    case 'recounted':
      return state.phase === 'executing' && state.step === 'recounting'
        ? afterRecount(state.draft, state.review, event)
        : state;
    case 'notSent':
      return state.phase === 'confirming' || (state.phase === 'executing' && state.step !== 'sent')
        ? backToReview(state, event.failing)
        : state;
    case 'sent':
      return state.phase === 'executing' && state.step === 'recounted'
        ? { ...state, step: 'sent', record: event.record }
        : state;
    case 'heldBack':
      return isUnanswered(state)
        ? { phase: 'reviewed', draft: asNew(state.draft), review: state.review, failing: event.failing }
        : state;
    case 'refused':
      return isUnanswered(state)
        ? { phase: 'failed', draft: state.draft, review: state.review, failing: event.failing }
        : state;
    case 'learned':
      return afterNews(state, event.record);
  }
}

function afterDryRunStarted(state: TruncationState, access: string): TruncationState {
  const checked = checkDraft(state.draft);
  if ((state.phase !== 'editing' && state.phase !== 'reviewed') || 'problems' in checked) {
    return state;
  }
  return { phase: 'dryRunning', draft: asNew(state.draft), plan: checked.plan, access };
}

function afterExecuteAsked(
  state: TruncationState,
  event: Extract<TruncationEvent, { type: 'executeAsked' }>,
): TruncationState {
  if (state.phase !== 'reviewed' || !canExecute(state.review) || state.review.access !== event.access) {
    return state;
  }
  return isTooOld(state.review, event)
    ? withAgeNotice(state.draft, state.review)
    : { phase: 'confirming', draft: state.draft, review: state.review };
}

function afterConfirmed(
  state: TruncationState,
  event: Extract<TruncationEvent, { type: 'confirmed' }>,
): TruncationState {
  if (
    state.phase !== 'confirming' ||
    !isSamePlan(state.review.plan, event.plan) ||
    state.review.access !== event.access
  ) {
    return state;
  }
  // The question may have been open for hours.
  return isTooOld(state.review, event)
    ? withAgeNotice(state.draft, state.review)
    : { phase: 'executing', draft: state.draft, review: state.review, step: 'recounting' };
}

function withAgeNotice(draft: PlanDraft, review: DryRunReview): TruncationState {
  return { phase: 'reviewed', draft, review: { ...review, notice: 'tooOld' } };
}

/** Discards a review of another access before sending. */
function afterAccessChange(state: TruncationState, access: string | undefined, failing: Problem): TruncationState {
  switch (state.phase) {
    case 'dryRunning':
      return state.access === access ? state : editing(asNew(state.draft), failing);
    case 'reviewed':
    case 'confirming':
    case 'executing': {
      const isSent = state.phase === 'executing' && state.step === 'sent';
      return isSent || state.review.access === access ? state : editing(asNew(state.draft), failing);
    }
    case 'editing':
    case 'running':
    case 'finished':
    case 'failed':
      return state;
  }
}

/** Once the rows were counted again, the review is of another response. */
function backToReview(
  state: Extract<TruncationState, { phase: 'confirming' | 'executing' }>,
  failing: Problem,
): TruncationState {
  const isRecounted = state.phase === 'executing' && state.step !== 'recounting';
  const draft = isRecounted ? asNew(state.draft) : state.draft;
  return { phase: 'reviewed', draft, review: state.review, failing };
}

/** Cautions are accepted for one response to one plan. */
function asNew(draft: PlanDraft): PlanDraft {
  return { ...draft, acceptedCautions: [] };
}

/** An edit that changes the plan discards the review, and the question. Nothing can be edited during an execution. */
function afterEdit(state: TruncationState, draft: PlanDraft): TruncationState {
  switch (state.phase) {
    case 'editing':
      return editing(asNew(draft));
    case 'reviewed':
    case 'confirming':
      return isDraftOf(draft, state.review.plan) ? { ...state, draft } : editing(asNew(draft));
    case 'dryRunning':
      return isDraftOf(draft, state.plan) ? { ...state, draft: asNew(draft) } : editing(asNew(draft));
    case 'executing':
    case 'running':
    case 'finished':
    case 'failed':
      return state;
  }
}

function isDraftOf(draft: PlanDraft, plan: TruncationPlan): boolean {
  const checked = checkDraft(draft);
  return 'plan' in checked && isSamePlan(checked.plan, plan);
}

/** The repeated count replaces the shown one, for the record. */
function afterRecount(
  draft: PlanDraft,
  shown: DryRunReview,
  { report, at, monotonicAt, hasNewCaution = false }: Extract<TruncationEvent, { type: 'recounted' }>,
): TruncationState {
  const reason = recountReason(shown.report, report);
  // Rows to keep that are gone say more than that none is left to delete.
  const regression = report.rows?.toDelete === 0 && reason !== 'shrank' ? 'nothingLeft' : reason;
  const notice = regression ?? (hasNewCaution ? 'changed' : undefined);
  const { plan, access } = shown;
  const review: DryRunReview = { plan, access, report, at, monotonicAt, ...(notice === undefined ? {} : { notice }) };
  return notice === undefined
    ? { phase: 'executing', draft, review, step: 'recounted' }
    : { phase: 'reviewed', draft: asNew(draft), review };
}

/**
 * An end can change: an administrator may refresh the index. Before the response, searches can show that the rows are
 * gone, which doesn't end the execution.
 */
function afterNews(state: TruncationState, record: TruncationRecord): TruncationState {
  const { taskId, ending } = record;
  const isNews = record !== recordOf(state) && (taskId !== undefined || ending !== undefined);
  if (!('record' in state) || state.record === undefined || !isNews) {
    return state;
  }
  const { draft, review } = state;
  return state.phase === 'executing' && taskId === undefined && ending?.kind === 'finished'
    ? { ...state, record }
    : { phase: phaseOf(record), draft, review, record };
}

/** The state of a truncation that was sent before, by whichever window. */
export function sentState(record: TruncationRecord): TruncationState {
  const { plan, report, reviewedAt: at } = record;
  // No access matches this review, so it can't be executed again.
  const review = { plan, report, at, access: '', monotonicAt: 0 };
  return { phase: phaseOf(record), draft: draftFrom(plan), review, record };
}

function phaseOf({ taskId, ending }: TruncationRecord): 'running' | 'finished' | 'failed' {
  if (ending === undefined) {
    return taskId === undefined ? 'failed' : 'running';
  }
  return ending.kind === 'finished' ? 'finished' : 'failed';
}

/** Undefined unless it was sent, and once the server has refused it. */
export function recordOf(state: TruncationState): TruncationRecord | undefined {
  return 'record' in state ? state.record : undefined;
}

/** Also if another window has given it up before the response. */
function isUnanswered(state: TruncationState): state is Extract<TruncationState, SentTruncation> {
  return 'record' in state && state.record !== undefined && state.record.taskId === undefined;
}

export function isSentState({ phase }: TruncationState): boolean {
  return phase === 'running' || phase === 'finished' || phase === 'failed';
}
