import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import * as fc from 'fast-check';
import { Collection, placesWithPieces } from '../../e2e/harness/canary.ts';

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
const secret = fc.string({ unit: fc.constantFrom(...ALPHABET), minLength: 40, maxLength: 200 });
/** Text without any character of a secret. */
const other = fc.string({ unit: fc.constantFrom(' ', '!', '§', 'ä', '\n'), maxLength: 60 });

suite('The search for pieces of a token', () => {
  test('finds any twelve consecutive characters, wherever they are', () => {
    fc.assert(
      fc.property(secret, fc.nat(), other, other, (token, number, before, after) => {
        const at = number % (token.length - 11);
        assert.equal(
          placesWithPieces(
            [{ where: 'here', content: before + token.slice(at, at + 12) + after }],
            ['x'.repeat(40), token],
          ).length,
          1,
        );
      }),
    );
  });

  test('reads everything once, even if it disappears, and the new end of what has grown', () => {
    const collection = new Collection();
    collection.add([
      { where: 'log', content: 'one' },
      { where: 'page', content: 'abcdefghijklmnop' },
    ]);
    collection.add([
      { where: 'log', content: 'one, qrstuvwxyz012345' },
      { where: 'page', content: 'empty' },
    ]);
    collection.add([
      { where: 'log', content: 'one, qrstuvwxyz012345' },
      { where: 'page', content: 'empty' },
    ]);
    assert.equal(collection.places.length, 4);
    assert.deepEqual(placesWithPieces(collection.places, ['abcdefghijklmnop', 'qrstuvwxyz012345']), [
      'page: abcdefghijkl',
      'log: qrstuvwxyz01',
    ]);
  });
});
