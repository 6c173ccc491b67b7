/**
 * State of a job of one to 25 items, from the dry runs to the last end. Pure: the runner drives it, the pages show it.
 *   choosing → dryRunning → planned → confirming → executing → ended
 * Each item has a state machine of its own (state.ts). The wizard's job is planned from the beginning. An event that
 * does not fit changes nothing.
 */
import { draftFrom, type PlanDraft } from './plan.ts';
import type { TruncationRecord } from './record.ts';
import { editing, reduceState, type TruncationEvent, type TruncationState } from './state.ts';

/** The page where a job began, which decides on its rules. */
export type JobOrigin = 'wizard' | 'overview';

type JobPhase = 'choosing' | 'dryRunning' | 'planned' | 'confirming' | 'executing' | 'ended';

export interface ItemState {
  readonly state: TruncationState;
  /** Undefined until it is sent. */
  readonly record: TruncationRecord | undefined;
  /** False before its first dry run. */
  readonly hasBegun: boolean;
  /** The user can deselect it. */
  readonly isSelected: boolean;
  /** Its turn to be sent: still to come, reached, or never reached. */
  readonly turn: 'before' | 'now' | 'never';
  /** When its cutoff was so many days ago: it is counted again hours later, when its turn comes. Unix time in ms. */
  readonly firstReviewAt: number | undefined;
}

export interface JobState {
  readonly origin: JobOrigin;
  readonly phase: JobPhase;
  readonly items: readonly ItemState[];
  /** Places of the items that the user is asked about, or confirmed. */
  readonly confirmed: readonly number[] | undefined;
  /** The user stopped it: the running item is the last one. */
  readonly isStopping: boolean;
}

/** An item to count. */
export interface ItemDraft {
  readonly draft: PlanDraft;
  readonly isSelected?: boolean;
}

export type JobEvent =
  | { readonly type: 'countingBegan'; readonly items: readonly ItemDraft[] }
  | { readonly type: 'itemCounting'; readonly place: number }
  | { readonly type: 'countingEnded' }
  | { readonly type: 'selected'; readonly place: number; readonly isSelected: boolean }
  | { readonly type: 'checking'; readonly places: readonly number[] }
  | { readonly type: 'declined' }
  | { readonly type: 'confirmed' }
  | { readonly type: 'turnCame'; readonly place: number }
  | { readonly type: 'stopped' }
  | { readonly type: 'concluded' }
  | { readonly type: 'startedOver' }
  | { readonly type: 'item'; readonly place: number; readonly event: ItemEvent };

export type ItemEvent =
  | TruncationEvent
  /** Undefined: nothing was sent, or the server refused it. */
  | { readonly type: 'recorded'; readonly record: TruncationRecord | undefined };

/** The wizard's job, of a draft or of a truncation that was sent before, by whichever window. */
export function jobOfOne(from: PlanDraft | TruncationRecord): JobState {
  const item =
    'plan' in from
      ? { ...itemFrom({ draft: draftFrom(from.plan) }), state: resumedState(from), record: from }
      : itemFrom({ draft: from });
  return { ...noItems('wizard'), phase: item.record === undefined ? 'planned' : 'ended', items: [item] };
}

/** The overview's job, before indices are chosen. */
export function noItems(origin: JobOrigin): JobState {
  return {
    origin,
    phase: 'choosing',
    items: [],
    confirmed: undefined,
    isStopping: false,
  };
}

function itemFrom({ draft, isSelected = true }: ItemDraft): ItemState {
  return {
    state: editing(draft),
    record: undefined,
    hasBegun: false,
    isSelected,
    turn: 'before',
    firstReviewAt: undefined,
  };
}

/** Returns the same object if the event does not fit. */
export function reduceJobState(job: JobState, event: JobEvent): JobState {
  switch (event.type) {
    case 'countingBegan':
      return isBusy(job)
        ? job
        : { ...noItems(job.origin), phase: 'dryRunning', items: event.items.map((item) => itemFrom(item)) };
    case 'itemCounting':
      return withItem(job, event.place, (item) => ({ ...item, hasBegun: true }));
    case 'countingEnded':
      return job.phase === 'dryRunning' ? { ...job, phase: 'planned' } : job;
    case 'selected':
      return isBusy(job) ? job : withItem(job, event.place, (item) => ({ ...item, isSelected: event.isSelected }));
    case 'checking':
      return job.phase === 'planned' && event.places.length > 0
        ? { ...job, phase: 'confirming', confirmed: event.places }
        : job;
    case 'declined':
      return job.phase === 'confirming' ? { ...job, phase: 'planned', confirmed: undefined } : job;
    case 'confirmed':
      return job.phase === 'confirming' ? { ...job, phase: 'executing' } : job;
    case 'turnCame':
      return withItem(job, event.place, (item) => ({ ...item, turn: 'now' }));
    case 'stopped':
      return job.phase === 'executing' ? { ...job, isStopping: true } : job;
    case 'concluded':
      return job.phase === 'executing' ? concluded(job) : job;
    case 'startedOver':
      if (job.origin === 'wizard') {
        // The former one was sent, though its task may not be stored yet.
        return { ...job, phase: 'planned', confirmed: undefined };
      }
      return isBusy(job) ? job : noItems('overview');
    case 'item':
      return withoutWithdrawn(
        job,
        withItem(job, event.place, (item) => reduceItem(item, event.event)),
      );
  }
}

function isBusy({ phase }: JobState): boolean {
  return ['dryRunning', 'confirming', 'executing'].includes(phase);
}

function withItem(job: JobState, place: number, change: (item: ItemState) => ItemState): JobState {
  const item = job.items[place];
  const changed = item && change(item);
  return changed === undefined || changed === item
    ? job
    : { ...job, items: job.items.map((one, at) => (at === place ? changed : one)) };
}

function reduceItem(item: ItemState, event: ItemEvent): ItemState {
  if (event.type === 'recorded') {
    const { record } = event;
    return { ...item, record, state: record === undefined ? item.state : afterRecord(item.state, record) };
  }
  const state = reduceState(item.state, event);
  return state === item.state
    ? item
    : { ...item, state, firstReviewAt: item.firstReviewAt ?? ('review' in state ? state.review.at : undefined) };
}

/** The state of an item of which this window or another one has learned more. */
function afterRecord(state: TruncationState, { taskId, ending }: TruncationRecord): TruncationState {
  if (ending !== undefined) {
    return reduceState(state, { type: 'ended', ending });
  }
  return taskId === undefined ? state : reduceState(state, { type: 'started', taskId });
}

/** An edit, or a change of the connection, withdraws a question: another one may be asked. */
function withoutWithdrawn(before: JobState, job: JobState): JobState {
  const isAsked = ({ items, confirmed = [] }: JobState): boolean =>
    confirmed.some((place) => ['confirming', 'executing'].includes(items[place]?.state.phase ?? ''));
  return job.phase === 'confirming' && isAsked(before) && !isAsked(job)
    ? { ...job, phase: 'planned', confirmed: undefined }
    : job;
}

/** Nothing more is sent. The wizard's plan may be confirmed again unless it was sent. */
function concluded(job: JobState): JobState {
  const items = job.items.map((item): ItemState =>
    item.state.phase === 'executing' ? { ...item, turn: 'never' } : item,
  );
  return job.origin === 'wizard' && items.every(({ state }) => !isSentState(state))
    ? { ...job, items, phase: 'planned', confirmed: undefined }
    : { ...job, items, phase: 'ended' };
}

function isSentState({ phase }: TruncationState): boolean {
  return phase === 'running' || phase === 'finished' || phase === 'failed';
}

/** The state of a truncation that was sent before, by whichever window. */
function resumedState(record: TruncationRecord): TruncationState {
  const { plan, report, reviewedAt: at, taskId, ending } = record;
  // No access matches this review, so it can't be executed again.
  const review = { plan, report, at, access: '' };
  const draft = draftFrom(plan);
  if (ending === undefined) {
    return taskId === undefined
      ? { phase: 'failed', draft, review, taskId, ending: { kind: 'unknown', reason: 'lost' } }
      : { phase: 'running', draft, review, taskId };
  }
  return { phase: ending.kind === 'finished' ? 'finished' : 'failed', draft, review, taskId, ending };
}
