import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { rememberSecret } from '../../../../src/service/failure/secret.ts';
import { USUAL_LAG_MILLIS, type EarlierListing } from '../../../../src/service/tokens/tokenSearch.ts';
import { failureOf, ME } from '../clients.ts';
import { answering, refusal } from '../tokenServer.ts';
import type { SeenRequest } from '../wireServer.ts';

suite('A token whose creation got no response', () => {
  const since = 1_700_000_000_000;
  const row = (id: string, name: string | undefined, createdAt: number | undefined): object => ({
    urn: `urn:${id}`,
    id,
    actorUrn: ME,
    ownerUrn: ME,
    name,
    createdAt,
  });
  const page =
    (...tokens: object[]): ((request: SeenRequest) => object) =>
    ({ body }) => {
      const { start } = (JSON.parse(body) as { variables: { start: number } }).variables;
      return { data: { listAccessTokens: { total: 99, tokens: start === 0 ? tokens : [] } } };
    };

  const all = (...ids: string[]): EarlierListing => ({ ids: new Set(ids), isWhole: true });

  test('is found by name and time: the newest, and none from long before', async (context) => {
    const { service, pauses } = await answering(context, [
      page(
        row('old', 'ci', since - 3_600_000),
        row('first', 'ci', since - 60_000),
        row('second', 'ci', since + 100),
        row('other', 'cd', since),
      ),
    ]);
    assert.equal((await service.tokens.findCreated('ci', ME, since))?.id, 'second');
    assert.deepEqual(pauses, []);
  });

  test('is not found if its ID is itself a token, because it would be stored', async (context) => {
    rememberSecret('the-string-that-was-created');
    const { service } = await answering(context, [page(row('the-string-that-was-created', 'ci', since))]);
    assert.equal(await service.tokens.findCreated('ci', ME, since), undefined);
  });

  test('is found although the clocks differ by up to five minutes', async (context) => {
    const { service } = await answering(context, [page(row('early', 'ci', since - 300_000))]);
    assert.equal((await service.tokens.findCreated('ci', ME, since))?.id, 'early');
    assert.equal(await service.tokens.findCreated('ci', ME, since + 1), undefined);
  });

  test('is found if the server omits its time, after one with a time', async (context) => {
    const undated = row('undated', 'ci', undefined);
    const { service } = await answering(context, [page(undated)]);
    assert.equal((await service.tokens.findCreated('ci', ME, since))?.id, 'undated');
    for (const rows of [
      [undated, row('new', 'ci', since)],
      [row('new', 'ci', since), undated],
      [row('new', 'ci', since), row('first', 'ci', since - 1)],
    ]) {
      const several = await answering(context, [page(...rows)]);
      assert.equal((await several.service.tokens.findCreated('ci', ME, since))?.id, 'new');
    }
  });

  test('is searched for again after a while, since the listing lags', async (context) => {
    const late = await answering(context, [page(), page(row('late', 'ci', since))]);
    assert.equal((await late.service.tokens.findCreated('ci', ME, since))?.id, 'late');
    assert.deepEqual(late.pauses, [3_000]);
    const never = await answering(context, [page(row('old', 'ci', since - 3_600_000))]);
    assert.equal(await never.service.tokens.findCreated('ci', ME, since), undefined);
  });

  test('is found if the server lists no names and it is the only new one', async (context) => {
    const rows = page(row('known', undefined, undefined), row('new', undefined, undefined));
    const { service } = await answering(context, [rows]);
    assert.equal((await service.tokens.findCreated('ci', ME, since, undefined, all('known')))?.id, 'new');
    assert.equal(await service.tokens.findCreated('ci', ME, since, undefined, all()), undefined, 'either could be it');
    assert.equal(await service.tokens.findCreated('ci', ME, since), undefined);
    const { service: one } = await answering(context, [page(row('only', undefined, undefined))]);
    assert.equal(await one.tokens.findCreated('ci', ME, since), undefined, 'nothing says that it is new');
    const some = { ids: new Set<string>(), isWhole: false };
    assert.equal(await one.tokens.findCreated('ci', ME, since, undefined, some), undefined, 'it may have been there');
    const { service: mixed } = await answering(context, [
      page(row('new', undefined, undefined), row('other', 'cd', since)),
    ]);
    assert.equal((await mixed.tokens.findCreated('ci', ME, since, undefined, all()))?.id, 'new');
    const { service: other } = await answering(context, [page(row('other', 'cd', since))]);
    assert.equal(await other.tokens.findCreated('ci', ME, since, undefined, all()), undefined);
    const { service: named } = await answering(context, [
      page(row('new', undefined, undefined), row('named', 'ci', since)),
    ]);
    assert.equal((await named.tokens.findCreated('ci', ME, since, undefined, all()))?.id, 'named');
  });

  test('is searched for beyond a page without readable rows', async (context) => {
    const { service } = await answering(context, [
      { data: { listAccessTokens: { total: 2, tokens: [null] } } },
      { data: { listAccessTokens: { total: 2, tokens: [row('new', 'ci', since)] } } },
      { data: { listAccessTokens: { total: 2, tokens: [] } } },
    ]);
    assert.equal((await service.tokens.findListedToken('new', { kind: 'all' }))?.id, 'new');
  });

  test('stays unknown after ten consecutive pages without readable rows', async (context) => {
    const { service, server } = await answering(context, [
      { data: { listAccessTokens: { total: 1, tokens: [null] } } },
    ]);
    assert.equal(await service.tokens.findListedToken('t', { kind: 'all' }), undefined);
    assert.equal(server.requests.length, 10);
    assert.deepEqual(await service.tokens.findGoneTokens(['t'], { kind: 'all' }, true), []);
  });

  test('is searched for on any number of pages without readable rows, with others between them', async (context) => {
    const { service } = await answering(context, [
      ({ body }) => {
        const { start } = (JSON.parse(body) as { variables: { start: number } }).variables;
        const token = start % 10 === 9 ? row(`t${start}`, 'x', since) : null;
        return { data: { listAccessTokens: { total: 1_000_000, tokens: [token] } } };
      },
    ]);
    assert.equal((await service.tokens.findListedToken('t29', { kind: 'all' }))?.id, 't29');
  });

  test('is searched for on a hundred pages, and stays unknown beyond', async (context) => {
    const { service, server } = await answering(context, [
      ({ body }) => {
        const { start } = (JSON.parse(body) as { variables: { start: number } }).variables;
        return { data: { listAccessTokens: { total: 1_000_000, tokens: [row(`t${start}`, 'x', since)] } } };
      },
    ]);
    assert.equal((await service.tokens.findListedToken('t99', { kind: 'all' }))?.id, 't99');
    assert.equal(server.requests.length, 100);
    assert.equal(await service.tokens.findListedToken('t100', { kind: 'all' }), undefined);
    assert.deepEqual(await service.tokens.findGoneTokens(['t100'], { kind: 'all' }, true), []);
  });

  test('is searched for page by page, up to the empty one', async (context) => {
    const { service, sent } = await answering(context, [
      ({ body }) => {
        const { start } = (JSON.parse(body) as { variables: { start: number } }).variables;
        const tokens = Array.from({ length: Math.max(0, Math.min(100, 230 - start)) }, (_, index) =>
          row(`t${start + index}`, 'x', since),
        );
        return { data: { listAccessTokens: { total: 1_000_000, tokens } } };
      },
    ]);
    assert.equal((await service.tokens.findListedToken('t229', { kind: 'all' }))?.id, 't229');
    assert.deepEqual(
      sent().map(({ variables }) => variables['start']),
      [0, 100, 200, 230],
    );
    assert.equal(await service.tokens.findListedToken('gone', { kind: 'all' }), undefined);
  });

  test('is not searched for endlessly if a server ignores the start of a page', async (context) => {
    const { service, server } = await answering(context, [
      { data: { listAccessTokens: { total: 1_000_000, tokens: [row('same', 'x', since)] } } },
    ]);
    assert.equal(await service.tokens.findListedToken('gone', { kind: 'all' }), undefined);
    assert.equal(server.requests.length, 2);
  });
});

suite('A token that may have been revoked', () => {
  const row = (id: string): object => ({ urn: `urn:${id}`, id, actorUrn: ME, ownerUrn: ME, name: id });
  const page =
    (...ids: string[]): ((request: SeenRequest) => object) =>
    ({ body }) => {
      const { start } = (JSON.parse(body) as { variables: { start: number } }).variables;
      return { data: { listAccessTokens: { total: 99, tokens: start === 0 ? ids.map(row) : [] } } };
    };
  const ALL = { kind: 'all' } as const;

  test('is gone if it was listed before and a complete listing lacks it', async (context) => {
    const { service, pauses, sent } = await answering(context, [page('a', 'c')]);
    assert.deepEqual(await service.tokens.findGoneTokens(['a', 'b'], ALL, true), ['b']);
    assert.deepEqual(
      sent().map(({ variables }) => variables['start']),
      [0, 2],
      'one listing says enough',
    );
    assert.deepEqual(pauses, [], 'nothing is waited for');
  });

  test('is gone if it was never listed and two listings lack it, each after the usual lag', async (context) => {
    const { service, pauses, sent } = await answering(context, [page('a')]);
    assert.deepEqual(await service.tokens.findGoneTokens(['a', 'b'], ALL, false), ['b']);
    assert.deepEqual(pauses, [USUAL_LAG_MILLIS, USUAL_LAG_MILLIS]);
    assert.deepEqual(
      sent().map(({ variables }) => variables['start']),
      [0, 1, 0, 1],
    );
  });

  test('is not gone if the second listing has it', async (context) => {
    const { service } = await answering(context, [page(), page('b'), page('b')]);
    assert.deepEqual(await service.tokens.findGoneTokens(['b'], ALL, false), []);
  });

  test('is not searched for if there is none', async (context) => {
    const { service, server } = await answering(context, [page()]);
    assert.deepEqual(await service.tokens.findGoneTokens([], ALL, false), []);
    assert.equal(server.requests.length, 0);
  });

  test('stays unknown if the server never ends its listing', async (context) => {
    const rows = Array.from({ length: 100 }, (_, index) => row(`t${index}`));
    const { service } = await answering(context, [{ data: { listAccessTokens: { total: 400, tokens: rows } } }]);
    assert.deepEqual(await service.tokens.findGoneTokens(['b'], ALL, true), []);
  });

  test('stays unknown if the listing is refused', async (context) => {
    const { service } = await answering(context, [refusal(403)]);
    assert.equal((await failureOf(service.tokens.findGoneTokens(['b'], ALL, true))).kind, 'refused');
  });
});
