import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import * as fc from 'fast-check';
import type { TruncationPlan } from '../../../src/service/indices/truncationRequest.ts';
import { type DryRunReport, parseDryRun, type AgeLimit, type DryRunReview } from '../../../src/truncation/dryRun.ts';
import { checkDraft, emptyDraft, type PlanDraft } from '../../../src/truncation/plan.ts';
import { editing, reduceState, type TruncationEvent, type TruncationState } from '../../../src/truncation/state.ts';
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
  RECORD,
  REINDEX,
  UNANSWERED,
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

function monotonic(time: number): number {
  return MONOTONIC_NOW + (time - NOW);
}

function ageAt(at: number): AgeLimit {
  return { at, monotonicAt: monotonic(at), maxAge: MAX_AGE };
}

const anyEvent: fc.Arbitrary<TruncationEvent> = fc
  .record({ draft: anyDraft, plan: anyPlan, access: anyAccess, report: anyReport, time: anyTime, failing: anyFailing })
  .chain(({ draft, plan, access, report, time, failing }) => {
    const times = { at: time, monotonicAt: monotonic(time) };
    return fc.constantFrom<TruncationEvent[]>(
      { type: 'edited', draft },
      { type: 'dryRunStarted', access: access ?? '' },
      { type: 'dryRunAnswered', plan, access: access ?? '', report, ...times },
      { type: 'dryRunFailed', failing },
      { type: 'accessChanged', access, failing },
      { type: 'executeAsked', access, ...ageAt(time) },
      { type: 'wentBack' },
      { type: 'declined' },
      { type: 'confirmed', plan, access, ...ageAt(time) },
      { type: 'recounted', report, ...times },
      { type: 'notSent', failing },
      { type: 'sent', record: UNANSWERED },
      { type: 'heldBack', failing },
      { type: 'refused', failing },
      ...[UNANSWERED, RECORD].map((record) => ({ type: 'learned', record }) as const),
      ...[FINISHED, FAILED, LOST].map((ending) => ({ type: 'learned', record: { ...UNANSWERED, ending } }) as const),
    );
  });

/** Step of a story: any event, or the next one of a regular truncation. */
type Turn = {
  readonly event: TruncationEvent;
  readonly onward: boolean;
  readonly report: DryRunReport;
  readonly time: number;
};

/** Mostly regular steps, since random ones alone would never reach an execution. */
const anyStory: fc.Arbitrary<readonly Turn[]> = fc.array(
  fc.record({
    event: anyEvent,
    onward: fc.integer({ min: 0, max: 9 }).map((n) => n < 8),
    report: anyReport,
    time: anyTime,
  }),
  { minLength: 10, maxLength: 40, size: 'max' },
);

function eventOf({ event, onward, report, time }: Turn, state: TruncationState): TruncationEvent {
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
        recounted: { type: 'sent', record: UNANSWERED },
        sent: { type: 'learned', record: RECORD },
      }[state.step] as TruncationEvent;
    case 'running':
    case 'finished':
    case 'failed':
      return { type: 'learned', record: { ...RECORD, ending: FINISHED } };
  }
}

function planIn(draft: PlanDraft): TruncationPlan | undefined {
  const checked = checkDraft(draft);
  return 'plan' in checked ? checked.plan : undefined;
}

interface Step {
  readonly before: TruncationState;
  readonly event: TruncationEvent;
  readonly after: TruncationState;
}

const STORIES = { numRuns: 400 };

function frozen<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    Object.values(value).forEach(frozen);
  }
  return value;
}

/** Plays a story with frozen states and events, so that a mutation would throw. */
function play(story: readonly Turn[]): Step[] {
  const steps: Step[] = [];
  let state: TruncationState = frozen(editing(emptyDraft()));
  for (const turn of story) {
    const event = frozen(eventOf(turn, state));
    const after = frozen(reduceState(state, event));
    steps.push({ before: state, event, after });
    state = after;
  }
  return steps;
}

/** Checks each step of many stories. Fails if there was nothing to check. */
function always(isMeant: (step: Step) => boolean, check: (step: Step, earlier: readonly Step[]) => void): void {
  let looked = 0;
  fc.assert(
    fc.property(anyStory, (story) => {
      const steps = play(story);
      for (const [index, step] of steps.entries()) {
        if (isMeant(step)) {
          looked++;
          check(step, steps.slice(0, index));
        }
      }
    }),
    STORIES,
  );
  assert.ok(looked >= 10, `only ${looked} steps were looked at`);
}

function reviewIn(state: TruncationState): DryRunReview | undefined {
  return 'review' in state ? state.review : undefined;
}

function isSent(state: TruncationState): boolean {
  return state.phase === 'executing' && state.step === 'sent';
}

const enters =
  (phase: TruncationState['phase']) =>
  ({ before, after }: Step): boolean =>
    before.phase !== phase && after.phase === phase;
const sends = ({ before, after }: Step): boolean => !isSent(before) && isSent(after);

suite('Any order of events', () => {
  test('keeps a review only for exactly the typed plan', () => {
    always(
      ({ after }) => reviewIn(after) !== undefined,
      ({ after }) => assert.deepEqual(reviewIn(after)?.plan, planIn(after.draft)),
    );
  });

  test('keeps in a review what the server said about that plan at that time', () => {
    always(
      ({ before, after }) => reviewIn(after) !== undefined && reviewIn(after)?.report !== reviewIn(before)?.report,
      ({ before, event, after }) => {
        assert.ok(event.type === 'dryRunAnswered' || event.type === 'recounted');
        assert.equal(reviewIn(after)?.report, event.report);
        assert.equal(reviewIn(after)?.at, event.at);
        assert.ok(event.type === 'recounted' || (before.phase === 'dryRunning' && planIn(before.draft) !== undefined));
      },
    );
  });

  test('asks the user only about a recent dry run that would delete something', () => {
    always(enters('confirming'), ({ before, event, after }) => {
      assert.ok(before.phase === 'reviewed' && after.phase === 'confirming' && event.type === 'executeAsked');
      const age = event.at - before.review.at;
      assert.ok(age >= 0 && age <= MAX_AGE && event.monotonicAt - before.review.monotonicAt <= MAX_AGE);
      assert.equal(event.access, before.review.access);
      assert.notEqual(before.review.report.rows?.toDelete, 0);
      assert.equal(after.review, before.review);
    });
  });

  test('begins an execution only after exactly the reviewed plan is confirmed', () => {
    always(enters('executing'), ({ before, event, after }) => {
      assert.ok(before.phase === 'confirming' && after.phase === 'executing' && event.type === 'confirmed');
      assert.deepEqual(event.plan, before.review.plan);
      assert.equal(event.access, before.review.access);
      assert.ok(event.at - before.review.at <= MAX_AGE, 'the question did not stand open for too long');
      assert.deepEqual(after, { phase: 'executing', draft: before.draft, review: before.review, step: 'recounting' });
    });
  });

  test('sends only after a repeated count that deletes no more than confirmed', () => {
    always(sends, ({ before, event }, earlier) => {
      assert.equal(event.type, 'sent');
      const recount = earlier.findLast((step) => step.event.type === 'recounted' && step.after !== step.before);
      const yes = earlier.findLast(enters('executing'));
      assert.ok(recount !== undefined && yes !== undefined && earlier.indexOf(recount) > earlier.indexOf(yes));
      const [confirmed, counted] = [reviewIn(yes.after)?.report, reviewIn(before)?.report];
      assert.ok(confirmed !== undefined && counted !== undefined);
      assert.equal(counted.strategy, confirmed.strategy);
      if (counted.rows === undefined || confirmed.rows === undefined) {
        assert.equal(counted.serverText, confirmed.serverText);
      } else {
        assert.ok(counted.rows.toDelete > 0 && counted.rows.toDelete <= confirmed.rows.toDelete);
      }
    });
  });

  test('sends only with the access of the review', () => {
    always(sends, ({ before, event }, earlier) => {
      assert.equal(event.type, 'sent');
      const dryRun = earlier.findLast((step) => step.event.type === 'dryRunAnswered' && step.after !== step.before);
      assert.equal(dryRun?.event.type === 'dryRunAnswered' && dryRun.event.access, reviewIn(before)?.access);
    });
  });

  test('discards what was not sent after a change of access, with the reason, and nothing else', () => {
    always(
      ({ event }) => event.type === 'accessChanged',
      ({ before, event, after }) => {
        assert.ok(event.type === 'accessChanged');
        const asked = before.phase === 'dryRunning' ? before.access : reviewIn(before)?.access;
        const isOver = isSent(before) || ['editing', 'running', 'finished', 'failed'].includes(before.phase);
        if (isOver || event.access === asked) {
          assert.equal(after, before);
        } else {
          assert.partialDeepStrictEqual(after, { phase: 'editing', failing: event.failing });
          assert.equal(reviewIn(after), undefined);
        }
      },
    );
  });

  test('sends once for each confirmation', () => {
    always(sends, (_, earlier) => {
      const yes = earlier.findLastIndex(enters('executing'));
      assert.ok(yes >= 0);
      assert.equal(earlier.slice(yes).filter(sends).length, 0);
    });
  });

  test('leaves a sent truncation only after its end', () => {
    always(
      ({ before, after }) => (isSent(before) || before.phase === 'running') && after !== before,
      ({ before, event, after }) => {
        const may = isSent(before) ? ['learned', 'refused', 'heldBack'] : ['learned'];
        assert.ok(may.includes(event.type), event.type);
        assert.ok(isSent(before) ? ['executing', 'running', 'failed', 'reviewed'].includes(after.phase) : true);
      },
    );
  });
});
