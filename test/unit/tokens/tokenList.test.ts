import assert from 'node:assert/strict';
import { beforeEach, suite, test } from 'node:test';
import { ServiceFailure, cancelledFailure } from '../../../src/service/failure/failure.ts';
import { OWN_TOKENS } from '../../../src/tokens/tokenQuery.ts';
import { NOW, OpenPages, PAGE, tokens } from './listing.ts';

let on: OpenPages;

suite('Loading', () => {
  beforeEach(() => (on = new OpenPages(3)));

  test("requests one page of the user's own tokens, and fires an event", async () => {
    assert.deepEqual([on.pages.isLoaded, on.pages.isLoading, on.pages.tokens.length], [false, false, 0]);
    const loaded = on.pages.ensureLoaded();
    assert.deepEqual([on.pages.isLoaded, on.pages.isLoading], [false, true]);
    await loaded;
    assert.deepEqual([on.pages.isLoaded, on.pages.isLoading], [true, false]);
    assert.deepEqual(on.shown, ['t1', 't2', 't3']);
    assert.equal(on.pages.query, OWN_TOKENS);
    const [{ start, count, scope, filters } = { start: -1 }] = on.listing.requests;
    assert.deepEqual({ start, count, scope, filters }, { start: 0, count: PAGE, scope: 'own', filters: [] });
    assert.equal(on.changes, 1);
  });

  test("knows the tokens that can't be the next one created", async () => {
    assert.deepEqual(on.pages.knownIds, new Set());
    await on.pages.ensureLoaded();
    on.pages.hideRevoking(['t2']);
    assert.deepEqual(on.pages.knownIds, new Set(['t1', 't2', 't3']));
  });

  test('runs once, however often it is requested', async () => {
    await Promise.all([on.pages.ensureLoaded(), on.pages.ensureLoaded(), on.pages.ensureLoaded()]);
    await on.pages.ensureLoaded();
    assert.equal(on.listing.requests.length, 1);
  });

  test('continues for those who wait if a newer request replaces it', async () => {
    on.listing.hold();
    let isDone = false;
    const waiting = on.pages.ensureLoaded().then(() => (isDone = true));
    const refreshed = on.pages.refresh();
    assert.equal(on.listing.requests[0]?.signal.aborted, true);
    on.listing.letGo(0);
    await new Promise(setImmediate);
    const again = on.pages.refresh();
    on.listing.letGo(1);
    await refreshed;
    await new Promise(setImmediate);
    assert.equal(isDone, false);
    on.listing.letGo(2);
    await Promise.all([waiting, again]);
    assert.equal(on.pages.isLoaded, true);
  });

  test('changes nothing when outdated, even if its answer comes last', async () => {
    on.listing.hold();
    const stale = on.pages.refresh();
    on.listing.rows = tokens(5);
    const fresh = on.pages.refresh();
    on.listing.letGo(1);
    await fresh;
    const before = on.changes;
    on.listing.letGo(0);
    await stale;
    assert.equal(on.pages.tokens.length, 5);
    assert.equal(on.changes, before);
  });

  test('is aborted on the wire when no longer needed', () => {
    on.listing.hold();
    void on.pages.ensureLoaded();
    on.pages.abortLoading();
    assert.equal(on.listing.requests[0]?.signal.aborted, true);
  });
});

suite('A failure', () => {
  const refused = new ServiceFailure('refused', 'You may not.');
  beforeEach(() => (on = new OpenPages(3)));

  test("stays visible, and isn't retried by itself", async () => {
    on.listing.failure = refused;
    await on.pages.ensureLoaded();
    assert.equal(on.pages.failure, refused);
    assert.equal(on.pages.isLoaded, false);
    await on.pages.ensureLoaded();
    assert.equal(on.listing.requests.length, 1);
  });

  test('is retried when the user asks', async () => {
    on.listing.failure = refused;
    await on.pages.ensureLoaded();
    on.listing.failure = undefined;
    await on.pages.ensureTried();
    assert.equal(on.pages.failure, undefined);
    assert.deepEqual(on.shown, ['t1', 't2', 't3']);
    await on.pages.ensureTried();
    assert.equal(on.listing.requests.length, 2, 'what is loaded is not asked for again');
  });

  test('goes when loading works again', async () => {
    on.listing.failure = refused;
    await on.pages.ensureLoaded();
    on.listing.failure = undefined;
    await on.pages.refresh();
    assert.equal(on.pages.failure, undefined);
    assert.equal(on.pages.tokens.length, 3);
  });

  test('of a refresh keeps the rows', async () => {
    await on.pages.ensureLoaded();
    on.listing.failure = refused;
    await on.pages.refresh();
    assert.equal(on.pages.failure, refused);
    assert.deepEqual(on.shown, ['t1', 't2', 't3']);
  });

  test('caused by a bug is shown without its message', async () => {
    on.listing.failure = new TypeError('Bearer eyJhbGciOi');
    await on.pages.ensureLoaded();
    assert.ok(on.pages.failure instanceof ServiceFailure);
    assert.doesNotMatch(on.pages.failure.advice, /eyJ/);
  });

  test('is not shown for a cancelled request', async () => {
    on.listing.failure = cancelledFailure();
    await on.pages.refresh();
    assert.equal(on.pages.failure, undefined);
  });
});

suite('Another query', () => {
  test('starts over: the request and the rows', async () => {
    on = new OpenPages(25);
    await on.pages.ensureLoaded();
    await on.pages.loadMoreTokens();
    const filters = [{ field: 'name', value: 't7', condition: 'EQUAL' }] as const;
    const loaded = on.pages.changeQuery({ scope: 'all', filters });
    assert.deepEqual([on.shown, on.pages.isLoaded, on.pages.hasMoreTokens], [[], false, false]);
    await loaded;
    const { start, count, scope, filters: sent } = on.listing.requests.at(-1) ?? assert.fail();
    assert.deepEqual({ start, count, scope, sent }, { start: 0, count: PAGE, scope: 'all', sent: filters });
    assert.deepEqual(on.shown, ['t7']);
  });

  test('stops a load of the previous one', async () => {
    on = new OpenPages(25);
    on.listing.hold();
    const first = on.pages.ensureLoaded();
    const second = on.pages.changeQuery({ scope: 'all', filters: [] });
    assert.deepEqual(
      on.listing.requests.map(({ signal }) => signal.aborted),
      [true, false],
    );
    on.listing.letGo(0);
    on.listing.letGo(1);
    await Promise.all([first, second]);
    assert.equal(on.pages.query.scope, 'all');
  });
});

suite('Relative filters', () => {
  test('count from the time of the request', async () => {
    on = new OpenPages(0);
    await on.pages.changeQuery({ scope: 'all', filters: [{ kind: 'expired' }] });
    const { scope, filters } = on.listing.requests.at(-1) ?? assert.fail();
    assert.deepEqual(
      { scope, filters },
      { scope: 'all', filters: [{ field: 'expiresAt', value: String(NOW), condition: 'LESS_THAN' }] },
    );
  });
});
