import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { startService, type RunningService } from './main.ts';
import { dig, serviceFor, TestClient, until, type ServiceResponse } from './testClient.ts';

/** Spelled as in the registry. */
const usage = { entityType: 'dataset', aspect: 'datasetUsageStatistics' };
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const everything = 4_000_000_000_000;

describe('a server that keeps its time series in PostgreSQL', () => {
  let service: RunningService;
  let admin: TestClient;
  beforeEach(async () => {
    service = await startService({ profile: 'postgres', tokens: 0, rows: 2000 });
    admin = new TestClient(service, 'admin');
  });
  afterEach(() => service.close());

  const truncate = (parameters: object): Promise<ServiceResponse> =>
    admin.operation('truncateTimeseriesAspect', parameters);
  const rows = (): number => service.rows('dataset', 'datasetusagestatistics').count;

  test('deletes by query, however many rows, and answers at the end with an ID that belongs to no task', async () => {
    service.pacing.held = true;
    let answered = false;
    const execution = truncate({ ...usage, endTimeMillis: everything, dryRun: false }).finally(() => {
      answered = true;
    });
    await until('it has begun', () => service.tasks().length === 1);
    await setTimeout(100);
    assert.deepEqual([answered, rows()], [false, 540]);
    service.pacing.held = false;
    const id = String(dig((await execution).body, 'value'));
    assert.match(id, uuid);
    assert.equal(rows(), 0);
    const twin = await admin.send('GET', `/openapi/operations/elasticSearch/getTaskStatus?task=${id}`);
    assert.equal(twin.status, 400);
  });

  test('answers at once in a later version of the pull request', async (t) => {
    const later = await serviceFor(t, { profile: 'postgres', rows: 2000, databaseAnswers: 'atOnce' });
    later.pacing.held = true;
    const { body } = await new TestClient(later, 'admin').operation('truncateTimeseriesAspect', {
      ...usage,
      endTimeMillis: everything,
      dryRun: false,
    });
    assert.match(String(dig(body, 'value')), uuid);
    assert.equal(later.rows('dataset', 'datasetusagestatistics').count, 540);
    later.pacing.held = false;
    await until('every row is gone', () => later.rows('dataset', 'datasetusagestatistics').count === 0);
  });

  test('continues behind a front end that stopped waiting', async (t) => {
    const slow = await serviceFor(t, { profile: 'postgres', rows: 2000, frontTimeoutMillis: 50 });
    slow.pacing.held = true;
    const answer = await new TestClient(slow, 'admin', 'front').operation('truncateTimeseriesAspect', {
      ...usage,
      endTimeMillis: everything,
      dryRun: false,
    });
    assert.deepEqual([answer.status, answer.text], [504, 'Proxy request timed out.']);
    slow.pacing.held = false;
    await until('every row is gone', () => slow.rows('dataset', 'datasetusagestatistics').count === 0);
  });

  test('is cancelled at the timeout, between batches', async () => {
    service.pacing.batchDelayMillis = 600;
    const answer = await truncate({
      ...usage,
      endTimeMillis: everything,
      dryRun: false,
      batchSize: 100,
      timeoutSeconds: 1,
    });
    assert.equal(answer.status, 500);
    assert.match(
      String(dig(answer.body, 'message')),
      /^PostgreSQL async timeseries delete timed out \(taskId=[0-9a-f-]{36}\)$/,
    );
    await until('it stops', () => service.tasks()[0]?.ended === 'timeout');
    assert.ok(rows() > 0 && rows() < 540, String(rows()));
  });

  test('deletes everything in one statement if no batch size is given, and no timeout interrupts it', async () => {
    service.pacing.held = true;
    const answer = await truncate({ ...usage, endTimeMillis: everything, dryRun: false, timeoutSeconds: 1 });
    assert.equal(answer.status, 500);
    service.pacing.held = false;
    await until('every row is gone', () => rows() === 0);
    assert.equal(service.tasks()[0]?.batches, 1);
  });

  test('answers with an error if it is restarted meanwhile', async () => {
    service.pacing.held = true;
    const execution = truncate({ ...usage, endTimeMillis: everything, dryRun: false });
    await until('it has begun', () => service.tasks().length === 1);
    service.restart();
    assert.match((await execution).text, /PostgreSQL async timeseries delete interrupted/);
  });

  test('does not limit batches as a search cluster does', async () => {
    await truncate({ ...usage, endTimeMillis: everything, dryRun: false, batchSize: 50_000 });
    await until('every row is gone', () => rows() === 0);
  });

  test('distinguishes names by case, and finds no rows for other spellings', async () => {
    const count = async (parameters: object): Promise<unknown> => {
      const { body } = await truncate({ ...usage, endTimeMillis: everything, ...parameters });
      return /^Delete (\d+) out of/.exec(String(dig(body, 'value')))?.[1];
    };
    assert.equal(await count({}), '540');
    assert.equal(await count({ aspect: 'datasetusagestatistics' }), '0');
    assert.equal(await count({ entityType: 'Dataset' }), '0');
    assert.equal(await count({ entityType: 'query', aspect: 'queryUsageStatistics' }), '80');
    assert.equal(await count({ entityType: 'query', aspect: 'queryusagestatistics' }), '0');
    assert.equal(await count({ aspect: 'nothing' }), '0');
    const unknown = await truncate({ ...usage, entityType: 'nothing', endTimeMillis: 1 });
    assert.deepEqual(
      [unknown.status, dig(unknown.body, 'message')],
      [400, 'Failed to find entity with name nothing in EntityRegistry'],
    );
    const done = await truncate({
      ...usage,
      aspect: 'datasetusagestatistics',
      endTimeMillis: everything,
      dryRun: false,
    });
    assert.match(String(dig(done.body, 'value')), uuid, 'what has no rows is deleted as well');
    assert.equal(rows(), 540);
  });

  test('lists one row per table, which does not say what is in it', async () => {
    const listed = async (): Promise<unknown> =>
      dig((await admin.operation('getIndexSizes')).body, 'value', 'indexSizes');
    const before = await listed();
    const megabytes = Number(dig(before, 0, 'sizeInMb'));
    assert.deepEqual(before, [
      { aspectName: '*', entityName: '*', indexName: 'public.metadata_timeseries_aspect', sizeInMb: megabytes },
    ]);
    assert.ok(megabytes > (540 * 60_000) / 1e6);
    const twin = await admin.send('GET', '/openapi/operations/elasticSearch/getIndexSizes');
    assert.equal(dig(twin.body, 'sizes', 0, 'sizeMb'), megabytes);
  });
});
