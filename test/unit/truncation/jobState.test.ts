import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import * as fc from 'fast-check';
import {
  isBusy,
  jobOfOne,
  noItems,
  reduceJobState,
  statusOfItem,
  type ItemState,
  type JobEvent,
  type JobState,
} from '../../../src/truncation/jobState.ts';
import { FAILED, FINISHED, LOST, DRAFT, RECORD, REVIEW, STATES, type Place } from './samples.ts';

const OPERATION = { ...DRAFT, aspect: 'operation' };
const FAILING = { sentence: 'Nobody listens.' };

function after(job: JobState, ...events: readonly JobEvent[]): JobState {
  return events.reduce(reduceJobState, job);
}

/** The overview after its dry runs. */
function planned(...states: readonly Place[]): JobState {
  const counted = after(
    noItems('overview'),
    {
      type: 'countingBegan',
      items: states.map((_, place) => ({ draft: place === 0 ? DRAFT : OPERATION })),
      continues: undefined,
    },
    { type: 'countingEnded' },
  );
  return {
    ...counted,
    items: counted.items.map((item, place) => Object.assign({}, item, { state: STATES[states[place] ?? 'editing'] })),
  };
}

const CHECKING: JobEvent = { type: 'checking', places: [0, 1] };

suite('The job of an overview', () => {
  test('is counted, planned, confirmed, executed and ended', () => {
    const phases: string[] = [];
    let job = noItems('overview');
    for (const event of [
      { type: 'countingBegan', items: [{ draft: DRAFT }], continues: undefined },
      { type: 'itemCounting', place: 0 },
      { type: 'countingEnded' },
      { type: 'checking', places: [0] },
      { type: 'confirmed' },
      { type: 'concluded' },
      { type: 'startedOver' },
    ] as const) {
      job = reduceJobState(job, event);
      phases.push(job.phase);
    }
    assert.deepEqual(phases, ['dryRunning', 'dryRunning', 'planned', 'confirming', 'executing', 'ended', 'choosing']);
  });

  test('is asked about once, however often Delete is pressed', () => {
    const asked = after(planned('reviewed', 'reviewed'), CHECKING);
    assert.equal(reduceJobState(asked, CHECKING), asked);
    assert.equal(reduceJobState(after(asked, { type: 'confirmed' }), CHECKING).phase, 'executing');
    assert.equal(after(planned(), { type: 'checking', places: [] }).phase, 'planned');
  });

  test('changes neither its items nor its selection while it is counted, asked about or sent', () => {
    const idle = planned('reviewed', 'reviewed');
    assert.equal(after(idle, { type: 'selected', place: 1, isSelected: false }).items[1]?.isSelected, false);
    for (const busy of [after(idle, CHECKING), after(idle, CHECKING, { type: 'confirmed' })]) {
      assert.ok(isBusy(busy));
      for (const event of [
        { type: 'selected', place: 1, isSelected: false },
        { type: 'startedOver' },
        { type: 'countingBegan', items: [], continues: undefined },
      ] as const) {
        assert.equal(reduceJobState(busy, event), busy);
      }
    }
  });

  test('is planned again once its question is withdrawn from all items', () => {
    const asked = after(planned('confirming', 'confirming'), CHECKING);
    const withdrawn = (place: number): JobEvent => ({
      type: 'item',
      place,
      event: { type: 'accessChanged', access: undefined, failing: FAILING },
    });
    assert.equal(after(asked, withdrawn(0)).phase, 'confirming');
    const both = after(asked, withdrawn(0), withdrawn(1));
    assert.deepEqual([both.phase, both.confirmed], ['planned', undefined]);
  });

  test('says of what was confirmed and not reached that it was not sent', () => {
    const sending = after(
      planned('finished', 'recounting'),
      CHECKING,
      { type: 'confirmed' },
      { type: 'turnCame', place: 0 },
    );
    const status = ({ items }: JobState): readonly string[] => items.map(statusOfItem);
    assert.deepEqual(status(sending), ['finished', 'waiting']);
    assert.deepEqual(status(after(sending, { type: 'turnCame', place: 1 })), ['finished', 'counting']);
    assert.deepEqual(status(after(sending, { type: 'stopped' }, { type: 'concluded' })), ['finished', 'notSent']);
  });

  test('can be stopped only while it is sent', () => {
    const idle = planned('reviewed');
    assert.equal(reduceJobState(idle, { type: 'stopped' }), idle);
  });
});

suite('The job of a wizard', () => {
  test('is planned from the beginning, and ended for a truncation that was sent', () => {
    assert.deepEqual([jobOfOne(DRAFT).phase, jobOfOne(DRAFT).items.length], ['planned', 1]);
    const shown = jobOfOne(RECORD);
    assert.deepEqual([shown.phase, shown.items[0]?.record, shown.items[0]?.state.phase], ['ended', RECORD, 'running']);
  });

  test('is planned again if nothing was sent, and after another truncation was begun', () => {
    const confirmed = (place: Place): JobState => {
      const job = after(jobOfOne(DRAFT), { type: 'checking', places: [0] }, { type: 'confirmed' });
      return { ...job, items: job.items.map((item) => Object.assign({}, item, { state: STATES[place] })) };
    };
    assert.equal(after(confirmed('reviewed'), { type: 'concluded' }).phase, 'planned');
    assert.equal(after(confirmed('running'), { type: 'concluded' }).phase, 'ended');
    assert.equal(after(confirmed('running'), { type: 'startedOver' }).phase, 'planned', 'its task is being stored');
  });
});

suite('An item', () => {
  test('keeps the time of its first review, for the age that was chosen', () => {
    const answered = (at: number): JobEvent => ({
      type: 'item',
      place: 0,
      event: {
        type: 'dryRunAnswered',
        plan: REVIEW.plan,
        access: REVIEW.access,
        report: REVIEW.report,
        at,
        monotonicAt: at,
      },
    });
    const begun: JobEvent = { type: 'item', place: 0, event: { type: 'dryRunStarted', access: REVIEW.access } };
    const job = after(jobOfOne(DRAFT), begun, answered(1), begun, answered(2));
    assert.equal(job.items[0]?.firstReviewAt, 1);
  });

  for (const [ending, status] of [
    [FINISHED, 'finished'],
    [FAILED, 'failed'],
    [LOST, 'unknown'],
  ] as const) {
    test(`is ${status} after ${ending.kind}`, () => {
      const state = {
        ...STATES.failed,
        phase: ending.kind === 'finished' ? 'finished' : 'failed',
        ending,
      } as ItemState['state'];
      assert.equal(statusOfItem({ state, turn: 'now' }), status);
    });
  }
});

test('Whatever happens, a job is sent only after a question, and an event that does not fit changes nothing', () => {
  const anyEvent: fc.Arbitrary<JobEvent> = fc.constantFrom<JobEvent[]>(
    { type: 'countingBegan', items: [{ draft: DRAFT }, { draft: OPERATION }], continues: undefined },
    { type: 'itemCounting', place: 0 },
    { type: 'countingEnded' },
    { type: 'selected', place: 1, isSelected: false },
    { type: 'selected', place: 9, isSelected: false },
    CHECKING,
    { type: 'declined' },
    { type: 'confirmed' },
    { type: 'turnCame', place: 0 },
    { type: 'failed', failing: FAILING },
    { type: 'stopped' },
    { type: 'concluded' },
    { type: 'startedOver' },
  );
  fc.assert(
    fc.property(fc.constantFrom(noItems('overview'), jobOfOne(DRAFT)), fc.array(anyEvent), (start, events) => {
      let job = start;
      for (const event of events) {
        const next = reduceJobState(job, event);
        assert.ok(next.phase !== 'executing' || ['confirming', 'executing'].includes(job.phase));
        assert.ok(next.phase !== 'confirming' || next.confirmed !== undefined);
        assert.ok(next.items.length === job.items.length || !isBusy(job));
        job = next;
      }
    }),
  );
});
