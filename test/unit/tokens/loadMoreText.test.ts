import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { loadMoreText } from '../../../src/tokens/loadMoreText.ts';
import { OpenPages, PAGE } from './listing.ts';

suite('The row that loads more', () => {
  test('says how many it loads and how many are left, page by page', async () => {
    const on = new OpenPages(2_025);
    const texts = [];
    await on.pages.ensureLoaded();
    texts.push(loadMoreText(on.pages.ahead, 'en'));
    await on.pages.loadMore();
    texts.push(loadMoreText(on.pages.ahead, 'en'));
    assert.deepEqual(texts, [`Load ${PAGE} More (2,015 left)`, `Load ${PAGE} More (2,005 left)`]);
  });

  test('says that the last page is smaller, and what a revocation does not change', async () => {
    const on = new OpenPages(13);
    await on.pages.ensureLoaded();
    on.pages.revoked('t1');
    assert.equal(loadMoreText(on.pages.ahead, 'en'), 'Load 3 More (3 left)');
    await on.pages.loadMore();
    assert.equal(on.pages.ahead, undefined);
  });

  test('says no number where the server says that nothing is left, and there is more', async () => {
    const on = new OpenPages(35);
    on.listing.total = 0;
    await on.pages.ensureLoaded();
    assert.equal(on.pages.hasMore, true);
    assert.equal(loadMoreText(on.pages.ahead, 'en'), 'Load More');
  });

  test('is in the numbers of the display language', () => {
    assert.equal(loadMoreText({ next: 50, left: 12_345 }, 'de'), 'Load 50 More (12.345 left)');
  });
});
