import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { OpenPages, token, tokens } from './listing.ts';

suite('Pages', () => {
  test('follow each other until one is not full and the total agrees', async () => {
    const on = new OpenPages(25);
    await on.pages.ensureLoaded();
    assert.deepEqual([on.pages.hasMore, on.pages.total, on.pages.tokens.length], [true, 25, 10]);
    await on.pages.loadMore();
    await on.pages.loadMore();
    assert.deepEqual([on.pages.hasMore, on.pages.total], [false, 25]);
    assert.deepEqual(
      on.shown,
      tokens(25).map(({ id }) => id),
    );
    await on.pages.loadMore();
    assert.deepEqual(on.asked, [
      [0, 10],
      [10, 10],
      [20, 10],
    ]);
  });

  test('end with an empty one, whatever the total says', async () => {
    const on = new OpenPages(12);
    on.listing.total = 400;
    await on.pages.ensureLoaded();
    await on.pages.loadMore();
    assert.deepEqual([on.pages.hasMore, on.pages.total, on.pages.tokens.length], [true, 400, 12]);
    await on.pages.loadMore();
    assert.deepEqual([on.pages.hasMore, on.pages.total], [false, 12]);
  });

  test('do not end with a full one, whatever the total says', async () => {
    const on = new OpenPages(12);
    on.listing.total = 0;
    await on.pages.ensureLoaded();
    assert.deepEqual([on.pages.hasMore, on.pages.total], [true, 10]);
    await on.pages.loadMore();
    assert.deepEqual([on.pages.hasMore, on.pages.tokens.length], [false, 12]);
  });

  test('that overlap show each token once', async () => {
    const on = new OpenPages(15);
    await on.pages.ensureLoaded();
    on.listing.rows = [token('new'), ...on.listing.rows];
    await on.pages.loadMore();
    assert.deepEqual(
      on.shown,
      tokens(15).map(({ id }) => id),
    );
  });

  test('pass over none when tokens of earlier pages were revoked, whether the listing has noticed or not', async () => {
    for (const hasNoticed of [true, false]) {
      const on = new OpenPages(25);
      await on.pages.ensureLoaded();
      for (const id of ['t2', 't3', 't4']) {
        on.pages.revoked(id);
      }
      on.listing.rows = hasNoticed ? on.listing.rows.filter(({ id }) => !['t2', 't3', 't4'].includes(id)) : on.listing.rows;
      await on.pages.loadMore();
      await on.pages.loadMore();
      assert.equal(on.pages.hasMore, false);
      assert.deepEqual(
        on.shown,
        tokens(25)
          .map(({ id }) => id)
          .filter((id) => !['t2', 't3', 't4'].includes(id)),
      );
    }
  });

  test('come to an end although more tokens were revoked than a page holds', async () => {
    const on = new OpenPages(12);
    on.listing.total = 400;
    await on.pages.ensureLoaded();
    await on.pages.loadMore();
    tokens(12).forEach(({ id }) => on.pages.revoked(id));
    await on.pages.loadMore();
    assert.deepEqual([on.pages.hasMore, on.shown], [false, []]);
  });

  test('that were loaded are refreshed in one request', async () => {
    const on = new OpenPages(25);
    await on.pages.ensureLoaded();
    await on.pages.loadMore();
    await on.pages.refresh();
    assert.deepEqual(on.asked.at(-1), [0, 20]);
    assert.deepEqual([on.pages.tokens.length, on.pages.hasMore], [20, true]);
  });

  test('are counted by the rows that came, not by those that could be used', async () => {
    const on = new OpenPages(25);
    const { list } = on.listing;
    on.listing.list = async (request, signal) => {
      const page = await list.call(on.listing, request, signal);
      return { ...page, tokens: page.tokens.slice(1) };
    };
    await on.pages.ensureLoaded();
    await on.pages.loadMore();
    assert.deepEqual(on.asked, [
      [0, 10],
      [10, 10],
    ]);
    assert.equal(on.pages.tokens.length, 18);
  });

  test('are not asked for before the first one', async () => {
    const on = new OpenPages(25);
    await on.pages.loadMore();
    assert.deepEqual(on.asked, []);
  });
});
