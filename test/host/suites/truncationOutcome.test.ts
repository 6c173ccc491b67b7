import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { COMMANDS, WIZARD_VIEW_TYPE } from '../../../src/manifest.ts';
import type { TruncationPageMessage } from '../../../src/pages/truncation/protocol.ts';
import { callService, hostService } from '../context.ts';
import { connectionAs, saveConnection } from './support/connections.ts';
import { DrivenWizard, openWizard } from './support/drivenWizard.ts';
import { reloadExtension } from './support/extension.ts';
import { connectedTests, personAt } from './support/fixtures.ts';
import { openOverview } from './support/overviewPage.ts';
import { calm, requestsWith } from './support/requests.ts';
import { pressEnter, refresh, rowAt, textOf, tooltipOf, type Row } from './support/tree.ts';
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
const QUERIES = 'query/queryusagestatistics';

/**
 * The tree is hidden: the task's notification requests its status, but after a reload only a refresh of its row does.
 */
suite('The outcome of a truncation', () => {
  const { service, person } = connectedTests({ name: NAME });

  test('a reload loses no running task, which is only requested again when the user looks at it', async () => {
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

  test('a task that was aborted is not finished, and has a next step', async () => {
    await callService(service, 'setPacing', { failAfterBatches: 1 });
    await truncate(person, NAME, QUERIES);
    const row = await endedMuchLater(NAME, QUERIES);
    assert.equal(row.description, 'failed');
    assert.match(row.spoken, /, Stopped with [\d,]+ rows left to delete\.$/);
    assert.equal((row.item.iconPath as vscode.ThemeIcon).id, 'error');
    await person.seesNotification(
      /^Truncation of query\/queryusagestatistics on Outcomes: Stopped with [\d,]+ rows left to delete\.$/,
    );
    assert.match(textOf(await tooltipOf(row)), /Run the truncation again[^]*ended early, after 100 of [\d,]+ rows/);
  });

  test('a reindex that hides rows says who can restore them, and to forget it is asked about', async () => {
    const target = 'dataset/datasetusagestatistics';
    await truncate(person, NAME, target, { days: 180, strategy: 'reindex' });
    const row = await endedMuchLater(NAME, target);
    assert.equal(row.description, 'rows may be hidden');
    assert.match(row.spoken, /, Searches find 0 of [\d,]+ rows to keep: [^]*the server didn't refresh/);
    assert.match(textOf(await tooltipOf(row)), /Send an administrator the requests/);
    const copied = await copiedRequests(row);
    assert.match(copied, /PUT \/dataset_datasetusagestatisticsaspect_v1_\d+\/_settings/);
    assert.ok(!copied.includes(service.url), 'no host');

    for (const button of [undefined, 'Forget']) {
      const forgotten = vscode.commands.executeCommand(COMMANDS.taskForget, row.node);
      const { detail } = await person.answers(/^Forget the truncation of dataset\/datasetusagestatistics\?$/, button);
      assert.match(detail, /may have hidden rows to keep/);
      await forgotten;
      assert.equal((await truncations(NAME)).length, button === undefined ? 1 : 0);
    }
  });

  test('its page closes by its button, which leads back to the overview if that is open', async () => {
    const target = 'datajob/datahubingestionrunsummary';
    await truncate(person, NAME, target);
    const row = await endedTruncation(NAME, target);
    const wizard = await DrivenWizard.open(row, COMMANDS.taskShow);
    assert.deepEqual([wizard.view.phase, wizard.view.primary.intent], ['finished', 'close']);
    assert.equal(wizard.view.primary.label, 'Close');
    wizard.says({ type: 'close' });
    await until('the page to close', () => wizards().length === 0);

    const overview = await openOverview(NAME);
    const again = await DrivenWizard.open(row, COMMANDS.taskShow);
    assert.equal(again.view.primary.label, 'Back to Overview');
    await until('the page in front', () => !overview.panel.visible);
    again.says({ type: 'close' });
    await until('the overview', () => overview.panel.active && wizards().length === 0);
  });

  test('the wizard opens for an index and for a sent truncation, one window for each', async () => {
    await vscode.commands.executeCommand(
      COMMANDS.indexTruncate,
      (await rowAt(NAME, INDICES, 'dataset', 'datasetprofile')).node,
    );
    await until(
      'the wizard of the index',
      () => labelsOf(wizards()).join() === `Truncate dataset/datasetprofile (${NAME})`,
    );
    await truncate(person, NAME, 'datajob/datahubingestionrunsummary', { days: 180 });
    const [sent = assert.fail('nothing was sent')] = await truncations(NAME);
    await pressEnter(sent);
    const title = `Truncate datajob/datahubingestionrunsummary (${NAME}) · `;
    await until('the wizard of the truncation, with its status', () =>
      labelsOf(wizards()).some((label) => label.startsWith(title)),
    );
    await pressEnter(sent);
    const [ofTruncation, ...others] = labelsOf(wizards());
    assert.ok(ofTruncation?.startsWith(title), ofTruncation);
    assert.deepEqual(others, [`Truncate dataset/datasetprofile (${NAME})`]);
  });
});

suite('A truncation on PostgreSQL', () => {
  const service = hostService('postgres');
  const person = personAt(service);
  suiteTeardown(() => callService(service, 'restoreRows'));

  test('is of an index that was added by name, since the server reports a total, and counting follows it', async () => {
    await vscode.commands.executeCommand('workbench.view.explorer');
    await saveConnection(connectionAs(service, 'operator', 'Rows'));
    await rowAt('Rows', INDICES, 'public.metadata_timeseries_aspect');
    await rowAt('Rows', INDICES, 'This server only reports a total. Add indices by name.');
    const added = vscode.commands.executeCommand(COMMANDS.indexAdd, (await rowAt('Rows', INDICES)).node);
    await person.types(/Entity type/, 'dataset');
    await person.types(/Aspect, as/, 'datasetProfile');
    await added;
    await truncate(person, 'Rows', 'dataset/datasetProfile');
    const [execution = assert.fail('nothing was sent')] = await executionsOf(service, 'dataset/datasetProfile');
    const row = await endedTruncation('Rows', 'dataset/datasetProfile');
    assert.match(row.description, /^[\d,]+ rows deleted$/);
    const { min } = await callService(service, 'rows', 'dataset', 'datasetProfile');
    assert.ok(min !== null && min > execution.endTimeMillis);
  });
});

/** Requests for an administrator, copied from the page. */
async function copiedRequests(row: Row): Promise<string> {
  const page = await openWizard(row, COMMANDS.taskShow);
  await until('the page', () => page.view());
  await vscode.env.clipboard.writeText('');
  page.says({ type: 'copyRequests', for: 'repair' } satisfies TruncationPageMessage);
  return until('the requests', async () => (await vscode.env.clipboard.readText()) || false);
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
