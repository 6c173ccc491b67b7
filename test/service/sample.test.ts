import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { startService, type RunningService } from './main.ts';
import { dig, serviceFor, TestClient } from './testClient.ts';

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
  test('has rows of every time series aspect over two years, and tokens of every kind', async (t) => {
    const service = await startService();
    t.after(() => service.close());
    const now = Date.now();
    const rows = indices.map(([entity, aspect]) => service.rows(entity, aspect));
    assert.equal(
      rows.reduce((sum, { count }) => sum + count, 0),
      755_000,
    );
    for (const { min, max } of rows) {
      assert.equal(Math.round((Number(max) - Number(min)) / day), 730);
      assert.ok(Number(max) <= now);
    }
    const tokens = service.tokens();
    const left = tokens.map(({ expiresAt }) => (expiresAt === null ? null : expiresAt - now));
    assert.ok(tokens.length >= 40);
    assert.equal(new Set(tokens.map(({ ownerUrn }) => ownerUrn)).size, 4);
    assert.ok(left.filter((millis) => millis === null).length >= 3, 'some never expire');
    assert.ok(left.filter((millis) => millis !== null && millis < 0).length >= 3, 'some have expired');
    assert.ok(
      left.filter((millis) => millis !== null && millis > 0 && millis < 7 * day).length >= 3,
      'some expire within days',
    );
    assert.ok(tokens.some(({ actorUrn, ownerUrn }) => ownerUrn === service.users.admin.urn && actorUrn !== ownerUrn));
    assert.ok(tokens.every(({ createdAt }) => createdAt < now));
  });

  test('has no duration that a token cannot have', async (t) => {
    const service = await serviceFor(t, { rows: 1000, tokens: 45 });
    const lasting = service
      .tokens()
      .flatMap(({ createdAt, expiresAt }) => (expiresAt === null ? [] : [expiresAt - createdAt]));
    assert.deepEqual(
      [...new Set(lasting)].toSorted((a, b) => a - b),
      [30, 90, 180, 365].map((days) => days * day),
    );
  });

  test("has the time series aspects of the server's release, and no others", async (t) => {
    for (const [profile, expected] of [
      ['0.14', indices.filter(([entity]) => entity !== 'document')],
      ['1.7', indices],
    ] as const) {
      const service = await serviceFor(t, { profile, rows: 1000 });
      const admin = new TestClient(service, 'admin');
      const { body } = await admin.operation('getIndexSizes');
      const listed = (dig(body, 'value', 'indexSizes') as Record<string, unknown>[])
        .filter(({ entityName }) => entityName !== undefined)
        .map(({ entityName, aspectName }) => [entityName, aspectName]);
      assert.deepEqual(listed, expected);
      const documents = { entityType: 'document', aspect: 'documentUsageStatistics', endTimeMillis: Date.now() };
      const { status } = await admin.operation('truncateTimeseriesAspect', documents);
      assert.equal(status, profile === '0.14' ? 400 : 200);
    }
  });

  test('has an index of another installation, listed without names and with rows that cannot be reached', async (t) => {
    const service = await serviceFor(t, { rows: 100_000 });
    const admin = new TestClient(service, 'admin');
    const listed = dig((await admin.operation('getIndexSizes')).body, 'value', 'indexSizes') as Record<
      string,
      unknown
    >[];
    const profiles = listed.filter(({ indexName }) => String(indexName).includes('datasetprofile'));
    assert.deepEqual(
      profiles.map(({ indexName, entityName }) => [indexName, entityName]),
      [
        ['dataset_datasetprofileaspect_v1_1690000000000', 'dataset'],
        ['prod_dataset_datasetprofileaspect_v1', undefined],
      ],
    );
    const truncation = { entityType: 'dataset', aspect: 'datasetprofile', endTimeMillis: Date.now() };
    const report = await admin.operation('truncateTimeseriesAspect', truncation);
    assert.match(String(dig(report.body, 'value')), /^Delete 16000 out of 16000 rows/);
  });

  test('is the same for the same seed', async (t) => {
    const shape = async (seed: number): Promise<unknown> => {
      const service = await serviceFor(t, { seed, rows: 800, tokens: 45 });
      const now = service.tokens()[0]?.createdAt ?? 0;
      const tokens = service.tokens().map(({ name, ownerUrn, createdAt, expiresAt }) => {
        return [name, ownerUrn, createdAt - now, expiresAt === null];
      });
      const { max } = service.rows('query', 'queryusagestatistics');
      const halfway = {
        entityType: 'query',
        aspect: 'queryusagestatistics',
        endTimeMillis: Number(max) - 300 * day,
      };
      const report = await new TestClient(service, 'admin').operation('truncateTimeseriesAspect', halfway);
      return { tokens, rows: dig(report.body, 'value') };
    };
    const [first, again, other] = [await shape(1), await shape(1), await shape(2)];
    assert.equal(JSON.stringify(first), JSON.stringify(again));
    assert.notEqual(JSON.stringify(first), JSON.stringify(other));
  });

  test('in a file keeps tokens and rows over a restart, but no task', async (t) => {
    const folder = await mkdtemp(join(tmpdir(), 'service-'));
    const started: RunningService[] = [];
    t.after(async () => {
      await Promise.all(started.map((service) => service.close()));
      await rm(folder, { recursive: true });
    });
    const start = async (): Promise<RunningService> => {
      const service = await startService({ database: join(folder, 'service.sqlite'), rows: 800, tokens: 3 });
      started.push(service);
      return service;
    };
    const first = await start();
    const { token, record } = first.issueToken({ name: 'kept' });
    first.pacing.held = true;
    const truncation = {
      entityType: 'dataset',
      aspect: 'operation',
      endTimeMillis: Date.now() - 300 * day,
      dryRun: false,
    };
    const { body } = await new TestClient(first, 'admin').operation('truncateTimeseriesAspect', truncation);
    const rows = first.rows('dataset', 'operation');
    await first.close();

    const second = await start();
    assert.ok(second.tokens().some(({ id }) => id === record.id));
    assert.equal((await new TestClient(second, { token }).graphql('{ __typename }')).status, 200);
    assert.deepEqual(second.rows('dataset', 'operation'), rows);
    const status = await new TestClient(second, 'admin').operation('getEsTaskStatus', { task: dig(body, 'value') });
    assert.match(String(dig(status.body, 'value')), /Could not get task status/);
  });
});
