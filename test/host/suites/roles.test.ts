import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { COMMANDS } from '../../../src/manifest.ts';
import { callService, hostService } from '../context.ts';
import { ROLE, SAVE, FORM, addConnection, connectionAs } from './support/connections.ts';
import { currentActivation } from './support/extension.ts';
import { personAt } from './support/fixtures.ts';
import { calm } from './support/requests.ts';
import { TOKENS, listedToken, recordOf, revocationsSettled } from './support/tokens.ts';
import { rowAt, shownUser } from './support/tree.ts';

const SERVER = 'Main';
const REFUSED = /This connection is read-only\. Nothing was sent\./;

suite('The role of a connection', () => {
  const service = hostService();
  const person = personAt(service);
  setup(async () => {
    await callService(service, 'restoreRows');
    await revocationsSettled(service);
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

  test('read-only: commands that change something refuse before they ask, from the tree and the palette', async () => {
    await add('Development');
    const { row } = await listedToken(service, SERVER, { name: 'stays' });
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

  /** Descriptions of the offered roles, by their labels. */
  async function described(): Promise<Readonly<Record<string, string>>> {
    const offered = await person.offered(ROLE, 'Production');
    return Object.fromEntries(offered.map(({ label, description }) => [label, description ?? '']));
  }
});

function roleOf(): unknown {
  return currentActivation().store.all()[0]?.role;
}
