import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { startService, type RunningService } from './main.ts';
import { dig, serviceFor, TestClient } from './testClient.ts';
import { createDocument, listDocument, revokeDocument, specListDocument } from './tokenDocuments.ts';

describe('a 0.14 server', () => {
  let service: RunningService;
  before(async () => {
    service = await startService({ profile: '0.14', authentication: true, rows: 16, lagMillis: 0 });
  });
  after(() => service.close());
});

test('a 1.6 server does not require start and count, and cuts a page of too many', async (t) => {
  const service = await serviceFor(t, { profile: '1.6', lagMillis: 0, tokens: 0 });
  service.issueToken({ name: 'x' });
  for (const [input, count] of [
    [{}, 20],
    [{ count: -1 }, 5000],
    [{ count: 10_001 }, 5000],
    [{ count: 10_000 }, 10_000],
  ] as const) {
    const { body } = await new TestClient(service, 'admin').graphql(listDocument, { input });
    assert.equal(dig(body, 'data', 'listAccessTokens', 'count'), count);
    assert.equal(dig(body, 'data', 'listAccessTokens', 'total'), 1);
  }
});

for (const [profile, status] of [
  ['0.14', 401],
  ['1.6', 200],
] as const) {
  test(`a token that revokes itself is gone, and ${profile} answers it ${status}`, async (t) => {
    const service = await serviceFor(t, { profile, authentication: true, tokens: 0 });
    const { token, record } = service.issueToken({});
    const holder = new TestClient(service, { token });
    assert.equal((await holder.graphql(revokeDocument, { tokenId: record.id })).status, status);
    assert.deepEqual(service.tokens(), []);
    assert.equal((await holder.graphql('{ __typename }')).status, 401);
  });
}

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

describe('a 0.14 server without authentication, its default', () => {
  let service: RunningService;
  before(async () => {
    service = await startService({ profile: '0.14', tokens: 0, rows: 16 });
  });
  after(() => service.close());

  const who = async (headers: Record<string, string>): Promise<{ status: number; body: unknown }> => {
    const query = '{ me { corpUser { urn } } appConfig { authConfig { tokenAuthEnabled } } }';
    const response = await fetch(`${service.url}/api/graphql`, {
      method: 'POST',
      headers,
      body: JSON.stringify({ query }),
    });
    return { status: response.status, body: response.ok ? await response.json() : null };
  };

  test('believes the actor header, ignores a token, and without either the system itself calls', async () => {
    const analyst = 'urn:li:corpuser:analyst';
    const byHeader = await who({ 'x-datahub-actor': analyst, authorization: 'Bearer nonsense' });
    assert.equal(dig(byHeader.body, 'data', 'me', 'corpUser', 'urn'), analyst);
    assert.equal(dig(byHeader.body, 'data', 'appConfig', 'authConfig', 'tokenAuthEnabled'), false);
    const byToken = await who({ authorization: `Bearer ${service.users.analyst.token}` });
    assert.equal(dig(byToken.body, 'data', 'me', 'corpUser', 'urn'), 'urn:li:corpuser:__datahub_system');
    assert.equal((await who({ 'x-datahub-actor': 'analyst' })).status, 401);
  });

  test('lets every caller run the operations', async () => {
    const response = await fetch(`${service.url}/operations?action=getIndexSizes`, { method: 'POST' });
    assert.equal(response.status, 200);
  });
});

describe('a server that follows the description to the letter', () => {
  let service: RunningService;
  before(async () => {
    service = await startService({ profile: 'spec', rows: 16 });
  });
  after(() => service.close());

  const graphql = async (query: string, variables: object, headers: Record<string, string>): Promise<unknown> => {
    const response = await fetch(`${service.url}/api/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify({ query, variables }),
    });
    return response.ok ? response.json() : response.status;
  };
  const asAdmin = { 'X-Service-Actor': 'urn:li:corpuser:admin' };
  const page = (filters: object[]): object => ({ input: { start: 0, count: 100, filters } });

  test('authenticates GraphQL by the actor header alone; a token sent with it must be valid', async () => {
    const list = await graphql(specListDocument, page([]), asAdmin);
    assert.equal(dig(list, 'data', 'listAccessTokens', 'total'), 45);
    assert.deepEqual(Object.keys(dig(list, 'data', 'listAccessTokens', 'tokens', 0) as object), [
      'urn',
      'id',
      'actorUrn',
    ]);
    assert.equal(await graphql(specListDocument, page([]), {}), 401);
    assert.equal(await graphql(specListDocument, page([]), { ...asAdmin, authorization: 'Bearer nonsense' }), 401);
  });

  test('lists own tokens by ownerUrn or actorUrn, in `value`', async () => {
    const asAnalyst = { 'x-service-actor': service.users.analyst.urn };
    const own = (field: string): object => page([{ field, value: service.users.analyst.urn }]);
    for (const field of ['ownerUrn', 'actorUrn'] as const) {
      const total = service.tokens().filter((token) => token[field] === service.users.analyst.urn).length;
      assert.equal(
        dig(await graphql(specListDocument, own(field), asAnalyst), 'data', 'listAccessTokens', 'total'),
        total,
      );
    }
    const refused = await graphql(specListDocument, page([]), asAnalyst);
    assert.match(String(dig(refused, 'errors', 0, 'message')), /^Unauthorized .* your Service administrator\.$/);
  });

  test('has no fields that the description does not show', async () => {
    const message = async (query: string, variables: object = {}): Promise<unknown> =>
      dig(await graphql(query, variables, asAdmin), 'errors', 0, 'message');
    assert.equal(
      await message('{ me { corpUser { urn } } }'),
      "Validation error (FieldUndefined@[me]) : Field 'me' in type 'Query' is undefined",
    );
    assert.equal(
      await message('{ listAccessTokens(input: {start: 0, count: 1}) { tokens { name } } }'),
      "Validation error (FieldUndefined@[listAccessTokens/tokens/name]) : Field 'name' in type 'ListedAccessToken' is undefined",
    );
    assert.equal(
      await message(createDocument),
      "Validation error (UnknownType) : Unknown type 'CreateAccessTokenInput'",
    );
    assert.match(
      String(await message(specListDocument, page([{ field: 'ownerUrn', values: ['x'] }]))),
      /^Field 'value' has coerced Null/,
    );
    assert.equal(await message('{ __schema { types { name } } }'), 'Introspection has been disabled for this request');
    for (const path of [
      '/config',
      '/health',
      '/operations?action=getIndexSizes',
      '/openapi/operations/elasticSearch/getIndexSizes',
    ]) {
      const answer = await new TestClient(service, 'admin').send('POST', path);
      assert.equal(answer.status, 404, path);
    }
    const task = await new TestClient(service, 'admin').operation('getEsTaskStatus', { task: 'node:1' });
    assert.equal(task.status, 400);
  });

  test('requires a token for operations, at the path of the service and at that of the front', async () => {
    for (const by of ['direct', 'front'] as const) {
      const answer = await new TestClient(service, 'admin', by).operation('getIndexSizes');
      assert.equal(dig(answer.body, 'value', 'indexSizes', 0, 'sizeMb'), 240.208, 'kilobytes of 4 rows');
    }
    const byHeader = await fetch(`${service.url}/gms/operations?action=getIndexSizes`, {
      method: 'POST',
      headers: asAdmin,
    });
    assert.equal(byHeader.status, 401);
  });

  test('accepts the six parameters of a truncation and no more', async () => {
    const parameters = { entityType: 'dataset', aspect: 'operation', endTimeMillis: 1 };
    const admin = new TestClient(service, 'admin');
    assert.equal(
      (await admin.operation('truncateTimeseriesAspect', { ...parameters, batchSize: 1, timeoutSeconds: 1 })).status,
      200,
    );
    assert.equal(
      (await admin.operation('truncateTimeseriesAspect', { ...parameters, forceDeleteByQuery: true })).status,
      400,
    );
  });

  test('keeps rows exactly at the cutoff, and always reports reindexing', async () => {
    const { min, count } = service.rows('dataset', 'operation');
    const admin = new TestClient(service, 'admin');
    const report = async (endTimeMillis: number): Promise<unknown> =>
      dig(
        (
          await admin.operation('truncateTimeseriesAspect', {
            entityType: 'dataset',
            aspect: 'operation',
            endTimeMillis,
          })
        ).body,
        'value',
      );
    const rest =
      'Reindexing the aspect without the deleted records. This was a dry run. Run with dryRun = false to execute.';
    assert.equal(await report(Number(min)), `Delete 0 out of ${count} rows (0.00%). ${rest}`);
    assert.match(String(await report(Number(min) + 1)), new RegExp(`^Delete 1 out of ${count} rows`));
  });
});
