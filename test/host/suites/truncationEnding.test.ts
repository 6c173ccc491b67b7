import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { COMMANDS } from '../../../src/manifest.ts';
import type { TruncationPageMessage } from '../../../src/pages/truncation/protocol.ts';
import { callService, hostService } from '../context.ts';
import { inQuickTime } from '../vscode/quickTime.ts';
import { connectionAs, saveConnection } from './support/connections.ts';
import { connectedTests } from './support/fixtures.ts';
import { openWizard } from './support/openWizard.ts';
import { requestsWith } from './support/requests.ts';
import { refresh, rowAt, textOf, tooltipOf, type Row } from './support/tree.ts';
import {
  INDICES,
  READERS_PATIENCE_MS,
  TRUNCATIONS,
  endedMuchLater,
  endedTruncation,
  taskEnded,
  truncate,
} from './support/truncations.ts';
import { until } from './support/until.ts';

const NAME = 'Endings';
const QUERIES = 'query/queryusagestatistics';
const RUNS = 'datajob/datahubingestionrunsummary';
const USAGE = 'dataset/datasetusagestatistics';
const REINDEX = { days: 180, strategy: 'reindex' } as const;

/** One test for each thing that readers can see after a task has ended. */
suite('The end of a truncation, as readers see it:', () => {
  const { service, person } = connectedTests({ name: NAME });

  test('a task that was aborted is not finished, and has a next step', async () => {
    await callService(service, 'setPacing', { failAfterBatches: 1 });
    await truncate(person, NAME, QUERIES);
    const row = await endedMuchLater(NAME, QUERIES);
    assert.equal(row.description, 'failed');
    assert.match(row.spoken, /, Stopped with [\d,]+ rows left to delete\.$/);
    assert.equal((row.item.iconPath as vscode.ThemeIcon).id, 'error');
    await person.seesNotification(
      /^Truncation of query \/ queryusagestatistics on Endings: Stopped with [\d,]+ rows left to delete\.$/,
    );
    assert.match(textOf(await tooltipOf(row)), /Run the truncation again[^]*ended early, after 100 of [\d,]+ rows/);
  });

  for (const [what, pacing, sentence] of [
    ['that breaks off', { failAfterBatches: 1 }, /or only in the old one/],
    ['that completes', {}, /the server didn't refresh/],
  ] as const) {
    test(`a reindex ${what} hides rows: which, and who can restore them`, async () => {
      await callService(service, 'setPacing', pacing);
      await truncate(person, NAME, USAGE, REINDEX);
      const row = await endedMuchLater(NAME, USAGE);
      assert.equal(row.description, 'rows may be hidden');
      assert.match(row.spoken, /, Searches find 0 of [\d,]+ rows to keep: /);
      assert.match(row.spoken, sentence);
      assert.match(textOf(await tooltipOf(row)), /Send an administrator the requests/);

      const copied = await copiedRequests(row);
      assert.match(copied, /PUT \/dataset_datasetusagestatisticsaspect_v1_\d+\/_settings/);
      assert.ok(!copied.includes(service.url), 'no host');
    });
  }

  test('a completed reindex is finished once an administrator has refreshed its index, and sizes are read again', async () => {
    await truncate(person, NAME, USAGE, REINDEX);
    await taskEnded(NAME, USAGE);
    const before = (await requestsWith(service, 'getIndexSizes')).length;
    await callService(service, 'refreshIndex', 'dataset', 'datasetusagestatistics');
    assert.match((await endedTruncation(NAME, USAGE)).spoken, /, Finished: [\d,]+ rows deleted\.$/);
    await until('the sizes', async () => (await requestsWith(service, 'getIndexSizes')).length > before);
  });

  test('rows that changed meanwhile are found, and counted', async () => {
    await callService(service, 'setPacing', { versionConflicts: 3 });
    await truncate(person, NAME, QUERIES);
    await taskEnded(NAME, QUERIES);
    await callService(service, 'refreshIndex', 'query', 'queryusagestatistics');
    assert.match(
      (await endedMuchLater(NAME, QUERIES)).spoken,
      /, Finished, but searches still find 3 rows dated before the cutoff: .*\.$/,
    );
  });

  test('a task that the server forgot has stopped, with the number of remaining rows', async () => {
    await callService(service, 'setPacing', { held: true });
    await truncate(person, NAME, RUNS);
    await callService(service, 'restart');
    const row = await endedMuchLater(NAME, RUNS);
    assert.equal(row.description, 'failed');
    assert.match(row.spoken, /, Stopped with [\d,]+ rows left to delete\.$/);
    assert.match(textOf(await tooltipOf(row)), /no longer knows this task/);
  });

  test('a task that found no row, unlike the dry run, failed before it began', async () => {
    await callService(service, 'setPacing', { held: true });
    await callService(service, 'assignShards', 'query', 'queryusagestatistics', false);
    await truncate(person, NAME, QUERIES);
    await callService(service, 'setPacing', { held: false });
    const row = await endedTruncation(NAME, QUERIES);
    assert.equal(row.description, 'failed');
    assert.match(row.spoken, /, It failed before it began: the task ended without changing a row\.$/);
    assert.match(textOf(await tooltipOf(row)), /Check the batch size and the health of the index/);
  });

  test('a full disk is reported while the task still tries, and when it has given up', async () => {
    await callService(service, 'setPacing', { floodStage: true });
    await truncate(person, NAME, QUERIES);
    await until('what keeps the task from its work', async () => {
      await refresh(await rowAt(NAME, TRUNCATIONS));
      return /refuses writes, probably because its disk is full/.test((await rowAt(NAME, TRUNCATIONS, QUERIES)).spoken);
    });
    await callService(service, 'setPacing', { floodRetriesMillis: 0 });
    const row = await endedMuchLater(NAME, QUERIES);
    assert.equal(row.description, 'failed');
    assert.match(row.spoken, /, The cluster refuses writes, probably because its disk is full\.$/);
    assert.match(textOf(await tooltipOf(row)), /Free up disk space on the search cluster first\./);
  });

  test('a reindex that the server forgot hides rows, and both causes are named', async () => {
    await callService(service, 'setPacing', { held: true });
    await truncate(person, NAME, USAGE, REINDEX);
    await callService(service, 'restart');
    const row = await endedMuchLater(NAME, USAGE);
    assert.equal(row.description, 'rows may be hidden');
    assert.match(row.spoken, /in the new index, which the server didn't refresh, or only in the old one\.$/);
    assert.match(textOf(await tooltipOf(row)), /before DataHub's next upgrade/);
    assert.match(await copiedRequests(row), /_settings[^]*_reindex/);
  });

  test('rows that are missing after a delete by query are not called hidden', async () => {
    await callService(service, 'setPacing', { held: true });
    await truncate(person, NAME, RUNS);
    await callService(service, 'setPacing', { held: false });
    await taskEnded(NAME, RUNS);
    await callService(service, 'assignShards', 'dataJob', 'datahubIngestionRunSummary', false);
    const row = await endedMuchLater(NAME, RUNS);
    assert.match(row.spoken, /, Searches find [\d,]+ of [\d,]+ rows to keep\.$/);
    assert.doesNotMatch(row.spoken + row.description, /hidden/);
    assert.match(
      textOf(await tooltipOf(row)),
      /Send an administrator the request that shows whether part of the index is unavailable\.[^]*another job may have deleted rows/,
    );
  });

  test('copies of an index that differ are reported, with the request that refreshes them', async () => {
    await truncate(person, NAME, RUNS);
    await taskEnded(NAME, RUNS);
    const row = await endedMuchLater(NAME, RUNS, {
      stepMillis: 15_000,
      before: (look) => callService(service, 'assignShards', 'dataJob', 'datahubIngestionRunSummary', look % 2 === 0),
    });
    assert.match(row.spoken, /, Copies of this index disagree: searches find different numbers of rows\.$/);
    assert.match(await copiedRequests(row), /_settings[^]*"refresh_interval": ?null/);
  });

  test('if readers can no longer be counted, the task is finished on the server, and not checked', async () => {
    await callService(service, 'setPacing', { held: true });
    await truncate(person, NAME, QUERIES);
    await callService(service, 'addFault', {
      fault: { kind: 'status', status: 500, body: '{}', contentType: 'application/json' },
      match: '"dryRun":true',
      times: 'always',
    });
    await callService(service, 'setPacing', { held: false });
    const row = await endedMuchLater(NAME, QUERIES);
    assert.match(row.spoken, /, Finished on the server; not checked\.$/);
  });

  test('a reindex of an older release, which leaves the refreshes alone, finishes by itself', async () => {
    const older = hostService('0.14');
    await callService(older, 'restoreRows');
    await saveConnection(connectionAs(older, 'operator', 'Older'));
    await truncate(person, 'Older', USAGE, REINDEX);
    assert.match((await endedTruncation('Older', USAGE)).spoken, /, Finished: [\d,]+ rows deleted\.$/);
    await callService(older, 'restoreRows');
  });

  test('without tasks, a truncation has stopped if the rows no longer decrease', async () => {
    const spec = hostService('spec');
    await callService(spec, 'restoreRows');
    await callService(spec, 'setPacing', { failAfterBatches: 1 });
    await saveConnection(connectionAs(spec, 'operator', 'Spec'));
    await truncate(person, 'Spec', QUERIES);
    const row = await endedMuchLater('Spec', QUERIES);
    await callService(spec, 'setPacing', { failAfterBatches: null });
    await callService(spec, 'restoreRows');
    assert.equal(row.description, 'failed');
    assert.match(row.spoken, /, Stopped with [\d,]+ rows left to delete\.$/);
  });

  test('PostgreSQL answers at the end, so without a response the deletion has probably started', async () => {
    const postgres = hostService('postgres');
    await callService(postgres, 'restoreRows');
    await callService(postgres, 'addFault', { fault: { kind: 'statusAfter', status: 504 }, match: '"dryRun":false' });
    await saveConnection(connectionAs(postgres, 'operator', 'PostgreSQL'));
    const added = vscode.commands.executeCommand(COMMANDS.indexAdd, (await rowAt('PostgreSQL', INDICES)).node);
    await person.types(/Entity type/, 'query');
    await person.types(/Aspect, as/, 'queryUsageStatistics');
    await added;
    await truncate(person, 'PostgreSQL', 'query/queryUsageStatistics');
    await person.seesNotification(
      /^Truncation of .* on PostgreSQL: No response was received in time, so the deletion has probably started\.$/,
    );
    const row = await rowAt('PostgreSQL', TRUNCATIONS, 'query/queryUsageStatistics');
    assert.match(textOf(await tooltipOf(row)), /has probably started[^]*No row to delete is left/);
    await vscode.commands.executeCommand('metadataService.explorer.focus');
    await inQuickTime(() =>
      until(
        'readers to be counted five times',
        async () =>
          /, Finished: [\d,]+ rows deleted\.$/.test(
            (await rowAt('PostgreSQL', TRUNCATIONS, 'query/queryUsageStatistics')).spoken,
          ),
        READERS_PATIENCE_MS,
      ),
    );
    await callService(postgres, 'restoreRows');
  });
});

/** Requests for an administrator, copied from the page. */
async function copiedRequests(row: Row): Promise<string> {
  const { page } = await openWizard(row, COMMANDS.taskShow);
  await until('the page', () => page.view());
  await vscode.env.clipboard.writeText('');
  page.says({ type: 'copyRequests', for: 'repair' } satisfies TruncationPageMessage);
  return until('the requests', async () => (await vscode.env.clipboard.readText()) || false);
}
