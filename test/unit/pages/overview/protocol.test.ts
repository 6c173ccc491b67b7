import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import * as fc from 'fast-check';
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
