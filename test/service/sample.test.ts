import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { startService } from './main.ts';
import { dig, serviceFor, TestClient } from './testClient.ts';
import { taskText, truncate, unknownTask, usage } from './testTruncations.ts';

const day = 24 * 60 * 60 * 1000;
const indices = [
  ['dataset', 'datasetusagestatistics'],
  ['dataset', 'operation'],
  ['dataset', 'datasetprofile'],
  ['chart', 'chartusagestatistics'],
  ['dashboard', 'dashboardusagestatistics'],
  ['datajob', 'datahubingestionrunsummary'],
  ['datajob', 'datahubingestioncheckpoint'],
  ['query', 'queryusagestatistics'],
  ['assertion', 'assertionrunevent'],
  ['dataprocessinstance', 'dataprocessinstancerunevent'],
  ['document', 'documentusagestatistics'],
] as const;

describe('sample data', () => {
  test('has rows of every time series aspect over two years', async (t) => {
    const service = await serviceFor(t, { rows: 1000 });
    for (const [entity, aspect] of indices) {
      const { min, max } = service.rows(entity, aspect);
      assert.equal(Math.round((Number(max) - Number(min)) / day), 730);
      assert.ok(Number(max) <= Date.now());
    }
  });

  test('has tokens of every kind, each with a duration that a token can have', async (t) => {
    const service = await serviceFor(t, { tokens: 45 });
    const now = Date.now();
    const tokens = service.tokens();
    const left = tokens.map(({ expiresAt }) => (expiresAt === null ? Infinity : expiresAt - now));
    assert.equal(new Set(tokens.map(({ ownerUrn }) => ownerUrn)).size, 4);
    for (const [kind, count] of Object.entries({
      'never expire': left.filter((millis) => millis === Infinity).length,
      'have expired': left.filter((millis) => millis < 0).length,
      'expire within days': left.filter((millis) => millis > 0 && millis < 7 * day).length,
      'are for another user': tokens.filter(({ actorUrn, ownerUrn }) => actorUrn !== ownerUrn).length,
    })) {
      assert.ok(count >= 3, kind);
    }
    assert.ok(tokens.every(({ createdAt }) => createdAt < now));
    const lasting = tokens.flatMap(({ createdAt, expiresAt }) => (expiresAt === null ? [] : [expiresAt - createdAt]));
    const lengths = [...new Set(lasting)].toSorted((a, b) => a - b);
    assert.deepEqual(
      lengths,
      [30, 90, 180, 365].map((days) => days * day),
    );
  });

  test("has the time series aspects of the server's release, and one index of another installation", async (t) => {
    for (const [profile, expected] of [
      ['0.14', indices.filter(([entity]) => entity !== 'document')],
      ['1.7', indices],
    ] as const) {
      const admin = new TestClient(await serviceFor(t, { profile, rows: 1000 }), 'admin');
      const { body } = await admin.operation('getIndexSizes');
      const listed = dig(body, 'value', 'indexSizes') as Record<string, unknown>[];
      assert.deepEqual(
        listed.flatMap(({ entityName, aspectName }) => (entityName === undefined ? [] : [[entityName, aspectName]])),
        expected,
      );
      assert.deepEqual(
        listed.flatMap(({ entityName, indexName }) => (entityName === undefined ? [indexName] : [])),
        ['prod_dataset_datasetprofileaspect_v1'],
      );
      const documents = { entityType: 'document', aspect: 'documentUsageStatistics', endTimeMillis: Date.now() };
      const { status } = await admin.operation('truncateTimeseriesAspect', documents);
      assert.equal(status, profile === '0.14' ? 400 : 200);
    }
  });

  test('in a file keeps tokens and rows over a restart, but no task', async (t) => {
    const folder = await mkdtemp(join(tmpdir(), 'service-'));
    t.after(() => rm(folder, { recursive: true }));
    const options = { database: join(folder, 'service.sqlite'), rows: 800, tokens: 3 } as const;
    const first = await startService(options);
    const { token, record } = first.issueToken({ name: 'kept' });
    first.pacing.held = true;
    const id = await truncate(first, { ...usage, endTimeMillis: Date.now() - 300 * day, dryRun: false, batchSize: 1 });
    const rows = first.rows(usage.entityType, usage.aspect);
    await first.close();

    const second = await serviceFor(t, options);
    assert.ok(second.tokens().some((kept) => kept.id === record.id));
    assert.equal((await new TestClient(second, { token }).graphql('{ __typename }')).status, 200);
    assert.deepEqual(second.rows(usage.entityType, usage.aspect), rows);
    assert.equal(await taskText(second, id), unknownTask(id));
  });
});
