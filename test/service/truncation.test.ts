import assert from 'node:assert/strict';
import { test } from 'node:test';
import { serviceFor } from './testClient.ts';
import { counted, cutoffOver, finished, oneRefresh, task, truncate, usage } from './testTruncations.ts';

test('an execution deletes in batches of a task, a row exactly at the cutoff too, and nothing newer', async (t) => {
  const service = await serviceFor(t, { profile: 'next', rows: 2000 });
  const { min } = service.rows(usage.entityType, usage.aspect);
  const first = await truncate(service, { ...usage, endTimeMillis: min, dryRun: false });
  assert.equal((await finished(service, first))['deleted'], 1);
  const request = { ...usage, endTimeMillis: cutoffOver(service, usage, 0.3), batchSize: 20 };
  service.clock.offsetMillis = oneRefresh;
  const [rows] = await counted(service, usage, request.endTimeMillis);
  const id = await truncate(service, { ...request, dryRun: false });
  const status = await finished(service, id);
  assert.deepEqual([status['total'], status['deleted'], status['batches']], [rows, rows, Math.ceil(rows / 20)]);
  service.clock.offsetMillis += oneRefresh;
  const left = service.rows(usage.entityType, usage.aspect);
  assert.equal(left.count, 539 - rows);
  assert.ok(Number(left.min) > request.endTimeMillis);
  assert.match((await task(service, id)).text, /"requests_per_second\\":-1\.0,/);
});
