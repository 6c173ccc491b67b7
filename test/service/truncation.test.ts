import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { startService, type RunningService } from './main.ts';

import * as truncations from './testTruncations.ts';
import { oneRefresh, usage, type TestedIndex } from './testTruncations.ts';

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
});
