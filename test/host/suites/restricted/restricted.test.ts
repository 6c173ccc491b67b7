import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { COMMANDS } from '../../../../src/manifest.ts';
import { hostService } from '../../context.ts';
import { connectionAs, saveConnection } from '../support/connections.ts';
import { installedExtension } from '../support/extension.ts';
import { personWith } from '../support/fixtures.ts';
import { TOKENS, createToken, holderOf } from '../support/tokens.ts';
import { rowAt, rowsBelow } from '../support/tree.ts';
import { INDICES } from '../support/truncations.ts';

const NAME = 'Restricted';

/** The extension does everything in an untrusted folder, because it uses nothing from the folder. */
suite('In restricted mode', () => {
  const service = hostService();
  const person = personWith(service, () => saveConnection(connectionAs(service, 'operator', NAME)));

  test('the folder is not trusted, and the extension works all the same', async () => {
    assert.equal(vscode.workspace.isTrusted, false);
    assert.equal(installedExtension().isActive, true);
    assert.ok((await rowsBelow(await rowAt(NAME, TOKENS))).length > 1);
    assert.ok((await rowsBelow(await rowAt(NAME, INDICES))).length > 1);
  });

  test('a token is created, copied and revoked', async () => {
    await createToken(person, NAME, { name: 'made in restricted mode', button: 'Copy Token' });
    const string = await vscode.env.clipboard.readText();
    assert.equal(await holderOf(service, string), 'urn:li:corpuser:operator');
    const row = await rowAt(NAME, TOKENS, 'made in restricted mode');
    await person.runs(COMMANDS.tokenRevoke, row, /^Revoke the access token/, 'Revoke');
    assert.equal(await holderOf(service, string), undefined);
  });
});
