import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { startService, type RunningService } from './main.ts';
import { dig, serviceFor, TestClient } from './testClient.ts';
import { isTaskId } from './taskStatus.ts';
import type { UserName } from './users.ts';

const truncation = { entityType: 'dataset', aspect: 'operation', endTimeMillis: 1 };
const openApi = '/openapi/operations/elasticSearch';

describe('operations of a server of the main line', () => {
  let service: RunningService;
  before(async () => {
    service = await startService({ profile: 'next', tokens: 0, rows: 500 });
  });
  after(() => service.close());

  const as = (user: UserName): TestClient => new TestClient(service, user);

  test('each operation requires its own privilege', async () => {
    const statuses = async (user: UserName): Promise<number[]> => {
      const answers = await Promise.all([
        as(user).operation('truncateTimeseriesAspect', truncation),
        as(user).operation('getIndexSizes'),
        as(user).operation('getEsTaskStatus', { task: 'node:1' }),
        as(user).send('GET', `${openApi}/getIndexSizes`),
        as(user).send('GET', `${openApi}/getTaskStatus?task=node:1`),
      ]);
      return answers.map(({ status }) => status);
    };
    assert.deepEqual(await statuses('admin'), [200, 200, 200, 200, 500]);
    assert.deepEqual(await statuses('operator'), [200, 200, 200, 200, 500]);
    assert.deepEqual(await statuses('truncator'), [200, 403, 403, 403, 403]);
    assert.deepEqual(await statuses('sizer'), [403, 200, 403, 200, 403]);
    assert.deepEqual(await statuses('watcher'), [403, 403, 200, 403, 500]);
    assert.deepEqual(
      await statuses('system'),
      [403, 200, 200, 200, 403],
      'no truncation, and no task status by OpenAPI',
    );
    assert.deepEqual(await statuses('guest'), [403, 403, 403, 403, 403]);
  });

  test('refusals have the header and texts of their own', async () => {
    const refused = await as('guest').operation('getIndexSizes');
    assert.equal(refused.headers.get('x-linkedin-error-response'), null, 'the framework took the request');
    assert.equal(refused.headers.get('x-restli-protocol-version'), '1.0.0');
    const unknown = await as('guest').send('POST', '/operations?action=nope');
    assert.equal(unknown.headers.get('x-linkedin-error-response'), 'true');
    const messages = [refused, await as('guest').operation('getEsTaskStatus', {})];
    assert.deepEqual(
      messages.map(({ body }) => dig(body, 'message')),
      ['User is unauthorized to get index sizes.', 'User is unauthorized to get ES task status'],
    );
  });

  test('sizes list one index per time series aspect by physical name, and one of another installation', async () => {
    const answer = await as('sizer').operation('getIndexSizes');
    const sizes = dig(answer.body, 'value', 'indexSizes') as Record<string, unknown>[];
    assert.equal(sizes.length, 12);
    assert.equal(new Set(sizes.flatMap(({ entityName }) => entityName ?? [])).size, 8);
    assert.deepEqual(
      sizes.filter(({ entityName }) => entityName === undefined),
      [{ indexName: 'prod_dataset_datasetprofileaspect_v1', sizeInMb: 0.060208 }],
    );
    for (const { indexName, entityName, aspectName } of sizes.filter((size) => size['entityName'] !== undefined)) {
      const name = `${String(entityName)}_${String(aspectName)}aspect_v1`;
      // The only index without an alias, since it was never reindexed.
      const suffix = entityName === 'dashboard' ? '' : '_1690000000000';
      assert.equal(indexName, name + suffix);
    }
    const twin = await as('sizer').send('GET', `${openApi}/getIndexSizes`);
    assert.deepEqual(
      (dig(twin.body, 'sizes') as unknown[]).map((size) => dig(size, 'sizeMb')),
      sizes.map(({ sizeInMb }) => sizeInMb),
    );
  });

  test('a task must be named in exactly one way and in the right form', async () => {
    const message = async (parameters: object): Promise<unknown> => {
      const { status, body } = await as('watcher').operation('getEsTaskStatus', parameters);
      return [status, dig(body, status === 200 ? 'value' : 'message')];
    };
    assert.deepEqual(await message({}), [400, 'Please specify either Node ID + task ID OR composite task parameters']);
    assert.deepEqual(await message({ nodeId: 'n', taskId: 1, task: 'n:2' }), [
      400,
      'Please specify only one of Node ID + task ID OR composite task parameters',
    ]);
    assert.deepEqual(await message({ nodeId: 'n', taskId: 1, task: 'n:1' }), [
      200,
      '{"error":"Could not get task status for n:1"}',
    ]);
    assert.deepEqual(await message({ task: 'hello' }), [
      400,
      'Task should be in the form nodeId:taskId e.g. aB1cdEf2GHIJKLMnoPQr3S:123456 (got hello)',
    ]);
    assert.deepEqual(await message({ nodeId: 'n', taskId: 7 }), [200, '{"error":"Could not get task status for n:7"}']);
    const twin = await as('watcher').send('GET', `${openApi}/getTaskStatus?task=n:7`);
    assert.deepEqual([twin.status, twin.text], [500, 'Could not get task status for n:7']);
  });

  test('a task ID is a node and a number other than 0', () => {
    for (const id of [
      'aB1cdEf2GHIJKLMnoPQr3S:123456',
      'qhxGdzytQS-pQek8CwBCZg:54654',
      'qhxGdzytQSpQek8CwBCZg_:54654',
    ]) {
      assert.ok(isTaskId(id), id);
    }
    for (const id of ['hello', '123456:aB1cdEf2GHIJKLMnoPQr3S', ':123', 'node:0']) {
      assert.ok(!isTaskId(id), id);
    }
  });

  test('privileges do not matter if the server does not enforce them', async (t) => {
    const lax = await serviceFor(t, { profile: 'next', restAuthorization: false });
    const answer = await new TestClient(lax, 'guest').operation('truncateTimeseriesAspect', truncation);
    assert.equal(answer.status, 200);
  });

  test('a cluster may have many indices', async (t) => {
    const large = await serviceFor(t, { profile: 'next', smallIndices: 300 });
    const { body } = await new TestClient(large, 'admin').operation('getIndexSizes');
    assert.equal((dig(body, 'value', 'indexSizes') as unknown[]).length, 312);
  });
});
