import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import * as fc from 'fast-check';
import { MOST_DAYS } from '../../../../src/truncation/cutoff.ts';
import { MAX_ITEMS } from '../../../../src/truncation/jobSize.ts';
import { parsedAs } from '../../../../src/pages/kit/protocol.ts';
import { OVERVIEW_PAGE_MESSAGE, parsePanelState } from '../../../../src/pages/overview/protocol.ts';

suite('A message of the page', () => {
  test('is an intent, with the ID of an index if it needs one', () => {
    assert.deepEqual(parsedAs(OVERVIEW_PAGE_MESSAGE, { type: 'ready', timeZone: 'UTC' }), {
      type: 'ready',
      timeZone: 'UTC',
    });
    assert.equal(parsedAs(OVERVIEW_PAGE_MESSAGE, { type: 'ready' }), undefined);
    for (const type of ['refresh', 'addIndex', 'signIn', 'copyDetails']) {
      assert.deepEqual(parsedAs(OVERVIEW_PAGE_MESSAGE, { type }), { type });
      assert.equal(parsedAs(OVERVIEW_PAGE_MESSAGE, { type, id: 'dataset' }), undefined, `${type} with more in it`);
    }
    for (const type of ['truncate', 'showTruncation']) {
      assert.deepEqual(parsedAs(OVERVIEW_PAGE_MESSAGE, { type, id: 'dataset_v1' }), { type, id: 'dataset_v1' });
      assert.equal(parsedAs(OVERVIEW_PAGE_MESSAGE, { type }), undefined);
      assert.equal(parsedAs(OVERVIEW_PAGE_MESSAGE, { type, id: 7 }), undefined);
      assert.equal(parsedAs(OVERVIEW_PAGE_MESSAGE, { type, id: 'x'.repeat(2_000) }), undefined);
      assert.equal(parsedAs(OVERVIEW_PAGE_MESSAGE, { type, id: 'x', command: 'workbench.action.quit' }), undefined);
    }
  });

  test('names what is ticked, up to the size of a job, and a whole number of days', () => {
    const ticks = { type: 'remember', ids: ['dataset_v1'], days: 90 };
    assert.deepEqual(parsedAs(OVERVIEW_PAGE_MESSAGE, ticks), ticks);
    assert.deepEqual(parsedAs(OVERVIEW_PAGE_MESSAGE, { ...ticks, ids: [] }), { ...ticks, ids: [] });
    assert.equal(
      parsedAs(OVERVIEW_PAGE_MESSAGE, { ...ticks, ids: Array.from({ length: MAX_ITEMS + 1 }, String) }),
      undefined,
    );
    assert.equal(parsedAs(OVERVIEW_PAGE_MESSAGE, { ...ticks, days: 0.5 }), undefined);
  });

  test('is ignored if it is anything else', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (data) => {
        assert.equal(parsedAs(OVERVIEW_PAGE_MESSAGE, data), undefined);
        assert.equal(parsePanelState(data), undefined);
      }),
    );
    for (const type of ['execute', 'command', 'constructor', '__proto__']) {
      assert.equal(parsedAs(OVERVIEW_PAGE_MESSAGE, { type, id: 'x' }), undefined);
    }
  });
});

test("A panel's state restores the overview's connection after a reload", () => {
  const restore = { connectionId: 'a6f1d4de' };
  assert.deepEqual(parsePanelState({ filter: 'x', sorting: 7, restore }), restore);
  for (const damaged of [undefined, 'x', {}, { restore: {} }, { restore: { connectionId: 7 } }]) {
    assert.equal(parsePanelState(damaged), undefined);
  }
});

const DRY_RUN = {
  type: 'dryRun',
  ids: ['dataset_operationaspect_v1'],
  days: 90,
};

function isTaken(intent: unknown): boolean {
  return parsedAs(OVERVIEW_PAGE_MESSAGE, intent) !== undefined;
}

suite('Job message from the page', () => {
  test('is accepted with what the user ticked or pressed', () => {
    for (const intent of [
      DRY_RUN,
      { ...DRY_RUN, days: MOST_DAYS },
      ...['dryRunAgain', 'cancel', 'execute', 'stop', 'startOver', 'automate', 'receipt'].map((type) => ({ type })),
      { type: 'tick', place: MAX_ITEMS - 1, isTicked: false, at: 1_700_000_000_000, cautions: ['noRowStays'] },
      { type: 'truncateAlone', place: 0 },
      { type: 'show', place: 0 },
      { type: 'continue', jobId: '0d6c55a5-28f5-4d0c-8c7c-0f6f7cf3a001' },
      { type: 'dismiss', jobId: '0d6c55a5-28f5-4d0c-8c7c-0f6f7cf3a001' },
    ])
      assert.ok(isTaken(intent), JSON.stringify(intent));
  });

  for (const [what, intent] of [
    ['no index', { ...DRY_RUN, ids: [] }],
    ['more indices than a job can have', { ...DRY_RUN, ids: Array.from({ length: MAX_ITEMS + 1 }, String) }],
    ['no age', { type: 'dryRun', ids: DRY_RUN.ids }],
    ['the last day', { ...DRY_RUN, days: 0 }],
    ['more days than a century', { ...DRY_RUN, days: MOST_DAYS + 1 }],
    ['its own cutoff', { ...DRY_RUN, endTimeMillis: 1 }],
    ['its own request body', { type: 'execute', plan: { endTimeMillis: 1 } }],
    ['its own confirmation', { type: 'execute', confirmed: true }],
    ['an invalid place', { type: 'tick', place: -1, isTicked: true, at: 1, cautions: [] }],
    ['a tick of no dry run', { type: 'tick', place: 0, isTicked: true, cautions: [] }],
    ['a tick of an unknown caution', { type: 'tick', place: 0, isTicked: true, at: 1, cautions: ['all'] }],
    ['a path as the record ID', { type: 'dismiss', jobId: '../connections' }],
  ] as const) {
    test(`is rejected with ${what}`, () => assert.ok(!isTaken(intent)));
  }
});
