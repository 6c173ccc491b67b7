import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { nextIndex } from '../../../../../src/pages/kit/page/menuButton.ts';

suite('A menu', () => {
  test('moves by arrow keys, from the last item to the first and back, and to both ends', () => {
    assert.deepEqual(
      [0, 1, 2].map((present) => nextIndex('ArrowDown', present, 3)),
      [1, 2, 0],
    );
    assert.deepEqual(
      [0, 1, 2].map((present) => nextIndex('ArrowUp', present, 3)),
      [2, 0, 1],
    );
    assert.deepEqual(
      ['Home', 'End'].map((key) => nextIndex(key, 1, 3)),
      [0, 2],
    );
  });

  test('starts at an end if no item has the focus, and leaves other keys alone', () => {
    assert.deepEqual(
      ['ArrowDown', 'ArrowUp'].map((key) => nextIndex(key, -1, 3)),
      [0, 2],
    );
    assert.equal(nextIndex('Enter', 0, 3), undefined);
  });
});
