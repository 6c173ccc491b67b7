import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { ServiceFailure } from '../../../src/service/failure/failure.ts';
import type { AccessToken } from '../../../src/service/tokens/accessToken.ts';
import type { AccessTokenPage } from '../../../src/service/tokens/tokenListing.ts';
import { MOST_LISTED, TokenList } from '../../../src/tokens/tokenList.ts';
import { inOrder, splitExpired, type TokenListOrder } from '../../../src/tokens/tokenOrder.ts';
import { OWN_TOKENS, type TokenListQuery } from '../../../src/tokens/tokenFilters.ts';
import { NOW, PAGE, token, type TokenPageSource } from './listing.ts';

const DAY = 86_400_000;
const NEVER: TokenListQuery = { ...OWN_TOKENS, filters: [{ kind: 'neverExpires' }] };

type PageRequest = Parameters<TokenPageSource['listTokenPage']>[0];

/** Sorts as servers do, latest first and those that never expire at the end, and refuses beyond its window. */
class SortedServer implements TokenPageSource {
  readonly requests: PageRequest[] = [];
  rows: readonly AccessToken[];
  compares = true;
  /** Counted and not listed: the index lags behind their revocation. */
  readonly revoked = new Set<string>();
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
    if (start + count > MOST_LISTED) {
      return Promise.reject(new ServiceFailure('server', 'Failed to list access tokens'));
    }
    if (this.absence === 'refused' && filters.some(({ condition }) => condition === 'ABSENT')) {
      return Promise.reject(new ServiceFailure('unsupported', 'no'));
    }
    const rows = this.rows.filter(({ expiresAt = null }) =>
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
    const page = rows.slice(start, start + count).filter(({ id }) => !this.revoked.has(id));
    return Promise.resolve({ tokens: page, received: page.length, total: rows.length });
  }
}

/** @param pageSize The product's own by default. */
function listOf(server: SortedServer, pageSize?: number, order: TokenListOrder = 'expiry'): TokenList {
  return new TokenList(
    server,
    () => order,
    () => undefined,
    { monotonic: () => 0, now: () => NOW },
    pageSize,
  );
}

async function loadedListOf(server: SortedServer): Promise<TokenList> {
  const list = listOf(server);
  await list.ensureLoaded();
  return list;
}

async function readAll(list: TokenList): Promise<void> {
  await list.ensureLoaded();
  for (let pages = 0; list.hasMoreTokens && pages < 5_000; pages++) {
    await list.loadMoreTokens();
    assert.equal(list.failure, undefined);
  }
  assert.equal(list.hasMoreTokens, false);
}

const dates = (all: readonly AccessToken[]): readonly unknown[] => all.map(({ expiresAt }) => expiresAt);
const expiries = (count: number, at: (index: number) => number | null): readonly (number | null)[] =>
  Array.from({ length: count }, (_, index) => at(index));

suite('Tokens in order', () => {
  const some: readonly AccessToken[] = [
    { ...token('a', 'img 10'), expiresAt: null, createdAt: 3 },
    { ...token('b', 'img 9'), expiresAt: NOW + 5, createdAt: 1 },
    { ...token('c', 'Ci'), expiresAt: NOW - 2, createdAt: 2 },
    { ...token('d', 'ab'), expiresAt: NOW - 1, createdAt: 4 },
    { ...token('e', 'dbt'), expiresAt: NOW + 1, createdAt: 5 },
    { ...token('f', 'dd'), expiresAt: NOW - 2, createdAt: 0 },
    { ...token('g', 'img 11'), createdAt: -1 },
  ];

  for (const [order, ids] of [
    ['expiry', 'e b a g d c f'],
    ['name', 'e b a g d c f'],
    ['created', 'e a b g d c f'],
  ] as const) {
    test(`by ${order}, with expired ones at the end`, () => {
      assert.equal(
        inOrder(some, order, NOW)
          .map(({ id }) => id)
          .join(' '),
        ids,
      );
    });
  }
});

suite('A list of tokens', () => {
  test('is one request for up to 1,000, the soonest first, then those that never expire, then expired ones', async () => {
    const server = new SortedServer(expiries(300, (index) => (index % 7 === 0 ? null : NOW + (index - 40) * DAY)));
    const list = await loadedListOf(server);
    assert.equal(server.requests.length, 1);
    assert.deepEqual([list.arrangement, list.isPartial, list.tokens.length], ['whole', false, 300]);
    assert.deepEqual(dates(list.tokens), dates(inOrder(server.rows, 'expiry', NOW)));
    assert.equal(list.tokens[0]?.expiresAt, NOW + DAY);
  });

  test('is two requests for more: what ends within 30 days, then the order of the server', async () => {
    const server = new SortedServer(expiries(1_500, (index) => (index % 5 === 0 ? null : NOW + (index - 100) * DAY)));
    const list = await loadedListOf(server);
    assert.equal(server.requests.length, 2);
    assert.deepEqual([list.arrangement, list.isPartial, list.hasMoreTokens], ['soonFirst', true, true]);
    const soon = server.rows.filter(
      ({ expiresAt = null }) => expiresAt !== null && expiresAt > NOW && expiresAt < NOW + 30 * DAY,
    );
    assert.ok(soon.length > 20);
    assert.deepEqual(dates(list.tokens.slice(0, soon.length)), dates(soon.toReversed()));
    assert.equal(list.tokens[soon.length]?.id, server.rows[0]?.id);
    assert.deepEqual(list.remainingRows, { next: 1_500 - list.tokens.length, left: 1_500 - list.tokens.length });
    await readAll(list);
    assert.deepEqual([list.arrangement, list.tokens.length], ['whole', 1_500]);
    assert.deepEqual(dates(list.tokens), dates(inOrder(server.rows, 'expiry', NOW)));
  });

  test("is in the order of the server where it can't compare dates", async () => {
    const server = new SortedServer(expiries(1_500, (index) => NOW + index * 60_000));
    server.compares = false;
    const list = await loadedListOf(server);
    assert.deepEqual([list.arrangement, list.tokens[0]?.id], ['server', server.rows[0]?.id]);
  });

  for (const [name, filters] of [
    ['any', []],
    ['those that end before a date', [{ field: 'expiresAt', value: String(NOW + 400 * DAY), condition: 'LESS_THAN' }]],
  ] as const) {
    test(`begins with the soonest where more than 1,000 end within 30 days, of ${name}`, async () => {
      const server = new SortedServer(
        expiries(4_200, (index) => NOW + (index < 1_500 ? index + 1 : 100 * DAY + index)),
      );
      const list = listOf(server);
      await list.changeQuery({ ...OWN_TOKENS, filters });
      assert.deepEqual([server.requests.length, list.arrangement, list.hasMoreTokens], [3, 'soonFirst', true]);
      assert.deepEqual(
        dates(list.tokens.slice(0, 1_500)),
        expiries(1_500, (index) => NOW + index + 1),
      );
      assert.equal(list.tokens[1_500]?.id, server.rows[0]?.id);
    });
  }

  test('is read whole if a filter asks for what ends within 30 days, and begins with the soonest', async () => {
    const server = new SortedServer(expiries(1_500, (index) => NOW + index + 1));
    const list = listOf(server);
    await list.changeQuery({ ...OWN_TOKENS, filters: [{ kind: 'expiresSoon' }] });
    assert.deepEqual([list.arrangement, list.tokens.length], ['whole', 1_500]);
    assert.deepEqual(
      dates(list.tokens),
      expiries(1_500, (index) => NOW + index + 1),
    );
  });

  test('begins with the soonest that were read where more than 10,000 end within 30 days', async () => {
    const server = new SortedServer(expiries(10_400, (index) => NOW + index + 1));
    const list = await loadedListOf(server);
    assert.deepEqual([list.arrangement, list.exceedsLimit], ['soonFirst', true]);
    assert.deepEqual(
      dates(list.tokens),
      expiries(10_000, (index) => NOW + index + 401),
    );
  });

  test('has what ends soon although the server still counts one that was revoked', async () => {
    const server = new SortedServer(expiries(1_500, (index) => NOW + (index < 40 ? 1 : 100) * DAY + index));
    server.revoked.add('t7');
    const list = await loadedListOf(server);
    assert.deepEqual([list.arrangement, list.tokens[0]?.expiresAt], ['soonFirst', NOW + DAY]);
    assert.equal(list.tokens.filter(({ expiresAt }) => Number(expiresAt) < NOW + 30 * DAY).length, 39);
  });

  test('is in the order of the server if that ignores the condition, or fails to answer', async () => {
    const all = expiries(1_500, (index) => (index === 0 ? NOW - 1 : NOW + 300 * DAY + index));
    for (const answer of ['all', 'fails'] as const) {
      const server = new SortedServer(all);
      const { listTokenPage } = server;
      server.listTokenPage = (request) => {
        if (request.filters.length === 0) return listTokenPage.call(server, request);
        if (answer === 'fails') return Promise.reject(new ServiceFailure('server', 'no'));
        return listTokenPage.call(server, { ...request, filters: [] });
      };
      const list = await loadedListOf(server);
      assert.deepEqual([list.failure, list.arrangement, list.tokens.length], [undefined, 'server', 1_000], answer);
    }
  });

  test('shows a new token that ends soon among the first', async () => {
    const server = new SortedServer(expiries(1_500, (index) => NOW + (index < 40 ? 2 : 100) * DAY + index));
    const list = await loadedListOf(server);
    list.addCreatedToken({ ...token('new'), expiresAt: NOW + DAY });
    assert.equal(list.tokens[0]?.id, 'new');
  });

  test('is arranged once for each change, and a token that has ended since is the first of the expired ones', async () => {
    const list = await loadedListOf(new SortedServer([NOW + 5, NOW + DAY, NOW - DAY]));
    assert.equal(list.tokens, list.tokens);
    const [working, expired] = splitExpired(list.tokens, NOW + 5);
    assert.deepEqual([dates(working), dates(expired)], [[NOW + DAY], [NOW + 5, NOW - DAY]]);
  });

  test('is not asked again for what a filter by expiry has already picked', async () => {
    const server = new SortedServer(expiries(1_500, (index) => NOW - index * DAY - 1));
    const list = listOf(server);
    await list.changeQuery({ ...OWN_TOKENS, filters: [{ kind: 'expired' }] });
    assert.deepEqual([server.requests.length, list.arrangement], [1, 'server']);
  });

  test('ends after 10,000, says so before, and proves nothing about a token that it lacks', async () => {
    const server = new SortedServer(expiries(10_400, (index) => (index < 10_200 ? NOW + 100 * DAY + index : null)));
    const list = await loadedListOf(server);
    assert.deepEqual([list.exceedsLimit, list.remainingRows], [true, { next: 1_000, left: 9_000 }]);
    await readAll(list);
    assert.deepEqual([list.isPartial, list.exceedsLimit], [true, true]);
    assert.deepEqual([list.tokens.length, list.total, list.remainingRows], [10_000, 10_400, undefined]);
    const before = server.requests.length;
    await list.refresh();
    assert.deepEqual([list.failure, list.tokens.length, server.requests.length - before], [undefined, 10_000, 11]);
  });
});

test('A list at the limit stays partial although the server counts a token that it no longer lists', async () => {
  const server = new SortedServer(expiries(10_400, (index) => NOW + index));
  server.revoked.add('t500');
  const list = listOf(server);
  await readAll(list);
  assert.deepEqual([list.isPartial, list.exceedsLimit], [true, true]);
});

suite('"Never expires"', () => {
  const mixed = expiries(30, (index) => (index % 10 === 0 ? null : NOW + index));

  test('is asked of the server', async () => {
    const server = new SortedServer(mixed);
    const list = listOf(server, PAGE);
    await list.changeQuery(NEVER);
    assert.deepEqual([dates(list.tokens), list.readSoFar, server.requests.length], [[null, null, null], undefined, 1]);
  });

  for (const absence of ['ignored', 'matchesNothing', 'refused'] as const) {
    test(`filters what was read if the server's filter is ${absence}, and says of how many`, async () => {
      const server = new SortedServer(mixed);
      server.absence = absence;
      const list = listOf(server, PAGE);
      await list.changeQuery(NEVER);
      assert.deepEqual([list.tokens, list.readSoFar, list.hasMoreTokens], [[], 10, true]);
      await readAll(list);
      assert.deepEqual([dates(list.tokens), list.readSoFar], [[null, null, null], undefined]);
      await list.changeQuery(OWN_TOKENS);
      await readAll(list);
      assert.equal(list.tokens.length, 30);
    });
  }
});
