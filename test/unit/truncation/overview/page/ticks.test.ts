import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import * as fc from 'fast-check';
import { parseTicked, withTicks } from '../../../../../src/truncation/overview/page/ticks.ts';
import { MOST_AT_ONCE } from '../../../../../src/truncation/several/protocol.ts';

const IDS = fc.array(fc.constantFrom(...Array.from({ length: 40 }, (_, index) => `index${index}`)), { maxLength: 60 });

suite('Ticked indices', () => {
  test('are each there once, and never more than can be truncated at once', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(IDS, fc.boolean())), (changes) => {
        const ids = changes.reduce<readonly string[]>(
          (before, [some, isTicked]) => withTicks(before, some, isTicked),
          [],
        );
        assert.equal(new Set(ids).size, ids.length);
        assert.ok(ids.length <= MOST_AT_ONCE);
      }),
    );
  });

  test('keep their order, and lose only what is taken away', () => {
    assert.deepEqual(withTicks(['a', 'b'], ['c', 'a'], true), ['a', 'b', 'c']);
    assert.deepEqual(withTicks(['a', 'b', 'c'], ['b', 'd'], false), ['a', 'c']);
  });

  test('are none where what was kept of a page is damaged', () => {
    for (const kept of [undefined, 'a', { 0: 'a' }, [1], null]) {
      assert.deepEqual(parseTicked(kept), []);
    }
    assert.deepEqual(parseTicked(['a', 'a', 'b']), ['a', 'b']);
  });
});
