import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { startService, type RunningService } from './main.ts';
import type { ServiceOptions } from './options.ts';
import { dig, until } from './testClient.ts';
import * as truncations from './testTruncations.ts';
import { dashboards, oneRefresh, unknownTask, usage, type TestedIndex } from './testTruncations.ts';

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

const truncate = (parameters: object): Promise<string> => truncations.truncate(service, parameters);
const task = (id: string): ReturnType<typeof truncations.task> => truncations.task(service, id);
const finished = (id: string): Promise<Record<string, unknown>> => truncations.finished(service, id);
const cutoffOver = (index: TestedIndex, share: number): number => truncations.cutoffOver(service, index, share);

beforeEach(async () => {
  service = await startService({ profile: 'next', tokens: 0, rows: 2000 });
});
afterEach(() => service.close());

describe('dry run', () => {
  test('counts, names the share and the method, and deletes nothing, even without `dryRun`', async () => {
    const before = service.rows('dataset', 'datasetusagestatistics');
    for (const extra of [{}, { dryRun: true }, { dryRun: true, batchSize: 100, timeoutSeconds: 3600 }]) {
      const few = report.exec(await truncate({ ...usage, endTimeMillis: cutoffOver(usage, 0.2), ...extra }));
      assert.ok(few);
      assert.equal(Number(few[2]), before.count);
      assert.equal(few[3], ((Number(few[1]) / before.count) * 100).toFixed(2));
      assert.equal(few[4], 'Issuing a delete by query request');
      const most = report.exec(await truncate({ ...usage, endTimeMillis: cutoffOver(usage, 0.8), ...extra }));
      assert.equal(most?.[4], 'Reindexing the aspect without the deleted records');
    }
    assert.deepEqual(service.rows('dataset', 'datasetusagestatistics'), before);
    assert.deepEqual(service.tasks(), []);
  });

  test('counts a row exactly at the cutoff', async () => {
    const { min } = service.rows('dataset', 'datasetusagestatistics');
    assert.match(await truncate({ ...usage, endTimeMillis: Number(min) }), /^Delete 1 out of/);
    assert.match(
      await truncate({ ...usage, endTimeMillis: Number(min) - 1 }),
      /^Delete 0 out of \d+ rows \(0\.00%\)\. Issuing/,
    );
  });

  test('proposes a reindex for more than half, not for exactly half', async () => {
    // 90 rows of chart usage: integer division makes 45 half of them.
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

  test('compares names without case', async () => {
    assert.match(
      await truncate({ entityType: 'chart', aspect: 'chartUsageStatistics', endTimeMillis: Date.now() }),
      report,
    );
  });
});

describe('the aspect `*`', () => {
  const everyAspect = { entityType: 'dataJob', aspect: '*' };
  const aspects = ['datahubIngestionRunSummary', 'datahubIngestionCheckpoint'];
  const counted = (aspect: string, endTimeMillis: number): Promise<[number, number]> =>
    truncations.counted(service, { entityType: 'dataJob', aspect }, endTimeMillis);

  test('counts and deletes the rows of all aspects of the entity type', async () => {
    const cutoff = Date.now() - 500 * day;
    const [[summaries, ofSummaries], [checkpoints, ofCheckpoints]] = [
      await counted('datahubIngestionRunSummary', cutoff),
      await counted('datahubIngestionCheckpoint', cutoff),
    ];
    assert.ok(summaries > 0 && checkpoints > 0);
    assert.deepEqual(await counted('*', cutoff), [summaries + checkpoints, ofSummaries + ofCheckpoints]);
    const id = await truncate({ ...everyAspect, endTimeMillis: cutoff, dryRun: false, batchSize: 10 });
    const { total, deleted, batches } = await finished(id);
    const rows = summaries + checkpoints;
    assert.deepEqual({ total, deleted, batches }, { total: rows, deleted: rows, batches: Math.ceil(rows / 10) });
    service.clock.offsetMillis = oneRefresh;
    for (const aspect of aspects) {
      assert.equal((await counted(aspect, cutoff))[0], 0);
    }
    assert.equal(service.rows('dataset', 'datasetusagestatistics').count, 540);
  });

  test('is refused for a reindex, since it is no alias', async () => {
    const parameters = { ...everyAspect, endTimeMillis: Date.now(), batchSize: 100, forceReindex: true };
    const { status, body } = await truncations.execute(service, parameters);
    assert.deepEqual([status, dig(body, 'message')], [400, 'Async reindex failed']);
    assert.deepEqual(service.tasks(), []);
  });
});

describe('flags', () => {
  const clash = 'please only set forceReindex OR forceDeleteByQuery flags';
  const byQuery = 'Issuing a delete by query request';
  const reindex = 'Reindexing the aspect without the deleted records';
  /** forceDeleteByQuery, forceReindex, and the method for a cutoff at a fifth and at four fifths of the time. */
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
        const text = await truncate({ ...usage, ...flags, endTimeMillis: cutoffOver(usage, share) });
        return report.exec(text)?.[4] ?? text;
      };
      assert.deepEqual([await way(0.2), await way(0.8)], [few, most]);
    });
  }

  test('do nothing if they contradict each other, even when executing', async () => {
    const flags = { forceDeleteByQuery: true, forceReindex: true, dryRun: false };
    assert.equal(await truncate({ ...usage, ...flags, endTimeMillis: Date.now() }), clash);
    assert.deepEqual(service.tasks(), []);
  });
});

describe('execution', () => {
  test('deletes by query in batches of a task', async () => {
    const cutoff = cutoffOver(usage, 0.3);
    const rows = Number(report.exec(await truncate({ ...usage, endTimeMillis: cutoff }))?.[1]);
    const id = await truncate({ ...usage, endTimeMillis: cutoff, dryRun: false, batchSize: 20 });
    assert.match(id, taskId);
    const status = await finished(id);
    assert.deepEqual([status['total'], status['deleted'], status['batches']], [rows, rows, Math.ceil(rows / 20)]);
    service.clock.offsetMillis = oneRefresh;
    const left = service.rows('dataset', 'datasetusagestatistics');
    assert.equal(left.count, 540 - rows);
    assert.ok(Number(left.min) > cutoff);
    assert.match((await task(id)).text, /"requests_per_second\\":-1\.0,/);
  });

  test('has a total of 0 until its first search is answered', async () => {
    service.pacing.searchesHeld = true;
    const id = await truncate({ ...usage, endTimeMillis: cutoffOver(usage, 0.3), dryRun: false });
    const { completed, status } = await task(id);
    assert.deepEqual([completed, status['total'], status['batches']], [false, 0, 0]);
    service.pacing.searchesHeld = false;
    const { total, deleted } = await finished(id);
    assert.ok(Number(total) > 0);
    assert.equal(deleted, total);
  });

  test('deletes a row exactly at the cutoff', async () => {
    const { min } = service.rows('dataset', 'datasetusagestatistics');
    const status = await finished(await truncate({ ...usage, endTimeMillis: Number(min), dryRun: false }));
    assert.equal(status['deleted'], 1);
    service.clock.offsetMillis = oneRefresh;
    assert.equal(service.rows('dataset', 'datasetusagestatistics').count, 539);
  });

  test('does not stop at the timeout', async () => {
    service.pacing.batchDelayMillis = 700;
    const cutoff = cutoffOver(usage, 0.3);
    const id = await truncate({ ...usage, endTimeMillis: cutoff, dryRun: false, timeoutSeconds: 1, batchSize: 60 });
    const status = await finished(id);
    assert.ok(Number(status['batches']) >= 3, 'it ran for longer than a second');
    assert.equal(status['deleted'], status['total']);
    service.clock.offsetMillis = oneRefresh;
    assert.ok(Number(service.rows('dataset', 'datasetusagestatistics').min) > cutoff);
  });

  test('fails at once with a batch larger than the result window, and deletes nothing', async () => {
    const cutoff = cutoffOver(usage, 0.3);
    const status = await finished(
      await truncate({ ...usage, endTimeMillis: cutoff, dryRun: false, batchSize: 10_001 }),
    );
    assert.deepEqual([status['total'], status['deleted'], status['batches']], [0, 0, 0]);
    assert.equal(service.rows('dataset', 'datasetusagestatistics').count, 540);
    const done = await finished(await truncate({ ...usage, endTimeMillis: cutoff, dryRun: false, batchSize: 10_000 }));
    assert.ok(Number(done['deleted']) > 0);
  });

  test('keeps rows that change meanwhile, as version conflicts', async () => {
    service.pacing.versionConflicts = 3;
    const cutoff = cutoffOver(usage, 0.3);
    const status = await finished(await truncate({ ...usage, endTimeMillis: cutoff, dryRun: false, batchSize: 25 }));
    assert.equal(status['version_conflicts'], 3);
    assert.equal(Number(status['deleted']) + 3, status['total']);
    service.clock.offsetMillis = oneRefresh;
    assert.match(await truncate({ ...usage, endTimeMillis: cutoff }), /^Delete 3 out of/);
  });

  test('is stopped where it is and forgotten by a restart', async () => {
    service.pacing.batchDelayMillis = day;
    const id = await truncate({ ...usage, endTimeMillis: cutoffOver(usage, 0.3), dryRun: false, batchSize: 5 });
    await until('the first batch is done', async () => (await task(id)).status['deleted'] === 5);
    service.restart();
    assert.equal(await truncations.taskText(service, id), unknownTask(id));
    service.clock.offsetMillis = oneRefresh;
    assert.equal(service.rows('dataset', 'datasetusagestatistics').count, 535);
  });

  test('stays stopped after a restart when other tasks proceed', async () => {
    service.pacing.held = true;
    await truncate({ ...usage, endTimeMillis: cutoffOver(usage, 0.3), dryRun: false });
    service.restart();
    service.pacing.held = false;
    service.pacing.batchDelayMillis = 20;
    const other = { ...dashboards, endTimeMillis: cutoffOver(dashboards, 0.3), dryRun: false, batchSize: 10 };
    const status = await finished(await truncate(other));
    assert.ok(Number(status['batches']) > 2);
    assert.equal(service.rows('dataset', 'datasetusagestatistics').count, 540);
  });
});
