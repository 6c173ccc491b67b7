import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { readDryRun } from '../../../src/truncation/dryRunReport.ts';
import { emptyDraft } from '../../../src/truncation/plan.ts';
import { editing, mayExecute, next } from '../../../src/truncation/truncation.ts';
import type { TruncationEvent, TruncationState } from '../../../src/truncation/truncation.ts';
import {
  DELETE_BY_QUERY,
  DRAFT,
  FAILED,
  FINISHED,
  LOST,
  MAX_AGE,
  MINUTE,
  NOTHING_TO_DELETE,
  NOW,
  PLAN,
  REINDEX,
  REVIEW,
} from './samples.ts';
import { STATES, TASK_ID, UNKNOWN_WORDS, dryRunText, planOf } from './samples.ts';
import type { Place } from './samples.ts';

const OTHER_DRAFT = { ...DRAFT, batchSize: '500' };
const FAILING = { sentence: 'Nobody listens.' };

/** One event of each kind, such as would fit. */
const EVENTS: Readonly<Record<TruncationEvent['type'], TruncationEvent>> = {
  edited: { type: 'edited', draft: OTHER_DRAFT },
  dryRunStarted: { type: 'dryRunStarted' },
  dryRunAnswered: { type: 'dryRunAnswered', plan: PLAN, report: DELETE_BY_QUERY, at: NOW },
  dryRunFailed: { type: 'dryRunFailed', failing: FAILING },
  executeAsked: { type: 'executeAsked', now: NOW + MINUTE, maxAge: MAX_AGE },
  declined: { type: 'declined' },
  confirmed: { type: 'confirmed', plan: PLAN },
  recounted: { type: 'recounted', report: DELETE_BY_QUERY, at: NOW + MINUTE },
  notSent: { type: 'notSent', failing: FAILING },
  sent: { type: 'sent' },
  started: { type: 'started', taskId: TASK_ID },
  ended: { type: 'ended', ending: FINISHED },
  startOver: { type: 'startOver', draft: emptyDraft() },
};

/** Where each event leads from each place; what is not written down changes nothing. */
const ARROWS: Readonly<Record<Place, Partial<Record<TruncationEvent['type'], Place>>>> = {
  editing: { edited: 'editing', dryRunStarted: 'dryRunning' },
  dryRunning: { edited: 'editing', dryRunAnswered: 'reviewed', dryRunFailed: 'editing' },
  reviewed: { edited: 'editing', dryRunStarted: 'dryRunning', executeAsked: 'confirming' },
  confirming: { declined: 'reviewed', confirmed: 'recounting' },
  recounting: { recounted: 'recounted', notSent: 'reviewed' },
  recounted: { notSent: 'reviewed', sent: 'sent' },
  sent: { started: 'running' },
  running: { ended: 'finished', startOver: 'editing' },
  finished: { startOver: 'editing' },
  failed: { startOver: 'editing' },
};

function placeOf(state: TruncationState): Place {
  return state.phase === 'executing' ? state.step : state.phase;
}

suite('A truncation, event by event', () => {
  for (const [from, arrows] of Object.entries(ARROWS) as [Place, Partial<Record<TruncationEvent['type'], Place>>][]) {
    for (const [type, event] of Object.entries(EVENTS) as [TruncationEvent['type'], TruncationEvent][]) {
      const to = arrows[type];
      test(to === undefined ? `${from}: ${type} has no place` : `${from}: ${type} leads to ${to}`, () => {
        const after = next(STATES[from], event);
        if (to === undefined) {
          assert.equal(after, STATES[from], 'the same object: nothing changed');
        } else {
          assert.equal(placeOf(after), to);
        }
      });
    }
  }

  test('from typing to the end', () => {
    const told: TruncationEvent[] = [
      { type: 'edited', draft: DRAFT },
      EVENTS.dryRunStarted,
      EVENTS.dryRunAnswered,
      EVENTS.executeAsked,
      EVENTS.confirmed,
      EVENTS.recounted,
      EVENTS.sent,
      EVENTS.started,
      EVENTS.ended,
    ];
    const end = told.reduce(next, editing(emptyDraft()));
    assert.deepEqual(end, { phase: 'finished', draft: DRAFT, review: { ...REVIEW, at: NOW + MINUTE }, taskId: TASK_ID, ending: FINISHED });
  });
});

suite('Typing', () => {
  test('that makes no other plan keeps the review', () => {
    const accepted = { ...DRAFT, cautionAccepted: true, batchSize: ' 10000 ' };
    assert.deepEqual(next(STATES.reviewed, { type: 'edited', draft: accepted }), { ...STATES.reviewed, draft: accepted });
    assert.deepEqual(next(STATES.dryRunning, { type: 'edited', draft: accepted }), { ...STATES.dryRunning, draft: accepted });
  });

  for (const [what, change] of Object.entries({
    'another entity type': { entityType: 'chart' },
    'another aspect': { aspect: 'operation' },
    'a cut-off one millisecond later': { endTimeMillis: PLAN.endTimeMillis + 1 },
    'another batch size': { batchSize: '9999' },
    'a timeout': { timeoutSeconds: '60' },
    'another strategy': { strategy: 'deleteByQuery' },
    'something that is no plan': { batchSize: 'x' },
    'no cut-off': { endTimeMillis: undefined },
  } as const)) {
    test(`takes the review away with ${what}, and the dry run under way too`, () => {
      const draft = { ...DRAFT, ...change };
      assert.deepEqual(next(STATES.reviewed, { type: 'edited', draft }), { phase: 'editing', draft });
      assert.deepEqual(next(STATES.dryRunning, { type: 'edited', draft }), { phase: 'editing', draft });
    });
  }

  test('takes a failure away', () => {
    const failed = next(STATES.dryRunning, { type: 'dryRunFailed', failing: FAILING });
    assert.deepEqual(failed, { phase: 'editing', draft: DRAFT, failing: FAILING });
    assert.deepEqual(next(failed, { type: 'edited', draft: DRAFT }), STATES.editing);
  });
});

suite('A dry run', () => {
  test('is not started from what is no plan', () => {
    const state = editing({ ...DRAFT, aspect: 'dataset*' });
    assert.equal(next(state, { type: 'dryRunStarted' }), state);
  });

  test('that was cancelled leaves no failure behind', () => {
    assert.deepEqual(next(STATES.dryRunning, { type: 'dryRunFailed' }), STATES.editing);
  });

  test('of another plan is no review of this one', () => {
    const late = { type: 'dryRunAnswered', plan: planOf(OTHER_DRAFT), report: DELETE_BY_QUERY, at: NOW } as const;
    assert.equal(next(STATES.dryRunning, late), STATES.dryRunning);
  });
});

suite('Asking to execute', () => {
  test('is heard until the dry run is too old, to the millisecond', () => {
    const asked = (age: number): TruncationState => next(STATES.reviewed, { type: 'executeAsked', now: NOW + age, maxAge: MAX_AGE });
    assert.equal(asked(MAX_AGE).phase, 'confirming');
    assert.deepEqual(asked(MAX_AGE + 1), { ...STATES.reviewed, review: { ...REVIEW, notice: 'tooOld' } });
  });

  test('is not heard when no row would go', () => {
    const state: TruncationState = { ...STATES.reviewed, review: { ...REVIEW, report: NOTHING_TO_DELETE } };
    assert.equal(next(state, EVENTS.executeAsked), state);
    assert.equal(mayExecute(state.review), false);
  });

  test('is heard when the words of the server are not understood: one more question follows', () => {
    const state: TruncationState = { ...STATES.reviewed, review: { ...REVIEW, report: UNKNOWN_WORDS } };
    assert.equal(next(state, EVENTS.executeAsked).phase, 'confirming');
  });

  test('with a yes to another plan executes nothing', () => {
    assert.equal(next(STATES.confirming, { type: 'confirmed', plan: planOf(OTHER_DRAFT) }), STATES.confirming);
  });
});

suite('The count just before the execution', () => {
  const recounted = (report: typeof DELETE_BY_QUERY, shown = DELETE_BY_QUERY): TruncationState =>
    next({ ...STATES.recounting, review: { ...REVIEW, report: shown } }, { type: 'recounted', report, at: NOW + MINUTE });

  test('that grew by one row goes back to review with the new numbers', () => {
    const grown = readDryRun(dryRunText(21, 201));
    assert.deepEqual(recounted(grown), {
      phase: 'reviewed',
      draft: DRAFT,
      review: { plan: PLAN, report: grown, at: NOW + MINUTE, notice: 'grew' },
    });
  });

  test('that fell goes on, from the new numbers', () => {
    const fallen = readDryRun(dryRunText(19, 200));
    assert.deepEqual(recounted(fallen), { ...STATES.recounted, review: { plan: PLAN, report: fallen, at: NOW + MINUTE } });
  });

  for (const [what, report, shown, notice] of [
    ['another strategy', { ...REINDEX, rows: DELETE_BY_QUERY.rows }, DELETE_BY_QUERY, 'strategy'],
    ['words that are not understood any more', UNKNOWN_WORDS, DELETE_BY_QUERY, 'unreadable'],
    ['other words that are not understood', readDryRun('The moon is new.'), UNKNOWN_WORDS, 'unreadable'],
    ['nothing left to delete', NOTHING_TO_DELETE, DELETE_BY_QUERY, 'nothingLeft'],
  ] as const) {
    test(`goes back to review with ${what}`, () => {
      const state = recounted(report, shown);
      assert.ok(state.phase === 'reviewed');
      assert.equal(state.review.notice, notice);
      assert.equal(state.review.report, report);
    });
  }

  test('in the same words that are not understood goes on', () => {
    assert.equal(placeOf(recounted(UNKNOWN_WORDS, UNKNOWN_WORDS)), 'recounted');
  });

  test('that failed tells why, and the review stays', () => {
    assert.deepEqual(next(STATES.recounting, { type: 'notSent', failing: FAILING }), { ...STATES.reviewed, failing: FAILING });
  });
});

suite('The end', () => {
  test('of a task that failed keeps its number', () => {
    assert.deepEqual(next(STATES.running, { type: 'ended', ending: FAILED }), STATES.failed);
    assert.deepEqual(next(STATES.running, { type: 'ended', ending: LOST }), { ...STATES.failed, ending: LOST });
  });

  test('without an answer has no number, and is no success', () => {
    assert.deepEqual(next(STATES.sent, { type: 'ended', ending: LOST }), { ...STATES.failed, taskId: undefined, ending: LOST });
    assert.equal(next(STATES.sent, { type: 'ended', ending: FINISHED }), STATES.sent);
  });
});
