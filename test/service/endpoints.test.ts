import assert from 'node:assert/strict';
import { test } from 'node:test';
import { dig, serviceFor, TestClient } from './testClient.ts';

const who = JSON.stringify({ query: '{ me { corpUser { urn } } }' });

test('the front proxy renames paths, drops the actor header and passes a token on', async (t) => {
  const service = await serviceFor(t, { profile: '0.14', frontAuthentication: true });
  const front = new TestClient(service, 'analyst', 'front');
  const header = { 'X-DataHub-Actor': service.users.analyst.urn };
  for (const path of ['/api/graphql', '/api/v2/graphql', '/api/gms/api/graphql']) {
    const { body } = await front.send('POST', path, who, header);
    assert.equal(dig(body, 'data', 'me', 'corpUser', 'urn'), 'urn:li:corpuser:__datahub_system', path);
  }
  for (const [method, path, status] of [
    ['POST', '/api/gms/operations?action=getIndexSizes', 200],
    ['POST', '/operations?action=getIndexSizes', 404],
  ] as const) {
    assert.equal((await front.send(method, path)).status, status, path);
  }
});

test('the front proxy answers 401 without a token, and to each while its own authentication is off', async (t) => {
  for (const [frontAuthentication, status] of [
    [true, 200],
    [false, 401],
  ] as const) {
    const service = await serviceFor(t, { profile: 'next', frontAuthentication });
    assert.equal((await fetch(`${service.frontUrl}/api/gms/operations`, { method: 'POST' })).status, 401);
    assert.equal((await new TestClient(service, 'admin', 'front').graphql('{ __typename }')).status, status);
  }
});

test('a 0.14 server without authentication, its default, believes the actor header and no token', async (t) => {
  const service = await serviceFor(t, { profile: '0.14' });
  const { urn: analyst, token } = service.users.analyst;
  for (const [headers, user] of [
    [{ 'x-datahub-actor': analyst, authorization: 'Bearer nonsense' }, analyst],
    [{ authorization: `Bearer ${token}` }, 'urn:li:corpuser:__datahub_system'],
  ] as const) {
    const response = await fetch(`${service.url}/api/graphql`, { method: 'POST', headers, body: who });
    assert.equal(dig(await response.json(), 'data', 'me', 'corpUser', 'urn'), user);
  }
  assert.equal((await fetch(`${service.url}/operations?action=getIndexSizes`, { method: 'POST' })).status, 200);
});

test('introspection asks for one type of an operation, in one field', async (t) => {
  const admin = new TestClient(await serviceFor(t, { profile: '1.6' }), 'admin');
  for (const [query, expected] of [
    ['{ a: __schema { types { name } } b: __schema { types { name } } }', ['BadFaithIntrospection']],
    ['{ __schema { queryType { name } } __type(name: "Query") { fields { name } } }', []],
    ['query a { __type(name: "Query") { name } } query b { __type(name: "Query") { name } }', []],
  ] as const) {
    const body = JSON.stringify({ query, operationName: query.startsWith('query a') ? 'a' : undefined });
    const answer = (await admin.send('POST', '/api/graphql', body)).body as { errors?: object[] };
    const found = (answer.errors ?? []).map((error) => dig(error, 'extensions', 'classification'));
    assert.deepEqual(found, expected, query);
  }
});

for (const [profile, isDated] of [
  ['0.14', true],
  ['1.6', false],
] as const) {
  test(`${profile} ${isDated ? 'dates' : "doesn't date"} its responses, and the front end does`, async (t) => {
    const service = await serviceFor(t, { profile, authentication: true });
    const date = async (url: string): Promise<string | null> => (await fetch(`${url}/config`)).headers.get('date');
    assert.equal((await date(service.url)) !== null, isDated);
    assert.notEqual(await date(service.frontUrl), null);
  });
}
