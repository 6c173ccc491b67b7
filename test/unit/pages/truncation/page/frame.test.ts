import assert from 'node:assert/strict';
import { test } from 'node:test';
import { stageOf } from '../../../../../src/pages/truncation/page/frame.ts';
import { EDITING, RUNNING } from '../pageViews.ts';

test('A dry run that is repeated stays at the review; its failure is shown beside the fields', () => {
  const counting = { ...EDITING, phase: 'dryRunning' } as const;
  assert.deepEqual([stageOf(counting, undefined), stageOf(counting, 'review')], ['choose', 'review']);
  assert.equal(stageOf(EDITING, 'review'), 'choose');
  assert.equal(stageOf({ ...RUNNING, phase: 'executing' }, 'review'), 'outcome', 'once it was sent');
});
