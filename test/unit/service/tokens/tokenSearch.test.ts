import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { MetadataService } from '../../../../src/service/service.ts';
import { listAllTokens } from '../../../../src/service/tokens/tokenSearch.ts';
import { failureOf, ME } from '../clients.ts';
import { answering, refusal } from '../tokenServer.ts';
import type { SeenRequest } from '../wireServer.ts';

const since = 1_700_000_000_000;
const row = (id: string, name: string | undefined, createdAt: number | undefined): object => ({
  urn: `urn:${id}`,
  id,
  actorUrn: ME,
  ownerUrn: ME,
  name,
  createdAt,
});

/** Tokens on the first page; none on the next. */
const page =
  (...tokens: object[]): ((request: SeenRequest) => object) =>
  ({ body }) => {
    const { start } = (JSON.parse(body) as { variables: { start: number } }).variables;
    return { data: { listAccessTokens: { total: 99, tokens: start === 0 ? tokens : [] } } };
  };

suite('A token that is searched for', () => {
  const isFound = async (service: MetadataService, wanted: string): Promise<boolean> =>
    (await listAllTokens((request) => service.tokens.list(request), { kind: 'all' }, undefined)).tokens.some(
      ({ id }) => id === wanted,
    );

  test('is found beyond a page without readable rows', async (context) => {
    const { service } = await answering(context, [
      { data: { listAccessTokens: { total: 2, tokens: [null] } } },
      { data: { listAccessTokens: { total: 2, tokens: [row('new', 'ci', since)] } } },
      { data: { listAccessTokens: { total: 2, tokens: [] } } },
    ]);
    assert.ok(await isFound(service, 'new'));
  });

  test('stays unknown after ten consecutive pages without readable rows', async (context) => {
    const { service, server } = await answering(context, [
      { data: { listAccessTokens: { total: 1, tokens: [null] } } },
    ]);
    assert.ok(!(await isFound(service, 't')));
    assert.equal(server.requests.length, 10);
    assert.deepEqual(await service.tokens.findGoneTokens(['t'], { kind: 'all' }), []);
  });

  test('is found on any number of pages without readable rows, with others between them', async (context) => {
    const { service } = await answering(context, [
      ({ body }) => {
        const { start } = (JSON.parse(body) as { variables: { start: number } }).variables;
        const token = start % 10 === 9 ? row(`t${start}`, 'x', since) : null;
        return { data: { listAccessTokens: { total: 1_000_000, tokens: [token] } } };
      },
    ]);
    assert.ok(await isFound(service, 't29'));
  });

  test('is searched for on a hundred pages, and stays unknown beyond', async (context) => {
    const { service, server } = await answering(context, [
      ({ body }) => {
        const { start } = (JSON.parse(body) as { variables: { start: number } }).variables;
        return { data: { listAccessTokens: { total: 1_000_000, tokens: [row(`t${start}`, 'x', since)] } } };
      },
    ]);
    assert.ok(await isFound(service, 't99'));
    assert.equal(server.requests.length, 100);
    assert.ok(!(await isFound(service, 't100')));
    assert.deepEqual(await service.tokens.findGoneTokens(['t100'], { kind: 'all' }), []);
  });

  test('is found page by page, up to the empty one', async (context) => {
    const { service, sent } = await answering(context, [
      ({ body }) => {
        const { start } = (JSON.parse(body) as { variables: { start: number } }).variables;
        const tokens = Array.from({ length: Math.max(0, Math.min(100, 230 - start)) }, (_, index) =>
          row(`t${start + index}`, 'x', since),
        );
        return { data: { listAccessTokens: { total: 1_000_000, tokens } } };
      },
    ]);
    assert.ok(await isFound(service, 't229'));
    assert.deepEqual(
      sent().map(({ variables }) => variables['start']),
      [0, 100, 200, 230],
    );
    assert.ok(!(await isFound(service, 'gone')));
  });

  test('is not searched for endlessly if a server ignores the start of a page', async (context) => {
    const { service, server } = await answering(context, [
      { data: { listAccessTokens: { total: 1_000_000, tokens: [row('same', 'x', since)] } } },
    ]);
    assert.ok(!(await isFound(service, 'gone')));
    assert.equal(server.requests.length, 2);
  });
});

suite('A token whose creation got no answer', () => {
  const wanted = { name: 'ci', ownerUrn: ME, since, known: new Set<string>(['known']) };

  for (const [what, token, isFound] of [
    ['its name', row('new', 'ci', since + 100), true],
    ['its name and no date', row('new', 'ci', undefined), true],
    ['a clock five minutes behind', row('new', 'ci', since - 300_000), true],
    ['another name', row('new', 'cd', since), false],
    ['no name', row('new', undefined, since), false],
    ['its name, from long before', row('new', 'ci', since - 300_001), false],
    ['its name, listed before', row('known', 'ci', since), false],
  ] as const) {
    test(`is ${isFound ? '' : 'not '}found in a row with ${what}`, async (context) => {
      const { service } = await answering(context, [page(token)]);
      assert.equal(await service.tokens.wasCreated(wanted), isFound);
    });
  }

  test('is searched for again after a while, since the listing lags', async (context) => {
    const { service, pauses } = await answering(context, [page(), page(row('late', 'ci', since))]);
    assert.equal(await service.tokens.wasCreated(wanted), true);
    assert.deepEqual(pauses, [3_000]);
  });
});

suite('A token that may have been revoked', () => {
  const rows = (...ids: string[]): ((request: SeenRequest) => object) =>
    page(...ids.map((id) => row(id, id, undefined)));
  const ALL = { kind: 'all' } as const;

  test('is gone if it was listed before and a complete listing lacks it', async (context) => {
    const { service, pauses, sent } = await answering(context, [rows('a', 'c')]);
    assert.deepEqual(await service.tokens.findGoneTokens(['a', 'b'], ALL), ['b']);
    assert.deepEqual(
      sent().map(({ variables }) => variables['start']),
      [0, 2],
      'one listing says enough',
    );
    assert.deepEqual(pauses, [], 'nothing is waited for');
  });

  test('stays unknown if the server never ends its listing', async (context) => {
    const listed = Array.from({ length: 100 }, (_, index) => row(`t${index}`, 't', undefined));
    const { service } = await answering(context, [{ data: { listAccessTokens: { total: 400, tokens: listed } } }]);
    assert.deepEqual(await service.tokens.findGoneTokens(['b'], ALL), []);
  });

  test('stays unknown if the listing is refused', async (context) => {
    const { service } = await answering(context, [refusal(403)]);
    assert.equal((await failureOf(service.tokens.findGoneTokens(['b'], ALL))).kind, 'refused');
  });
});
