/** What 0.3.0 stored: its connections are taken over, and all else is deleted. To be removed with `migrate.ts`. */
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
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

  test('a connection is there, signed out and read-only, and nothing else is', async () => {
    const { context } = currentActivation();
    const id = crypto.randomUUID();
    const signIn = crypto.randomUUID();
    const records = join(context.globalStorageUri.fsPath, 'records');
    for (const [key, value] of Object.entries({
      [`connection.${id}`]: {
        id,
        name: 'Of 0.3.0',
        baseUrl: service.url,
        actorUrn: 'urn:li:corpuser:admin',
        plainHttpConsent: true,
        plainHttpOrigin: service.url,
        createdAt: 1_790_000_000_000,
        credentialId: signIn,
        credentialLife: { since: 1_790_000_000_000, expiresAt: 1_890_000_000_000, credentialId: signIn },
        role: 'production',
        revision: 3,
      },
      [`role.${id}`]: { role: 'production', revision: 1 },
      [`capabilities.${id}`]: {},
      [`truncation.${id}.${crypto.randomUUID()}`]: { revision: 1 },
    })) {
      await context.globalState.update(key, value);
    }
    await context.secrets.store(
      `credential.${id}`,
      JSON.stringify({ token: tokenOf(service, 'admin'), origin: service.url, id: signIn }),
    );
    await mkdir(records, { recursive: true });
    await writeFile(join(records, `role.${id}.json`), '{}');

    await calm(service);
    await reloadExtension();
    const row = await rowAt('Of 0.3.0');
    assert.equal(row.description, 'read-only · signed out');
    assert.equal(row.item.contextValue, 'connection;signedOut;readOnly');
    assert.match((await onlyFailureOf('Of 0.3.0')).label, /^Sign-in required/);
    assert.ok((await callService(service, 'requests')).every(({ headers }) => headers.authorization === undefined));
    const kept = [...context.globalState.keys(), ...(await context.secrets.keys())];
    assert.deepEqual(
      kept.filter((key) => key.includes(id) && !key.startsWith('capabilities.')),
      [],
    );
    assert.ok(!existsSync(records));

    const signedIn = vscode.commands.executeCommand(COMMANDS.connectionSignIn, row.node);
    await person.types(TOKEN, tokenOf(service, 'admin'));
    await person.offered(FORM, 'Role: Development');
    await person.picks(FORM, SAVE);
    await person.answers(/^Change the role of "Of 0\.3\.0" to Development\?$/, 'Change Role');
    await signedIn;
    assert.equal(await shownUser('Of 0.3.0'), 'admin');
  });
});
