import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { startService, type RunningService } from './main.ts';
import { dig, TestClient } from './testClient.ts';
import { counted } from './testTruncations.ts';
import { specListDocument } from './tokenDocuments.ts';

describe('a server that follows the description to the letter', () => {
  let service: RunningService;
  let admin: TestClient;
  before(async () => {
    service = await startService({ profile: 'spec', rows: 16 });
    admin = new TestClient(service, 'admin');
  });
  after(() => service.close());

  const list = async (filters: object[], headers: Record<string, string>): Promise<unknown> => {
    const variables = { input: { start: 0, count: 100, filters } };
    const body = JSON.stringify({ query: specListDocument, variables });
    const response = await fetch(`${service.url}/api/graphql`, { method: 'POST', headers, body });
    return response.ok
      ? dig(await response.json(), 'data', 'listAccessTokens', 'total')
      : `${response.status} ${response.statusText}`;
  };

  test('authenticates GraphQL by the actor header alone; a token sent with it must be valid', async () => {
    const asAdmin = { 'X-Service-Actor': service.users.admin.urn };
    assert.equal(await list([], asAdmin), 45);
    assert.equal(await list([], {}), '401 Unauthorized');
    assert.equal(await list([], { ...asAdmin, authorization: 'Bearer nonsense' }), '401 Unauthorized');
  });

  test('lists own tokens by ownerUrn or actorUrn, in `value`', async () => {
    const value = service.users.analyst.urn;
    for (const field of ['ownerUrn', 'actorUrn'] as const) {
      const own = service.tokens().filter((token) => token[field] === value);
      assert.equal(await list([{ field, value }], { 'x-service-actor': value }), own.length);
    }
  });

  test('has operations at the path of the service and at that of the front, and requires a token there', async () => {
    for (const [path, authorization, status] of [
      ['/gms/operations', `Bearer ${service.adminToken}`, 200],
      ['/api/gms/operations', `Bearer ${service.adminToken}`, 200],
      ['/gms/operations', '', 401],
      ['/operations', `Bearer ${service.adminToken}`, 404],
    ] as const) {
      const headers = { authorization, 'x-service-actor': service.users.admin.urn };
      const { status: answered } = await fetch(`${service.url}${path}?action=getIndexSizes`, {
        method: 'POST',
        headers,
      });
      assert.equal(answered, status, `${path} ${authorization}`);
    }
    assert.equal((await admin.send('GET', '/config')).status, 404);
  });

  test('has no status of tasks, and accepts the six parameters of a truncation and no more', async () => {
    const six = { entityType: 'dataset', aspect: 'operation', endTimeMillis: 1, batchSize: 1, timeoutSeconds: 1 };
    for (const [operation, parameters, status] of [
      ['getEsTaskStatus', { task: 'node:1' }, 400],
      ['truncateTimeseriesAspect', { ...six, dryRun: true }, 200],
      ['truncateTimeseriesAspect', { ...six, forceDeleteByQuery: true }, 400],
    ] as const) {
      assert.equal((await admin.operation(operation, parameters)).status, status, JSON.stringify(parameters));
    }
  });

  test('keeps rows exactly at the cutoff, and always reports reindexing', async () => {
    const operations = { entityType: 'dataset', aspect: 'operation' };
    const { min, count } = service.rows('dataset', 'operation');
    assert.deepEqual(await counted(service, operations, Number(min)), [0, count]);
    assert.deepEqual(await counted(service, operations, Number(min) + 1), [1, count]);
    const { text } = await admin.operation('truncateTimeseriesAspect', { ...operations, endTimeMillis: 0 });
    assert.match(text, /\(0\.00%\)\. Reindexing the aspect without the deleted records\./);
  });
});
