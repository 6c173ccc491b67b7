import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import * as fc from 'fast-check';
import { ServiceFailure } from '../../../src/service/failure/failure.ts';
import type { AccessToken } from '../../../src/service/tokens/accessToken.ts';
import type { AccessTokenPage } from '../../../src/service/tokens/tokenListing.ts';
import { TokenList, type TokenPageSource } from '../../../src/tokens/tokenList.ts';
import { RESULT_WINDOW, soonestFirst } from '../../../src/tokens/tokenWindows.ts';
import { OWN_TOKENS, type TokenListQuery } from '../../../src/tokens/tokenQuery.ts';
import { NOW, PAGE, token, tokens } from './listing.ts';

const DAY = 86_400_000;
const SOONEST: TokenListQuery = { ...OWN_TOKENS, order: 'soonest' };
const NEVER: TokenListQuery = { ...OWN_TOKENS, filters: [{ kind: 'neverExpires' }] };

type PageRequest = Parameters<TokenPageSource['listTokenPage']>[0];

/** Sorts as servers do, latest first and those that never expire at the end, and refuses beyond its window. */
class SortedServer implements TokenPageSource {
  readonly requests: PageRequest[] = [];
  rows: readonly AccessToken[];
  compares = true;
  /** How it takes a filter for rows without a value. */
  absence: 'honored' | 'ignored' | 'matchesNothing' | 'refused' = 'honored';

  constructor(expiries: readonly (number | null)[]) {
    this.rows = expiries
      .map((expiresAt, index) => ({ ...token(`t${index}`), expiresAt }))
      .toSorted((a, b) => (b.expiresAt ?? -Infinity) - (a.expiresAt ?? -Infinity));
  }

  canCompare(): Promise<boolean> {
    return Promise.resolve(this.compares);
  }

  listTokenPage(request: PageRequest): Promise<AccessTokenPage> {
    this.requests.push(request);
    const { filters, start, count } = request;
    if (start + count > RESULT_WINDOW) {
      return Promise.reject(new ServiceFailure('server', 'Failed to list access tokens'));
    }
    if (this.absence === 'refused' && filters.some(({ condition }) => condition === 'ABSENT')) {
      return Promise.reject(new ServiceFailure('unsupported', 'no'));
    }
    const rows = this.matching(request);
    const page = rows.slice(start, start + count);
    return Promise.resolve({ tokens: page, received: page.length, total: rows.length });
  }

  matching({ filters }: PageRequest): readonly AccessToken[] {
    return this.rows.filter(({ expiresAt = null }) =>
      filters.every(({ condition, value }) => {
        switch (condition) {
          case 'LESS_THAN':
            return expiresAt !== null && expiresAt < Number(value);
          case 'GREATER_THAN':
            return expiresAt !== null && expiresAt > Number(value);
          default:
            return this.absence === 'ignored' || (this.absence === 'honored' && expiresAt === null);
        }
      }),
    );
  }
}

function listOf(server: SortedServer, pageSize = PAGE): TokenList {
  return new TokenList(
    server,
    () => pageSize,
    () => undefined,
    { monotonic: () => 0, now: () => NOW },
  );
}

async function readAll(list: TokenList): Promise<void> {
  await list.ensureLoaded();
  for (let pages = 0; list.hasMoreTokens && pages < 5_000; pages++) {
    await list.loadMoreTokens();
    assert.equal(list.failure, undefined);
  }
  assert.equal(list.hasMoreTokens, false);
}

const ids = (all: readonly AccessToken[]): readonly string[] => all.map(({ id }) => id).toSorted();
const dates = (all: readonly AccessToken[]): readonly unknown[] => all.map(({ expiresAt }) => expiresAt);
const expiries = (count: number, at: (index: number) => number | null): readonly (number | null)[] =>
  Array.from({ length: count }, (_, index) => at(index));

suite('Soonest first', () => {
  test('lists each token exactly once, in order, whatever dates coincide', async () => {
    const date = fc.oneof(
      fc.constant(null),
      fc.integer({ min: NOW - 3, max: NOW + 3 }),
      fc.integer({ min: NOW - 90 * DAY, max: NOW + 400 * DAY }),
      fc.integer({ min: 0, max: 8_640_000_000_000 }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(date, { maxLength: 120 }), fc.integer({ min: 1, max: 12 }), async (all, pageSize) => {
        const server = new SortedServer(all);
        const list = listOf(server, pageSize);
        await list.changeQuery(SOONEST);
        const first = list.tokens.slice(0, pageSize);
        await readAll(list);
        assert.deepEqual(ids(list.tokens), ids(server.rows));
        assert.deepEqual(dates(list.tokens), dates(server.rows.toSorted(soonestFirst(NOW))));
        assert.deepEqual(dates(first), dates(list.tokens.slice(0, pageSize)), 'a later page brought a sooner one');
      }),
    );
  });

  test('needs one request for a short list, and few for a long one', async () => {
    const short = new SortedServer(expiries(8, (index) => NOW + index));
    await listOf(short).changeQuery(SOONEST);
    assert.equal(short.requests.length, 1);
    const long = new SortedServer(expiries(25_000, (index) => (index % 5 === 0 ? null : NOW + (index - 2_000) * DAY)));
    const list = listOf(long, 50);
    await list.changeQuery(SOONEST);
    assert.equal(list.tokens[0]?.expiresAt, NOW + DAY);
    assert.ok(long.requests.length <= 5, `${long.requests.length} requests`);
  });

  test('has those that never expire after the others, and expired ones last, the latest first', () => {
    const order = new SortedServer([null, NOW - 2, NOW + 5, NOW - 1, NOW]).rows;
    assert.deepEqual(dates(order.toSorted(soonestFirst(NOW))), [NOW, NOW + 5, null, NOW - 1, NOW - 2]);
  });

  test("sorts what is loaded if the server can't compare, and says of how many", async () => {
    const server = new SortedServer(expiries(25, (index) => NOW + index));
    server.compares = false;
    const list = listOf(server);
    await list.changeQuery(SOONEST);
    assert.deepEqual(
      dates(list.tokens),
      expiries(10, (index) => NOW + 15 + index),
    );
    assert.equal(list.readSoFar, 10);
    await readAll(list);
    assert.equal(list.readSoFar, undefined);
    assert.equal(list.tokens[0]?.expiresAt, NOW);
  });

  test('says so if the server does not list those that never expire', async () => {
    for (const absence of ['ignored', 'refused'] as const) {
      const server = new SortedServer(expiries(30, (index) => (index % 2 === 0 ? null : NOW + index)));
      server.absence = absence;
      const list = listOf(server);
      await list.changeQuery(SOONEST);
      await readAll(list);
      assert.deepEqual([list.tokens.length, list.neverGap], [15, 'ignored']);
      assert.equal(list.isComplete, false);
    }
  });

  test('proves nothing about tokens that it lacks if the server lists none that never expire', async () => {
    for (const absence of ['honored', 'matchesNothing'] as const) {
      const server = new SortedServer(expiries(30, (index) => NOW + index));
      server.absence = absence;
      const list = listOf(server);
      await list.changeQuery(SOONEST);
      await readAll(list);
      assert.deepEqual([list.tokens.length, list.neverGap], [30, 'unproven']);
      assert.equal(list.isComplete, false);
    }
  });

  test('asks only for what the filters by expiry leave', async () => {
    const all = expiries(90, (index) => (index % 3 === 0 ? null : NOW + (index - 45) * DAY));
    for (const filter of [
      { kind: 'expired' },
      { kind: 'expiresWithin', days: 40 },
      { field: 'expiresAt', value: String(NOW + 3 * DAY), condition: 'LESS_THAN' },
    ] as const) {
      const server = new SortedServer(all);
      server.absence = 'matchesNothing';
      const list = listOf(server, 5);
      await list.changeQuery({ ...SOONEST, filters: [filter] });
      await readAll(list);
      assert.ok(list.tokens.length > 5 && server.requests.length > 2);
      const empty = server.requests.filter((request) => server.matching(request).length === 0);
      assert.deepEqual([empty, list.neverGap], [[], undefined]);
    }
  });

  test('knows up to when all that expire are loaded', async () => {
    const server = new SortedServer(expiries(90, (index) => (index % 3 === 0 ? null : NOW + (index - 45) * DAY)));
    const list = listOf(server, 5);
    assert.equal(list.loadedUntil, 0);
    await list.changeQuery(OWN_TOKENS);
    assert.equal(list.loadedUntil, 0);
    await list.changeQuery(SOONEST);
    while (list.hasMoreTokens) {
      const { loadedUntil, tokens: loaded } = list;
      const upcoming = server.rows.filter(({ expiresAt = null }) => expiresAt !== null && expiresAt >= NOW);
      const missing = upcoming.filter(({ id }) => !loaded.some((one) => one.id === id));
      assert.ok(loadedUntil > NOW && missing.every(({ expiresAt }) => Number(expiresAt) >= loadedUntil));
      await list.loadMoreTokens();
    }
    assert.equal(list.loadedUntil, Infinity);
  });
});

suite('A listing beyond the result window', () => {
  test('goes on by date, and lists each token exactly once', async () => {
    for (const at of [
      (index: number) => NOW + Math.floor(index / 40),
      (index: number) => (index < 9_990 ? NOW + index : null),
      (index: number) => (index % 3 === 0 ? null : NOW + index),
    ]) {
      const server = new SortedServer(expiries(14_000, at));
      const list = listOf(server, 500);
      await readAll(list);
      assert.deepEqual(ids(list.tokens), ids(server.rows));
      assert.ok(server.requests.length < 45, `${server.requests.length} requests`);
    }
  });

  test("is as it was where the server can't compare", async () => {
    const server = new SortedServer(expiries(10_500, (index) => NOW + index));
    server.compares = false;
    const list = listOf(server, 500);
    await list.ensureLoaded();
    while (list.hasMoreTokens && list.failure === undefined) {
      await list.loadMoreTokens();
    }
    assert.deepEqual([list.tokens.length, list.failure?.kind], [10_000, 'server']);
  });

  test('says so where more never expire than the server lists', async () => {
    for (const query of [OWN_TOKENS, SOONEST, NEVER]) {
      const server = new SortedServer(expiries(12_000, (index) => (index % 100 === 0 ? NOW - index - 1 : null)));
      const list = listOf(server, 450);
      await list.changeQuery(query);
      await readAll(list);
      assert.equal(list.neverGap, 'cut');
      assert.equal(dates(list.tokens).filter((date) => date === null).length, RESULT_WINDOW);
      assert.equal(list.tokens.length, RESULT_WINDOW + (query === NEVER ? 0 : 120));
      assert.equal(list.isComplete, false);
    }
  });

  test('is reloaded up to there', async () => {
    const server = new SortedServer(expiries(12_000, (index) => NOW + index));
    const list = listOf(server, 500);
    await readAll(list);
    await list.refresh();
    assert.deepEqual([list.failure, list.tokens.length], [undefined, 10_000]);
    await readAll(list);
    assert.equal(list.tokens.length, 12_000);
  });
});

suite('"Never expires"', () => {
  const mixed = expiries(30, (index) => (index % 10 === 0 ? null : NOW + index));

  test('is asked of the server', async () => {
    const server = new SortedServer(mixed);
    const list = listOf(server);
    await list.changeQuery(NEVER);
    assert.deepEqual([dates(list.tokens), list.readSoFar, server.requests.length], [[null, null, null], undefined, 1]);
  });

  for (const absence of ['ignored', 'matchesNothing', 'refused'] as const) {
    test(`filters what was read if the server's filter is ${absence}, and says of how many`, async () => {
      const server = new SortedServer(mixed);
      server.absence = absence;
      const list = listOf(server);
      await list.changeQuery(NEVER);
      assert.deepEqual([list.tokens, list.readSoFar, list.hasMoreTokens], [[], 10, true]);
      await readAll(list);
      assert.deepEqual([dates(list.tokens), list.readSoFar], [[null, null, null], undefined]);
      await list.changeQuery(OWN_TOKENS);
      await readAll(list);
      assert.equal(list.tokens.length, 30);
    });
  }

  test('matches nothing only once everything was read', async () => {
    const list = listOf(new SortedServer(expiries(15, (index) => NOW + index)));
    await list.changeQuery(NEVER);
    assert.deepEqual([list.tokens.length, list.readSoFar], [0, 10]);
    await readAll(list);
    assert.deepEqual([list.tokens.length, list.readSoFar], [0, undefined]);
  });

  test('is not answered by a server that reports no expiry', async () => {
    const server = new SortedServer(mixed);
    server.absence = 'refused';
    server.rows = tokens(3);
    const list = listOf(server);
    await list.changeQuery(NEVER);
    assert.equal(list.failure?.kind, 'unsupported');
  });

  test('fails as any other listing does', async () => {
    const server = new SortedServer(mixed);
    server.listTokenPage = () => Promise.reject(new ServiceFailure('refused', 'no'));
    const list = listOf(server);
    await list.changeQuery(NEVER);
    assert.equal(list.failure?.kind, 'refused');
  });
});
