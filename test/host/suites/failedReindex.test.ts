import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { COMMANDS } from '../../../src/manifest.ts';
import { callService, hostService } from '../context.ts';
import { connectionAs, removeConnections, saveConnection } from './support/connections.ts';
import { DrivenWizard } from './support/drivenWizard.ts';
import { reloadExtension } from './support/extension.ts';
import { Person } from './support/person.ts';
import { calm } from './support/requests.ts';
import { rowAt, textOf, tooltipOf } from './support/tree.ts';
import {
  INDICES,
  TRUNCATIONS,
  dryRun,
  endedTruncation,
  executionsOf,
  pressDelete,
  truncate,
  truncations,
} from './support/truncations.ts';
import { until } from './support/until.ts';

const NAME = 'Reindexing';
const CHARTS = 'chart/chartusagestatistics';
const HALF_A_YEAR = { days: 180, strategy: 'server' } as const;
/** All rows of the index are as old by then. */
const BY_QUERY = { ...HALF_A_YEAR, strategy: 'deleteByQuery', acceptedCautions: ['noRowStays'] } as const;

/** On the release's service, whose rows no other suite deletes. */
suite('A reindex that the server refuses', () => {
  const service = hostService('1.7');
  const person = new Person();
  suiteSetup(async () => {
    person.arrive();
    await vscode.commands.executeCommand('workbench.view.explorer');
    await saveConnection(connectionAs(service, 'operator', NAME));
  });
  setup(() => calm(service));
  teardown(async () => {
    await callService(service, 'setPacing', { reindexFailure: null });
    person.assertNothingOpen();
  });
  suiteTeardown(async () => {
    await calm(service);
    await removeConnections(person);
    person.depart();
  });

  test('before anything was done keeps all rows, says so, and is not stored as sent', async () => {
    const before = await callService(service, 'rows', 'chart', 'chartusagestatistics');
    await callService(service, 'setPacing', { reindexFailure: 'beforeAlias' });
    await truncate(person, NAME, CHARTS, HALF_A_YEAR);
    assert.match(
      await person.seesNotification(/couldn't reindex this index/),
      /failed\. Nothing was deleted.*Delete by query instead/,
    );
    assert.deepEqual(await callService(service, 'rows', 'chart', 'chartusagestatistics'), before);
    assert.equal((await truncations(NAME)).length, 0);
  });

  test('after readers were moved reports hidden rows, and blocks deletions until it is forgotten', async () => {
    await callService(service, 'setPacing', { reindexFailure: 'afterAlias' });
    await truncate(person, NAME, CHARTS, HALF_A_YEAR);
    await person.seesNotification(
      /^Truncation of .* on Reindexing: The reindex failed, and searches find only 0 rows now/,
    );
    const row = await rowAt(NAME, TRUNCATIONS, CHARTS);
    assert.match(textOf(await tooltipOf(row)), /hidden, not deleted[^]*administrator/);
    assert.equal(row.description, 'rows may be hidden');
    assert.match(row.spoken, /searches find only 0 rows now/);
    const sent = (await executionsOf(service, CHARTS)).length;

    // Rows are added again and are to be deleted: in this window or, after a reload, in another.
    await callService(service, 'addRow', 'chart', 'chartusagestatistics', Date.now() - 300 * 86_400_000);
    await callService(service, 'refreshIndex', 'chart', 'chartusagestatistics');
    await reloadExtension();
    const wizard = await dryRun(NAME, CHARTS, BY_QUERY);
    await pressDelete(wizard, ...BY_QUERY.acceptedCautions);
    const { sentence, next } = await wizard.failure();
    assert.match(sentence, /^Nothing was deleted: an earlier reindex/);
    assert.match(next ?? '', /^Open that truncation for the requests that bring them back/);
    wizard.close();
    assert.equal((await executionsOf(service, CHARTS)).length, sent);

    const forget = async (): Promise<unknown> =>
      vscode.commands.executeCommand(COMMANDS.taskForget, (await rowAt(NAME, TRUNCATIONS, CHARTS)).node);
    const escaped = forget();
    await person.answers(/^Forget the truncation of chart\/chartusagestatistics\?$/);
    await escaped;
    await rowAt(NAME, TRUNCATIONS, CHARTS);
    const forgotten = forget();
    const question = await person.answers(/^Forget the truncation of/, 'Forget');
    assert.match(question.detail, /may have hidden rows to keep/);
    await forgotten;
    await truncate(person, NAME, CHARTS, BY_QUERY);
    assert.equal((await executionsOf(service, CHARTS)).length, sent + 1);
  });
});

suite('A service on PostgreSQL', () => {
  const service = hostService('postgres');
  const person = new Person();
  suiteSetup(async () => {
    person.arrive();
    await vscode.commands.executeCommand('workbench.view.explorer');
    await saveConnection(connectionAs(service, 'operator', 'Rows'));
  });
  suiteTeardown(async () => {
    await calm(service);
    await removeConnections(person);
    person.depart();
  });

  test('reports one size for everything; an index is added by name, and counting follows its deletion', async () => {
    await rowAt('Rows', INDICES, 'public.metadata_timeseries_aspect');
    await rowAt('Rows', INDICES, 'This server only reports a total. Add indices by name.');
    const added = vscode.commands.executeCommand(COMMANDS.indexAdd, (await rowAt('Rows', INDICES)).node);
    await person.types(/Entity type/, 'dataset');
    await person.types(/Aspect, as/, 'datasetProfile');
    await added;
    await truncate(person, 'Rows', 'dataset/datasetProfile');
    const [execution] = await executionsOf(service, 'dataset/datasetProfile');
    assert.ok(execution !== undefined);
    const row = await endedTruncation('Rows', 'dataset/datasetProfile');
    assert.match(row.description, /^[\d,]+ rows deleted$/);
    const { min } = await callService(service, 'rows', 'dataset', 'datasetProfile');
    assert.ok(min !== null && min > execution.endTimeMillis);
  });

  test('only deletes by query: no strategy is offered, but to take back a reindex, until the next opening', async () => {
    const wizard = await DrivenWizard.open(await rowAt('Rows', INDICES, 'dataset/datasetProfile'));
    assert.equal(wizard.view.canChooseStrategy, false);
    wizard.edit({ strategy: 'reindex' });
    await until('the choice', () => wizard.view.canChooseStrategy);
    wizard.edit({ strategy: 'deleteByQuery' });
    await until('the edit', () => wizard.view.draft.strategy === 'deleteByQuery');
    assert.equal(wizard.view.canChooseStrategy, true, 'it may have the focus');
    wizard.load();
    await until('no choice', () => !wizard.view.canChooseStrategy);
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  });
});
