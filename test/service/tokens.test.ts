import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { startService, type RunningService } from './main.ts';
import { dig, serviceFor, TestClient } from './testClient.ts';
import { createDocument, listDocument, revokeDocument } from './tokenDocuments.ts';
import type { TokenRecord } from './tokens.ts';
import type { UserName } from './users.ts';

describe('tokens on a server of the main line', () => {
  let service: RunningService;
  let admin: TestClient;
  before(async () => {
    service = await startService({ profile: 'next', rows: 16, lagMillis: 0 });
    admin = new TestClient(service, 'admin');
  });
  after(() => service.close());

  const list = async (filters: object[], count = 100, start = 0): Promise<unknown> =>
    dig((await admin.graphql(listDocument, { input: { start, count, filters } })).body, 'data', 'listAccessTokens');
  const names = (page: unknown): unknown[] => (dig(page, 'tokens') as unknown[]).map((token) => dig(token, 'name'));

  test('the token string is a signed web token with the same claims as on real servers', async () => {
    const input = { type: 'PERSONAL', actorUrn: service.users.admin.urn, name: 'x', duration: 'ONE_HOUR' };
    const { body } = await admin.graphql(createDocument, { input });
    const token = String(dig(body, 'data', 'createAccessToken', 'accessToken'));
    const [header = '', claims = ''] = token.split('.').map((part) => Buffer.from(part, 'base64url').toString());
    assert.deepEqual(JSON.parse(header), { alg: 'HS256' });
    const { jti, exp, ...rest } = JSON.parse(claims) as Record<string, unknown>;
    assert.match(String(jti), /^[0-9a-f-]{36}$/);
    assert.ok(Math.abs(Number(exp) * 1000 - Date.now() - 3_600_000) < 60_000);
    assert.deepEqual(rest, {
      version: '2',
      type: 'PERSONAL',
      actorType: 'USER',
      actorId: 'admin',
      sub: 'admin',
      iss: 'datahub-metadata-service',
    });
    const forged = `${token.slice(0, -2)}${token.endsWith('AA') ? 'BB' : 'AA'}`;
    assert.equal((await new TestClient(service, { token: forged }).graphql('{ __typename }')).status, 401);
  });

  test('an expired token is refused, and removed by its use', async () => {
    const { token, record } = service.issueToken({ expiresAt: Date.now() - 1000 });
    assert.ok(service.tokens().some(({ id }) => id === record.id));
    assert.equal((await new TestClient(service, { token }).graphql('{ __typename }')).status, 401);
    assert.ok(!service.tokens().some(({ id }) => id === record.id));
  });

  test('listings are sorted by expiry, latest first and without one last, in pages that do not overlap', async () => {
    const all = await list([]);
    const expiries = (dig(all, 'tokens') as unknown[]).map((token) => dig(token, 'expiresAt') as number | null);
    assert.deepEqual(
      expiries,
      expiries.toSorted((a, b) => (b ?? -Infinity) - (a ?? -Infinity)),
    );
    assert.ok(expiries.includes(null));
    assert.equal(dig(all, 'total'), expiries.length);
    const [first, second] = [await list([], 10), await list([], 10, 10)];
    assert.deepEqual([dig(second, 'start'), dig(second, 'count')], [10, 10], 'what was asked for');
    assert.deepEqual([...names(first), ...names(second)], names(all).slice(0, 20));
    assert.deepEqual(names(await list([], 100, 9_900)), [], 'the last page of the search window');
    const beyond = await admin.graphql(listDocument, { input: { start: 9_901, count: 100, filters: [] } });
    assert.equal(dig(beyond.body, 'errors', 0, 'extensions', 'type'), 'SERVER_ERROR');
  });

  test('listings are filtered by any searchable property, which the description is not', async () => {
    service.issueToken({ name: 'Quarterly Export', description: 'findable?' });
    const now = Date.now();
    const { analyst, operator } = service.users;
    const expired = ({ expiresAt }: TokenRecord): boolean => expiresAt !== null && expiresAt < now;
    const named = ({ name }: TokenRecord): boolean => name === 'Quarterly Export';
    const table: readonly (readonly [object, (token: TokenRecord) => boolean])[] = [
      [{ field: 'expiresAt', values: [String(now)], condition: 'LESS_THAN' }, expired],
      [
        { field: 'expiresAt', values: [String(now)], condition: 'LESS_THAN', negated: true },
        (token) => !expired(token),
      ],
      [{ field: 'expiresAt', condition: 'EXISTS', negated: true }, ({ expiresAt }) => expiresAt === null],
      [{ field: 'name', values: ['quarterly'], condition: 'CONTAIN' }, named],
      [{ field: 'name', values: ['Quarterly Export'] }, named],
      [{ field: 'description', values: ['findable?'] }, () => false],
      [
        { field: 'ownerUrn', values: [analyst.urn, operator.urn] },
        ({ ownerUrn }) => [analyst.urn, operator.urn].includes(ownerUrn),
      ],
    ];
    for (const [filter, isMeant] of table) {
      const expected = service.tokens().filter(isMeant);
      assert.deepEqual(names(await list([filter])).toSorted(), expected.map(({ name }) => name).toSorted());
    }
  });

  test('only tokens of her own are listed for a user without the privilege', async () => {
    const own = { field: 'ownerUrn', values: [service.users.analyst.urn] };
    const guestsOwn = { field: 'ownerUrn', values: [service.users.guest.urn] };
    const table: readonly (readonly [UserName, readonly object[], boolean])[] = [
      ['analyst', [own], true],
      ['analyst', [own, { field: 'name', values: ['ci'], condition: 'CONTAIN' }], true],
      ['analyst', [{ ...own, field: 'actorUrn' }], false],
      ['analyst', [{ ...own, values: [...own.values, service.users.admin.urn] }], false],
      ['guest', [guestsOwn], false],
      ['steward', [], true],
    ];
    for (const [user, filters, isAllowed] of table) {
      const { body } = await new TestClient(service, user).graphql(listDocument, {
        input: { start: 0, count: 5, filters },
      });
      assert.equal(dig(body, 'data') !== null, isAllowed, `${user} ${JSON.stringify(filters)}`);
    }
  });

  test('the owner can look up the metadata of a raw token, and only a manager could before', async (t) => {
    const query = 'query($token: String!) { getAccessTokenMetadata(token: $token) { name owner { username } } }';
    for (const [profile, name] of [
      ['next', 'own'],
      ['1.7', undefined],
    ] as const) {
      const server = await serviceFor(t, { profile });
      const { token } = server.issueToken({ name: 'own', ownerUrn: server.users.operator.urn });
      const found = async (user: UserName): Promise<unknown> => {
        const { body } = await new TestClient(server, user).graphql(query, { token });
        return (body as { data: { getAccessTokenMetadata: unknown } | null }).data?.getAccessTokenMetadata;
      };
      const metadata = { name: 'own', owner: { username: 'operator' } };
      assert.deepEqual(await found('operator'), name === undefined ? undefined : metadata);
      assert.deepEqual(await found('admin'), metadata);
      assert.equal(await found('analyst'), undefined);
    }
  });
});

test('a 1.6 server does not require start and count, and cuts a page of too many', async (t) => {
  const service = await serviceFor(t, { profile: '1.6', lagMillis: 0 });
  for (const [input, count] of [
    [{}, 20],
    [{ count: -1 }, 5000],
    [{ count: 10_001 }, 5000],
    [{ count: 10_000 }, 10_000],
  ] as const) {
    const { body } = await new TestClient(service, 'admin').graphql(listDocument, { input });
    assert.equal(dig(body, 'data', 'listAccessTokens', 'count'), count);
  }
});

for (const [profile, status] of [
  ['0.14', 401],
  ['1.6', 200],
] as const) {
  test(`a token that revokes itself is gone, and ${profile} answers it ${status}`, async (t) => {
    const service = await serviceFor(t, { profile, authentication: true });
    const { token, record } = service.issueToken({});
    const holder = new TestClient(service, { token });
    assert.equal((await holder.graphql(revokeDocument, { tokenId: record.id })).status, status);
    assert.deepEqual(service.tokens(), []);
    assert.equal((await holder.graphql('{ __typename }')).status, 401);
  });
}
