import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { COMMANDS } from '../../../src/manifest.ts';
import { hostService } from '../context.ts';
import { connectionAs, saveConnection } from './support/connections.ts';
import { DrivenWizard, wizardTabs } from './support/drivenWizard.ts';
import { personAt } from './support/fixtures.ts';
import { answerWith, calm, requestsWith, variablesOf } from './support/requests.ts';
import { TOKENS, issueToken } from './support/tokens.ts';
import { indexRow, labelsBelow, pressEnter, refresh, rowAt, rowsBelow, textOf, tooltipOf } from './support/tree.ts';
import { INDICES } from './support/truncations.ts';
import { until } from './support/until.ts';

const DAY = 24 * 60 * 60 * 1000;
const NAME = 'Tree';

suite('The tree', () => {
  const service = hostService();
  const person = personAt(service);
  setup(() => saveConnection(connectionAs(service, 'admin', NAME)));

  test('shows when a token ends', async () => {
    const now = Date.now();
    await issueToken(service, { name: 'ends in days', createdAt: now - 60 * DAY, expiresAt: now + 3 * DAY + 60_000 });
    await issueToken(service, { name: 'was made for days', expiresAt: now + 3 * DAY + 60_000 });
    await issueToken(service, { name: 'ended', expiresAt: now - 2 * DAY - 60_000 });
    await issueToken(service, { name: 'has no end', expiresAt: null });
    await refresh(await rowAt(NAME, TOKENS));
    assert.deepEqual(await look('ends in days'), { description: 'in 3 days', icon: 'warning' });
    assert.deepEqual(await look('was made for days'), { description: 'in 3 days', icon: 'key' });
    assert.deepEqual(await look('ended'), { description: '2 days ago', icon: 'circle-slash' });
    assert.deepEqual(await look('has no end'), { description: 'never', icon: 'key' });
  });

  test("shows names as the platform's registry spells them, and asks for them as the server does", async () => {
    await answerSizes([
      { indexName: 'a', entityName: 'datajob', aspectName: 'datahubingestioncheckpoint', sizeInMb: 30 },
      { indexName: 'b', entityName: 'datajob', aspectName: 'datahubingestionrunsummary', sizeInMb: 20 },
      { indexName: 'c', entityName: 'dataset', aspectName: 'datasetprofile', sizeInMb: 10 },
    ]);
    await refresh(await rowAt(NAME));
    assert.deepEqual(await labelsBelow(NAME, INDICES), ['dataJob', 'dataset/datasetProfile']);
    assert.deepEqual(await labelsBelow(NAME, INDICES, 'dataJob'), [
      'datahubIngestionCheckpoint',
      'datahubIngestionRunSummary',
    ]);
    const lone = await rowAt(NAME, INDICES, 'dataset/datasetProfile');
    assert.deepEqual([lone.description, lone.spoken], ['10 MB', 'dataset, datasetProfile, 10 MB']);
    assert.match(textOf(await tooltipOf(lone)), /^\*\*dataset\/datasetProfile\*\*/);
    const wizard = await DrivenWizard.open(lone);
    assert.equal(wizard.page.panel.title, `Truncate dataset/datasetProfile (${NAME})`);
    wizard.close();
  });

  test('opens one page of an index by a double-click', async () => {
    const row = await indexRow(NAME, 'dataset/operation');
    await Promise.all([pressEnter(row), pressEnter(row)]);
    await until('the page', () => wizardTabs().length > 0);
    assert.deepEqual(wizardTabs(), [`Truncate dataset/operation (${NAME})`]);
  });

  test('shows last which installation an index without names may belong to; only its name can be copied', async () => {
    const foreign = 'prod_dataset_operationaspect_v1';
    await answerSizes([
      { indexName: foreign, sizeInMb: 900 },
      // Behind an alias, as after a reindex.
      {
        indexName: 'dataset_operationaspect_v1_1700000000000',
        entityName: 'dataset',
        aspectName: 'operation',
        sizeInMb: 100,
      },
    ]);
    await refresh(await rowAt(NAME, INDICES));
    const [operation, row, ...others] = await rowsBelow(await rowAt(NAME, INDICES));
    assert.deepEqual([operation?.label, operation?.item.contextValue], ['dataset/operation', 'index;truncatable']);
    assert.ok(row !== undefined && others.length === 0);
    assert.deepEqual([row.label, row.description, row.item.contextValue], [foreign, '900 MB', 'index']);
    assert.equal(row.item.command, undefined, 'there is nothing to open');
    assert.equal(row.spoken, `${foreign}, 900 MB · may belong to another installation`);
    assert.match(textOf(await tooltipOf(row)), /its name doesn't match those of this server's indices\./);

    for (const command of [COMMANDS.indexTruncate, COMMANDS.indexCopyRequest]) {
      const before = person.toldSoFar.length;
      await vscode.commands.executeCommand(command, row.node);
      await until('a refusal', () => person.toldSoFar.length > before);
      assert.match(person.toldSoFar.at(-1) ?? '', /the server doesn't report its entity type and aspect/);
    }
    assert.deepEqual(await requestsWith(service, 'truncateTimeseriesAspect'), []);
    await vscode.commands.executeCommand(COMMANDS.indexCopyName, row.node);
    assert.equal(await vscode.env.clipboard.readText(), foreign);
    const picked = vscode.commands.executeCommand(COMMANDS.indexTruncate);
    const offered = await person.offered(/Select a time series index/, 'dataset/operation');
    assert.ok(!offered.some(({ label }) => label.includes('prod')));
    await person.leaves(/Select a time series index/);
    await picked;
  });

  test('spells indices as the palette does, and as the platform: servers list them in lower case', async () => {
    const label = 'dataset/datasetUsageStatistics';
    await rowAt(NAME, INDICES, 'dataset', 'datasetUsageStatistics');
    const picked = vscode.commands.executeCommand(COMMANDS.indexTruncate);
    await person.offered(/Select a time series index/, label);
    await person.leaves(/Select a time series index/);
    await picked;
  });

  test('loads everything again, also what a command loaded of a connection that was never opened', async () => {
    await saveConnection(connectionAs(service, 'operator', 'Never opened'));
    const revoked = vscode.commands.executeCommand(COMMANDS.tokenRevoke, (await rowAt('Never opened')).node);
    await person.offered(/Select access tokens/, /\w/);
    await person.leaves(/Select access tokens/);
    await revoked;
    await rowsBelow(await rowAt(NAME, TOKENS));
    await calm(service);
    await refresh(await rowAt(NAME));
    const listings = await requestsWith(service, 'listAccessTokens');
    const owners = listings.map((one) => JSON.stringify(variablesOf(one)).match(/urn:li:corpuser:(\w+)/)?.[1]);
    assert.deepEqual(owners.toSorted(), ['admin', 'operator']);
  });

  test('sorts indices by name on request, and by size again', async () => {
    const bySize = await labelsBelow(NAME, INDICES);
    const sort = async (order: string): Promise<string[]> => {
      const sorted = vscode.commands.executeCommand(COMMANDS.indexSort);
      await person.picks(/Sort Indices/, order);
      await sorted;
      return labelsBelow(NAME, INDICES);
    };
    const [others] = bySize.slice(-1);
    assert.deepEqual(await sort('By Name'), [...bySize.slice(0, -1).toSorted(), others]);
    assert.deepEqual(await sort('Largest First'), bySize);
  });

  /** From now on the service answers with these sizes. */
  async function answerSizes(indexSizes: readonly object[]): Promise<void> {
    await answerWith(service, 'getIndexSizes', 200, { value: { indexSizes } });
  }

  async function look(token: string): Promise<{ readonly description: string; readonly icon: string }> {
    const { description, item } = await rowAt(NAME, TOKENS, token);
    assert.ok(item.iconPath instanceof vscode.ThemeIcon);
    return { description, icon: item.iconPath.id };
  }
});
