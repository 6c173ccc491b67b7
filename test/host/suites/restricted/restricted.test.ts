import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { COMMANDS, SETTINGS } from '../../../../src/manifest.ts';
import { callService, hostService } from '../../context.ts';
import { addConnection, connectionAs, removeConnections } from '../support/connections.ts';
import { installedExtension } from '../support/extension.ts';
import { Person } from '../support/person.ts';
import { calm } from '../support/requests.ts';
import { withWorkspaceSettings } from '../support/settings.ts';
import { TOKENS, createToken, holderOf } from '../support/tokens.ts';
import { rowAt, rowsBelow } from '../support/tree.ts';
import { INDICES, TRUNCATIONS, dryRun, executionsOf, truncate } from '../support/truncations.ts';
import { until } from '../support/until.ts';

const NAME = 'Restricted';

/** The extension does everything in an untrusted folder, because it uses nothing from the folder. */
suite('In restricted mode', () => {
  const service = hostService();
  const person = new Person();
  suiteSetup(async () => {
    person.arrive();
    await addConnection(person, connectionAs(service, 'operator', NAME));
  });
  setup(() => calm(service));
  teardown(() => person.assertNothingOpen());
  suiteTeardown(async () => {
    await removeConnections(person);
    person.depart();
  });

  test('the folder is not trusted, and the extension works all the same', async () => {
    assert.equal(vscode.workspace.isTrusted, false);
    assert.equal(installedExtension().isActive, true);
    assert.ok((await rowsBelow(await rowAt(NAME, TOKENS))).length > 1);
    assert.ok((await rowsBelow(await rowAt(NAME, INDICES))).length > 1);
  });

  test('settings of the folder are ignored', async () => {
    const fault = { kind: 'latency', millis: 6_000 } as const;
    await callService(service, 'addFault', { fault, match: 'listAccessTokens' });
    await withWorkspaceSettings({ [SETTINGS.requestTimeoutSeconds]: 5 }, async () => {
      await vscode.commands.executeCommand(COMMANDS.explorerRefresh, (await rowAt(NAME, TOKENS)).node);
    });
    const rows = await rowsBelow(await rowAt(NAME, TOKENS));
    assert.ok(rows.every(({ item }) => item.contextValue !== 'failure'));
  });

  test('a token is created, copied and revoked', async () => {
    await createToken(person, NAME, { name: 'made in restricted mode', button: 'Copy Token' });
    const string = await vscode.env.clipboard.readText();
    assert.equal(await holderOf(service, string), 'urn:li:corpuser:operator');
    const revoked = vscode.commands.executeCommand(
      COMMANDS.tokenRevoke,
      (await rowAt(NAME, TOKENS, 'made in restricted mode')).node,
    );
    await person.answers(/^Revoke the access token/, 'Revoke');
    await revoked;
    assert.equal(await holderOf(service, string), undefined);
  });

  test('an index is truncated after a dry run', async () => {
    const wizard = await dryRun(NAME, 'dataset/operation', { days: 180 });
    await wizard.report();
    wizard.close();
    assert.deepEqual(await executionsOf(service, 'dataset/operation'), []);
    await truncate(person, NAME, 'dataset/operation', { days: 180 });
    await until('the rows to be gone', async () => {
      const [execution] = await executionsOf(service, 'dataset/operation');
      const { min } = await callService(service, 'rows', 'dataset', 'operation');
      return execution !== undefined && min !== null && min > execution.endTimeMillis;
    });
    await rowAt(NAME, TRUNCATIONS, 'dataset/operation');
  });
});
