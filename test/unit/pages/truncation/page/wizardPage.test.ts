import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { EDITING, REPORT, TASK } from '../views.ts';
import { wizardStageOf } from '../../../../../src/pages/truncation/page/wizardPage.ts';
import type { WizardPageView } from '../../../../../src/pages/truncation/protocol.ts';

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
    test(`is "${stage}" while it's ${phase}`, () => assert.equal(wizardStageOf(viewOf(phase), undefined), stage));
  }

  test('stays at the review while its dry run is repeated', () => {
    assert.equal(wizardStageOf(viewOf('dryRunning'), 'review'), 'review');
    assert.equal(wizardStageOf(viewOf('editing'), 'review'), 'choose', 'its failure is shown beside the fields');
  });

  test('stays at the review while its figures are outdated', () => {
    assert.equal(wizardStageOf({ ...viewOf('editing'), report: REPORT }, 'review'), 'review');
    assert.equal(wizardStageOf({ ...viewOf('dryRunning'), report: REPORT }, undefined), 'review', 'page just opened');
  });

  test('is the outcome once the truncation was sent', () => {
    assert.equal(wizardStageOf({ ...viewOf('executing'), task: TASK }, 'review'), 'outcome');
  });
});

function viewOf(phase: WizardPageView['phase']): WizardPageView {
  return { ...EDITING, phase };
}
