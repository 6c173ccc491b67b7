import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { EDITING, TASK } from '../views.ts';
import { stageOf } from '../../../../src/wizard/page/wizardPage.ts';
import type { WizardView } from '../../../../src/wizard/protocol.ts';

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

  test("stays the review while its dry run is repeated, so that the page doesn't jump", () => {
    assert.equal(stageOf(viewOf('dryRunning'), 'review'), 'review');
    assert.equal(stageOf(viewOf('editing'), 'review'), 'choose', 'its failure is told beside what can be changed');
  });

  test('is the outcome as soon as something was sent', () => {
    assert.equal(stageOf({ ...viewOf('executing'), task: TASK }, 'review'), 'outcome');
  });
});

function viewOf(phase: WizardView['phase']): WizardView {
  return { ...EDITING, phase };
}
