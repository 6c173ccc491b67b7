import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { COMMANDS } from '../../../src/manifest.ts';
import type { TruncationPageMessage } from '../../../src/pages/truncation/protocol.ts';
import { callService, hostService } from '../context.ts';
import { connectionAs, saveConnection } from './support/connections.ts';
import { DrivenWizard, openWizard, wizardTabs } from './support/drivenWizard.ts';
import { connectedTests, personAt } from './support/fixtures.ts';
import { openOverview, shownOverview, shownRows } from './support/overviewPage.ts';
import { pressEnter, rowAt, textOf, tooltipOf, type Row } from './support/tree.ts';
import {
  INDICES,
  endedMuchLater,
  endedTruncation,
  executionsOf,
  truncate,
  truncations,
} from './support/truncations.ts';
import { until } from './support/until.ts';

const NAME = 'Outcomes';

suite('The outcome of a truncation', () => {
  const { service, person } = connectedTests({ name: NAME });

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
      const asked = /^Forget the truncation of dataset\/datasetUsageStatistics\?$/;
      const { detail } = await person.runs(COMMANDS.taskForget, row, asked, button);
      assert.match(detail, /may have hidden rows to keep/);
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
    await until('the page to close', () => wizardTabs().length === 0);

    const overview = await openOverview(NAME);
    const again = await DrivenWizard.open(row, COMMANDS.taskShow);
    assert.equal(again.view.primary.label, 'Back to Overview');
    await until('the page in front', () => !overview.panel.visible);
    again.says({ type: 'close' });
    await until('the overview', () => overview.panel.active && wizardTabs().length === 0);
  });

  test('the wizard opens for an index and for a sent truncation, one window for each', async () => {
    await vscode.commands.executeCommand(
      COMMANDS.indexTruncate,
      (await rowAt(NAME, INDICES, 'dataset', 'datasetprofile')).node,
    );
    await until('the wizard of the index', () => wizardTabs().join() === `Truncate dataset/datasetProfile (${NAME})`);
    await truncate(person, NAME, 'datajob/datahubingestionrunsummary', { days: 180 });
    const [sent = assert.fail('nothing was sent')] = await truncations(NAME);
    await pressEnter(sent);
    const title = `Truncate dataJob/datahubIngestionRunSummary (${NAME}) · `;
    await until('the wizard of the truncation, with its status', () =>
      wizardTabs().some((label) => label.startsWith(title)),
    );
    await pressEnter(sent);
    const [ofTruncation, ...others] = wizardTabs();
    assert.ok(ofTruncation?.startsWith(title), ofTruncation);
    assert.deepEqual(others, [`Truncate dataset/datasetProfile (${NAME})`]);
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
    const overview = await openOverview('Rows');
    await until('the total', () => shownOverview(overview)?.loadedAt !== undefined && shownRows(overview).length > 0);
    const hint = { text: 'This server only reports a total. Add indices by name.', canAdd: true };
    assert.deepEqual([shownOverview(overview)?.hint, shownRows(overview)[0]?.canTruncate], [hint, false]);
    overview.says({ type: 'addIndex' });
    await person.types(/Entity type/, 'dataset');
    await person.types(/Aspect, as/, 'datasetProfile');
    const added = await until('the index', () =>
      shownRows(overview).find(({ aspect }) => aspect?.toLowerCase() === 'datasetprofile'),
    );
    assert.deepEqual([added.note?.text, added.canTruncate], ['added by name', true]);
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
  page.says({ type: 'copyRequests', place: 0, for: 'repair' } satisfies TruncationPageMessage);
  return until('the requests', async () => (await vscode.env.clipboard.readText()) || false);
}
