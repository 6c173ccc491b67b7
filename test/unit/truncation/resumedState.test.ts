import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { jobOfOne } from '../../../src/truncation/jobState.ts';
import { reduceState, type TruncationState } from '../../../src/truncation/state.ts';
import type { TruncationRecord } from '../../../src/truncation/record.ts';
import { ACCESS, DRAFT, FAILED, FINISHED, LOST, MAX_AGE, NOW, RECORD, TASK_ID } from './samples.ts';

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
        { type: 'executeAsked', access, now: NOW, monotonicNow: 0, maxAge: MAX_AGE },
      );
      assert.notEqual(again.phase, 'confirming');
    }
  });
});
