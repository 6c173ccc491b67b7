import assert from 'node:assert/strict';
import { describe, test, type TestContext } from 'node:test';
import type { RunningService } from './main.ts';
import { dig, serviceFor, until, type ServiceResponse } from './testClient.ts';
import { execute } from './testTruncations.ts';

/** Spelled as in the registry. */
const everything = { entityType: 'dataset', aspect: 'datasetUsageStatistics', endTimeMillis: 4_000_000_000_000 };

function start(context: TestContext): Promise<RunningService> {
  return serviceFor(context, { profile: 'postgres', rows: 2000 });
}

function rowsOf(service: RunningService): number {
  return service.rows('dataset', 'datasetusagestatistics').count;
}

describe('a server that keeps its time series in PostgreSQL', () => {
  test('deletes however many rows, and answers at the end', async (t) => {
    const service = await start(t);
    service.pacing.held = true;
    const answers: ServiceResponse[] = [];
    const answer = execute(service, everything).then((one) => answers.push(one));
    await until('it has begun', () => service.tasks().length === 1);
    assert.deepEqual([answers.length, rowsOf(service)], [0, 540]);
    service.pacing.held = false;
    await answer;
    assert.deepEqual([answers[0]?.status, rowsOf(service)], [200, 0]);
  });

  test('is cancelled at the timeout, between batches', async (t) => {
    const service = await start(t);
    service.pacing.batchDelayMillis = 600;
    const { status, body } = await execute(service, { ...everything, batchSize: 100, timeoutSeconds: 1 });
    assert.equal(status, 500);
    assert.match(
      String(dig(body, 'message')),
      /^PostgreSQL async timeseries delete timed out \(taskId=[0-9a-f-]{36}\)$/,
    );
    await until('it stops', () => service.tasks()[0]?.ended === 'timeout');
    const left = rowsOf(service);
    assert.ok(left > 0 && left < 540, String(left));
  });
});
