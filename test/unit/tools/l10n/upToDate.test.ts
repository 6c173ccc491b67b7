import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { broughtUp } from '../../../../tools/l10n/upToDate.ts';

suite('Updated translations', () => {
  const english = { a: 'one', b: 'two', c: 'three' };

  test('are in the order of the English texts, and missing ones are listed with their places', () => {
    const { texts, missing, dropped } = broughtUp(
      english,
      { translated: { c: 'drei', a: 'eins' }, from: english, list: undefined },
      { b: 'src/b.ts:1' },
    );
    assert.deepEqual(Object.entries(texts), [
      ['a', 'eins'],
      ['c', 'drei'],
    ]);
    assert.deepEqual(missing, [{ key: 'b', english: 'two', places: 'src/b.ts:1', translated: '' }]);
    assert.deepEqual(dropped, {});
  });

  test('lose removed and reworded texts, and the reworded ones are listed', () => {
    const first = broughtUp(english, {
      translated: { a: 'eins', b: 'zwo', d: 'vier' },
      from: { ...english, b: 'twain', d: 'four' },
      list: undefined,
    });
    assert.deepEqual(first.texts, { a: 'eins' });
    assert.deepEqual(first.dropped, { b: 'zwo', d: 'vier' });
    const again = broughtUp(english, { translated: first.texts, from: english, list: first });
    assert.deepEqual(again.dropped, first.dropped);
    assert.deepEqual(
      again.missing.map(({ key }) => key),
      ['b', 'c'],
    );
  });

  test('include what a translator filled in, but not for a text that was reworded since', () => {
    const list = {
      missing: [
        { key: 'a', english: 'one', translated: 'eins' },
        { key: 'b', english: 'twain', translated: 'zwo' },
        { key: 'c', english: 'three', translated: '' },
      ],
      dropped: {},
    };
    const { texts, missing } = broughtUp(english, { translated: {}, from: english, list });
    assert.deepEqual(texts, { a: 'eins' });
    assert.deepEqual(
      missing.map(({ key }) => key),
      ['b', 'c'],
    );
  });
});
