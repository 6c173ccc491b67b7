import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { COMMANDS, WIZARD_VIEW_TYPE } from '../../../src/manifest.ts';
import { callService, hostService } from '../context.ts';
import { connectionAs, saveConnection } from './support/connections.ts';
import { connectedTests } from './support/fixtures.ts';
import { DrivenWizard } from './support/drivenWizard.ts';
import { reloadExtension } from './support/extension.ts';
import { openOverview } from './support/overviewPage.ts';
import { calm, requestsWith } from './support/requests.ts';
import { pressEnter, refresh, rowAt, textOf, tooltipOf } from './support/tree.ts';
import { INDICES, TRUNCATIONS, endedTruncation, executionsOf, truncate, truncations } from './support/truncations.ts';
import { until } from './support/until.ts';

const NAME = 'Outcomes';

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

  test('a lost response is reported as an unknown outcome, with how to check, and nothing is sent again', async () => {
    await callService(service, 'setPacing', { held: true });
    await callService(service, 'addFault', { fault: { kind: 'cutAfter' }, match: '"dryRun":false' });
    await truncate(person, NAME, 'dataset/datasetprofile');
    await person.seesNotification(/^Truncation of .* on Outcomes: No response was received, /);
    const row = await rowAt(NAME, TRUNCATIONS, 'dataset/datasetprofile');
    assert.equal(row.item.contextValue, 'task;ended', 'an unknown outcome has no task to watch');
    assert.equal(row.description, 'outcome unknown');
    assert.match(row.spoken, /, No response was received/);
    assert.equal((row.item.iconPath as vscode.ThemeIcon).id, 'question');
    assert.match(
      textOf(await tooltipOf(row)),
      /may or may not have started[^]*hasn't changed yet[^]*never sent again automatically/,
    );

    await reloadExtension();
    await refresh(await rowAt(NAME));
    assert.match((await rowAt(NAME, TRUNCATIONS, 'dataset/datasetprofile')).spoken, /No response was received/);
    assert.equal((await executionsOf(service, 'dataset/datasetprofile')).length, 1);
  });

  test('without tasks on the server, counting again shows the end', async () => {
    const spec = hostService('spec');
    await callService(spec, 'restoreRows');
    await saveConnection(connectionAs(spec, 'operator', 'To the letter'));
    await truncate(person, 'To the letter', 'query/queryusagestatistics');
    const row = await endedTruncation('To the letter', 'query/queryusagestatistics');
    assert.match(row.spoken, /, Finished: [\d,]+ rows deleted\.$/);
    const [execution] = await executionsOf(spec, 'query/queryusagestatistics');
    const { min } = await callService(spec, 'rows', 'query', 'queryusagestatistics');
    assert.ok(execution !== undefined && min !== null && min >= execution.endTimeMillis);
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
    await until('the wizard of the truncation', () =>
      labelsOf(wizards()).includes(`Truncate datajob/datahubingestionrunsummary (${NAME})`),
    );
    await pressEnter(sent);
    assert.deepEqual(labelsOf(wizards()), [
      `Truncate datajob/datahubingestionrunsummary (${NAME})`,
      `Truncate dataset/datasetprofile (${NAME})`,
    ]);
  });
});

function wizards(): vscode.Tab[] {
  const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs);
  return tabs.filter(
    ({ input }) => input instanceof vscode.TabInputWebview && input.viewType.endsWith(WIZARD_VIEW_TYPE),
  );
}

function labelsOf(tabs: readonly vscode.Tab[]): string[] {
  return tabs.map(({ label }) => label).toSorted();
}
