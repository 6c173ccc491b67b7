import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { COMMANDS } from '../../../src/manifest.ts';
import type { ProfileName } from '../../service/profiles.ts';
import type { UserName } from '../../service/users.ts';
import { hostService } from '../context.ts';
import { connectionAs, leaveNothing, saveConnection } from './support/connections.ts';
import { Person } from './support/person.ts';
import { calm, requestsWith } from './support/requests.ts';
import { rowAt, tooltipOf } from './support/tree.ts';
import { INDICES } from './support/truncations.ts';
import { until } from './support/until.ts';

const NAME = 'Limited';

suite('The limit of an index', () => {
  const person = new Person();
  suiteSetup(() => person.arrive());
  suiteTeardown(() => person.depart());
  teardown(async () => {
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await leaveNothing(person);
  });

  /** Tooltip of an index, without its escapes. */
  async function tooltip(entityType: string, aspect: string): Promise<string> {
    const said = await tooltipOf(await rowAt(NAME, INDICES, entityType, aspect));
    return (typeof said === 'string' ? said : said.value).replaceAll('&nbsp;', ' ').replaceAll('\\', '');
  }

  async function connect(profile: ProfileName, user: UserName): Promise<() => Promise<number>> {
    const service = hostService(profile);
    await calm(service);
    await saveConnection(connectionAs(service, user, NAME));
    await rowAt(NAME, INDICES, 'dataset', 'operation');
    return async () => (await requestsWith(service, 'listIngestionSources(')).length;
  }

  for (const profile of ['0.14', 'next'] as const) {
    test(`is in the rows once the overview has read it: ${profile}`, async () => {
      const asked = await connect(profile, 'admin');
      assert.doesNotMatch(await tooltip('dataset', 'operation'), /Retention/);
      assert.equal(await asked(), 0, 'a tooltip asks for nothing');
      await vscode.commands.executeCommand(COMMANDS.indexOverview, (await rowAt(NAME)).node);
      await until('the retention in a tooltip', async () =>
        /Retention: 30 days, by datahub-gc, nightly/.test(await tooltip('dataset', 'operation')),
      );
      assert.match(await tooltip('dataset', 'datasetprofile'), /Retention: no cleanup found/);
      assert.equal(await asked(), 1);
    });
  }

  test('depends on the spelling in PostgreSQL, and on its own default if no cleanup limits an index', async () => {
    const service = hostService('postgres');
    await calm(service);
    await saveConnection(connectionAs(service, 'admin', NAME));
    for (const aspect of ['operation', 'OPERATION', 'datasetProfile']) {
      const added = vscode.commands.executeCommand(COMMANDS.indexAdd, (await rowAt(NAME, INDICES)).node);
      await person.types(/Entity type/, 'dataset');
      await person.types(/Aspect, as/, aspect);
      await added;
    }
    await vscode.commands.executeCommand(COMMANDS.indexOverview, (await rowAt(NAME)).node);
    await until('the retention in a tooltip', async () =>
      /Retention: 30 days, by datahub-gc, nightly/.test(await tooltip('dataset', 'operation')),
    );
    assert.match(await tooltip('dataset', 'datasetProfile'), /Retention: 90 days by default \(server setting\)/);
    assert.match(await tooltip('dataset', 'OPERATION'), /Retention: 90 days by default/, 'no cleanup finds its rows');
  });

  for (const [what, profile, user] of [
    ['one may not read ingestion sources', 'next', 'operator'],
    ['the server has none', 'spec', 'admin'],
  ] as const) {
    test(`is omitted if ${what}, and not requested twice`, async () => {
      const asked = await connect(profile, user);
      await vscode.commands.executeCommand(COMMANDS.indexOverview, (await rowAt(NAME)).node);
      await until('the question', async () => (await asked()) === 1);
      await vscode.commands.executeCommand(COMMANDS.explorerRefresh, (await rowAt(NAME, INDICES)).node);
      assert.doesNotMatch(await tooltip('dataset', 'operation'), /Retention/);
      assert.equal(await asked(), 1);
    });
  }
});
