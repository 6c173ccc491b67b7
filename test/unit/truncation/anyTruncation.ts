/** Random events of a truncation, in any order. */
import * as fc from 'fast-check';
import { type DryRunReport, parseDryRun } from '../../../src/truncation/dryRun.ts';
import { checkDraft, type PlanDraft } from '../../../src/truncation/plan.ts';
import type { TruncationPlan } from '../../../src/service/indices/truncation.ts';
import type { TruncationEvent, TruncationState } from '../../../src/truncation/state.ts';
import {
  ACCESS,
  DELETE_BY_QUERY,
  DRAFT,
  FAILED,
  FINISHED,
  LOST,
  MAX_AGE,
  MINUTE,
  MONOTONIC_NOW,
  NOTHING_TO_DELETE,
  NOW,
  REINDEX,
  TASK_ID,
  UNKNOWN_WORDS,
  dryRunText,
  planOf,
} from './samples.ts';

const OTHER_ACCESS = '["https://datahub.example.com/production","urn:li:corpuser:jdoe"]';
const OTHER_DRAFTS: readonly PlanDraft[] = [
  { ...DRAFT, aspect: 'operation' },
  { ...DRAFT, strategy: 'deleteByQuery' },
  { ...DRAFT, endTimeMillis: NOW + 1 },
];
const NO_PLANS: readonly PlanDraft[] = [
  { ...DRAFT, entityType: '' },
  { ...DRAFT, endTimeMillis: undefined },
  { ...DRAFT, timeoutSeconds: '-1' },
];

const anyDraft = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(DRAFT, { ...DRAFT, acceptedCautions: ['future'] as const }) },
  { weight: 2, arbitrary: fc.constantFrom(...OTHER_DRAFTS) },
  { weight: 1, arbitrary: fc.constantFrom(...NO_PLANS) },
);
const anyPlan = fc.constantFrom(...[DRAFT, ...OTHER_DRAFTS].map(planOf));
const anyTime = fc.integer({ min: 0, max: 20 }).map((minutes) => NOW + minutes * MINUTE);
const anyReport: fc.Arbitrary<DryRunReport> = fc
  .constantFrom(
    DELETE_BY_QUERY,
    parseDryRun(dryRunText(19, 200)),
    parseDryRun(dryRunText(21, 201)),
    REINDEX,
    NOTHING_TO_DELETE,
    UNKNOWN_WORDS,
  )
  // A new object each time, so that a review shows which event it comes from.
  .map((report) => structuredClone(report));
const anyFailing = fc.constant({ sentence: 'Nobody listens.' });

const anyAccess = fc.constantFrom(ACCESS, ACCESS, OTHER_ACCESS, undefined);

/** Monotonic time at a system time. */
function monotonic(time: number): number {
  return MONOTONIC_NOW + (time - NOW);
}

function ageAt(now: number): { readonly now: number; readonly monotonicNow: number; readonly maxAge: number } {
  return { now, monotonicNow: monotonic(now), maxAge: MAX_AGE };
}

function constants<T extends object>(values: T): { [K in keyof T]: fc.Arbitrary<T[K]> } {
  return Object.fromEntries(Object.entries(values).map(([key, value]) => [key, fc.constant(value)])) as {
    [K in keyof T]: fc.Arbitrary<T[K]>;
  };
}

const anyEvent: fc.Arbitrary<TruncationEvent> = fc.oneof(
  fc.record({ type: fc.constant('edited'), draft: anyDraft }),
  fc.record({ type: fc.constant('dryRunStarted'), access: anyAccess }),
  anyTime.chain((at) =>
    fc.record({
      type: fc.constant('dryRunAnswered'),
      plan: anyPlan,
      access: anyAccess,
      report: anyReport,
      at: fc.constant(at),
      monotonicAt: fc.constant(monotonic(at)),
    }),
  ),
  fc.record({ type: fc.constant('dryRunFailed'), failing: anyFailing }),
  fc.record({ type: fc.constant('accessChanged'), access: anyAccess, failing: anyFailing }),
  anyTime.chain((now) => fc.record({ type: fc.constant('executeAsked'), access: anyAccess, ...constants(ageAt(now)) })),
  fc.constant({ type: 'wentBack' }),
  fc.constant({ type: 'declined' }),
  anyTime.chain((now) =>
    fc.record({ type: fc.constant('confirmed'), plan: anyPlan, access: anyAccess, ...constants(ageAt(now)) }),
  ),
  anyTime.chain((at) =>
    fc.record({
      type: fc.constant('recounted'),
      report: anyReport,
      at: fc.constant(at),
      monotonicAt: fc.constant(monotonic(at)),
    }),
  ),
  fc.record({ type: fc.constant('notSent'), failing: anyFailing }),
  fc.record({ type: fc.constant('sent'), access: anyAccess }),
  fc.constant({ type: 'started', taskId: TASK_ID }),
  fc.record({ type: fc.constant('ended'), ending: fc.constantFrom(FINISHED, FAILED, LOST) }),
  fc.record({ type: fc.constant('startOver'), draft: anyDraft }),
) as fc.Arbitrary<TruncationEvent>;

/** Step of a story: any event, or the next one of a regular truncation. */
export type Turn = {
  readonly event: TruncationEvent;
  readonly onward: boolean;
  readonly report: DryRunReport;
  readonly time: number;
};

/** Mostly regular steps, since random ones alone would never reach an execution. */
export const anyStory: fc.Arbitrary<readonly Turn[]> = fc.array(
  fc.record({
    event: anyEvent,
    onward: fc.integer({ min: 0, max: 9 }).map((n) => n < 8),
    report: anyReport,
    time: anyTime,
  }),
  { minLength: 10, maxLength: 40, size: 'max' },
);

/** Event of this step. */
export function eventOf({ event, onward, report, time }: Turn, state: TruncationState): TruncationEvent {
  return onward ? onwardFrom(state, report, time) : event;
}

function onwardFrom(state: TruncationState, report: DryRunReport, at: number): TruncationEvent {
  switch (state.phase) {
    case 'editing':
      return planIn(state.draft) === undefined
        ? { type: 'edited', draft: DRAFT }
        : { type: 'dryRunStarted', access: ACCESS };
    case 'dryRunning':
      return { type: 'dryRunAnswered', plan: state.plan, access: state.access, report, at, monotonicAt: monotonic(at) };
    case 'reviewed':
      return { type: 'executeAsked', access: state.review.access, ...ageAt(at) };
    case 'confirming':
      return { type: 'confirmed', plan: state.review.plan, access: state.review.access, ...ageAt(at) };
    case 'executing':
      return {
        recounting: { type: 'recounted', report, at, monotonicAt: monotonic(at) },
        recounted: { type: 'sent', access: state.review.access },
        sent: { type: 'started', taskId: TASK_ID },
      }[state.step] as TruncationEvent;
    case 'running':
      return { type: 'ended', ending: FINISHED };
    case 'finished':
    case 'failed':
      return { type: 'startOver', draft: DRAFT };
  }
}

/** Plan of a draft. */
export function planIn(draft: PlanDraft): TruncationPlan | undefined {
  const checked = checkDraft(draft);
  return 'plan' in checked ? checked.plan : undefined;
}
