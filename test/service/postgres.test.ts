import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { startService, type RunningService } from './main.ts';
import { dig, TestClient, until, type ServiceResponse } from './testClient.ts';

/** Spelled as in the registry. */
const usage = { entityType: 'dataset', aspect: 'datasetUsageStatistics' };
const everything = { ...usage, endTimeMillis: 4_000_000_000_000, dryRun: false };

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
  const heldExecution = async (): Promise<{ answer: Promise<ServiceResponse>; isAnswered: () => boolean }> => {
    service.pacing.held = true;
    let answered = false;
    const answer = truncate(everything).finally(() => (answered = true));
    await until('it has begun', () => service.tasks().length === 1);
    await admin.operation('getIndexSizes');
    return { answer, isAnswered: () => answered };
  };

  test('deletes by query, however many rows, and answers at the end', async () => {
    const { answer, isAnswered } = await heldExecution();
    assert.deepEqual([isAnswered(), rows()], [false, 540]);
    service.pacing.held = false;
    assert.equal((await answer).status, 200);
    assert.equal(rows(), 0);
  });

  test('is cancelled at the timeout, between batches', async () => {
    service.pacing.batchDelayMillis = 600;
    const answer = await truncate({ ...everything, batchSize: 100, timeoutSeconds: 1 });
    const words = /^PostgreSQL async timeseries delete timed out \(taskId=[0-9a-f-]{36}\)$/;
    assert.equal(answer.status, 500);
    assert.match(String(dig(answer.body, 'message')), words);
    await until('it stops', () => service.tasks()[0]?.ended === 'timeout');
    assert.ok(rows() > 0 && rows() < 540, String(rows()));
  });

  test('distinguishes names by case, and finds and deletes no rows for other spellings', async () => {
    for (const [names, count] of [
      [{}, 540],
      [{ aspect: 'datasetusagestatistics' }, 0],
      [{ entityType: 'Dataset' }, 0],
      [{ entityType: 'query', aspect: 'queryUsageStatistics' }, 80],
      [{ entityType: 'query', aspect: 'queryusagestatistics' }, 0],
      [{ aspect: 'nothing' }, 0],
    ] as const) {
      const { text } = await truncate({ ...everything, dryRun: true, ...names });
      assert.ok(text.startsWith(`{"value":"Delete ${count} out of ${count} rows`), text);
    }
    assert.equal((await truncate({ ...everything, aspect: 'datasetusagestatistics' })).status, 200);
    assert.equal(rows(), 540);
  });
});
