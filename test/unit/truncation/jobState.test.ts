import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { jobOfOne, noItems, reduceJobState, type JobEvent, type JobState } from '../../../src/truncation/jobState.ts';
import type { TruncationRecord } from '../../../src/truncation/record.ts';
import { reduceState, type TruncationState } from '../../../src/truncation/state.ts';
import {
  ACCESS,
  DRAFT,
  FAILED,
  FINISHED,
  LOST,
  MAX_AGE,
  NOW,
  RECORD,
  REVIEW,
  STATES,
  TASK_ID,
  type Place,
} from './samples.ts';

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
    },
    { type: 'countingEnded' },
  );
  return {
    ...counted,
    items: counted.items.map((item, place) => Object.assign({}, item, { state: STATES[states[place] ?? 'editing'] })),
  };
}

const CHECKING: JobEvent = { type: 'checking', places: [0, 1] };
const READY = planned('reviewed', 'reviewed');
const COUNTING: JobEvent = {
  type: 'countingBegan',
  items: [{ draft: DRAFT }, { draft: OPERATION }],
};

type Phase = JobState['phase'];

/** A job of the overview in each phase. */
const JOBS: Readonly<Record<Phase, JobState>> = {
  choosing: noItems('overview'),
  dryRunning: after(noItems('overview'), COUNTING),
  planned: READY,
  confirming: after(READY, CHECKING),
  executing: after(READY, CHECKING, { type: 'confirmed' }),
  ended: after(READY, CHECKING, { type: 'confirmed' }, { type: 'concluded' }),
};

const EVENTS: readonly JobEvent[] = [
  COUNTING,
  { type: 'countingEnded' },
  { type: 'selected', place: 1, isSelected: false },
  { type: 'selected', place: 9, isSelected: false },
  CHECKING,
  { type: 'checking', places: [] },
  { type: 'declined' },
  { type: 'confirmed' },
  { type: 'stopped' },
  { type: 'concluded' },
  { type: 'startedOver' },
];

/** Phase after each event. Missing ones change nothing. */
const ARROWS: Readonly<Record<Phase, Partial<Record<string, Phase>>>> = {
  choosing: { countingBegan: 'dryRunning', startedOver: 'choosing' },
  dryRunning: { countingEnded: 'planned' },
  planned: {
    countingBegan: 'dryRunning',
    'selected 1': 'planned',
    'checking 0,1': 'confirming',
    startedOver: 'choosing',
  },
  confirming: { declined: 'planned', confirmed: 'executing' },
  executing: { stopped: 'executing', concluded: 'ended' },
  ended: { countingBegan: 'dryRunning', 'selected 1': 'ended', startedOver: 'choosing' },
};

suite('The job of an overview', () => {
  for (const [from, arrows] of Object.entries(ARROWS) as [Phase, Partial<Record<string, Phase>>][]) {
    test(`that is ${from} changes by ${Object.keys(arrows).join(', ')}, and by nothing else`, () => {
      assert.equal(JOBS[from].phase, from);
      for (const event of EVENTS) {
        const which = [event.type, 'place' in event ? event.place : 'places' in event ? event.places : ''];
        const name = which.join(' ').trim();
        const changed = reduceJobState(JOBS[from], event);
        assert.equal(changed === JOBS[from] ? undefined : changed.phase, arrows[name], name);
      }
    });
  }

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

const { taskId: _, ...UNANSWERED } = RECORD;

function resumedState(record: TruncationRecord): TruncationState {
  return jobOfOne(record).items[0]?.state ?? assert.fail('no item');
}

suite('Restored truncation', () => {
  for (const [what, record, phase, taskId, ending] of [
    ['with a running task', RECORD, 'running', TASK_ID, undefined],
    ['that finished', { ...RECORD, ending: FINISHED }, 'finished', TASK_ID, FINISHED],
    ['that finished without a known task', { ...UNANSWERED, ending: FINISHED }, 'finished', undefined, FINISHED],
    ['that failed', { ...RECORD, ending: FAILED }, 'failed', TASK_ID, FAILED],
    ['that the server no longer knows', { ...RECORD, ending: LOST }, 'failed', TASK_ID, LOST],
    ['that is lost', { ...UNANSWERED, ending: LOST }, 'failed', undefined, LOST],
    ['without a response', UNANSWERED, 'failed', undefined, { kind: 'unknown', reason: 'lost' }],
  ] as const satisfies readonly (readonly [string, TruncationRecord, string, string | undefined, unknown])[]) {
    test(`${what} is ${phase}`, () => {
      const state = resumedState(record);
      assert.equal(state.phase, phase);
      assert.ok('taskId' in state && state.taskId === taskId);
      assert.deepEqual('ending' in state ? state.ending : undefined, ending);
    });
  }

  test('shows its draft, and the dry run that was executed', () => {
    assert.deepEqual(resumedState(RECORD).draft, DRAFT);
    const plan = { ...RECORD.plan, batchSize: 500, timeoutSeconds: 60, strategy: 'reindex' } as const;
    const state = resumedState({ ...RECORD, plan });
    assert.ok('review' in state);
    const draft = { ...DRAFT, batchSize: '500', timeoutSeconds: '60', strategy: 'reindex' };
    assert.deepEqual(state.draft, draft);
    assert.partialDeepStrictEqual(state.review, { plan, report: RECORD.report, at: RECORD.reviewedAt });
  });

  test('has a dry run that cannot be executed, since it belongs to no connection', () => {
    const state = resumedState({ ...RECORD, ending: FAILED });
    assert.ok('review' in state);
    const { draft, review } = state;
    for (const access of [ACCESS, 'mutant']) {
      const again = reduceState(
        { phase: 'reviewed', draft, review },
        { type: 'executeAsked', access, now: NOW, maxAge: MAX_AGE },
      );
      assert.notEqual(again.phase, 'confirming');
    }
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
      },
    });
    const begun: JobEvent = { type: 'item', place: 0, event: { type: 'dryRunStarted', access: REVIEW.access } };
    const job = after(jobOfOne(DRAFT), begun, answered(1), begun, answered(2));
    assert.equal(job.items[0]?.firstReviewAt, 1);
  });
});
