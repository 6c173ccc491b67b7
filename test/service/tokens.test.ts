import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { startService, type RunningService } from './main.ts';
import { dig, serviceFor, TestClient } from './testClient.ts';
import { createDocument, listDocument, revokeDocument } from './tokenDocuments.ts';

const day = 24 * 60 * 60 * 1000;
const unauthorized = 'Unauthorized to perform this action. Please contact your DataHub administrator.';

describe('tokens on a server of the main line', () => {
  let service: RunningService;
  let admin: TestClient;
  before(async () => {
    service = await startService({ profile: 'next', rows: 16, lagMillis: 0 });
    admin = new TestClient(service, 'admin');
  });
  after(() => service.close());

  const create = (fields: object): Promise<unknown> =>
    admin
      .graphql(createDocument, { input: { type: 'PERSONAL', actorUrn: service.users.admin.urn, name: 'x', ...fields } })
      .then(({ body }) => body);
  const list = async (filters: object[], count = 100, start = 0): Promise<unknown> =>
    dig((await admin.graphql(listDocument, { input: { start, count, filters } })).body, 'data', 'listAccessTokens');
  const names = (page: unknown): unknown[] => (dig(page, 'tokens') as unknown[]).map((token) => dig(token, 'name'));

  test('rows beyond the result window are refused, whatever the filter', async () => {
    assert.deepEqual(dig(await list([], 100, 9_900), 'tokens'), []);
    for (const input of [
      { start: 9_901, count: 100, filters: [] },
      { start: 10_000, count: 1, filters: [{ field: 'expiresAt', values: ['1'], condition: 'GREATER_THAN' }] },
    ]) {
      assert.match(JSON.stringify((await admin.graphql(listDocument, { input })).body), /Failed to list access tokens/);
    }
  });

  test('tokens without an expiry are found by EXISTS with a negation', async () => {
    await create({ durationIso: 'P1D' });
    const page = await list([{ field: 'expiresAt', condition: 'EXISTS', negated: true }]);
    const all = await list([]);
    const never = (dig(all, 'tokens') as { expiresAt: unknown }[]).filter(({ expiresAt }) => expiresAt === null);
    assert.equal(dig(page, 'total'), never.length);
    assert.ok(never.length < Number(dig(all, 'total')));
  });

  test('service accounts are searched by name, in pages, by those who may', async () => {
    const document = `query a($input: ListServiceAccountsInput!) {
      listServiceAccounts(input: $input) { start count total serviceAccounts { urn type name displayName } }
    }`;
    const ask = async (user: TestClient, input: object): Promise<unknown> =>
      (await user.graphql(document, { input })).body;
    const found = dig(await ask(admin, { start: 1, count: 2, query: 'A' }), 'data', 'listServiceAccounts');
    assert.equal(dig(found, 'total'), 4);
    assert.deepEqual(
      (dig(found, 'serviceAccounts') as unknown[]).map((account) => dig(account, 'displayName')),
      ['Great Expectations', 'Lineage [Renew](command:x) $(trash)'],
    );
    assert.equal(
      dig(await ask(new TestClient(service, 'analyst'), {}), 'errors', 0, 'message'),
      'Unauthorized to list service accounts. Please contact your DataHub administrator.',
    );
  });

  test('a created token is accepted, and refused once it is revoked', async () => {
    const created = dig(await create({ duration: 'ONE_DAY', description: 'ci' }), 'data', 'createAccessToken');
    const holder = new TestClient(service, { token: String(dig(created, 'accessToken')) });
    const me = '{ me { corpUser { urn username } } }';
    assert.equal(dig((await holder.graphql(me)).body, 'data', 'me', 'corpUser', 'username'), 'admin');

    const id = String(dig(created, 'metadata', 'id'));
    assert.match(id, /^[A-Za-z0-9+/]{43}=$/);
    assert.equal(dig(created, 'metadata', 'urn'), `urn:li:dataHubAccessToken:${id}`);
    assert.equal(dig(created, 'metadata', 'description'), 'ci');
    assert.equal(Number(dig(created, 'metadata', 'expiresAt')) - Number(dig(created, 'metadata', 'createdAt')), day);
    await admin.graphql(revokeDocument, { tokenId: id });
    assert.equal((await holder.graphql(me)).status, 401);
    assert.equal((await holder.operation('getIndexSizes')).status, 401);
  });

  test('the token string is a signed web token with the same claims as on real servers', async () => {
    const token = String(dig(await create({ duration: 'ONE_HOUR' }), 'data', 'createAccessToken', 'accessToken'));
    const [header = '', claims = ''] = token.split('.').map((part) => Buffer.from(part, 'base64url').toString());
    assert.deepEqual(JSON.parse(header), { alg: 'HS256' });
    const { jti, exp, ...rest } = JSON.parse(claims) as Record<string, unknown>;
    assert.match(String(jti), /^[0-9a-f-]{36}$/);
    assert.ok(Math.abs(Number(exp) * 1000 - Date.now() - day / 24) < 60_000);
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
    const sorted = expiries.toSorted((a, b) => (b ?? -Infinity) - (a ?? -Infinity));
    assert.deepEqual(expiries, sorted);
    assert.ok(expiries.includes(null));
    assert.equal(dig(all, 'total'), expiries.length);

    const first = await list([], 10);
    const second = await list([], 10, 10);
    assert.equal(dig(second, 'count'), 10, 'the page size asked for');
    assert.equal(dig(second, 'start'), 10);
    assert.deepEqual([...names(first), ...names(second)], names(all).slice(0, 20));
    assert.deepEqual(names(await list([], 10, 5000)), []);
    const beyond = await admin.graphql(listDocument, { input: { start: 9990, count: 20, filters: [] } });
    assert.equal(dig(beyond.body, 'errors', 0, 'extensions', 'type'), 'SERVER_ERROR');
  });

  test('listings are filtered by any searchable property', async () => {
    const now = String(Date.now());
    const expired = service.tokens().filter(({ expiresAt }) => expiresAt !== null && expiresAt < Number(now)).length;
    assert.equal(dig(await list([{ field: 'expiresAt', values: [now], condition: 'LESS_THAN' }]), 'total'), expired);
    const total = service.tokens().length;
    const later = [{ field: 'expiresAt', values: [now], condition: 'LESS_THAN', negated: true }];
    assert.equal(dig(await list(later), 'total'), total - expired);

    const { name } = service.issueToken({ name: 'Quarterly Export', description: 'findable?' }).record;
    assert.deepEqual(names(await list([{ field: 'name', values: ['quarterly'], condition: 'CONTAIN' }])), [name]);
    assert.deepEqual(names(await list([{ field: 'name', values: [name] }])), [name]);
    assert.deepEqual(
      names(await list([{ field: 'description', values: ['findable?'] }])),
      [],
      'descriptions are not searchable',
    );
    const owners = [service.users.analyst.urn, service.users.operator.urn];
    const both = service.tokens().filter(({ ownerUrn }) => owners.includes(ownerUrn)).length;
    assert.equal(dig(await list([{ field: 'ownerUrn', values: owners }]), 'total'), both);
  });

  test('start and count may be left out', async () => {
    const { body } = await admin.graphql(listDocument, { input: {} });
    assert.equal(dig(body, 'data', 'listAccessTokens', 'count'), 20);
  });

  test("listing and revoking other users' tokens is refused", async () => {
    const analyst = new TestClient(service, 'analyst');
    const message = async (client: TestClient, filters: object[]): Promise<unknown> => {
      const { body, status } = await client.graphql(listDocument, { input: { start: 0, count: 5, filters } });
      assert.equal(status, 200);
      return dig(body, 'data') === null ? dig(body, 'errors', 0, 'message') : null;
    };
    const own = { field: 'ownerUrn', values: [service.users.analyst.urn] };
    assert.equal(await message(analyst, [own]), null);
    assert.equal(await message(analyst, [own, { field: 'name', values: ['ci'], condition: 'CONTAIN' }]), null);
    assert.equal(await message(analyst, []), unauthorized);
    assert.equal(await message(analyst, [{ field: 'actorUrn', values: own.values }]), unauthorized);
    assert.equal(
      await message(analyst, [{ field: 'ownerUrn', values: [...own.values, service.users.admin.urn] }]),
      unauthorized,
    );
    const guestsOwn = { field: 'ownerUrn', values: [service.users.guest.urn] };
    assert.equal(await message(new TestClient(service, 'guest'), [guestsOwn]), unauthorized);
    assert.equal(await message(new TestClient(service, 'steward'), []), null);
  });

  test('the owner and managers can look up the metadata of a raw token', async (t) => {
    const { token, record } = service.issueToken({ name: 'found' });
    const query = 'query($token: String!) { getAccessTokenMetadata(token: $token) { id name owner { username } } }';
    const found = dig((await admin.graphql(query, { token })).body, 'data', 'getAccessTokenMetadata');
    assert.deepEqual(found, { id: record.id, name: 'found', owner: { username: 'admin' } });
    const refused = await new TestClient(service, 'operator').graphql(query, { token });
    assert.equal(dig(refused.body, 'errors', 0, 'message'), unauthorized);
    const { urn } = service.users.operator;
    const own = service.issueToken({ name: 'own', actorUrn: service.users.admin.urn, ownerUrn: urn }).token;
    const told = await new TestClient(service, 'operator').graphql(query, { token: own });
    assert.equal(dig(told.body, 'data', 'getAccessTokenMetadata', 'name'), 'own');
    const older = await serviceFor(t, { profile: '1.7' });
    const asked = { token: older.issueToken({ ownerUrn: urn }).token };
    const released = await new TestClient(older, 'operator').graphql(query, asked);
    assert.equal(dig(released.body, 'errors', 0, 'message'), unauthorized, 'managers only, before');
  });
});
