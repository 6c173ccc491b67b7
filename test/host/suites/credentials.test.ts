import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import * as vscode from 'vscode';
import { COMMANDS, VIEWS } from '../../../src/manifest.ts';
import { callService, hostService } from '../context.ts';
import {
  formLabels,
  FORM,
  SAVE,
  connectionAs,
  removeConnections,
  saveConnection,
  secretOf,
  tokenOf,
} from './support/connections.ts';
import { activated, currentActivation } from './support/extension.ts';
import { Person } from './support/person.ts';
import { calm, requestsWith } from './support/requests.ts';
import { TOKENS } from './support/tokens.ts';
import { findRow, refresh, rowAt, rowsBelow, shownUser, tokenRowsBelow } from './support/tree.ts';
import { INDICES, confirm, dryRun } from './support/truncations.ts';
import { until } from './support/until.ts';

const NAME = 'CredentialStore';
const SIGN_IN = /Sign In to "CredentialStore"/;

suite('Credentials', () => {
  const service = hostService();
  const other = hostService('0.14');
  const token = tokenOf(service, 'admin');
  const person = new Person();
  let id = '';
  suiteSetup(async () => {
    person.arrive();
    await activated();
  });
  // Undoes changes of the credential, as another window would.
  setup(async () => {
    const found = currentActivation()
      .store.all()
      .find(({ name, baseUrl }) => name === NAME && baseUrl === service.url);
    if (found === undefined) {
      await removeConnections(person);
    }
    id = found?.id ?? (await saveConnection(connectionAs(service, 'admin', NAME)));
    await currentActivation().context.secrets.store(`credential.${id}`, record(id, token, service.url));
    await Promise.all([calm(service), calm(other)]);
  });
  teardown(() => person.assertNothingOpen());
  suiteTeardown(async () => {
    await removeConnections(person);
    person.depart();
  });

  test('a mistyped token does not replace a good one, because it is tested first, and can be corrected', async () => {
    const stored = (await currentActivation().context.secrets.get(`credential.${id}`)) ?? assert.fail();
    const corrected = vscode.commands.executeCommand(COMMANDS.connectionSignIn, (await rowAt(NAME)).node);
    assert.match(await person.triesToType(SIGN_IN, '  '), /Enter an access token/);
    await person.types(SIGN_IN, 'mistyped');
    const refused = await formLabels(person, 'Try Again');
    assert.ok(refused[1]?.startsWith('Access token rejected'), refused.join('\n'));
    assert.ok(!refused.some((label) => label.includes('Anyway')), refused.join('\n'));
    assert.equal(await currentActivation().context.secrets.get(`credential.${id}`), stored);
    assert.ok((await tokenLabels()).length > 0);

    await person.accepts(FORM, 'Access token: entered');
    assert.equal(await person.reads(SIGN_IN), 'mistyped');
    await person.types(SIGN_IN, tokenOf(service, 'analyst'));
    await person.offered(FORM, 'This connection will sign in as analyst, not admin');
    await person.picks(FORM, SAVE);
    await corrected;
    assert.equal((await secretOf(id)).token, tokenOf(service, 'analyst'));
    assert.equal(await shownUser(NAME), 'analyst');
    await removeConnections(person);
  });

  test('of another user make the tree and an open wizard name that user', async () => {
    const wizard = await dryRun(NAME, 'dataset/operation');
    assert.equal(wizard.view.connection.actor, 'admin');
    const signedIn = vscode.commands.executeCommand(COMMANDS.connectionSignIn, (await rowAt(NAME)).node);
    await person.types(SIGN_IN, tokenOf(service, 'operator'));
    await person.offered(FORM, 'This connection will sign in as operator, not admin');
    await person.picks(FORM, SAVE);
    await signedIn;
    await until('the wizard to name the user', () => wizard.view.connection.actor === 'operator');
    assert.equal(await shownUser(NAME), 'operator');
    await calm(service);
    await rowsBelow(await rowAt(NAME, TOKENS));
    await refresh(await rowAt(NAME, TOKENS));
    const [listing] = await requestsWith(service, 'listAccessTokens');
    assert.equal(listing?.headers['x-datahub-actor'], 'urn:li:corpuser:operator');
    wizard.close();
    await removeConnections(person);
  });

  test('removing a connection asks, and leaves nothing of it but the secret of one in another profile', async () => {
    await rowsBelow(await rowAt(NAME, TOKENS));
    const { context } = currentActivation();
    const storedFor = async (): Promise<string[]> => {
      const files = await readdir(context.globalStorageUri.fsPath, { recursive: true });
      const mementos = [context.globalState, context.workspaceState].flatMap((memento) => memento.keys());
      return [...files, ...mementos].filter((name) => name.includes(id));
    };
    const asked = /^Remove the connection "CredentialStore"\?$/;
    const { detail } = await person.runs(COMMANDS.connectionRemove, await rowAt(NAME), asked);
    assert.match(detail, /token stays valid on the server until it's revoked/);
    assert.ok((await storedFor()).length > 2);
    const elsewhere = `credential.${crypto.randomUUID()}`;
    await context.secrets.store(elsewhere, '{}');
    await removeConnections(person);
    assert.deepEqual(await keys(), [elsewhere]);
    assert.deepEqual(await storedFor(), []);
    await context.secrets.delete(elsewhere);
  });

  test('signing out and in in another window updates a row that stays expanded', async () => {
    const { secrets } = currentActivation().context;
    // VS Code expands rows of a visible view itself.
    await vscode.commands.executeCommand('workbench.action.closeSidebar');
    await secrets.delete(`credential.${id}`);
    // Expanded once: a row without known contents looks like one that is signed in.
    await rowsBelow(await rowAt(NAME));
    await untilRowIs('connection;signedOut');
    await secrets.store(`credential.${id}`, record(id, token, service.url));
    await untilRowIs('connection;signedIn;rotatable');
    await secrets.delete(`credential.${id}`);
    await untilRowIs('connection;signedOut');
    await vscode.commands.executeCommand(`${VIEWS.explorer}.focus`);
  });

  test("a wizard that can't watch its truncation without a sign-in offers one, and then counts at once", async () => {
    await callService(service, 'setPacing', { held: true });
    await rowsBelow(await rowAt(NAME, INDICES));
    const wizard = await dryRun(NAME, 'dataset/operation');
    await confirm(person, wizard, 'dataset/operation');
    await until('the task to run', () => wizard.view.outcome?.headline.startsWith('Deleting') === true);
    await currentActivation().context.secrets.delete(`credential.${id}`);
    await untilRowIs('connection;signedOut');
    wizard.says({ type: 'checkTask' });
    await until('the offer', () => wizard.view.outcome?.isSignedOut === true);
    assert.match(wizard.view.outcome?.headline ?? '', /requires an access token/);

    wizard.says({ type: 'signIn' });
    await person.types(SIGN_IN, token);
    await until('the task to be watched again', () => wizard.view.outcome?.headline.startsWith('Deleting') === true);
    assert.equal(wizard.view.outcome?.isSignedOut, undefined);
    wizard.close();
    await callService(service, 'setPacing', { held: false });
    await callService(service, 'restoreRows');
    await removeConnections(person);
  });

  /** Reads this row only, and none below it. */
  async function untilRowIs(contextValue: string): Promise<void> {
    await until(`the row to be ${contextValue}`, async () => (await rowAt(NAME)).item.contextValue === contextValue);
  }

  async function tokenLabels(): Promise<string[]> {
    const list = await findRow([NAME, TOKENS]);
    return list === undefined ? [] : (await tokenRowsBelow(list)).map(({ label }) => label);
  }
});

/** The stored form of a credential for the last sign-in of a connection, or one after its last sign-out. */
function record(connectionId: string, token: unknown, origin: string): string {
  const connection = currentActivation().store.get(connectionId);
  const storedAt = connection?.signIn?.storedAt ?? Math.max(Date.now(), (connection?.signedOutAt ?? 0) + 1);
  return JSON.stringify({ token, origin, storedAt });
}

async function keys(): Promise<string[]> {
  return currentActivation().context.secrets.keys();
}
