import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { EDITING, OUTCOME } from '../views.ts';
import { stageOf } from '../../../../../src/pages/truncation/page/frame.ts';
import type { TruncationPageView } from '../../../../../src/pages/truncation/protocol.ts';

suite('The stage of a truncation', () => {
  for (const [phase, stage] of [
    ['editing', 'choose'],
    ['dryRunning', 'choose'],
    ['reviewed', 'review'],
    ['confirming', 'review'],
    ['executing', 'review'],
    ['running', 'outcome'],
    ['finished', 'outcome'],
    ['failed', 'outcome'],
  ] as const) {
    test(`is "${stage}" while it's ${phase}`, () => assert.equal(stageOf(viewOf(phase), undefined), stage));
  }

  test('stays at the review while its dry run is repeated', () => {
    assert.equal(stageOf(viewOf('dryRunning'), 'review'), 'review');
    assert.equal(stageOf(viewOf('editing'), 'review'), 'choose', 'its failure is shown beside the fields');
  });

  test('is the outcome once the truncation was sent', () => {
    assert.equal(stageOf({ ...viewOf('executing'), outcome: OUTCOME }, 'review'), 'outcome');
  });
});

function viewOf(phase: TruncationPageView['phase']): TruncationPageView {
  return { ...EDITING, phase };
}
