import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { COMMANDS, WIZARD_VIEW_TYPE } from '../../../src/manifest.ts';
import type { PageMessage } from '../../../src/truncation/wizard/protocol.ts';
import { callService, hostService } from '../context.ts';
import { addConnection, connectionAs, leaveNothing } from './support/connections.ts';
import { reloadExtension } from './support/extension.ts';
import { openWizard } from './support/openWizard.ts';
import { Person } from './support/person.ts';
import { calm, requestsWith } from './support/requests.ts';
import { pressEnter, refresh, rowAt, tooltipOf } from './support/tree.ts';
import {
  INDICES,
  TRUNCATIONS,
  endedMuchLater,
  endedTruncation,
  executionsOf,
  truncate,
  truncations,
} from './support/truncations.ts';
import { until } from './support/until.ts';

const NAME = 'Outcomes';

/** The tree is hidden: a task is asked for by the notification about it, after a reload only when its row is refreshed. */
suite('What becomes of a truncation', () => {
  const service = hostService();
  const person = new Person();
  suiteSetup(async () => {
    person.arrive();
    await vscode.commands.executeCommand('workbench.view.explorer');
  });
  setup(async () => {
    await callService(service, 'restoreRows');
    await addConnection(person, connectionAs(service, 'operator', NAME));
    await calm(service);
  });
  teardown(async () => {
    await callService(service, 'setPacing', { held: false, failAfterBatches: null, versionConflicts: 0 });
    await calm(service);
    await vscode.window.tabGroups.close(wizards());
    await leaveNothing(person);
  });
  suiteTeardown(() => person.depart());

  test('a reload loses no running task, and asks for it again only when it is looked at', async () => {
    await callService(service, 'setPacing', { held: true });
    await truncate(person, NAME, 'datajob/datahubingestionrunsummary');
    await reloadExtension();
    assert.equal((await executionsOf(service, 'datajob/datahubingestionrunsummary')).length, 1);
    await calm(service);
    const running = await rowAt(NAME, TRUNCATIONS, 'datajob/datahubingestionrunsummary');
    assert.equal(running.item.contextValue, 'task;idKnown');
    assert.deepEqual(await requestsWith(service, 'getEsTaskStatus'), []);
    await refresh(await rowAt(NAME, TRUNCATIONS));
    assert.equal((await requestsWith(service, 'getEsTaskStatus')).length, 1);
    assert.match(
      (await rowAt(NAME, TRUNCATIONS, 'datajob/datahubingestionrunsummary')).spoken,
      /, Deleting: 0 of [\d,]+ rows\.$/,
    );
    await callService(service, 'setPacing', { held: false });
    assert.match(
      (await endedTruncation(NAME, 'datajob/datahubingestionrunsummary')).spoken,
      /, Finished: [\d,]+ rows deleted\.$/,
    );
    assert.deepEqual(await executionsOf(service, 'datajob/datahubingestionrunsummary'), [], 'nothing is sent again');
  });

  test('an answer that is lost: the outcome is unknown, it is said how to look, and nothing is sent again', async () => {
    await callService(service, 'setPacing', { held: true });
    await callService(service, 'addFault', { fault: { kind: 'cutAfter' }, match: '"dryRun":false' });
    await truncate(person, NAME, 'dataset/datasetprofile');
    const told = await person.isTold(/No response was received/);
    assert.match(told, /may or may not have started.*hasn't changed yet.*never sent again automatically/);
    const row = await rowAt(NAME, TRUNCATIONS, 'dataset/datasetprofile');
    assert.equal(row.item.contextValue, 'task;ended', 'an unknown outcome has no task to watch');
    assert.equal(row.description, 'outcome unknown');
    assert.match(row.spoken, /, No response was received/);
    assert.equal((row.item.iconPath as vscode.ThemeIcon).id, 'question');
    assert.match(textOf(await tooltipOf(row)), /never sent again automatically/);

    await reloadExtension();
    await refresh(await rowAt(NAME));
    assert.match((await rowAt(NAME, TRUNCATIONS, 'dataset/datasetprofile')).spoken, /No response was received/);
    assert.equal((await executionsOf(service, 'dataset/datasetprofile')).length, 1);
  });

  test('a task that breaks off is no finished one, with a next step', async () => {
    await callService(service, 'setPacing', { failAfterBatches: 1 });
    await truncate(person, NAME, 'query/queryusagestatistics');
    const row = await endedMuchLater(NAME, 'query/queryusagestatistics');
    assert.equal(row.description, 'failed');
    assert.match(row.spoken, /, The task ended early, after 100 of [\d,]+ rows\. Stopped with [\d,]+ rows left\.$/);
    assert.equal((row.item.iconPath as vscode.ThemeIcon).id, 'error');
    assert.match(
      await person.isTold(/^The truncation of query \/ queryusagestatistics on Outcomes failed\. The task ended early/),
      /Run it again/,
    );
  });

  for (const [what, pacing, strategy, sentence] of [
    ['that breaks off', { failAfterBatches: 1 }, 'reindex', /only in the old index/],
    ['that completes', {}, 'reindex', /the server didn't refresh/],
  ] as const) {
    test(`a reindex ${what} hides rows: which, and who brings them back`, async () => {
      await callService(service, 'setPacing', pacing);
      await truncate(person, NAME, 'dataset/datasetusagestatistics', { days: 180, strategy });
      const row = await endedMuchLater(NAME, 'dataset/datasetusagestatistics');
      assert.equal(row.description, 'rows may be hidden');
      assert.match(row.spoken, /, Searches find 0 of [\d,]+ rows that should stay\./);
      assert.match(row.spoken, sentence);
      assert.match(textOf(await tooltipOf(row)), /Send an administrator the requests/);

      const { page } = await openWizard(row, COMMANDS.taskShow);
      await until('the page', () => page.told('open'));
      await vscode.env.clipboard.writeText('');
      page.says({ type: 'copyRequests', for: 'repair' } satisfies PageMessage);
      const copied = await until('the requests', async () => vscode.env.clipboard.readText());
      assert.match(copied, /PUT \/dataset_datasetusagestatisticsaspect_v1_\d+\/_settings/);
      assert.ok(!copied.includes(service.url), 'no host');
    });
  }

  test('a reindex that completed is finished once an administrator has refreshed its index', async () => {
    await truncate(person, NAME, 'dataset/datasetusagestatistics', { days: 180, strategy: 'reindex' });
    const target = 'dataset/datasetusagestatistics';
    await taskEnded(target);
    await callService(service, 'refreshIndex', 'dataset', 'datasetusagestatistics');
    assert.match((await endedTruncation(NAME, target)).spoken, /, Finished: [\d,]+ rows deleted\.$/);
  });

  test('rows that changed meanwhile are found, and counted', async () => {
    await callService(service, 'setPacing', { versionConflicts: 3 });
    await truncate(person, NAME, 'query/queryusagestatistics');
    await taskEnded('query/queryusagestatistics');
    await callService(service, 'refreshIndex', 'query', 'queryusagestatistics');
    assert.match(
      (await endedMuchLater(NAME, 'query/queryusagestatistics')).spoken,
      /, Finished\. 3 rows dated before the cutoff are there, written meanwhile or still searchable\.$/,
    );
  });

  test('a task that the server forgot has stopped, with the number of rows that are left', async () => {
    await callService(service, 'setPacing', { held: true });
    await truncate(person, NAME, 'datajob/datahubingestionrunsummary');
    await callService(service, 'restart');
    const row = await endedMuchLater(NAME, 'datajob/datahubingestionrunsummary');
    assert.equal(row.description, 'failed');
    assert.match(row.spoken, /doesn't know this task any more.*Stopped with [\d,]+ rows left/);
  });

  test('where a server has no tasks to ask for, counting again shows the end', async () => {
    const spec = hostService('spec');
    await callService(spec, 'restoreRows');
    await addConnection(person, connectionAs(spec, 'operator', 'To the letter'));
    await truncate(person, 'To the letter', 'query/queryusagestatistics');
    const row = await endedTruncation('To the letter', 'query/queryusagestatistics');
    assert.match(row.spoken, /, Finished: [\d,]+ rows deleted\.$/);
    const [execution] = await executionsOf(spec, 'query/queryusagestatistics');
    const { min } = await callService(spec, 'rows', 'query', 'queryusagestatistics');
    assert.ok(execution !== undefined && min !== null && min >= execution.endTimeMillis);
  });

  test('the wizard opens for an index and for a truncation that was sent, one window for each', async () => {
    await vscode.commands.executeCommand(
      COMMANDS.indexTruncate,
      (await rowAt(NAME, INDICES, 'dataset', 'datasetprofile')).node,
    );
    await until('the wizard of the index', () => labelsOf(wizards()).join() === 'Truncate dataset/datasetprofile');
    await truncate(person, NAME, 'datajob/datahubingestionrunsummary', { days: 180 });
    const [sent = assert.fail('nothing was sent')] = await truncations(NAME);
    await pressEnter(sent);
    await until('the wizard of the truncation', () =>
      labelsOf(wizards()).includes('Truncate datajob/datahubingestionrunsummary'),
    );
    await pressEnter(sent);
    assert.deepEqual(labelsOf(wizards()), [
      'Truncate datajob/datahubingestionrunsummary',
      'Truncate dataset/datasetprofile',
    ]);
  });
});

/** From then on readers are counted. */
async function taskEnded(target: string): Promise<void> {
  await until('the end of the task', async () => {
    await refresh(await rowAt(NAME, TRUNCATIONS));
    return (await rowAt(NAME, TRUNCATIONS, target)).description === 'checking…';
  });
}

function wizards(): vscode.Tab[] {
  const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs);
  return tabs.filter(
    ({ input }) => input instanceof vscode.TabInputWebview && input.viewType.endsWith(WIZARD_VIEW_TYPE),
  );
}

function labelsOf(tabs: readonly vscode.Tab[]): string[] {
  return tabs.map(({ label }) => label).toSorted();
}

function textOf(tooltip: vscode.MarkdownString | string): string {
  return typeof tooltip === 'string' ? tooltip : tooltip.value.replaceAll('&nbsp;', ' ').replaceAll(/\\(.)/g, '$1');
}
