import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isDraftOfHost, stageOf } from '../../../../../src/pages/truncation/page/frame.ts';
import { EDITING, RUNNING } from '../pageViews.ts';

test('A dry run that is repeated stays at the review; its failure is shown beside the fields', () => {
  const counting = { ...EDITING, phase: 'dryRunning' } as const;
  assert.deepEqual([stageOf(counting, undefined), stageOf(counting, 'review')], ['choose', 'review']);
  assert.equal(stageOf(EDITING, 'review'), 'choose');
  assert.equal(stageOf({ ...RUNNING, phase: 'executing' }, 'review'), 'outcome', 'once it was sent');
});

test('What was typed stays, but not beside another truncation, nor once the user starts over after a refusal', () => {
  const refused = { ...EDITING, phase: 'failed' } as const;
  const { recordId } = RUNNING.restore;
  assert.deepEqual(
    [
      isDraftOfHost(undefined, EDITING, undefined),
      isDraftOfHost({ ...EDITING, phase: 'reviewed' }, EDITING, undefined),
      isDraftOfHost(refused, refused, undefined),
      isDraftOfHost(RUNNING, RUNNING, recordId),
      isDraftOfHost(refused, EDITING, undefined),
      isDraftOfHost(EDITING, RUNNING, undefined),
      isDraftOfHost(RUNNING, EDITING, recordId),
    ],
    [false, false, false, false, true, true, true],
  );
});
