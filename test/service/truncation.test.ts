import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { startService, type RunningService } from './main.ts';
import { dig, serviceFor } from './testClient.ts';
import * as truncations from './testTruncations.ts';
import { dashboards, oneRefresh, usage, type TestedIndex } from './testTruncations.ts';

const day = 24 * 60 * 60 * 1000;
const BY_QUERY = 'Issuing a delete by query request';
const BY_REINDEX = 'Reindexing the aspect without the deleted records';
const CLASH = 'please only set forceReindex OR forceDeleteByQuery flags';

const report = new RegExp(
  '^Delete (\\d+) out of (\\d+) rows \\(([^)]*)%\\)\\. ' +
    `(${BY_REINDEX}|${BY_QUERY})\\. ` +
    'This was a dry run\\. Run with dryRun = false to execute\\.$',
);

let service: RunningService;
const truncate = (parameters: object): Promise<string> => truncations.truncate(service, parameters);
const finished = (id: string): Promise<Record<string, unknown>> => truncations.finished(service, id);
const cutoffOver = (index: TestedIndex, share: number): number => truncations.cutoffOver(service, index, share);
const usageRows = (): number => service.rows(usage.entityType, usage.aspect).count;

beforeEach(async () => {
  service = await startService({ profile: 'next', tokens: 0, rows: 2000 });
});
afterEach(() => service.close());

describe('dry run', () => {
  test('counts, names the share and the method, and deletes nothing', async () => {
    const before = usageRows();
    const [, toDelete, total, share, method] =
      report.exec(await truncate({ ...usage, endTimeMillis: cutoffOver(usage, 0.2), dryRun: true })) ?? [];
    assert.deepEqual([Number(total), method], [before, BY_QUERY]);
    assert.equal(share, ((Number(toDelete) / before) * 100).toFixed(2));
    assert.deepEqual([usageRows(), service.tasks()], [before, []]);
  });

  test('counts a row exactly at the cutoff, and compares names without case', async () => {
    const { min } = service.rows(usage.entityType, usage.aspect);
    const named = { ...usage, aspect: 'datasetUsageStatistics' };
    assert.match(await truncate({ ...named, endTimeMillis: Number(min) }), /^Delete 1 out of/);
    assert.match(await truncate({ ...named, endTimeMillis: Number(min) - 1 }), /^Delete 0 out of \d+ rows \(0\.00%\)/);
  });

  test('proposes a reindex for more than half, not for exactly half', async (t) => {
    // 90 rows of chart usage: integer division makes 45 half of them.
    const small = await serviceFor(t, { profile: 'next', rows: 1000 });
    const charts = { entityType: 'chart', aspect: 'chartusagestatistics' };
    const counts = async (endTimeMillis: number): Promise<string[]> =>
      report.exec(await truncations.truncate(small, { ...charts, endTimeMillis }))?.slice(1, 5) ?? [];
    const { min, max } = small.rows('chart', 'chartusagestatistics');
    let low = Number(min);
    let high = Number(max);
    while (high - low > 1) {
      const middle = Math.floor((low + high) / 2);
      if (Number((await counts(middle))[0]) > 45) high = middle;
      else low = middle;
    }
    assert.deepEqual(await counts(low), ['45', '90', '50.00', BY_QUERY]);
    assert.deepEqual(await counts(high), ['46', '90', '51.11', BY_REINDEX]);
  });

  test('follows the flags, which do nothing if they contradict each other, even when executing', async () => {
    /** The flags, and the method for a cutoff at a fifth and at four fifths of the time. */
    for (const [flags, few, most] of [
      [{ forceDeleteByQuery: true, forceReindex: true }, CLASH, CLASH],
      [{ forceDeleteByQuery: false, forceReindex: false }, CLASH, CLASH],
      [{}, BY_QUERY, BY_REINDEX],
      [{ forceReindex: false }, BY_QUERY, BY_REINDEX],
      [{ forceDeleteByQuery: false }, BY_QUERY, BY_REINDEX],
      [{ forceDeleteByQuery: true }, BY_QUERY, BY_QUERY],
      [{ forceDeleteByQuery: true, forceReindex: false }, BY_QUERY, BY_QUERY],
      [{ forceReindex: true }, BY_REINDEX, BY_REINDEX],
      [{ forceDeleteByQuery: false, forceReindex: true }, BY_REINDEX, BY_REINDEX],
    ] as const) {
      const way = async (share: number): Promise<string> => {
        const text = await truncate({ ...usage, ...flags, endTimeMillis: cutoffOver(usage, share) });
        return report.exec(text)?.[4] ?? text;
      };
      assert.deepEqual([await way(0.2), await way(0.8)], [few, most], JSON.stringify(flags));
    }
    const both = { forceDeleteByQuery: true, forceReindex: true, dryRun: false };
    assert.equal(await truncate({ ...usage, ...both, endTimeMillis: Date.now() }), CLASH);
    assert.deepEqual(service.tasks(), []);
  });
});

describe('the aspect `*`', () => {
  const everyAspect = { entityType: 'dataJob', aspect: '*' };
  const aspects = ['datahubIngestionRunSummary', 'datahubIngestionCheckpoint'];
  const counted = (aspect: string, endTimeMillis: number): Promise<[number, number]> =>
    truncations.counted(service, { entityType: 'dataJob', aspect }, endTimeMillis);

  test('counts and deletes the rows of all aspects of the entity type', async () => {
    const cutoff = Date.now() - 500 * day;
    const parts = [await counted(aspects[0] ?? '', cutoff), await counted(aspects[1] ?? '', cutoff)] as const;
    const rows = parts[0][0] + parts[1][0];
    assert.ok(parts.every(([toDelete]) => toDelete > 0));
    assert.deepEqual(await counted('*', cutoff), [rows, parts[0][1] + parts[1][1]]);
    const id = await truncate({ ...everyAspect, endTimeMillis: cutoff, dryRun: false, batchSize: 10 });
    const { total, deleted, batches } = await finished(id);
    assert.deepEqual({ total, deleted, batches }, { total: rows, deleted: rows, batches: Math.ceil(rows / 10) });
    service.clock.offsetMillis = oneRefresh;
    for (const aspect of aspects) assert.equal((await counted(aspect, cutoff))[0], 0);
    assert.equal(usageRows(), 540);
  });

  test('is refused for a reindex, since it is no alias', async () => {
    const parameters = { ...everyAspect, endTimeMillis: Date.now(), batchSize: 100, forceReindex: true };
    const { status, body } = await truncations.execute(service, parameters);
    assert.deepEqual([status, dig(body, 'message')], [400, 'Async reindex failed']);
    assert.deepEqual(service.tasks(), []);
  });
});

describe('execution', () => {
  test('deletes by query in batches of a task, a row exactly at the cutoff too, and nothing newer', async () => {
    const { min } = service.rows(usage.entityType, usage.aspect);
    assert.equal((await finished(await truncate({ ...usage, endTimeMillis: min, dryRun: false })))['deleted'], 1);
    const request = { ...usage, endTimeMillis: cutoffOver(usage, 0.3), batchSize: 20 };
    service.clock.offsetMillis = oneRefresh;
    const [rows] = await truncations.counted(service, usage, request.endTimeMillis);
    const id = await truncate({ ...request, dryRun: false });
    const status = await finished(id);
    assert.deepEqual([status['total'], status['deleted'], status['batches']], [rows, rows, Math.ceil(rows / 20)]);
    service.clock.offsetMillis += oneRefresh;
    const left = service.rows(usage.entityType, usage.aspect);
    assert.equal(left.count, 539 - rows);
    assert.ok(Number(left.min) > request.endTimeMillis);
    assert.match((await truncations.task(service, id)).text, /"requests_per_second\\":-1\.0,/);
  });

  test('does not stop at the timeout', async () => {
    service.pacing.batchDelayMillis = 700;
    const request = { ...usage, endTimeMillis: cutoffOver(usage, 0.3), timeoutSeconds: 1, batchSize: 60 };
    const status = await finished(await truncate({ ...request, dryRun: false }));
    assert.ok(Number(status['batches']) >= 3, 'it ran for longer than a second');
    assert.equal(status['deleted'], status['total']);
  });

  test('fails at once with a batch larger than the result window, and deletes nothing', async () => {
    const request = { ...usage, endTimeMillis: cutoffOver(usage, 0.3), dryRun: false };
    const status = await finished(await truncate({ ...request, batchSize: 10_001 }));
    assert.deepEqual([status['total'], status['deleted'], status['batches']], [0, 0, 0]);
    assert.equal(usageRows(), 540);
    const done = await finished(await truncate({ ...request, batchSize: 10_000 }));
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

  test('stays stopped after a restart when other tasks proceed', async () => {
    service.pacing.held = true;
    await truncate({ ...usage, endTimeMillis: cutoffOver(usage, 0.3), dryRun: false });
    service.restart();
    service.pacing.held = false;
    const other = { ...dashboards, endTimeMillis: cutoffOver(dashboards, 0.3), dryRun: false, batchSize: 10 };
    assert.ok(Number((await finished(await truncate(other)))['batches']) > 2);
    assert.equal(usageRows(), 540);
  });
});
