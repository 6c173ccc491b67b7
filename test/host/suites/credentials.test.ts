import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import * as vscode from 'vscode';
import { COMMANDS, VIEWS } from '../../../src/manifest.ts';
import type { LoggedRequest } from '../../service/requestLog.ts';
import { callService, hostService } from '../context.ts';
import { leadElsewhere, signOutElsewhere } from './support/anotherWindow.ts';
import {
  ADDRESS,
  TOKEN,
  FORM,
  SAVE,
  addConnection,
  connectionAs,
  removeConnections,
  saveConnection,
  tokenOf,
} from './support/connections.ts';
import { activated, currentActivation, reloadExtension } from './support/extension.ts';
import { Person } from './support/person.ts';
import { calm, requestsWith } from './support/requests.ts';
import {
  findRow,
  onlyFailureOf,
  refresh,
  rowAt,
  rowsBelow,
  shownUser,
  textOf,
  tokenRowsBelow,
  tooltipOf,
} from './support/tree.ts';
import { INDICES, confirm, dryRun } from './support/truncations.ts';
import { until } from './support/until.ts';

/** Enough time to sign in on a busy machine before a response, in ms. */
const LATE_MILLIS = 1_500;

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
      .api.connections()
      .find(({ name, baseUrl }) => name === 'CredentialStore' && baseUrl === service.url);
    if (found === undefined) {
      await removeConnections(person);
    }
    id = found?.id ?? (await saveConnection(connectionAs(service, 'admin', 'CredentialStore')));
    await currentActivation().context.secrets.store(`credential.${id}`, record(id, token, service.url));
    await Promise.all([calm(service), calm(other)]);
  });
  teardown(() => person.assertNothingOpen());
  suiteTeardown(async () => {
    await removeConnections(person);
    person.depart();
  });

  test('are a token and its origin under one key for each connection, and are nowhere else', async () => {
    await removeConnections(person);
    id = await saveConnection(connectionAs(service, 'admin', 'CredentialStore'));
    const second = await saveConnection(connectionAs(service, 'analyst', 'CredentialStore 2'));
    const { context, api } = currentActivation();
    assert.deepEqual(
      (await context.secrets.keys()).toSorted(),
      [`credential.${id}`, `credential.${second}`].toSorted(),
    );
    const kept = JSON.parse((await context.secrets.get(`credential.${id}`)) ?? '') as { token: string; origin: string };
    assert.deepEqual([kept.token, kept.origin], [token, service.url]);
    const rows = (await rowsBelow()).map(({ item }) => item);
    const elsewhere = JSON.stringify([
      stateOf(context.globalState),
      stateOf(context.workspaceState),
      api.connections(),
      rows,
    ]);
    assert.match(elsewhere, /CredentialStore 2/);
    assert.ok(!elsewhere.includes(token));
  });

  test('are not stored without a token, and requests have none', async () => {
    const guest = await addConnection(person, { ...connectionAs(service, 'admin', 'No token'), token: '' });
    assert.ok(!(await keys()).includes(`credential.${guest}`));
    await calm(service);
    assert.match((await onlyFailureOf('No token')).label, /^Sign-in required/);
    assertCarryNothing(await callService(service, 'requests'));
  });

  test('are deleted after the address was changed to another origin, which does not receive the token', async () => {
    const edited = vscode.commands.executeCommand(COMMANDS.connectionEdit, (await rowAt('CredentialStore')).node);
    await person.picks(FORM, /Address: /);
    await person.filters(ADDRESS, other.url);
    await person.picks(ADDRESS, other.url);
    await person.types(TOKEN, '');
    await person.picks(FORM, 'Save Without a Token');
    await edited;
    await rowsBelow(await rowAt('CredentialStore', 'Access tokens'));
    await rowsBelow(await rowAt('CredentialStore', 'Time series indices'));
    assertCarryNothing(await callService(other, 'requests'));
    assert.ok(!(await keys()).includes(`credential.${id}`));
  });

  test('of another origin are ignored, even in the storage of the connection', async () => {
    await currentActivation().context.secrets.store(`credential.${id}`, record(id, token, other.url));
    await reloadExtension();
    await rowsBelow(await rowAt('CredentialStore', 'Access tokens'));
    await rowsBelow(await rowAt('CredentialStore', 'Time series indices'));
    assertCarryNothing(await callService(service, 'requests'));
    await until('the row to say so', async () => (await rowAt('CredentialStore')).description === 'signed out');
    assert.match(
      textOf(await tooltipOf(await rowAt('CredentialStore'))),
      /signed out/,
      'a narrow side bar has no room for it',
    );
  });

  test('with a damaged record mean a signed-out connection, not a failure of the extension', async () => {
    const records = {
      empty: '',
      'no JSON': '{',
      'an empty token': record(id, '', service.url),
      'a number': record(id, 42, service.url),
    };
    for (const [what, damaged] of Object.entries(records)) {
      // VS Code must announce the change of a loaded credential.
      await until('the tokens to be there', async () => (await tokenLabels()).length > 0);
      await until('the indices', () => findRow(['CredentialStore', INDICES, 'dataset']));
      await calm(service);
      await currentActivation().context.secrets.store(`credential.${id}`, damaged);
      const failure = await until(`a signed-out row (${what})`, () =>
        findRow(['CredentialStore', /^Sign-in required/]),
      );
      assert.equal(failure.item.command?.command, COMMANDS.connectionSignIn);
      assertCarryNothing(await callService(service, 'requests'));
      await currentActivation().context.secrets.store(`credential.${id}`, record(id, token, service.url));
    }
    await until('the tokens to be back', async () => (await tokenLabels()).length > 0);
  });

  test('a mistyped token does not replace a good one, because it is tested first', async () => {
    const stored = (await currentActivation().context.secrets.get(`credential.${id}`)) ?? assert.fail();
    const left = vscode.commands.executeCommand(COMMANDS.connectionSignIn, (await rowAt('CredentialStore')).node);
    assert.match(await person.triesToType(SIGN_IN, '  '), /Enter an access token/);
    await person.types(SIGN_IN, 'mistyped');
    const found = (await person.offered(FORM, 'Try Again')).map(({ label }) => label);
    assert.ok(found.includes('$(error) Token rejected (401)'), found.join('\n'));
    assert.ok(!found.some((label) => label.includes('Anyway')), found.join('\n'));
    await person.leaves(FORM);
    await left;
    assert.equal(await currentActivation().context.secrets.get(`credential.${id}`), stored);
    assert.ok((await tokenLabels()).length > 0);
  });

  test('a mistyped token can be corrected', async () => {
    const corrected = vscode.commands.executeCommand(COMMANDS.connectionSignIn, (await rowAt('CredentialStore')).node);
    await person.types(SIGN_IN, 'mistyped');
    await person.accepts(FORM, 'Access token: entered');
    assert.equal(await person.reads(SIGN_IN), 'mistyped');
    await person.types(SIGN_IN, tokenOf(service, 'analyst'));
    const found = (await person.offered(FORM, SAVE)).map(({ label }) => label);
    assert.ok(found.includes('$(warning) This connection will sign in as analyst, not admin'), found.join('\n'));
    await person.picks(FORM, SAVE);
    await corrected;
    assert.equal(await keptToken(), tokenOf(service, 'analyst'));
    assert.equal(await shownUser('CredentialStore'), 'analyst');
    await removeConnections(person);
  });

  test('of another user make the tree and an open wizard name that user', async () => {
    const wizard = await dryRun('CredentialStore', 'dataset/operation');
    assert.equal(wizard.view.connection.actor, 'admin');
    const signedIn = vscode.commands.executeCommand(COMMANDS.connectionSignIn, (await rowAt('CredentialStore')).node);
    await person.types(SIGN_IN, tokenOf(service, 'operator'));
    await person.offered(FORM, 'This connection will sign in as operator, not admin');
    await person.picks(FORM, SAVE);
    await signedIn;
    await until('the wizard to name the user', () => wizard.view.connection.actor === 'operator');
    assert.equal(await shownUser('CredentialStore'), 'operator');
    await calm(service);
    await rowsBelow(await rowAt('CredentialStore', 'Access tokens'));
    await refresh(await rowAt('CredentialStore', 'Access tokens'));
    const [listing] = await requestsWith(service, 'listAccessTokens');
    assert.equal(listing?.headers['x-datahub-actor'], 'urn:li:corpuser:operator');
    wizard.close();
    await removeConnections(person);
  });

  test('a response to the previous token that arrives after signing in has no effect', async () => {
    const { context } = currentActivation();
    await until('the tokens to be there', async () => (await tokenLabels()).length > 0);
    const own = await tokenLabels();
    await context.secrets.store(`credential.${id}`, record(id, tokenOf(service, 'analyst'), service.url));
    await until("another user's tokens", async () => (await tokenLabels()).join() !== own.join());
    await calm(service);
    for (const match of ['listAccessTokens', 'getIndexSizes']) {
      await callService(service, 'addFault', { fault: { kind: 'latency', millis: LATE_MILLIS }, match });
    }
    const refreshed = refresh(await rowAt('CredentialStore'));
    const late = await until('both questions with the token before', async () => {
      const asked = await Promise.all(['listAccessTokens', 'getIndexSizes'].map((text) => requestsWith(service, text)));
      return asked.every((requests) => requests.length === 1) && Date.now();
    });
    const signedIn = vscode.commands.executeCommand(COMMANDS.connectionSignIn, (await rowAt('CredentialStore')).node);
    await person.types(SIGN_IN, token);
    await person.offered(FORM, 'This connection will sign in as admin, not analyst');
    await person.picks(FORM, SAVE);
    await signedIn;
    assert.deepEqual(await tokenLabels(), own);
    await refreshed;
    await until('the late answers to be sent', () => Date.now() > late + 2 * LATE_MILLIS);
    assert.deepEqual(await tokenLabels(), own);
    assert.equal(await findRow(['CredentialStore', 'Time series indices', /privilege|rejected|allowed/i]), undefined);
  });

  test('a token is not saved if its connection was edited while the user typed it', async () => {
    const signedIn = vscode.commands.executeCommand(COMMANDS.connectionSignIn, (await rowAt('CredentialStore')).node);
    await person.types(SIGN_IN, tokenOf(service, 'analyst'));
    await person.offered(FORM, 'This connection will sign in as analyst, not admin');
    await leadElsewhere(id, other.url);
    await calm(other);
    await person.picks(FORM, SAVE);
    await signedIn;
    await person.seesNotification(/was changed in the meantime/);
    assert.equal(await keptToken(), token);
    assert.ok(!JSON.stringify(await callService(other, 'requests')).includes(tokenOf(service, 'analyst')));
    await leadElsewhere(id, service.url);
  });

  test('signing out asks, deletes the key, and requests no longer have the token', async () => {
    await rowsBelow(await rowAt('CredentialStore', 'Access tokens'));
    const stayed = vscode.commands.executeCommand(COMMANDS.connectionSignOut, (await rowAt('CredentialStore')).node);
    await person.answers(/^Sign out of "CredentialStore"\?$/);
    await stayed;
    assert.ok((await keys()).includes(`credential.${id}`));

    const signedOut = vscode.commands.executeCommand(COMMANDS.connectionSignOut, (await rowAt('CredentialStore')).node);
    await person.answers(/^Sign out of "CredentialStore"\?$/, 'Sign Out');
    await signedOut;
    assert.ok(!(await keys()).includes(`credential.${id}`));
    await calm(service);
    await rowsBelow(await rowAt('CredentialStore', 'Access tokens'));
    await refresh(await rowAt('CredentialStore'));
    const sent = await callService(service, 'requests');
    assert.ok(sent.length > 0);
    assertCarryNothing(sent);
    assert.equal((await rowAt('CredentialStore')).item.contextValue, 'connection;signedOut');
  });

  test('removing a connection leaves nothing of it, and keeps the secret of a connection in another profile', async () => {
    await rowsBelow(await rowAt('CredentialStore', 'Access tokens'));
    const { context } = currentActivation();
    const storedFor = async (): Promise<string[]> => {
      const files = await readdir(context.globalStorageUri.fsPath, { recursive: true });
      const mementos = [context.globalState, context.workspaceState].flatMap((memento) => memento.keys());
      return [...files, ...mementos].filter((name) => name.includes(id));
    };
    assert.ok((await storedFor()).length > 2);
    const elsewhere = `credential.${crypto.randomUUID()}`;
    await context.secrets.store(elsewhere, '{}');
    await removeConnections(person);
    assert.deepEqual(await keys(), [elsewhere]);
    assert.deepEqual(await storedFor(), []);
    await context.secrets.delete(elsewhere);
  });

  test('a credential that another window changed appears here', async () => {
    const { secrets } = currentActivation().context;
    const own = await tokenLabels();
    await secrets.store(`credential.${id}`, record(id, tokenOf(service, 'analyst'), service.url));
    const others = await until('the tokens of the other user', async () => {
      const labels = await tokenLabels();
      return labels.length > 0 && labels.join() !== own.join() && labels;
    });
    const analysts = (await callService(service, 'tokens')).filter(({ ownerUrn }) => ownerUrn.endsWith(':analyst'));
    assert.deepEqual(others.toSorted(), analysts.map(({ name }) => name).toSorted());

    await secrets.delete(`credential.${id}`);
    await until('the row to be signed out', async () => {
      await tokenLabels();
      return (await rowAt('CredentialStore')).description === 'signed out';
    });
  });

  test('signing out and in in another window updates a row that stays expanded', async () => {
    const { secrets } = currentActivation().context;
    // VS Code expands rows of a visible view itself.
    await vscode.commands.executeCommand('workbench.action.closeSidebar');
    await secrets.delete(`credential.${id}`);
    // Expanded once: a row without known contents looks like one that is signed in.
    await rowsBelow(await rowAt('CredentialStore'));
    await untilRowIs('connection;signedOut');
    await secrets.store(`credential.${id}`, record(id, token, service.url));
    await untilRowIs('connection;signedIn');
    await secrets.delete(`credential.${id}`);
    await untilRowIs('connection;signedOut');
    await vscode.commands.executeCommand(`${VIEWS.explorer}.focus`);
  });

  test('signing out in another window is noticed at a refresh if VS Code does not report it', async () => {
    // VS Code reports the setup's sign-in late, and a window that opened after it loads its lists once.
    await reloadExtension();
    for (const list of ['Access tokens', INDICES]) await rowsBelow(await rowAt('CredentialStore', list));
    await untilRowIs('connection;signedIn');
    await calm(service);
    await signOutElsewhere(id);
    await refresh(await rowAt('CredentialStore'));
    await untilRowIs('connection;signedOut');
    assertCarryNothing(await callService(service, 'requests'));
    await removeConnections(person);
  });

  test('a wizard whose request is not signed in any more offers to sign in, for its own connection', async () => {
    const unrelated = await saveConnection(connectionAs(other, 'admin', 'Unrelated'));
    await rowsBelow(await rowAt('CredentialStore', INDICES));
    const wizard = await dryRun('CredentialStore', 'dataset/operation');
    await wizard.report();
    assert.equal(wizard.view.failure, undefined);
    await currentActivation().context.secrets.delete(`credential.${id}`);
    await untilRowIs('connection;signedOut');
    wizard.says({ type: 'dryRun' });
    const failure = await wizard.failure();
    assert.equal(failure.isSignedOut, true, JSON.stringify(failure));
    wizard.says({ type: 'signIn' });
    await person.types(SIGN_IN, token);
    await until('the failure to be gone', () => wizard.view.failure === undefined);
    await untilRowIs('connection;signedIn');
    wizard.says({ type: 'dryRun' });
    await wizard.report();
    wizard.close();
    assert.equal(await keptToken(), token);
    await currentActivation().context.secrets.delete(`credential.${unrelated}`);
    await removeConnections(person);
  });

  test("a wizard that can't watch its truncation without a sign-in offers one, and then counts at once", async () => {
    await callService(service, 'setPacing', { held: true });
    await rowsBelow(await rowAt('CredentialStore', INDICES));
    const wizard = await dryRun('CredentialStore', 'dataset/operation');
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

  test('a credential from before the last sign-out is ignored, even if a window that slept restores it', async () => {
    const { secrets } = currentActivation().context;
    const before = (await secrets.get(`credential.${id}`)) ?? assert.fail();
    const signedOut = vscode.commands.executeCommand(COMMANDS.connectionSignOut, (await rowAt('CredentialStore')).node);
    await person.answers(/^Sign out of "CredentialStore"\?$/, 'Sign Out');
    await signedOut;
    await secrets.store(`credential.${id}`, before);
    await reloadExtension();
    await calm(service);
    await rowsBelow(await rowAt('CredentialStore', 'Access tokens'));
    assertCarryNothing(await callService(service, 'requests'));
  });

  test('a failing secret storage is reported in the tree, with the next step', async () => {
    const { context } = currentActivation();
    const broken = { get: () => Promise.reject(new Error(`keychain: ${token}`)) };
    await reloadExtension({ secrets: Object.setPrototypeOf(broken, context.secrets) as vscode.SecretStorage });
    try {
      const failure = await onlyFailureOf('CredentialStore');
      assert.deepEqual([failure.label, failure.description], ['Storage error', 'Try again']);
      assert.match(textOf(await tooltipOf(failure)), /keychain|sign in again/);
      const spoken = failure.item.accessibilityInformation?.label ?? '';
      assert.match(spoken, /Couldn't read the access token from VS Code secret storage/);
      assert.ok(!JSON.stringify([failure.label, failure.description, spoken]).includes(token));
      assert.deepEqual(await requestsWith(service, 'listAccessTokens'), []);
    } finally {
      await reloadExtension();
    }
  });

  /** Reads this row only, and none below it. */
  async function untilRowIs(contextValue: string): Promise<void> {
    await until(
      `the row to be ${contextValue}`,
      async () => (await rowAt('CredentialStore')).item.contextValue === contextValue,
    );
  }

  async function keptToken(): Promise<string> {
    return (JSON.parse((await currentActivation().context.secrets.get(`credential.${id}`)) ?? '') as { token: string })
      .token;
  }

  async function tokenLabels(): Promise<string[]> {
    const list = await findRow(['CredentialStore', 'Access tokens']);
    return list === undefined ? [] : (await tokenRowsBelow(list)).map(({ label }) => label);
  }

  function assertCarryNothing(requests: readonly LoggedRequest[]): void {
    for (const { path, headers, body } of requests) {
      assert.equal(headers.authorization, undefined, `${path} carries a credential`);
      assert.ok(!JSON.stringify([path, headers, body]).includes(token), `${path} carries the token`);
    }
  }
});

/** The stored form of a credential for the last sign-in of a connection, or one after its last sign-out. */
function record(connectionId: string, token: unknown, origin: string): string {
  const connection = currentActivation().api.store?.get(connectionId);
  const storedAt = connection?.signIn?.storedAt ?? Math.max(Date.now(), (connection?.signedOutAt ?? 0) + 1);
  return JSON.stringify({ token, origin, storedAt });
}

async function keys(): Promise<string[]> {
  return currentActivation().context.secrets.keys();
}

function stateOf(memento: vscode.Memento): Record<string, unknown> {
  return Object.fromEntries(memento.keys().map((key) => [key, memento.get(key)]));
}
