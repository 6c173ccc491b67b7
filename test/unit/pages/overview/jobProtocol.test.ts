import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { parsedAs } from '../../../../src/pages/kit/protocol.ts';
import { OVERVIEW_PAGE_MESSAGE } from '../../../../src/pages/overview/protocol.ts';
import { MOST_DAYS } from '../../../../src/truncation/cutoff.ts';
import { MAX_ITEMS } from '../../../../src/truncation/jobSize.ts';

const DRY_RUN = {
  type: 'dryRun',
  ids: ['dataset_operationaspect_v1'],
  days: 90,
};

function isTaken(intent: unknown): boolean {
  return parsedAs(OVERVIEW_PAGE_MESSAGE, intent) !== undefined;
}

suite('Job message from the page', () => {
  for (const intent of [
    DRY_RUN,
    { ...DRY_RUN, days: MOST_DAYS },
    ...['dryRunAgain', 'cancel', 'execute', 'stop', 'startOver', 'automate', 'receipt'].map((type) => ({ type })),
    { type: 'tick', place: MAX_ITEMS - 1, isTicked: false, at: 1_700_000_000_000, cautions: ['noRowStays'] },
    { type: 'truncateAlone', place: 0 },
    { type: 'show', place: 0 },
    { type: 'continue', jobId: '0d6c55a5-28f5-4d0c-8c7c-0f6f7cf3a001' },
    { type: 'dismiss', jobId: '0d6c55a5-28f5-4d0c-8c7c-0f6f7cf3a001' },
  ]) {
    test(`is accepted: ${JSON.stringify(intent)}`, () => assert.ok(isTaken(intent)));
  }

  for (const [what, intent] of [
    ['no index', { ...DRY_RUN, ids: [] }],
    ['more indices than a job can have', { ...DRY_RUN, ids: Array.from({ length: MAX_ITEMS + 1 }, String) }],
    ['no age', { type: 'dryRun', ids: DRY_RUN.ids }],
    ['a fraction of a day', { ...DRY_RUN, days: 1.5 }],
    ['the last day', { ...DRY_RUN, days: 0 }],
    ['more days than a century', { ...DRY_RUN, days: MOST_DAYS + 1 }],
    ['a limit of rows', { ...DRY_RUN, goal: { kind: 'deleteRows', rows: 1 } }],
    ['its own cutoff', { ...DRY_RUN, endTimeMillis: 1 }],
    ['its own request body', { type: 'execute', plan: { endTimeMillis: 1 } }],
    ['its own confirmation', { type: 'execute', confirmed: true }],
    ['an invalid place', { type: 'tick', place: -1, isTicked: true, at: 1, cautions: [] }],
    ['a tick of no dry run', { type: 'tick', place: 0, isTicked: true, cautions: [] }],
    ['a tick of an unknown caution', { type: 'tick', place: 0, isTicked: true, at: 1, cautions: ['all'] }],
    ['a path as the record ID', { type: 'dismiss', jobId: '../connections' }],
    ['an unknown type', { type: 'delete' }],
  ] as const) {
    test(`is rejected with ${what}`, () => assert.ok(!isTaken(intent)));
  }
});
