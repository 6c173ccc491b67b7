import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { resumed } from '../../../src/truncation/resumed.ts';
import { reduce } from '../../../src/truncation/state.ts';
import type { TruncationRecord } from '../../../src/truncation/record.ts';
import { taskTexts } from '../../../src/truncation/texts/taskTexts.ts';
import { ACCESS, DRAFT, FAILED, FINISHED, LOST, MAX_AGE, NOW, RECORD, TASK_ID } from './samples.ts';

const { taskId: _, ...UNANSWERED } = RECORD;

suite('A truncation that was sent before', () => {
  for (const [what, record, phase, taskId, ending] of [
    ['whose task runs', RECORD, 'running', TASK_ID, undefined],
    ['that finished', { ...RECORD, ending: FINISHED }, 'finished', TASK_ID, FINISHED],
    [
      'that finished without a task that is known',
      { ...UNANSWERED, ending: FINISHED },
      'finished',
      undefined,
      FINISHED,
    ],
    ['that failed', { ...RECORD, ending: FAILED }, 'failed', TASK_ID, FAILED],
    ['that is not known any more', { ...RECORD, ending: LOST }, 'failed', TASK_ID, LOST],
    ['that was given up as lost', { ...UNANSWERED, ending: LOST }, 'failed', undefined, LOST],
    ['that was never answered', UNANSWERED, 'failed', undefined, { kind: 'unknown', failing: taskTexts.lost() }],
  ] as const satisfies readonly (readonly [string, TruncationRecord, string, string | undefined, unknown])[]) {
    test(`${what} is ${phase}`, () => {
      const state = resumed(record);
      assert.equal(state.phase, phase);
      assert.ok('taskId' in state && state.taskId === taskId);
      assert.deepEqual('ending' in state ? state.ending : undefined, ending);
    });
  }

  test('shows what was typed for it', () => {
    assert.deepEqual(resumed(RECORD).draft, DRAFT);
    const plan = { ...RECORD.plan, batchSize: 500, timeoutSeconds: 60, strategy: 'reindex' } as const;
    assert.deepEqual(resumed({ ...RECORD, plan }).draft, {
      ...DRAFT,
      batchSize: '500',
      timeoutSeconds: '60',
      strategy: 'reindex',
    });
  });

  test('shows the dry run that it was executed from', () => {
    const state = resumed(RECORD);
    assert.ok('review' in state);
    assert.deepEqual(
      [state.review.plan, state.review.report, state.review.at],
      [RECORD.plan, RECORD.report, RECORD.reviewedAt],
    );
  });

  test('is no dry run to execute from: it belongs to no connection', () => {
    const state = resumed({ ...RECORD, ending: FAILED });
    assert.ok('review' in state);
    const { draft, review } = state;
    for (const access of [ACCESS, 'mutant']) {
      const again = reduce(
        { phase: 'reviewed', draft, review },
        { type: 'executeAsked', access, now: NOW, monotonicNow: 0, maxAge: MAX_AGE },
      );
      assert.notEqual(again.phase, 'confirming');
    }
  });
});
