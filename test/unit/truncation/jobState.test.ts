import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { jobIn, reduceJobState, type JobEvent, type JobState } from '../../../src/truncation/jobState.ts';

function after(job: JobState, ...events: readonly JobEvent[]): JobState {
  return events.reduce(reduceJobState, job);
}

const CHECKING: JobEvent = { type: 'checking', places: [0, 1] };
const COUNTING: JobEvent = { type: 'countingBegan' };
const CONCLUDED: JobEvent = { type: 'concluded', isSent: false };
const CHOOSING = jobIn('choosing', 'overview');
const READY = after(CHOOSING, COUNTING, { type: 'countingEnded' });

type Phase = JobState['phase'];

const JOBS: Readonly<Record<Phase, JobState>> = {
  choosing: CHOOSING,
  dryRunning: after(CHOOSING, COUNTING),
  planned: READY,
  confirming: after(READY, CHECKING),
  executing: after(READY, CHECKING, { type: 'confirmed' }),
  ended: after(READY, CHECKING, { type: 'confirmed' }, CONCLUDED),
};

const EVENTS: readonly JobEvent[] = [
  COUNTING,
  { type: 'countingEnded' },
  CHECKING,
  { type: 'checking', places: [] },
  { type: 'declined' },
  { type: 'confirmed' },
  { type: 'stopped' },
  CONCLUDED,
  { type: 'startedOver' },
];

/** Phase after each event. Missing ones change nothing. */
const ARROWS: Readonly<Record<Phase, Partial<Record<string, Phase>>>> = {
  choosing: { countingBegan: 'dryRunning', startedOver: 'choosing' },
  dryRunning: { countingEnded: 'planned' },
  planned: { countingBegan: 'dryRunning', 'checking 0,1': 'confirming', startedOver: 'choosing' },
  confirming: { declined: 'planned', confirmed: 'executing' },
  executing: { stopped: 'executing', concluded: 'ended' },
  ended: { countingBegan: 'dryRunning', startedOver: 'choosing' },
};

suite('The job of an overview', () => {
  for (const [from, arrows] of Object.entries(ARROWS) as [Phase, Partial<Record<string, Phase>>][]) {
    test(`that is ${from} changes by ${Object.keys(arrows).join(', ')}, and by nothing else`, () => {
      assert.equal(JOBS[from].phase, from);
      for (const event of EVENTS) {
        const name = `${event.type} ${'places' in event ? event.places.join() : ''}`.trim();
        const changed = reduceJobState(JOBS[from], event);
        assert.equal(changed === JOBS[from] ? undefined : changed.phase, arrows[name], name);
      }
    });
  }
});

test('The job of a wizard is planned again if nothing was sent, and after another truncation was begun', () => {
  const executing = after(jobIn('planned', 'wizard'), { type: 'checking', places: [0] }, { type: 'confirmed' });
  assert.equal(after(executing, CONCLUDED).phase, 'planned');
  assert.equal(after(executing, { type: 'concluded', isSent: true }).phase, 'ended');
  assert.equal(after(executing, { type: 'startedOver' }).phase, 'planned', 'its task is being stored');
});
