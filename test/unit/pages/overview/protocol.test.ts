import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import * as fc from 'fast-check';
import { parsePageMessage, parsePanelState } from '../../../../src/pages/overview/protocol.ts';

suite('A message of the page', () => {
  test('is an intent, with the ID of an index if it needs one', () => {
    assert.deepEqual(parsePageMessage({ type: 'ready', timeZone: 'UTC' }), { type: 'ready', timeZone: 'UTC' });
    assert.equal(parsePageMessage({ type: 'ready' }), undefined);
    for (const type of ['refresh', 'addIndex', 'signIn', 'copyDetails']) {
      assert.deepEqual(parsePageMessage({ type }), { type });
      assert.equal(parsePageMessage({ type, id: 'dataset' }), undefined, `${type} with more in it`);
    }
    for (const type of ['truncate', 'copyName', 'showTruncation']) {
      assert.deepEqual(parsePageMessage({ type, id: 'dataset_v1' }), { type, id: 'dataset_v1' });
      assert.equal(parsePageMessage({ type }), undefined);
      assert.equal(parsePageMessage({ type, id: 7 }), undefined);
      assert.equal(parsePageMessage({ type, id: 'x'.repeat(2_000) }), undefined);
      assert.equal(parsePageMessage({ type, id: 'x', command: 'workbench.action.quit' }), undefined);
    }
  });

  test('is ignored if it is anything else', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (data) => {
        assert.equal(parsePageMessage(data), undefined);
        assert.equal(parsePanelState(data), undefined);
      }),
    );
    for (const type of ['execute', 'command', 'constructor', '__proto__']) {
      assert.equal(parsePageMessage({ type, id: 'x' }), undefined);
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
