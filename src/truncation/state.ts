/**
 * The life of one truncation, as a pure state machine (CONTRIBUTING.md, "Truncation"). The host drives it; the page only shows it.
 *
 *   editing → dryRunning → reviewed → confirming → executing → running → finished | failed
 *
 * What may not happen has no arrow: an event that does not fit its state changes nothing. Executing is reached only from a
 * review of exactly the plan that is sent.
 */
import { type DryRunReport, regressionReason } from './dryRun.ts';
import { checkDraft, type PlanDraft, samePlan } from './plan.ts';
import type { Outcome } from './outcome.ts';
import type { Problem } from './problem.ts';
import type { TruncationPlan } from '../service/indices/truncation.ts';

/**
 * A dry run of a plan, on one server as one person. Executing from it takes that very plan and that very access, so what was
 * reviewed on one server cannot be executed on another.
 */
export interface Review {
  readonly plan: TruncationPlan;
  /** As `accessOf` gives it: address with its path, actor, product, credential, consent. */
  readonly access: string;
  readonly report: DryRunReport;
  /** When it was taken: Unix time in ms. */
  readonly at: number;
  /** The same by a clock that is never set back, in ms. */
  readonly monotonicAt: number;
  /** Why a review has come back although it was confirmed. */
  readonly notice?: 'grew' | 'shrank' | 'strategy' | 'unreadable' | 'nothingLeft' | 'tooOld';
}

export type TruncationState =
  | { readonly phase: 'editing'; readonly draft: PlanDraft; readonly failing?: Problem }
  | { readonly phase: 'dryRunning'; readonly draft: PlanDraft; readonly plan: TruncationPlan; readonly access: string }
  | { readonly phase: 'reviewed'; readonly draft: PlanDraft; readonly review: Review; readonly failing?: Problem }
  | { readonly phase: 'confirming'; readonly draft: PlanDraft; readonly review: Review }
  /** Nothing is sent before the dry run was repeated and promised no more than the review. */
  | {
      readonly phase: 'executing';
      readonly draft: PlanDraft;
      readonly review: Review;
      readonly step: 'recounting' | 'recounted' | 'sent';
    }
  | { readonly phase: 'running'; readonly draft: PlanDraft; readonly review: Review; readonly taskId: string }
  | {
      readonly phase: 'finished';
      readonly draft: PlanDraft;
      readonly review: Review;
      /** Undefined when the answer was lost and counting showed the end. */
      readonly taskId: string | undefined;
      readonly ending: Outcome;
    }
  /** `taskId` is undefined when nothing was started or the answer was lost. */
  | {
      readonly phase: 'failed';
      readonly draft: PlanDraft;
      readonly review: Review;
      readonly taskId: string | undefined;
      readonly ending: Outcome;
    };

/** When a dry run was taken, by both clocks, in ms. */
interface Taken {
  readonly at: number;
  readonly monotonicAt: number;
}

/** The present by both clocks, and how old a dry run may be by either, in ms. */
interface Age {
  readonly now: number;
  readonly monotonicNow: number;
  readonly maxAge: number;
}

export type TruncationEvent =
  | { readonly type: 'edited'; readonly draft: PlanDraft }
  | { readonly type: 'dryRunStarted'; readonly access: string }
  | ({
      readonly type: 'dryRunAnswered';
      readonly plan: TruncationPlan;
      readonly access: string;
      readonly report: DryRunReport;
    } & Taken)
  | { readonly type: 'dryRunFailed'; readonly failing?: Problem }
  /** The connection was edited, signed in, signed out or removed. Undefined: it is not there any more. */
  | { readonly type: 'accessChanged'; readonly access: string | undefined; readonly failing: Problem }
  /** A person pressed the button. */
  | ({ readonly type: 'executeAsked'; readonly access: string | undefined } & Age)
  | { readonly type: 'declined' }
  | ({ readonly type: 'confirmed'; readonly plan: TruncationPlan; readonly access: string | undefined } & Age)
  /** The dry run that is repeated just before executing. */
  | ({ readonly type: 'recounted'; readonly report: DryRunReport } & Taken)
  | { readonly type: 'notSent'; readonly failing: Problem }
  | ({ readonly type: 'sent'; readonly access: string | undefined } & Age)
  | { readonly type: 'started'; readonly taskId: string }
  | { readonly type: 'ended'; readonly ending: Outcome }
  /** One that was given up runs after all. */
  | { readonly type: 'reopened'; readonly taskId: string }
  | { readonly type: 'startOver'; readonly draft: PlanDraft };

export function editing(draft: PlanDraft): TruncationState {
  return { phase: 'editing', draft };
}

/** The state after an event; the same object when the event has no place here. */
export function reduce(state: TruncationState, event: TruncationEvent): TruncationState {
  switch (event.type) {
    case 'edited':
      return afterEdit(state, event.draft);
    case 'dryRunStarted': {
      const checked = checkDraft(state.draft);
      return (state.phase === 'editing' || state.phase === 'reviewed') && 'plan' in checked
        ? { phase: 'dryRunning', draft: state.draft, plan: checked.plan, access: event.access }
        : state;
    }
    case 'dryRunAnswered': {
      if (state.phase !== 'dryRunning' || !samePlan(state.plan, event.plan) || state.access !== event.access) {
        return state;
      }
      const { plan, access, report, at, monotonicAt } = event;
      return { phase: 'reviewed', draft: state.draft, review: { plan, access, report, at, monotonicAt } };
    }
    case 'dryRunFailed':
      return state.phase === 'dryRunning'
        ? { phase: 'editing', draft: state.draft, ...(event.failing && { failing: event.failing }) }
        : state;
    case 'accessChanged':
      return afterAccessChange(state, event.access, event.failing);
    case 'executeAsked':
      if (state.phase !== 'reviewed' || !canExecute(state.review) || state.review.access !== event.access) {
        return state;
      }
      return isTooOld(state.review, event)
        ? tooOld(state.draft, state.review)
        : { phase: 'confirming', draft: state.draft, review: state.review };
    case 'declined':
      return state.phase === 'confirming' ? { phase: 'reviewed', draft: state.draft, review: state.review } : state;
    case 'confirmed':
      if (
        state.phase !== 'confirming' ||
        !samePlan(state.review.plan, event.plan) ||
        state.review.access !== event.access
      ) {
        return state;
      }
      // The question may have stood open for hours.
      return isTooOld(state.review, event)
        ? tooOld(state.draft, state.review)
        : { phase: 'executing', draft: state.draft, review: state.review, step: 'recounting' };
    case 'recounted':
      return state.phase === 'executing' && state.step === 'recounting'
        ? afterRecount(state.draft, state.review, event)
        : state;
    case 'notSent':
      return state.phase === 'confirming' || (state.phase === 'executing' && state.step !== 'sent')
        ? { phase: 'reviewed', draft: state.draft, review: state.review, failing: event.failing }
        : state;
    case 'sent':
      if (state.phase !== 'executing' || state.step !== 'recounted' || state.review.access !== event.access) {
        return state;
      }
      // Secrets and files were read and written since: a machine may have slept meanwhile.
      return isTooOld(state.review, event) ? tooOld(state.draft, state.review) : { ...state, step: 'sent' };
    case 'started':
      return state.phase === 'executing' && state.step === 'sent'
        ? { phase: 'running', draft: state.draft, review: state.review, taskId: event.taskId }
        : state;
    case 'ended':
      return afterEnd(state, event.ending);
    case 'reopened':
      return state.phase === 'failed'
        ? { phase: 'running', draft: state.draft, review: state.review, taskId: event.taskId }
        : state;
    case 'startOver':
      return state.phase === 'finished' || state.phase === 'failed' || state.phase === 'running'
        ? editing(event.draft)
        : state;
  }
}

/** Whether there is anything that an execution could do. A text that is not understood may be executed, after one more question. */
export function canExecute(review: Review): boolean {
  return review.report.rows?.toDelete !== 0;
}

/**
 * Whether a dry run is too old to execute from. Either clock can say so: the system's may have been set back, the other may have
 * stood still while the machine slept. One that seems to be taken in the future was taken before the clock was set.
 */
export function isTooOld({ at, monotonicAt }: Review, { now, monotonicNow, maxAge }: Age): boolean {
  const age = now - at;
  return age > maxAge || age < 0 || monotonicNow - monotonicAt > maxAge;
}

function tooOld(draft: PlanDraft, review: Review): TruncationState {
  return { phase: 'reviewed', draft, review: { ...review, notice: 'tooOld' } };
}

/** What was sent was sent; everything before belongs to the access that it was reviewed with. */
function afterAccessChange(state: TruncationState, access: string | undefined, failing: Problem): TruncationState {
  const before = 'access' in state ? state.access : 'review' in state ? state.review.access : undefined;
  switch (state.phase) {
    case 'dryRunning':
    case 'reviewed':
    case 'confirming':
      return before === access ? state : { phase: 'editing', draft: state.draft, failing };
    case 'executing':
      return before === access || state.step === 'sent' ? state : { phase: 'editing', draft: state.draft, failing };
    case 'editing':
    case 'running':
    case 'finished':
    case 'failed':
      return state;
  }
}

/** Any edit that makes another plan takes the review away; while something is under way nothing can be edited. */
function afterEdit(state: TruncationState, draft: PlanDraft): TruncationState {
  switch (state.phase) {
    case 'editing':
      return { phase: 'editing', draft };
    case 'reviewed': {
      const checked = checkDraft(draft);
      return 'plan' in checked && samePlan(checked.plan, state.review.plan)
        ? { ...state, draft }
        : { phase: 'editing', draft };
    }
    case 'dryRunning': {
      const checked = checkDraft(draft);
      return 'plan' in checked && samePlan(checked.plan, state.plan)
        ? { ...state, draft }
        : { phase: 'editing', draft };
    }
    case 'confirming':
    case 'executing':
    case 'running':
    case 'finished':
    case 'failed':
      return state;
  }
}

/** The repeated count takes the place of the one that was shown: progress and record start from what was there last. */
function afterRecount(
  draft: PlanDraft,
  shown: Review,
  { report, at, monotonicAt }: Taken & { readonly report: DryRunReport },
): TruncationState {
  const notice = report.rows?.toDelete === 0 ? 'nothingLeft' : regressionReason(shown.report, report);
  const { plan, access } = shown;
  const review: Review = { plan, access, report, at, monotonicAt, ...(notice === undefined ? {} : { notice }) };
  return notice === undefined
    ? { phase: 'executing', draft, review, step: 'recounted' }
    : { phase: 'reviewed', draft, review };
}

/** An end can be judged again: rows that were hidden are found once an administrator has refreshed the index. */
function afterEnd(state: TruncationState, ending: Outcome): TruncationState {
  switch (state.phase) {
    case 'executing':
      return state.step === 'sent' && ending.kind !== 'finished' ? ended(state, undefined, ending) : state;
    case 'running':
    case 'finished':
    case 'failed':
      return ended(state, state.taskId, ending);
    default:
      return state;
  }
}

function ended(
  { draft, review }: { readonly draft: PlanDraft; readonly review: Review },
  taskId: string | undefined,
  ending: Outcome,
): TruncationState {
  return { phase: ending.kind === 'finished' ? 'finished' : 'failed', draft, review, taskId, ending };
}
