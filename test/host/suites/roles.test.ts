import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { COMMANDS } from '../../../src/manifest.ts';
import { callService, hostService } from '../context.ts';
import { asAnotherWindow, chooseRoleElsewhere } from './support/anotherWindow.ts';
import {
  ADDRESS,
  ANYWAY,
  ROLE,
  SAVE,
  TOKEN,
  VERDICT,
  addConnection,
  changeName,
  comeToSummary,
  connectionAs,
  leaveNothing,
} from './support/connections.ts';
import { activated, currentActivation } from './support/extension.ts';
import { Person } from './support/person.ts';
import { calm, requestsWith } from './support/requests.ts';
import { TOKENS, issueToken, recordOf, revocationsSettled } from './support/tokens.ts';
import { refresh, rowAt, rowsBelow } from './support/tree.ts';
import { until } from './support/until.ts';
import { dryRun, executionsOf, pressDelete } from './support/truncations.ts';

const SERVER = 'Main';
const INDEX = 'dataset/operation';
const TYPE_NAME = /This is a production connection\. Type Main to confirm/;
const TYPE_BOTH = /This is a production connection\. Type Main dataset\/operation to confirm/;
const REFUSED = /This connection is read-only\. Nothing was sent\./;

suite('The role of a connection', () => {
  const service = hostService();
  const person = new Person();
  suiteSetup(async () => {
    person.arrive();
    await activated();
  });
  setup(async () => {
    await calm(service);
    await callService(service, 'restoreRows');
    await revocationsSettled(service);
  });
  teardown(() => leaveNothing(person));
  suiteTeardown(() => person.depart());

  test('is suggested when a connection is added, with the reason, and is chosen by the user alone', async () => {
    const added = vscode.commands.executeCommand(COMMANDS.connectionAdd);
    await comeToSummary(person, connectionAs(service, 'admin', SERVER));
    await changeName(person, 'Live');
    assert.deepEqual(await roleLine(), ['Role: Production', 'suggested by "live" · Change…']);
    await person.picks(VERDICT, 'Role: Production');
    assert.deepEqual(await described(), { Development: '', Production: 'suggested by "live"', 'Read-only': '' });
    await person.goesBack(ROLE);
    await changeName(person, SERVER);
    const [role, mark] = await roleLine();
    assert.equal(role, 'Role: Development');
    assert.match(mark ?? '', /^suggested by "(?:localhost|127\.0\.0\.1)" · Change…$/);
    await person.picks(VERDICT, 'Role: Development');
    const { Development: reason } = await described();
    assert.match(reason ?? '', /^suggested by "(?:localhost|127\.0\.0\.1)"$/);
    await person.picks(ROLE, 'Production');
    assert.deepEqual(await roleLine(), ['Role: Production', 'Change…']);
    await person.picks(VERDICT, SAVE);
    await added;
    assert.equal(roleOf(), 'production');
    assert.match((await rowAt(SERVER)).description ?? '', /^production · admin/);
  });

  test('gets stricter at once, laxer only after a question with the connection and what becomes possible', async () => {
    await add('Development');
    assert.equal((await rowAt(SERVER)).description, 'admin');
    await set('Production');
    await set('Read-only');
    assert.equal((await rowAt(SERVER)).description, 'read-only · admin');

    const stayed = vscode.commands.executeCommand(COMMANDS.connectionSetRole, (await rowAt(SERVER)).node);
    assert.equal((await described())['Read-only'], 'current');
    await person.picks(ROLE, 'Development');
    const { detail } = await person.answers(/^Change the role of "Main" to Development\?$/);
    assert.match(detail, /Tokens can then be created and revoked, and indices truncated/);
    assert.match(detail, /no longer have to type the connection's name/);
    await person.leaves(ROLE);
    await stayed;
    assert.equal(roleOf(), 'readOnly');

    await set('Production', 'Change Role');
    assert.equal(roleOf(), 'production');
  });

  test('requires another question if it got stricter in another window while one was open', async () => {
    const id = await add('Production');
    const changed = vscode.commands.executeCommand(COMMANDS.connectionSetRole, (await rowAt(SERVER)).node);
    await person.picks(ROLE, 'Development');
    const question = /^Change the role of "Main" to Development\?$/;
    await person.isAsked(question);
    await chooseRoleElsewhere(currentActivation().context, id, 'readOnly');
    await person.answers(question, 'Change Role');
    const { detail } = await person.answers(question);
    assert.match(detail, /Tokens can then be created and revoked, and indices truncated/);
    await person.leaves(ROLE);
    await changed;
    assert.match((await rowAt(SERVER)).description ?? '', /^read-only/);
  });

  test('is asked again in Edit Connection for another address, and never gets laxer without the question', async () => {
    await add('Production');
    const edited = vscode.commands.executeCommand(COMMANDS.connectionEdit, (await rowAt(SERVER)).node);
    await person.filters(ADDRESS, `${service.url}/`);
    await person.picks(ADDRESS, service.url);
    await person.types(TOKEN, '');
    await person.picks(VERDICT, 'Role: Production');
    assert.equal((await described())['Production'], 'current');
    await person.goesBack(ROLE);
    await person.goesBack(VERDICT);
    await person.goesBack(TOKEN);
    await person.filters(ADDRESS, `${service.url}/settings/elsewhere`);
    await person.tries(ADDRESS, 'Use the address as typed', ANYWAY);
    await person.picks(ADDRESS, ANYWAY);
    await person.types(TOKEN, '');
    assert.deepEqual(await roleLine(), ['Role: Production', 'Change…'], 'the suggestion is laxer');
    await person.picks(VERDICT, 'Role: Production');
    assert.ok(!Object.values(await described()).includes('current'));
    await person.picks(ROLE, 'Development');
    await person.answers(/^Change the role of "Main" to Development\?$/);
    await person.goesBack(ROLE);
    await person.picks(VERDICT, 'Save Anyway');
    await edited;
    assert.equal(roleOf(), 'production');
  });

  test('production: a truncation needs connection and index typed in one text, and a question that says production', async () => {
    await add('Production');
    const wizard = await dryRun(SERVER, INDEX);
    await pressDelete(wizard);
    for (const text of [INDEX, SERVER, `main ${INDEX}`, `${INDEX} ${SERVER}`]) {
      assert.match(await person.triesToType(TYPE_BOTH, text), /Doesn't match\. Type Main dataset\/operation\./, text);
    }
    await person.leaves(TYPE_BOTH);
    await pressDelete(wizard);
    await person.types(TYPE_BOTH, `${SERVER}  ${INDEX} `);
    const { detail } = await person.answers(/^Delete [\d,]+ rows from dataset\/operation\?$/);
    assert.ok(detail.startsWith(`Production connection: ${SERVER} (${service.url})`), detail);
    await wizard.settled();
    wizard.close();
    assert.deepEqual(await executionsOf(service, INDEX), []);
  });

  test('production: revoking one token names it, revoking several requires typing the name too', async () => {
    await add('Production');
    const [first, second] = [await tokenRow('first of two'), await tokenRow('second of two')];
    const stayed = vscode.commands.executeCommand(COMMANDS.tokenRevoke, first.node);
    const { detail } = await person.answers(/^Revoke the access token "first of two"\?$/);
    assert.ok(detail.startsWith(`Production connection: ${SERVER} (${service.url})`), detail);
    await stayed;
    const left = vscode.commands.executeCommand(COMMANDS.tokenRevoke, first.node, [first.node, second.node]);
    await person.leaves(TYPE_NAME);
    await left;
    assert.deepEqual(await requestsWith(service, 'revokeAccessToken'), []);
    const revoked = vscode.commands.executeCommand(COMMANDS.tokenRevoke, first.node, [first.node, second.node]);
    await person.types(TYPE_NAME, SERVER);
    await person.answers(/^Revoke 2 access tokens\?$/, 'Revoke 2 Tokens');
    await revoked;
    assert.equal(await recordOf(service, 'second of two'), undefined);
  });

  test('read-only: commands that change something refuse before they ask, from the tree and the palette', async () => {
    await add('Development');
    const row = await tokenRow('stays');
    await set('Read-only');
    await calm(service);
    for (const [command, ...clicked] of [
      [COMMANDS.tokenCreate],
      [COMMANDS.tokenCreate, (await rowAt(SERVER, TOKENS)).node],
      [COMMANDS.tokenRevoke],
      [COMMANDS.tokenRevoke, row.node],
      [COMMANDS.tokenRotate],
      [COMMANDS.tokenRotate, row.node],
    ] as const) {
      await vscode.commands.executeCommand(command, ...clicked);
      await person.seesNotification(REFUSED);
      person.assertNothingOpen();
    }
    const sent = await callService(service, 'requests');
    assert.deepEqual(
      sent.filter(({ body }) => /mutation/.test(body)),
      [],
    );
    assert.ok(await recordOf(service, 'stays'));
    assert.match((await rowAt(SERVER, TOKENS)).item.contextValue ?? '', /\breadOnly\b/);
    assert.match((await rowAt(SERVER, TOKENS, 'stays')).item.contextValue ?? '', /\breadOnly\b/);
  });

  test('read-only: a dry run is shown, with the reason why nothing more is offered', async () => {
    await add('Read-only');
    const wizard = await dryRun(SERVER, INDEX);
    assert.ok(((await wizard.report()).rowsToDelete ?? 0) > 0);
    assert.equal(wizard.view.primary.enabled, false);
    assert.match(wizard.view.primary.reason ?? '', /read-only/);
    await wizard.settled();
    wizard.close();
    assert.deepEqual(await executionsOf(service, INDEX), []);
  });

  test('read-only in another window: a truncation confirmed here meanwhile is not sent', async () => {
    const id = await add('Development');
    const wizard = await dryRun(SERVER, INDEX);
    await pressDelete(wizard);
    await person.types(/Type dataset\/operation to confirm/, INDEX);
    await chooseRoleElsewhere(currentActivation().context, id, 'readOnly');
    await person.answers(/^Delete [\d,]+ rows from dataset\/operation\?$/, /^Delete/);
    const outdated = await until('an outdated report', () => wizard.view.report?.outdated);
    assert.equal(outdated, "Nothing was deleted: the connection's role has changed since the dry run.");
    assert.deepEqual([wizard.view.primary.intent, wizard.view.failure], ['dryRun', undefined]);
    await wizard.settled();
    wizard.close();
    assert.deepEqual(await executionsOf(service, INDEX), []);
    // Without an event, this window notices at the next command.
    await vscode.commands.executeCommand(COMMANDS.tokenCreate);
    await person.seesNotification(REFUSED);
  });

  test('stays if another window writes an older value back', async () => {
    const id = await add('Development');
    const { context } = currentActivation();
    const before = context.globalState.get<object>(`connection.${id}`);
    const copyBefore = context.globalState.get<object>(`role.${id}`);
    await set('Read-only');
    const globalState = asAnotherWindow(context);
    await globalState.update(`connection.${id}`, before);
    await globalState.update(`role.${id}`, copyBefore);
    await vscode.commands.executeCommand(COMMANDS.tokenCreate);
    await person.seesNotification(REFUSED);
    assert.match((await rowAt(SERVER)).description ?? '', /^read-only/);
    await set('Development', 'Change Role');
    assert.equal((await rowAt(SERVER)).description, 'admin');
  });

  test('production in another window: revoking several requires the name, also in an open question', async () => {
    const id = await add('Development');
    const [first, second] = [await tokenRow('one of both'), await tokenRow('other of both')];
    const revoked = vscode.commands.executeCommand(COMMANDS.tokenRevoke, first.node, [first.node, second.node]);
    const question = /^Revoke 2 access tokens\?$/;
    await person.isAsked(question);
    await chooseRoleElsewhere(currentActivation().context, id, 'production');
    await person.answers(question, 'Revoke 2 Tokens');
    await person.leaves(TYPE_NAME);
    await revoked;
    const again = vscode.commands.executeCommand(COMMANDS.tokenRevoke, first.node, [first.node, second.node]);
    await person.leaves(TYPE_NAME);
    await again;
    assert.deepEqual(await requestsWith(service, 'revokeAccessToken'), []);
  });

  test('gives other extensions no way to act, because they only get connections', async () => {
    await add('Read-only');
    const { api } = await activated();
    assert.deepEqual(Object.keys(api.connections()[0] ?? {}).toSorted(), ['actorUrn', 'baseUrl', 'id', 'name']);
    assert.deepEqual(
      Object.entries(api)
        .filter(
          ([name, value]) => typeof value === 'function' && !/^(?:connections|onDidChangeConnections)$/.test(name),
        )
        .map(([name]) => name),
      [],
    );
  });

  function add(role: string): Promise<string> {
    return addConnection(person, { ...connectionAs(service, 'admin', SERVER), role });
  }

  /** @param button answers the question whether it may get laxer; if undefined, there must be no question */
  async function set(role: string, button?: string): Promise<void> {
    const changed = vscode.commands.executeCommand(COMMANDS.connectionSetRole, (await rowAt(SERVER)).node);
    await person.picks(ROLE, role);
    if (button !== undefined) {
      await person.answers(/^Change the role of "Main"/, button);
    }
    await changed;
    person.assertNothingOpen();
  }

  /** Label and description of the role in the summary. */
  async function roleLine(): Promise<(string | undefined)[]> {
    const offered = await person.offered(VERDICT, /Role: /);
    return offered.flatMap(({ label, description }) =>
      label.includes('Role: ') ? [label.replace(/^\S+ /, ''), description] : [],
    );
  }

  /** Descriptions of the offered roles, by their labels. */
  async function described(): Promise<Readonly<Record<string, string>>> {
    const offered = await person.offered(ROLE, 'Production');
    return Object.fromEntries(offered.map(({ label, description }) => [label, description ?? '']));
  }

  async function tokenRow(name: string): Promise<Awaited<ReturnType<typeof rowAt>>> {
    await issueToken(service, { name });
    await refresh(await rowAt(SERVER, TOKENS));
    await rowsBelow(await rowAt(SERVER, TOKENS));
    return rowAt(SERVER, TOKENS, name);
  }
});

/** Stored role of the only connection. */
function roleOf(): unknown {
  const { context } = currentActivation();
  const stored = context.globalState
    .keys()
    .filter((key) => key.startsWith('connection.'))
    .flatMap((key) => context.globalState.get<{ readonly name: string; readonly role?: string }>(key) ?? []);
  return stored.find(({ name }) => name === SERVER)?.role;
}
