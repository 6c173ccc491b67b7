import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { COMMANDS } from '../../../src/manifest.ts';
import { callService, hostService } from '../context.ts';
import { chooseRoleElsewhere } from './support/anotherWindow.ts';
import { ROLE, SAVE, FORM, addConnection, changeName, comeToForm, connectionAs } from './support/connections.ts';
import { currentActivation } from './support/extension.ts';
import { personAt } from './support/fixtures.ts';
import { calm } from './support/requests.ts';
import { TOKENS, issueToken, recordOf, revocationsSettled } from './support/tokens.ts';
import { refresh, rowAt, rowsBelow, shownUser } from './support/tree.ts';
import { dryRun, pressDelete, deletionOf } from './support/truncations.ts';

const SERVER = 'Main';
const INDEX = 'dataset/operation';
const PICKER = /Select a connection/;
const REFUSED = /This connection is read-only\. Nothing was sent\./;

suite('The role of a connection', () => {
  const service = hostService();
  const person = personAt(service);
  setup(async () => {
    await callService(service, 'restoreRows');
    await revocationsSettled(service);
  });

  test('is suggested when a connection is added, with the reason, and is chosen by the user alone', async () => {
    const added = vscode.commands.executeCommand(COMMANDS.connectionAdd);
    await comeToForm(person, connectionAs(service, 'admin', SERVER));
    await changeName(person, 'Live');
    assert.deepEqual(await roleLine(), ['Role: Production', 'suggested by "live" · Change…']);
    await person.picks(FORM, 'Role: Production');
    assert.deepEqual(await described(), { Development: '', Production: 'suggested by "live"', 'Read-only': '' });
    await person.goesBack(ROLE);
    await changeName(person, SERVER);
    const [role, mark] = await roleLine();
    assert.equal(role, 'Role: Development');
    assert.match(mark ?? '', /^suggested by "(?:localhost|127\.0\.0\.1)" · Change…$/);
    await person.picks(FORM, 'Role: Development');
    const { Development: reason } = await described();
    assert.match(reason ?? '', /^suggested by "(?:localhost|127\.0\.0\.1)"$/);
    await person.picks(ROLE, 'Production');
    assert.deepEqual(await roleLine(), ['Role: Production', 'Change…']);
    await person.picks(FORM, SAVE);
    await added;
    assert.equal(roleOf(), 'production');
    assert.match((await rowAt(SERVER)).description ?? '', /^production$/);
  });

  test('gets stricter at once, laxer only after a question with the connection and what becomes possible', async () => {
    await add('Development');
    assert.equal(await shownUser(SERVER), 'admin');
    await set('Production');
    await set('Read-only');
    assert.equal((await rowAt(SERVER)).description, 'read-only');

    const stayed = vscode.commands.executeCommand(COMMANDS.connectionEdit, (await rowAt(SERVER)).node);
    await person.picks(FORM, 'Role: Read-only');
    assert.equal((await described())['Read-only'], 'current');
    await person.picks(ROLE, 'Development');
    await person.picks(FORM, SAVE);
    const { detail } = await person.answers(/^Change the role of "Main" to Development\?$/);
    assert.match(detail, /Tokens can then be created and revoked, and indices truncated/);
    assert.doesNotMatch(detail, /no longer have to type/, 'nothing could be revoked');
    await person.leaves(FORM);
    await stayed;
    assert.equal(roleOf(), 'readOnly');

    await set('Production', 'Change Role');
    assert.equal(roleOf(), 'production');
    const said = await set('Development', 'Change Role');
    assert.match(said ?? '', /no longer have to type the connection's name before revoking several tokens/);
  });

  test('requires another question if it got stricter in another window while one was open', async () => {
    const id = await add('Production');
    const changed = vscode.commands.executeCommand(COMMANDS.connectionEdit, (await rowAt(SERVER)).node);
    await person.picks(FORM, 'Role: Production');
    await person.picks(ROLE, 'Development');
    await person.picks(FORM, SAVE);
    const question = /^Change the role of "Main" to Development\?$/;
    await person.isAsked(question);
    await chooseRoleElsewhere(id, 'readOnly');
    await person.answers(question, 'Change Role');
    const { detail } = await person.answers(question);
    assert.match(detail, /Tokens can then be created and revoked, and indices truncated/);
    await person.leaves(FORM);
    await changed;
    assert.match((await rowAt(SERVER)).description ?? '', /^read-only/);
  });

  test('production: the questions about rows and tokens begin with the connection and its address', async () => {
    await add('Production');
    const wizard = await dryRun(SERVER, INDEX);
    assert.equal(wizard.page.panel.title, 'Truncate dataset/operation (Main · production)');
    await pressDelete(wizard);
    const { title, prompt } = await person.readsBox(deletionOf(INDEX));
    assert.ok(title.endsWith(`from ${SERVER} (${new URL(service.url).host})`), title);
    assert.ok(prompt.endsWith(`Type "${SERVER} ${INDEX}".`), prompt);
    assert.match(await person.triesToType(deletionOf(INDEX), INDEX), /^Doesn't match\. /);
    await person.leaves(deletionOf(INDEX));
    await wizard.settled();
    wizard.close();
    const row = await tokenRow('stays');
    const stayed = vscode.commands.executeCommand(COMMANDS.tokenRevoke, row.node);
    const { detail } = await person.answers(/^Revoke the access token "stays" on ".+"\?$/);
    await stayed;
    assert.ok(detail.startsWith(`Production connection: ${SERVER} (${service.url})`), detail);
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
      [COMMANDS.connectionRotateToken, (await rowAt(SERVER)).node],
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

  test('read-only: stands last where it can only refuse, though it is in use, and is named by the refusal', async () => {
    await addConnection(person, connectionAs(service, 'analyst', 'Other'));
    await add('Read-only');
    const firstOf = async (command: string): Promise<string | undefined> => {
      const run = vscode.commands.executeCommand(command);
      const [first] = await person.offered(PICKER, SERVER);
      await person.leaves(PICKER);
      await run;
      return first?.label;
    };
    for (const command of [
      COMMANDS.tokenCreate,
      COMMANDS.tokenRevoke,
      COMMANDS.tokenRotate,
      COMMANDS.connectionRotateToken,
    ]) {
      assert.equal(await firstOf(command), 'Other', command);
    }
    assert.equal(await firstOf(COMMANDS.tokenFilter), SERVER);
    const refused = vscode.commands.executeCommand(COMMANDS.tokenRevoke);
    await person.picks(PICKER, SERVER);
    await refused;
    await person.seesNotification(/^Main: This connection is read-only/);
  });

  function add(role: string): Promise<string> {
    return addConnection(person, { ...connectionAs(service, 'admin', SERVER), role });
  }

  /**
   * @param button answers the question whether it may get laxer; if undefined, there must be no question
   * @returns what the question says below its first line
   */
  async function set(role: string, button?: string): Promise<string | undefined> {
    const changed = vscode.commands.executeCommand(COMMANDS.connectionEdit, (await rowAt(SERVER)).node);
    await person.picks(FORM, /Role: /);
    await person.picks(ROLE, role);
    await person.picks(FORM, SAVE);
    const question = button === undefined ? undefined : await person.answers(/^Change the role of "Main"/, button);
    await changed;
    person.assertNothingOpen();
    return question?.detail;
  }

  /** Label and description of the role in the summary. */
  async function roleLine(): Promise<(string | undefined)[]> {
    const offered = await person.offered(FORM, /Role: /);
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

/** Role of the only connection. */
function roleOf(): unknown {
  return currentActivation().store.all()[0]?.role;
}
