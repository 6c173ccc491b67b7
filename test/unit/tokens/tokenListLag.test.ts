import assert from 'node:assert/strict';
import { beforeEach, suite, test } from 'node:test';
import { USUAL_LAG_MILLIS } from '../../../src/service/tokens/tokenListing.ts';
import { OWN_TOKENS, type TokenListQuery } from '../../../src/tokens/tokenFilters.ts';
import { OpenPages, token, tokens } from './listing.ts';

const NAMED_T2: TokenListQuery = { scope: 'own', filters: [{ field: 'name', value: 't2', condition: 'EQUAL' }] };

let on: OpenPages;

suite('A created token', () => {
  beforeEach(async () => {
    on = await OpenPages.loaded(3);
    on.changes = 0;
    on.pages.addCreatedToken(token('new'));
  });

  test('is shown at once', () => {
    assert.deepEqual(on.shown, ['new', 't1', 't2', 't3']);
    assert.equal(on.changes, 1);
    assert.equal(on.pages.total, 4);
  });

  test('stays while the listing lags, and is shown once when listed', async () => {
    await on.pages.refresh();
    assert.deepEqual(on.shown, ['new', 't1', 't2', 't3']);
    on.listing.rows = [...tokens(3), token('new', 'as the server has it')];
    await on.pages.refresh();
    assert.deepEqual(on.shown, ['new', 't1', 't2', 't3']);
    assert.equal(on.pages.tokens[0]?.name, 'as the server has it');
  });

  test('is gone if a complete listing lacks it, a while after creation', async () => {
    on.now += USUAL_LAG_MILLIS - 1;
    await on.pages.refresh();
    assert.deepEqual(on.shown[0], 'new');
    on.now += 1;
    await on.pages.refresh();
    assert.deepEqual(on.shown, ['t1', 't2', 't3']);
  });

  test('stays if the listing without it is incomplete', async () => {
    on.listing.rows = tokens(25);
    for (let refreshes = 0; refreshes < 5; refreshes++) {
      on.now += USUAL_LAG_MILLIS;

      await on.pages.refresh();
    }
    assert.equal(on.shown[0], 'new');
    await on.pages.changeQuery({ scope: 'own', filters: [{ field: 'name', value: 't2', condition: 'EQUAL' }] });
    on.now += USUAL_LAG_MILLIS;
    await on.pages.refresh();
    await on.pages.changeQuery(OWN_TOKENS);
    assert.equal(on.shown[0], 'new');
  });

  test('is judged by when a listing began, not by when its last page came', async () => {
    on.listing.rows = tokens(12);
    await on.pages.changeQuery(OWN_TOKENS);
    on.now += 5 * USUAL_LAG_MILLIS;
    await on.pages.loadMoreTokens();
    assert.equal(on.shown[0], 'new');
  });

  test('is treated differently once it was listed', async () => {
    assert.equal(on.pages.wasEverListed('new'), false);
    on.listing.rows = [token('new'), ...tokens(3)];
    await on.pages.refresh();
    on.listing.rows = tokens(3);
    await on.pages.refresh();
    assert.equal(on.pages.wasEverListed('new'), true);
    // Shown again, as after becoming the credential: it was listed, and a complete listing lacks it.
    on.pages.addCreatedToken(token('new'));
    await on.pages.refresh();
    assert.deepEqual(on.shown, ['t1', 't2', 't3']);
  });

  test('is shown although a filter hides it, until the next refresh', async () => {
    on.now += 1;
    await on.pages.changeQuery(NAMED_T2);
    on.now += 1;
    on.pages.addCreatedToken(token('replacement'));
    assert.deepEqual(on.shown, ['replacement', 't2']);
    on.now += 1;
    await on.pages.refresh();
    assert.deepEqual(on.shown, ['t2']);
  });

  test('is counted, also in a list that has only some of the tokens', async () => {
    const many = await OpenPages.loaded(59);
    many.pages.addCreatedToken(token('a'));
    many.pages.addCreatedToken(token('b'));
    assert.deepEqual([many.shown.length, many.pages.total], [12, 61]);
    many.now += 1;
    await many.pages.loadMoreTokens();
    assert.deepEqual([many.shown.length, many.pages.total], [22, 61], 'the listing has not heard of them yet');
    many.pages.hideRevoking(['a', 't1']);
    assert.deepEqual([many.shown.length, many.pages.total], [20, 59]);
  });

  test('is counted once, and a revoked one not twice, after the listing has heard of them', async () => {
    const many = await OpenPages.loaded(59);
    many.pages.addCreatedToken(token('a'));
    many.pages.hideRevoking(['t1']);
    many.listing.rows = [...tokens(59).filter(({ id }) => id !== 't1'), token('a')];
    many.now += USUAL_LAG_MILLIS;
    await many.pages.loadMoreTokens();
    assert.deepEqual([many.pages.isPartial, many.pages.total], [true, 59]);
    await many.pages.refresh();
    assert.deepEqual([many.pages.isPartial, many.pages.total], [true, 59]);
  });

  test('is hidden if revoked before it was ever listed', async () => {
    on.pages.hideRevoking(['new']);
    assert.deepEqual(on.shown, ['t1', 't2', 't3']);
    on.listing.rows = [token('new'), ...tokens(3)];
    await on.pages.refresh();
    assert.deepEqual(on.shown, ['t1', 't2', 't3']);
  });
});

suite('A revoked token', () => {
  beforeEach(async () => {
    on = await OpenPages.loaded(3);
    on.changes = 0;
    on.pages.hideRevoking(['t2']);
  });

  test('stays hidden while the listing still has it, and after', async () => {
    await on.pages.refresh();
    assert.deepEqual(on.shown, ['t1', 't3']);
    on.listing.rows = on.listing.rows.filter(({ id }) => id !== 't2');
    await on.pages.refresh();
    assert.deepEqual(on.shown, ['t1', 't3']);
  });

  test('returns to its place if the server refused', () => {
    assert.equal(on.pages.isHidden('t2'), true);
    on.pages.showUnrevoked(['t2']);
    assert.equal(on.pages.isHidden('t2'), false);
    assert.deepEqual(on.shown, ['t1', 't2', 't3']);
    assert.equal(on.changes, 2);
  });
});
