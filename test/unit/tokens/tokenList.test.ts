import assert from 'node:assert/strict';
import { beforeEach, suite, test } from 'node:test';
import { ServiceFailure, cancelledFailure } from '../../../src/service/failure/failure.ts';
import { OWN_TOKENS } from '../../../src/tokens/tokenQuery.ts';
import { NOW, OpenPages, PAGE, tokens } from './listing.ts';

let on: OpenPages;

suite('Loading', () => {
  beforeEach(() => (on = new OpenPages(3)));

  test('asks for one’s own tokens, one page, and tells of it', async () => {
    assert.deepEqual([on.pages.isLoaded, on.pages.isLoading, on.pages.tokens.length], [false, false, 0]);
    const loaded = on.pages.ensureLoaded();
    assert.deepEqual([on.pages.isLoaded, on.pages.isLoading], [false, true]);
    await loaded;
    assert.deepEqual([on.pages.isLoaded, on.pages.isLoading], [true, false]);
    assert.deepEqual(on.shown, ['t1', 't2', 't3']);
    assert.equal(on.pages.query, OWN_TOKENS);
    const [{ start, count, scope, filters } = { start: -1 }] = on.listing.requests;
    assert.deepEqual({ start, count, scope, filters }, { start: 0, count: PAGE, scope: 'own', filters: [] });
    assert.ok(on.changes >= 2, 'told at the beginning and at the end');
  });

  test('tells what the next token to be created is none of, and whether that is all there is', async () => {
    assert.deepEqual(on.pages.listedNow, { ids: new Set(), isWhole: false });
    await on.pages.ensureLoaded();
    on.pages.revoked('t2');
    assert.deepEqual(on.pages.listedNow, { ids: new Set(['t1', 't2', 't3']), isWhole: true });
    await on.pages.show({ ...OWN_TOKENS, filters: [{ field: 'name', value: 't1', condition: 'EQUAL' }] });
    assert.equal(on.pages.listedNow.isWhole, false);
    const many = new OpenPages(PAGE + 1);
    await many.pages.ensureLoaded();
    assert.equal(many.pages.listedNow.isWhole, false);
  });

  test('once is enough, however many want it and whenever', async () => {
    await Promise.all([on.pages.ensureLoaded(), on.pages.ensureLoaded(), on.pages.ensureLoaded()]);
    await on.pages.ensureLoaded();
    assert.equal(on.listing.requests.length, 1);
  });

  test('that is replaced by newer ones goes on for those who wait', async () => {
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

  test('that is stale changes nothing, even when its answer comes last', async () => {
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

  test('is stopped on the wire when nobody wants it any more', () => {
    on.listing.hold();
    void on.pages.ensureLoaded();
    on.pages.close();
    assert.equal(on.listing.requests[0]?.signal.aborted, true);
  });
});

suite('A failure', () => {
  const refused = new ServiceFailure('refused', 'You may not.');
  beforeEach(() => (on = new OpenPages(3)));

  test('is kept to be shown, and not asked for again by itself', async () => {
    on.listing.failure = refused;
    await on.pages.ensureLoaded();
    assert.equal(on.pages.failure, refused);
    assert.equal(on.pages.isLoaded, false);
    await on.pages.ensureLoaded();
    assert.equal(on.listing.requests.length, 1);
  });

  test('is tried again for a person who asks', async () => {
    on.listing.failure = refused;
    await on.pages.ensureLoaded();
    on.listing.failure = undefined;
    await on.pages.ensureTried();
    assert.equal(on.pages.failure, undefined);
    assert.deepEqual(on.shown, ['t1', 't2', 't3']);
    await on.pages.ensureTried();
    assert.equal(on.listing.requests.length, 2, 'what is loaded is not asked for again');
  });

  test('goes when it works again', async () => {
    on.listing.failure = refused;
    await on.pages.ensureLoaded();
    on.listing.failure = undefined;
    await on.pages.refresh();
    assert.equal(on.pages.failure, undefined);
    assert.equal(on.pages.tokens.length, 3);
  });

  test('of a refresh leaves what was there', async () => {
    await on.pages.ensureLoaded();
    on.listing.failure = refused;
    await on.pages.refresh();
    assert.equal(on.pages.failure, refused);
    assert.deepEqual(on.shown, ['t1', 't2', 't3']);
  });

  test('of our own making is told without its words', async () => {
    on.listing.failure = new TypeError('Bearer eyJhbGciOi');
    await on.pages.ensureLoaded();
    assert.ok(on.pages.failure instanceof ServiceFailure);
    assert.doesNotMatch(on.pages.failure.advice, /eyJ/);
  });

  test('is not what a cancelled request is', async () => {
    on.listing.failure = cancelledFailure();
    await on.pages.refresh();
    assert.equal(on.pages.failure, undefined);
  });
});

suite('Another query', () => {
  test('starts afresh: what it asks, what it shows', async () => {
    on = new OpenPages(25);
    await on.pages.ensureLoaded();
    await on.pages.loadMore();
    const filters = [{ field: 'name', value: 't7', condition: 'EQUAL' }] as const;
    const loaded = on.pages.show({ scope: 'all', filters });
    assert.deepEqual([on.shown, on.pages.isLoaded, on.pages.hasMore], [[], false, false]);
    await loaded;
    const { start, count, scope, filters: sent } = on.listing.requests.at(-1) ?? assert.fail();
    assert.deepEqual({ start, count, scope, sent }, { start: 0, count: PAGE, scope: 'all', sent: filters });
    assert.deepEqual(on.shown, ['t7']);
  });

  test('stops what the one before is still loading', async () => {
    on = new OpenPages(25);
    on.listing.hold();
    const first = on.pages.ensureLoaded();
    const second = on.pages.show({ scope: 'all', filters: [] });
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

suite('Ready filters', () => {
  test('are counted from the moment at which the server is asked', async () => {
    on = new OpenPages(0);
    await on.pages.show({ scope: 'all', filters: [{ kind: 'expired' }] });
    const { scope, filters } = on.listing.requests.at(-1) ?? assert.fail();
    assert.deepEqual(
      { scope, filters },
      { scope: 'all', filters: [{ field: 'expiresAt', value: String(NOW), condition: 'LESS_THAN' }] },
    );
  });
});
