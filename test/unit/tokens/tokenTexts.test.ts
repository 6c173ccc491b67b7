import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { arrangementText, emptyListText, loadMoreText, namesByUser } from '../../../src/tokens/tokenTexts.ts';
import { OpenPages, PAGE } from './listing.ts';

suite('The row that loads more', () => {
  test('says how many rows it loads and how many are left, page by page', async () => {
    const on = await OpenPages.loaded(2_025);
    const texts = [];
    texts.push(loadMoreText(on.pages.remainingRows, 'en'));
    await on.pages.loadMoreTokens();
    texts.push(loadMoreText(on.pages.remainingRows, 'en'));
    assert.deepEqual(texts, [`Load ${PAGE} More (2,015 left)`, `Load ${PAGE} More (2,005 left)`]);
  });

  test('gives no number if the server reports none left but has more', async () => {
    const on = new OpenPages(35);
    on.listing.total = 0;
    await on.pages.ensureLoaded();
    assert.equal(on.pages.hasMoreTokens, true);
    assert.equal(loadMoreText(on.pages.remainingRows, 'en'), 'Load More');
  });
});

suite('A list that has only some of the tokens', () => {
  test('says how it is arranged, where that needs words', () => {
    assert.equal(arrangementText('soonFirst', 'expiry'), 'expiring within 30 days first');
    assert.equal(arrangementText('server', 'expiry'), "in the server's order");
    assert.deepEqual([arrangementText('server', 'name'), arrangementText('whole', 'expiry')], ['', '']);
  });

  test('never says that there is no such token', () => {
    const partial = { isPartial: true, readSoFar: undefined };
    const filters = [{ field: 'name', value: 'x', condition: 'CONTAIN' }] as const;
    assert.doesNotMatch(emptyListText({ ...partial, query: { scope: 'all', filters } }, 'en'), /No /);
    assert.doesNotMatch(emptyListText({ ...partial, query: { scope: 'own', filters: [] } }, 'en'), /no /);
  });
});

suite('The names of several tokens', () => {
  test('stand before the user that the tokens act as', () => {
    const tokens = [
      { name: 'nightly', user: 'jdoe' },
      { name: 'ci', user: 'admin' },
      { name: 'img', user: 'jdoe' },
      { name: '0a1b2c3d4e5f…', user: '' },
    ];
    assert.equal(namesByUser(tokens), '"nightly", "img" (jdoe); "ci" (admin); "0a1b2c3d4e5f…"');
  });

  test('all fit into a prompt, however long they are, with both ends', () => {
    const tokens = Array.from({ length: 25 }, (_, at) => ({
      name: `${'n'.repeat(97)} ${at + 10}`,
      user: `${'u'.repeat(97)} ${at + 10}`,
    }));
    const text = namesByUser(tokens);
    assert.ok(text.length < 750, `${text.length}`);
    for (const { name } of tokens) {
      assert.ok(text.includes(`${name.slice(-2)}"`), text);
    }
  });
});
