import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import * as fc from 'fast-check';
import { emptyDraft } from '../../../src/truncation/plan.ts';
import {
  editing,
  reduceState,
  type DryRunReview,
  type TruncationEvent,
  type TruncationState,
} from '../../../src/truncation/state.ts';
import { anyStory, eventOf, planIn, type Turn } from './anyTruncation.ts';
import { MAX_AGE } from './samples.ts';

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
      const age = event.now - before.review.at;
      assert.ok(age >= 0 && age <= MAX_AGE && event.monotonicNow - before.review.monotonicAt <= MAX_AGE);
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
      assert.ok(event.now - before.review.at <= MAX_AGE, 'the question did not stand open for too long');
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

  test('discards what was not sent after a change of access', () => {
    always(
      ({ before, event }) =>
        event.type === 'accessChanged' && reviewIn(before) !== undefined && event.access !== reviewIn(before)?.access,
      ({ before, after }) =>
        isSent(before) || ['running', 'finished', 'failed'].includes(before.phase)
          ? assert.equal(after, before)
          : assert.equal(after.phase, 'editing'),
    );
  });

  test('sends once for each confirmation', () => {
    always(sends, (_, earlier) => {
      const yes = earlier.findLastIndex(enters('executing'));
      assert.ok(yes >= 0);
      assert.equal(earlier.slice(yes).filter(sends).length, 0);
    });
  });

  test('leaves a sent truncation only after its end, or when the user starts over', () => {
    always(
      ({ before, after }) => (isSent(before) || before.phase === 'running') && after !== before,
      ({ before, event, after }) => {
        const may = isSent(before) ? ['started', 'ended', 'heldBack'] : ['ended', 'startOver'];
        assert.ok(may.includes(event.type), event.type);
        assert.ok(isSent(before) ? ['running', 'failed', 'reviewed'].includes(after.phase) : true);
      },
    );
  });
});
