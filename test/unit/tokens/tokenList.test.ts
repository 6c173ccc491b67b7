import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { NOW, OpenPages, PAGE } from './listing.ts';

suite('A list of tokens', () => {
  test("requests one page of the user's own, and fires an event", async () => {
    const on = new OpenPages(3);
    assert.deepEqual([on.pages.tokens.length, on.pages.knownIds], [0, new Set()]);
    await on.pages.ensureLoaded();
    assert.deepEqual([on.shown, on.changes], [['t1', 't2', 't3'], 1]);
    const [{ start, count, scope, filters } = { start: -1 }] = on.listing.requests;
    assert.deepEqual({ start, count, scope, filters }, { start: 0, count: PAGE, scope: 'own', filters: [] });
  });

  test("knows the tokens that can't be the next one created", async () => {
    const on = await OpenPages.loaded(3);
    on.pages.hideRevoking(['t2']);
    assert.deepEqual(on.pages.knownIds, new Set(['t1', 't2', 't3']));
  });
});

suite('Another query', () => {
  test('starts over: the request and the rows', async () => {
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

  test('counts relative filters from the time of the request', async () => {
    const on = new OpenPages(0);
    await on.pages.changeQuery({ scope: 'all', filters: [{ kind: 'expired' }] });
    const { filters } = on.listing.requests.at(-1) ?? assert.fail();
    assert.deepEqual(filters, [{ field: 'expiresAt', value: String(NOW), condition: 'LESS_THAN' }]);
  });
});
