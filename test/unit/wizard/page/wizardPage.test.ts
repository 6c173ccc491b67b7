import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
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
    const task = {
      state: 'running',
      canCheck: true,
      sentence: 'Sending…',
      failures: [],
      requests: [],
      startedAt: 0,
    } as const;
    assert.equal(stageOf({ ...viewOf('executing'), task }, 'review'), 'outcome');
  });
});

function viewOf(phase: WizardView['phase']): WizardView {
  return {
    phase,
    connection: { name: 'Production', baseUrl: 'https://metadata.example.com', actor: 'jane' },
    indices: [],
    problems: {},
    forceFlagsKnown: false,
    canChooseStrategy: false,
    defaultBatchSize: 10_000,
    primary: { intent: 'dryRun', label: 'Dry Run', enabled: true },
    canCancel: false,
    restore: { connectionId: '1' },
  };
}
