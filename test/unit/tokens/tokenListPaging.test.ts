import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { OpenPages, PAGE, token, tokens } from './listing.ts';

suite('Pages', () => {
  test('continue until one is not full and the total agrees', async () => {
    const on = await OpenPages.loaded(25);
    assert.deepEqual([on.pages.hasMoreTokens, on.pages.total, on.pages.tokens.length], [true, 25, 10]);
    await on.pages.loadMoreTokens();
    await on.pages.loadMoreTokens();
    assert.deepEqual([on.pages.hasMoreTokens, on.pages.total], [false, 25]);
    assert.deepEqual(
      on.shown,
      tokens(25).map(({ id }) => id),
    );
    await on.pages.loadMoreTokens();
    assert.deepEqual(on.asked, [0, 10, 20]);
  });

  test("don't end with a full one, whatever the total is", async () => {
    const on = new OpenPages(22);
    on.listing.total = 0;
    await on.pages.ensureLoaded();
    assert.deepEqual([on.pages.hasMoreTokens, on.pages.tokens.length], [true, 20]);
    await on.pages.loadMoreTokens();
    assert.deepEqual([on.pages.hasMoreTokens, on.pages.tokens.length], [false, 22]);
  });

  test('are checked with one more request if they are short or reach the total', async () => {
    for (const [rows, total, asked] of [
      [3, 95, [0, 3]],
      [10, 10, [0, 10]],
      [3, 3, [0]],
      [0, 95, [0]],
    ] as const) {
      const on = new OpenPages(rows);
      on.listing.total = total;
      await on.pages.ensureLoaded();
      assert.deepEqual([on.asked, on.pages.hasMoreTokens, on.pages.total], [asked, false, rows], `${rows} of ${total}`);
    }
  });

  test('include rows that a short page held back', async () => {
    const on = new OpenPages(15);
    const { listTokenPage } = on.listing;
    // Like a server that returns at most four rows.
    on.listing.listTokenPage = (request) =>
      listTokenPage.call(on.listing, { ...request, count: Math.min(4, request.count) });
    await on.pages.ensureLoaded();
    assert.deepEqual([on.pages.tokens.length, on.pages.hasMoreTokens, on.pages.total], [8, true, 15]);
    await on.pages.loadMoreTokens();
    assert.deepEqual([on.pages.tokens.length, on.pages.hasMoreTokens], [15, false]);
  });

  test('stay as they are if that request fails', async () => {
    const on = new OpenPages(3);
    on.listing.total = 95;
    const { listTokenPage } = on.listing;
    on.listing.listTokenPage = (request) =>
      request.start > 0 ? Promise.reject(new Error('cut')) : listTokenPage.call(on.listing, request);
    await on.pages.ensureLoaded();
    assert.deepEqual([on.pages.tokens.length, on.pages.hasMoreTokens, on.pages.failure], [3, true, undefined]);
  });

  test('end even if a server ignores the start of a page', async () => {
    const on = new OpenPages(12);
    on.listing.total = 400;
    const { listTokenPage } = on.listing;
    on.listing.listTokenPage = (request) => listTokenPage.call(on.listing, { ...request, start: 0 });
    await on.pages.ensureLoaded();
    await on.pages.loadMoreTokens();
    assert.deepEqual([on.pages.tokens.length, on.pages.hasMoreTokens], [10, false]);
  });

  test('continue after one without new rows, as when others created many meanwhile', async () => {
    const on = await OpenPages.loaded(25);
    on.listing.rows = [...Array.from({ length: 10 }, (_, index) => token(`new${index}`)), ...on.listing.rows];
    await on.pages.loadMoreTokens();
    assert.equal(on.pages.hasMoreTokens, true);
    await on.pages.loadMoreTokens();
    assert.deepEqual([on.shown.length, on.pages.hasMoreTokens], [25, false]);
  });

  test('skip no token after revocations on earlier pages, whether listed or not', async () => {
    for (const hasNoticed of [true, false]) {
      const on = await OpenPages.loaded(25);
      on.pages.hideRevoking(['t2', 't3', 't4']);
      on.listing.rows = hasNoticed
        ? on.listing.rows.filter(({ id }) => !['t2', 't3', 't4'].includes(id))
        : on.listing.rows;
      await on.pages.loadMoreTokens();
      await on.pages.loadMoreTokens();
      assert.equal(on.pages.hasMoreTokens, false);
      assert.deepEqual(
        on.shown,
        tokens(25)
          .map(({ id }) => id)
          .filter((id) => !['t2', 't3', 't4'].includes(id)),
      );
    }
  });

  test('are counted in received rows, not usable ones', async () => {
    const on = new OpenPages(25);
    const { listTokenPage } = on.listing;
    on.listing.listTokenPage = async (request) => {
      const page = await listTokenPage.call(on.listing, request);
      return { ...page, tokens: page.tokens.slice(1) };
    };
    await on.pages.ensureLoaded();
    await on.pages.loadMoreTokens();
    assert.deepEqual(on.asked, [0, 10]);
    assert.equal(on.pages.tokens.length, 18);
  });
});

test("A list of tokens knows the tokens that can't be the next one created", async () => {
  const on = await OpenPages.loaded(3);
  on.pages.hideRevoking(['t2']);
  assert.deepEqual(on.pages.knownIds, new Set(['t1', 't2', 't3']));
});

test('Another query starts over: the request and the rows', async () => {
  const on = await OpenPages.loaded(25);
  await on.pages.loadMoreTokens();
  const filters = [{ field: 'name', value: 't7', condition: 'EQUAL' }] as const;
  const loaded = on.pages.changeQuery({ scope: 'all', filters });
  assert.deepEqual([on.shown, on.pages.isLoaded, on.pages.hasMoreTokens], [[], false, false]);
  await loaded;
  const { start, count, scope, filters: sent } = on.listing.requests.at(-1) ?? assert.fail();
  assert.deepEqual({ start, count, scope, sent }, { start: 0, count: PAGE, scope: 'all', sent: filters });
  assert.deepEqual(on.shown, ['t7']);
});
