import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { parsePageMessage } from '../../../src/overview/protocol.ts';
import { LARGEST_GOAL } from '../../../src/rowsByAge/fitGoal.ts';
import { MAX_BATCH_ITEMS } from '../../../src/batch/protocol.ts';

const DRY_RUN = {
  type: 'dryRun',
  ids: ['dataset_operationaspect_v1'],
  days: 90,
  timeZone: 'Europe/Berlin',
};

function isTaken(intent: unknown): boolean {
  return parsePageMessage({ type: 'batch', intent }) !== undefined;
}

suite('A message from the page of several truncations', () => {
  for (const intent of [
    DRY_RUN,
    { ...DRY_RUN, days: LARGEST_GOAL.keepDays },
    ...['dryRunAgain', 'cancel', 'execute', 'stop', 'leave'].map((type) => ({ type })),
    { type: 'take', place: MAX_BATCH_ITEMS - 1, isIn: false },
    { type: 'goOn', recordId: '0d6c55a5-28f5-4d0c-8c7c-0f6f7cf3a001', timeZone: 'UTC' },
    { type: 'dismiss', recordId: '0d6c55a5-28f5-4d0c-8c7c-0f6f7cf3a001' },
  ]) {
    test(`is taken: ${JSON.stringify(intent)}`, () => assert.ok(isTaken(intent)));
  }

  for (const [what, intent] of [
    ['no index', { ...DRY_RUN, ids: [] }],
    ['more indices than at once', { ...DRY_RUN, ids: Array.from({ length: MAX_BATCH_ITEMS + 1 }, String) }],
    ['no age', { type: 'dryRun', ids: DRY_RUN.ids, timeZone: 'UTC' }],
    ['no whole days', { ...DRY_RUN, days: 1.5 }],
    ['the last day', { ...DRY_RUN, days: 0 }],
    ['more days than a century', { ...DRY_RUN, days: LARGEST_GOAL.keepDays + 1 }],
    ['a limit of rows', { ...DRY_RUN, goal: { kind: 'deleteRows', rows: 1 } }],
    ['a cut-off of its own', { ...DRY_RUN, endTimeMillis: 1 }],
    ['a body of its own', { type: 'execute', plan: { endTimeMillis: 1 } }],
    ['a yes', { type: 'execute', confirmed: true }],
    ['a place that is none', { type: 'take', place: -1, isIn: true }],
    ['a record that is a path', { type: 'dismiss', recordId: '../connections' }],
    ['something else', { type: 'delete' }],
  ] as const) {
    test(`is not taken with ${what}`, () => assert.ok(!isTaken(intent)));
  }
});
