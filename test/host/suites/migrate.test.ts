/** What 0.3.0 stored: its connections are taken over, and all else is deleted. To be removed with `migrate.ts`. */
import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { COMMANDS } from '../../../src/manifest.ts';
import { callService, hostService } from '../context.ts';
import { FORM, SAVE, TOKEN, tokenOf } from './support/connections.ts';
import { currentActivation, reloadExtension } from './support/extension.ts';
import { personAt } from './support/fixtures.ts';
import { calm } from './support/requests.ts';
import { onlyFailureOf, rowAt, shownUser } from './support/tree.ts';

suite('After an update from 0.3.0', () => {
  const service = hostService();
  const person = personAt(service);

  test('a connection is there, signed out and read-only, without its token', async () => {
    const { context } = currentActivation();
    const id = crypto.randomUUID();
    await context.globalState.update(`connection.${id}`, {
      id,
      name: 'Of 0.3.0',
      baseUrl: service.url,
      actorUrn: 'urn:li:corpuser:admin',
      plainHttpConsent: true,
      plainHttpOrigin: service.url,
      createdAt: 1_790_000_000_000,
      role: 'production',
    });
    await context.secrets.store(
      `credential.${id}`,
      JSON.stringify({ token: tokenOf(service, 'admin'), origin: service.url }),
    );

    await calm(service);
    await reloadExtension();
    const row = await rowAt('Of 0.3.0');
    assert.deepEqual([row.description, row.spoken], ['signed out', 'Of 0.3.0, read-only, signed out']);
    assert.equal(row.item.contextValue, 'connection;signedOut');
    assert.match((await onlyFailureOf('Of 0.3.0')).label, /^Sign-in required/);
    assert.ok((await callService(service, 'requests')).every(({ headers }) => headers.authorization === undefined));
    assert.equal(await context.secrets.get(`credential.${id}`), undefined);

    const signedIn = vscode.commands.executeCommand(COMMANDS.connectionSignIn, row.node);
    await person.types(TOKEN, tokenOf(service, 'admin'));
    await person.offered(FORM, 'Role: Development');
    await person.picks(FORM, SAVE);
    await person.answers(/^Change the role of "Of 0\.3\.0" to Development\?$/, 'Change Role');
    await signedIn;
    assert.equal(await shownUser('Of 0.3.0'), 'admin');
  });
});
