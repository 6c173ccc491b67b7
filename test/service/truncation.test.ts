/* oxlint-disable no-await-in-loop -- one request after the other is what a test wants */
import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { startService } from './main.ts';
import type { RunningService } from './main.ts';
import type { ServiceOptions } from './options.ts';
import { dig, TestClient, until } from './testClient.ts';

const usage = { entityType: 'dataset', aspect: 'datasetusagestatistics' };
/** Never reindexed: the only one that is no alias. */
const dashboards = { entityType: 'dashboard', aspect: 'dashboardusagestatistics' };
const day = 24 * 60 * 60 * 1000;

const report = new RegExp(
  '^Delete (\\d+) out of (\\d+) rows \\(([^)]*)%\\)\\. ' +
    '(Reindexing the aspect without the deleted records|Issuing a delete by query request)\\. ' +
    'This was a dry run\\. Run with dryRun = false to execute\\.$',
);
const taskId = /^[a-zA-Z0-9_-]+:[1-9][0-9]*$/;

let service: RunningService;

async function start(options: ServiceOptions = {}): Promise<void> {
  await service.close();
  service = await startService({ profile: 'next', tokens: 0, rows: 2000, ...options });
}

async function truncate(parameters: object): Promise<string> {
  const answer = await new TestClient(service, 'admin').operation('truncateTimeseriesAspect', parameters);
  assert.equal(answer.status, 200, answer.text);
  return String(dig(answer.body, 'value'));
}

/** The task as the service tells of it, with the JSON inside the JSON inside the JSON read. */
async function task(id: string): Promise<{ completed: boolean; status: Record<string, unknown>; text: string }> {
  const answer = await new TestClient(service, 'admin').operation('getEsTaskStatus', { task: id });
  const text = String(dig(answer.body, 'value'));
  const value = JSON.parse(text) as { completed: boolean; status: string };
  return { completed: value.completed, status: JSON.parse(value.status) as Record<string, unknown>, text };
}

async function finished(id: string): Promise<Record<string, unknown>> {
  await until(`task ${id} ends`, async () => (await task(id)).completed);
  return (await task(id)).status;
}

/** A moment such that exactly so many rows of the index are at or before it. */
function cutOffOver(index: { entityType: string; aspect: string }, share: number): number {
  const { min, max } = service.rows(index.entityType, index.aspect);
  assert.ok(min !== null && max !== null);
  return Math.round(min + (max - min) * share);
}

beforeEach(async () => {
  service = await startService({ profile: 'next', tokens: 0, rows: 2000 });
});
afterEach(() => service.close());

describe('dry run', () => {
  test('counts, names the share and the way, and deletes nothing, also when dryRun is left out', async () => {
    const before = service.rows('dataset', 'datasetusagestatistics');
    for (const extra of [{}, { dryRun: true }, { dryRun: true, batchSize: 100, timeoutSeconds: 3600 }]) {
      const few = report.exec(await truncate({ ...usage, endTimeMillis: cutOffOver(usage, 0.2), ...extra }));
      assert.ok(few);
      assert.equal(Number(few[2]), before.count);
      assert.equal(few[3], ((Number(few[1]) / before.count) * 100).toFixed(2));
      assert.equal(few[4], 'Issuing a delete by query request');
      const most = report.exec(await truncate({ ...usage, endTimeMillis: cutOffOver(usage, 0.8), ...extra }));
      assert.equal(most?.[4], 'Reindexing the aspect without the deleted records');
    }
    assert.deepEqual(service.rows('dataset', 'datasetusagestatistics'), before);
    assert.deepEqual(service.tasks(), []);
  });

  test('a row exactly at the cut-off goes as well', async () => {
    const { min } = service.rows('dataset', 'datasetusagestatistics');
    assert.match(await truncate({ ...usage, endTimeMillis: Number(min) }), /^Delete 1 out of/);
    assert.match(
      await truncate({ ...usage, endTimeMillis: Number(min) - 1 }),
      /^Delete 0 out of \d+ rows \(0\.00%\)\. Issuing/,
    );
  });

  test('more than half is a reindex, exactly half is not', async () => {
    // 90 rows of chart usage: integer division makes 45 the half.
    const charts = { entityType: 'chart', aspect: 'chartusagestatistics' };
    await start({ rows: 1000 });
    const rows = async (endTimeMillis: number): Promise<RegExpExecArray> => {
      const match = report.exec(await truncate({ ...charts, endTimeMillis }));
      assert.ok(match);
      return match;
    };
    const { min, max } = service.rows('chart', 'chartusagestatistics');
    let low = Number(min);
    let high = Number(max);
    while (high - low > 1) {
      const middle = Math.floor((low + high) / 2);
      if (Number((await rows(middle))[1]) > 45) {
        high = middle;
      } else {
        low = middle;
      }
    }
    assert.deepEqual((await rows(low)).slice(1, 5), ['45', '90', '50.00', 'Issuing a delete by query request']);
    assert.deepEqual((await rows(high)).slice(1, 5), [
      '46',
      '90',
      '51.11',
      'Reindexing the aspect without the deleted records',
    ]);
  });

  test('of no rows at all the share is not a number; a locale may print a comma', async () => {
    await start({ rows: 0 });
    assert.match(
      await truncate({ ...usage, endTimeMillis: 1 }),
      /^Delete 0 out of 0 rows \(NaN%\)\. Issuing a delete by query request\./,
    );
    await start({ decimalSeparator: ',' });
    assert.match(await truncate({ ...usage, endTimeMillis: 1 }), /^Delete 0 out of 540 rows \(0,00%\)\./);
  });

  test('names are not case sensitive', async () => {
    assert.match(
      await truncate({ entityType: 'chart', aspect: 'chartUsageStatistics', endTimeMillis: Date.now() }),
      report,
    );
  });
});

describe('flags', () => {
  const clash = 'please only set forceReindex OR forceDeleteByQuery flags';
  const byQuery = 'Issuing a delete by query request';
  const reindex = 'Reindexing the aspect without the deleted records';
  /** forceDeleteByQuery, forceReindex, and the way taken when a fifth and when four fifths of the time go. */
  const table: readonly [boolean | null, boolean | null, string, string][] = [
    [true, true, clash, clash],
    [false, false, clash, clash],
    [null, null, byQuery, reindex],
    [null, false, byQuery, reindex],
    [false, null, byQuery, reindex],
    [true, null, byQuery, byQuery],
    [true, false, byQuery, byQuery],
    [null, true, reindex, reindex],
    [false, true, reindex, reindex],
  ];
  for (const [forceDeleteByQuery, forceReindex, few, most] of table) {
    test(`forceDeleteByQuery ${forceDeleteByQuery}, forceReindex ${forceReindex}`, async () => {
      const flags = {
        ...(forceDeleteByQuery === null ? {} : { forceDeleteByQuery }),
        ...(forceReindex === null ? {} : { forceReindex }),
      };
      const way = async (share: number): Promise<string> => {
        const text = await truncate({ ...usage, ...flags, endTimeMillis: cutOffOver(usage, share) });
        return report.exec(text)?.[4] ?? text;
      };
      assert.deepEqual([await way(0.2), await way(0.8)], [few, most]);
    });
  }

  test('a clash does nothing, even when executing', async () => {
    const flags = { forceDeleteByQuery: true, forceReindex: true, dryRun: false };
    assert.equal(await truncate({ ...usage, ...flags, endTimeMillis: Date.now() }), clash);
    assert.deepEqual(service.tasks(), []);
  });
});

describe('execution', () => {
  test('deletes by query in batches behind a task, and shrinks the index', async () => {
    const sizes = async (): Promise<number> => {
      const { body } = await new TestClient(service, 'admin').operation('getIndexSizes');
      return Number(dig(body, 'value', 'indexSizes', 0, 'sizeInMb'));
    };
    const cutOff = cutOffOver(usage, 0.3);
    const rows = Number(report.exec(await truncate({ ...usage, endTimeMillis: cutOff }))?.[1]);
    const before = await sizes();
    const id = await truncate({ ...usage, endTimeMillis: cutOff, dryRun: false, batchSize: 20 });
    assert.match(id, taskId);
    const status = await finished(id);
    assert.deepEqual([status['total'], status['deleted'], status['batches']], [rows, rows, Math.ceil(rows / 20)]);
    const left = service.rows('dataset', 'datasetusagestatistics');
    assert.equal(left.count, 540 - rows);
    assert.ok(Number(left.min) > cutOff);
    assert.ok(Math.abs(before - (await sizes()) - (rows * 60_000) / 1e6) < 1e-6);
    assert.match((await task(id)).text, /"requests_per_second\\":-1\.0,/);
  });

  test('deletes a row exactly at the cut-off', async () => {
    const { min } = service.rows('dataset', 'datasetusagestatistics');
    const status = await finished(await truncate({ ...usage, endTimeMillis: Number(min), dryRun: false }));
    assert.equal(status['deleted'], 1);
    assert.equal(service.rows('dataset', 'datasetusagestatistics').count, 539);
  });

  test('a reindex hides the rows it keeps until its task ends, and the old index takes space for a while', async () => {
    const cutOff = cutOffOver(usage, 0.7);
    const before = service.rows('dataset', 'datasetusagestatistics');
    service.pacing.held = true;
    const id = await truncate({ ...usage, endTimeMillis: cutOff, dryRun: false, batchSize: 20 });
    assert.equal(service.rows('dataset', 'datasetusagestatistics').count, 0);
    assert.equal((await task(id)).completed, false);
    service.pacing.held = false;
    const status = await finished(id);
    const after = service.rows('dataset', 'datasetusagestatistics');
    assert.ok(after.count > 0 && Number(after.min) > cutOff);
    assert.equal(after.max, before.max);
    assert.deepEqual([status['total'], status['created'], status['deleted']], [after.count, after.count, 0]);
    assert.equal(status['batches'], Math.floor(after.count / 20) + 1);

    const listed = async (): Promise<unknown[]> => {
      const { body } = await new TestClient(service, 'admin').operation('getIndexSizes');
      return (dig(body, 'value', 'indexSizes') as unknown[]).filter((entry) =>
        // Without what an earlier reindex left behind.
        /^dataset_datasetusagestatisticsaspect_v1(?!_1655)/.test(String(dig(entry, 'indexName'))),
      );
    };
    const [old, fresh] = await listed();
    assert.deepEqual(old, {
      indexName: 'dataset_datasetusagestatisticsaspect_v1_1690000000000',
      sizeInMb: (540 * 60_000) / 1e6,
    });
    assert.equal(dig(fresh, 'entityName'), 'dataset');
    assert.equal(dig(fresh, 'sizeInMb'), (after.count * 60_000) / 1e6);
    service.clock.offsetMillis = 61_000;
    assert.deepEqual(await listed(), [fresh]);
  });

  test('an index that was never reindexed takes no reindex, but a forced delete by query', async () => {
    const cutOff = cutOffOver(dashboards, 0.9);
    const parameters = { ...dashboards, endTimeMillis: cutOff, dryRun: false };
    const refused = await new TestClient(service, 'admin').operation('truncateTimeseriesAspect', parameters);
    assert.equal(refused.status, 400);
    assert.equal(refused.headers.get('x-restli-error-response'), 'true');
    assert.equal(dig(refused.body, 'message'), 'Async reindex failed');
    await finished(await truncate({ ...parameters, forceDeleteByQuery: true }));
    assert.ok(Number(service.rows('dashboard', 'dashboardusagestatistics').min) > cutOff);
  });

  test('a timeout stops no task', async () => {
    service.pacing.batchDelayMillis = 700;
    const cutOff = cutOffOver(usage, 0.3);
    const id = await truncate({ ...usage, endTimeMillis: cutOff, dryRun: false, timeoutSeconds: 1, batchSize: 60 });
    const status = await finished(id);
    assert.ok(Number(status['batches']) >= 3, 'it ran for longer than a second');
    assert.equal(status['deleted'], status['total']);
    assert.ok(Number(service.rows('dataset', 'datasetusagestatistics').min) > cutOff);
  });

  test('a batch larger than the result window fails the task at once: nothing is deleted', async () => {
    const cutOff = cutOffOver(usage, 0.3);
    const status = await finished(
      await truncate({ ...usage, endTimeMillis: cutOff, dryRun: false, batchSize: 10_001 }),
    );
    assert.deepEqual([status['total'], status['deleted'], status['batches']], [0, 0, 0]);
    assert.equal(service.rows('dataset', 'datasetusagestatistics').count, 540);
    const done = await finished(await truncate({ ...usage, endTimeMillis: cutOff, dryRun: false, batchSize: 10_000 }));
    assert.ok(Number(done['deleted']) > 0);
  });

  test('a reindex with such a batch has moved the alias by then: the rows are hidden', async () => {
    await finished(
      await truncate({ ...usage, endTimeMillis: cutOffOver(usage, 0.7), dryRun: false, batchSize: 10_001 }),
    );
    assert.match(await truncate({ ...usage, endTimeMillis: Date.now() }), /^Delete 0 out of 0 rows/);
  });

  test('a reindex may fail before there is a task: before the alias was moved, or after, in the same words', async () => {
    const parameters = { ...usage, endTimeMillis: cutOffOver(usage, 0.7), dryRun: false };
    const fail = async (): Promise<void> => {
      const { status, body } = await new TestClient(service, 'admin').operation('truncateTimeseriesAspect', parameters);
      assert.deepEqual([status, dig(body, 'message')], [400, 'Async reindex failed']);
      assert.deepEqual(service.tasks(), []);
    };
    service.pacing.reindexFailure = 'beforeAlias';
    await fail();
    assert.equal(service.rows('dataset', 'datasetusagestatistics').count, 540, 'nothing happened');

    service.pacing.reindexFailure = 'afterAlias';
    await fail();
    assert.equal(service.rows('dataset', 'datasetusagestatistics').count, 0, 'readers see the new, empty index');
    assert.match(await truncate({ ...usage, endTimeMillis: Date.now() }), /^Delete 0 out of 0 rows/);
    service.clock.offsetMillis = day;
    const { body } = await new TestClient(service, 'admin').operation('getIndexSizes');
    const old = (dig(body, 'value', 'indexSizes') as unknown[]).filter(
      (entry) => dig(entry, 'entityName') === undefined,
    );
    assert.ok(
      old.some((entry) => dig(entry, 'indexName') === 'dataset_datasetusagestatisticsaspect_v1_1690000000000'),
      'and the old one stays, where nobody reads it',
    );
  });

  test('a failed reindex leaves the rows missing', async () => {
    service.pacing.failAfterBatches = 1;
    const id = await truncate({ ...usage, endTimeMillis: cutOffOver(usage, 0.7), dryRun: false, batchSize: 10 });
    const status = await finished(id);
    assert.equal(status['created'], 10);
    assert.equal(service.rows('dataset', 'datasetusagestatistics').count, 10);
  });

  test('rows that change meanwhile stay, as version conflicts', async () => {
    service.pacing.versionConflicts = 3;
    const cutOff = cutOffOver(usage, 0.3);
    const status = await finished(await truncate({ ...usage, endTimeMillis: cutOff, dryRun: false, batchSize: 25 }));
    assert.equal(status['version_conflicts'], 3);
    assert.equal(Number(status['deleted']) + 3, status['total']);
    assert.match(await truncate({ ...usage, endTimeMillis: cutOff }), /^Delete 3 out of/);
  });

  test('a restart stops tasks where they are and forgets them', async () => {
    service.pacing.batchDelayMillis = day;
    const id = await truncate({ ...usage, endTimeMillis: cutOffOver(usage, 0.3), dryRun: false, batchSize: 5 });
    await until('the first batch is done', async () => (await task(id)).status['deleted'] === 5);
    service.restart();
    const answer = await new TestClient(service, 'admin').operation('getEsTaskStatus', { task: id });
    assert.equal(answer.status, 200);
    assert.deepEqual(JSON.parse(String(dig(answer.body, 'value'))), { error: `Could not get task status for ${id}` });
    assert.equal(service.rows('dataset', 'datasetusagestatistics').count, 535);
  });

  test('what a restart has stopped does not go on when other tasks do', async () => {
    service.pacing.held = true;
    await truncate({ ...usage, endTimeMillis: cutOffOver(usage, 0.3), dryRun: false });
    service.restart();
    service.pacing.held = false;
    service.pacing.batchDelayMillis = 20;
    const other = { ...dashboards, endTimeMillis: cutOffOver(dashboards, 0.3), dryRun: false, batchSize: 10 };
    const status = await finished(await truncate(other));
    assert.ok(Number(status['batches']) > 2);
    assert.equal(service.rows('dataset', 'datasetusagestatistics').count, 540);
  });
});
