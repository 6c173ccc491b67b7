import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { parseDryRun, type AgeLimit } from '../../../src/truncation/dryRun.ts';
import type { TruncationRecord } from '../../../src/truncation/sentTruncation.ts';
import { reduceState, type TruncationEvent, type TruncationState } from '../../../src/truncation/state.ts';
import {
  ACCESS,
  DELETE_BY_QUERY,
  DRAFT,
  dryRunText,
  FINISHED,
  LOST,
  MAX_AGE,
  MINUTE,
  MONOTONIC_NOW,
  NOW,
  type Place,
  PLAN,
  RECORD,
  REINDEX,
  REVIEW,
  STATES,
  UNANSWERED,
  UNKNOWN_WORDS,
} from './samples.ts';

const OTHER_DRAFT = { ...DRAFT, batchSize: '500' };
const FAILING = { sentence: 'Nobody listens.' };
const OTHER_ACCESS = `${ACCESS} with another path`;

/** Time and age limit at an age of the dry run by both clocks, in ms. */
function aged(wall: number, monotonic = wall): AgeLimit {
  return { at: NOW + wall, monotonicAt: MONOTONIC_NOW + monotonic, maxAge: MAX_AGE };
}

const EVENTS = {
  edited: { type: 'edited', draft: OTHER_DRAFT },
  dryRunStarted: { type: 'dryRunStarted', access: ACCESS },
  dryRunAnswered: {
    type: 'dryRunAnswered',
    plan: PLAN,
    access: ACCESS,
    report: DELETE_BY_QUERY,
    at: NOW,
    monotonicAt: MONOTONIC_NOW,
  },
  dryRunFailed: { type: 'dryRunFailed', failing: FAILING },
  accessChanged: { type: 'accessChanged', access: OTHER_ACCESS, failing: FAILING },
  wentBack: { type: 'wentBack' },
  executeAsked: { type: 'executeAsked', access: ACCESS, ...aged(MINUTE) },
  declined: { type: 'declined' },
  confirmed: { type: 'confirmed', plan: PLAN, access: ACCESS, ...aged(2 * MINUTE) },
  recounted: { type: 'recounted', report: DELETE_BY_QUERY, at: NOW + MINUTE, monotonicAt: MONOTONIC_NOW + MINUTE },
  notSent: { type: 'notSent', failing: FAILING },
  sent: { type: 'sent', record: UNANSWERED },
  heldBack: { type: 'heldBack', failing: FAILING },
  refused: { type: 'refused', failing: FAILING },
  learned: { type: 'learned', record: { ...RECORD, ending: FINISHED } },
} as const satisfies { readonly [Type in TruncationEvent['type']]: Extract<TruncationEvent, { readonly type: Type }> };

/** State after each event. Missing ones change nothing. */
const ARROWS: Readonly<Record<Place, Partial<Record<TruncationEvent['type'], Place>>>> = {
  editing: { edited: 'editing', dryRunStarted: 'dryRunning' },
  dryRunning: { edited: 'editing', dryRunAnswered: 'reviewed', dryRunFailed: 'editing', accessChanged: 'editing' },
  reviewed: {
    edited: 'editing',
    dryRunStarted: 'dryRunning',
    executeAsked: 'confirming',
    accessChanged: 'editing',
    wentBack: 'editing',
  },
  confirming: {
    edited: 'editing',
    declined: 'reviewed',
    confirmed: 'recounting',
    notSent: 'reviewed',
    accessChanged: 'editing',
  },
  recounting: { recounted: 'recounted', notSent: 'reviewed', accessChanged: 'editing' },
  recounted: { notSent: 'reviewed', sent: 'sent', accessChanged: 'editing' },
  sent: { learned: 'finished', heldBack: 'reviewed', refused: 'failed' },
  running: { learned: 'finished' },
  finished: { learned: 'finished' },
  failed: { learned: 'finished' },
};

function placeOf(state: TruncationState): Place {
  return state.phase === 'executing' ? state.step : state.phase;
}

suite('Truncation by single events', () => {
  for (const [from, arrows] of Object.entries(ARROWS) as [Place, Partial<Record<TruncationEvent['type'], Place>>][]) {
    for (const [type, event] of Object.entries(EVENTS) as [TruncationEvent['type'], TruncationEvent][]) {
      const to = arrows[type];
      test(to === undefined ? `${from} ignores ${type}` : `${from} becomes ${to} on ${type}`, () => {
        const after = reduceState(STATES[from], event);
        if (to === undefined) {
          assert.equal(after, STATES[from], 'the same object: nothing changed');
        } else {
          assert.equal(placeOf(after), to);
        }
      });
    }
  }
});

suite('Edit', () => {
  test('keeps the review if the plan is the same', () => {
    const accepted = { ...DRAFT, acceptedCautions: ['future'] as const, batchSize: ' 10000 ' };
    assert.deepEqual(reduceState(STATES.reviewed, { type: 'edited', draft: accepted }), {
      ...STATES.reviewed,
      draft: accepted,
    });
    assert.deepEqual(reduceState(STATES.dryRunning, { type: 'edited', draft: accepted }), {
      ...STATES.dryRunning,
      draft: { ...accepted, acceptedCautions: [] },
    });
  });

  test('and every step to another response takes back what was accepted', () => {
    const draft = { ...DRAFT, acceptedCautions: ['noRowStays', 'reindex'] as const };
    const reviewed = { ...STATES.reviewed, draft };
    const executing = { ...STATES.recounting, draft };
    for (const [state, event] of [
      [reviewed, { type: 'edited', draft: { ...draft, batchSize: '7' } }],
      [reviewed, { type: 'wentBack' }],
      [reviewed, { type: 'dryRunStarted', access: ACCESS }],
      [STATES.editing, { type: 'edited', draft }],
      [executing, { type: 'recounted', report: REINDEX, at: NOW, monotonicAt: 0 }],
      [
        { ...STATES.recounted, draft },
        { type: 'notSent', failing: { sentence: 'No.' } },
      ],
      [
        { ...STATES.sent, draft },
        { type: 'heldBack', failing: { sentence: 'No.' } },
      ],
    ] as const) {
      const after = reduceState(state, event);
      assert.notEqual(after, state);
      assert.deepEqual(after.draft.acceptedCautions, [], `${state.phase}, ${event.type}`);
    }
  });
});

suite('Request to execute', () => {
  for (const [what, wall, monotonic, isHeard] of [
    ['the clock was set back by an hour', -60 * MINUTE, MINUTE, false],
    ['the clock was set back by a millisecond', -1, MINUTE, false],
    ['the clock was set back although the dry run is old', MINUTE, MAX_AGE + 1, false],
    ['the machine slept, a millisecond too long', MAX_AGE + 1, MINUTE, false],
    ['the dry run was just taken', 0, 0, true],
    ['both clocks agree', MAX_AGE, MAX_AGE, true],
  ] as const) {
    test(`${isHeard ? 'is accepted if' : 'needs another dry run if'} ${what}`, () => {
      const age = aged(wall, monotonic);
      const asked = reduceState(STATES.reviewed, { type: 'executeAsked', access: ACCESS, ...age });
      const yes = reduceState(STATES.confirming, { type: 'confirmed', plan: PLAN, access: ACCESS, ...age });
      if (isHeard) {
        assert.deepEqual([asked, yes].map(placeOf), ['confirming', 'recounting']);
      } else {
        const old = { ...STATES.reviewed, review: { ...REVIEW, notice: 'tooOld' } };
        assert.deepEqual([asked, yes], [old, old]);
      }
    });
  }
});

suite('Repeated count right before the execution', () => {
  const RECOUNTED_AT = { at: NOW + MINUTE, monotonicAt: MONOTONIC_NOW + MINUTE };
  const recounted = (report: typeof DELETE_BY_QUERY, shown = DELETE_BY_QUERY): TruncationState =>
    reduceState(
      { ...STATES.recounting, review: { ...REVIEW, report: shown } },
      { type: 'recounted', report, ...RECOUNTED_AT },
    );

  for (const [what, notice, report, shown = DELETE_BY_QUERY] of [
    ['one row more', 'grew', parseDryRun(dryRunText(21, 201))],
    ['another strategy', 'changed', { ...REINDEX, rows: DELETE_BY_QUERY.rows }],
    ['an unreadable text', 'changed', UNKNOWN_WORDS],
    ['another unreadable text', 'changed', parseDryRun('The moon is new.'), UNKNOWN_WORDS],
    ['a readable text after an unreadable one', 'changed', DELETE_BY_QUERY, UNKNOWN_WORDS],
    // Others may be hidden.
    ['fewer rows than should stay', 'shrank', parseDryRun(dryRunText(0, 180))],
    ['nothing left to delete, but all that should stay', 'nothingLeft', parseDryRun(dryRunText(0, 181))],
  ] as const) {
    test(`returns to review with ${what}, which is shown`, () => {
      const review = { ...REVIEW, report, ...RECOUNTED_AT, notice };
      assert.deepEqual(recounted(report, shown), { phase: 'reviewed', draft: DRAFT, review });
    });
  }

  for (const [what, report, shown] of [
    ['one row less', parseDryRun(dryRunText(19, 200)), DELETE_BY_QUERY],
    ['the same unreadable text', UNKNOWN_WORDS, UNKNOWN_WORDS],
  ] as const) {
    test(`continues with ${what}`, () =>
      assert.deepEqual(recounted(report, shown), {
        ...STATES.recounted,
        review: { ...REVIEW, report, ...RECOUNTED_AT },
      }));
  }

  test('keeps the review and shows the failure if it failed', () => {
    assert.deepEqual(reduceState(STATES.recounting, { type: 'notSent', failing: FAILING }), {
      ...STATES.reviewed,
      failing: FAILING,
    });
  });
});

suite('End', () => {
  const learn = (state: TruncationState, record: TruncationRecord): TruncationState =>
    reduceState(state, { type: 'learned', record });
  const lost = { ...RECORD, ending: LOST };

  test('is the one of the record, and can be judged again: rows can be found after a refresh, or become hidden', () => {
    assert.deepEqual(learn(STATES.running, STATES.failed.record), STATES.failed);
    assert.deepEqual(learn(STATES.running, lost), { ...STATES.failed, record: lost });
    assert.deepEqual(learn(STATES.failed, STATES.finished.record), STATES.finished);
    assert.deepEqual(learn(STATES.finished, lost), { ...STATES.failed, record: lost });
  });

  test('without a response is no success, but what searches found is known', () => {
    const unanswered = { ...UNANSWERED, ending: LOST };
    assert.deepEqual(learn(STATES.sent, unanswered), { ...STATES.failed, record: unanswered });
    const gone = { ...UNANSWERED, ending: FINISHED };
    assert.deepEqual(learn(STATES.sent, gone), { ...STATES.sent, record: gone });
  });

  test('or a task that this window alone knows, since the disk is full, is kept', () => {
    for (const state of [STATES.running, STATES.finished, { ...STATES.failed, record: lost }] as const) {
      assert.equal(learn(state, UNANSWERED), state);
    }
  });

  test('is none once the server refused it', () => {
    const refused = reduceState(STATES.sent, EVENTS.refused);
    assert.equal(learn(refused, RECORD), refused);
  });

  test('that another window gave it without a response is none once it was refused, or never left', () => {
    const lostMeanwhile = learn(STATES.sent, { ...UNANSWERED, ending: LOST });
    for (const event of [EVENTS.refused, EVENTS.heldBack]) {
      assert.deepEqual(reduceState(lostMeanwhile, event), reduceState(STATES.sent, event), event.type);
    }
  });

  test('that is known already changes nothing, so that no page is drawn again', () =>
    assert.equal(learn(STATES.finished, STATES.finished.record), STATES.finished));
});
