import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { COMMANDS } from '../../../src/manifest.ts';
import { tokenWith } from '../../unit/connections/tokens.ts';
import { callService, hostService } from '../context.ts';
import { leadElsewhere } from './support/anotherWindow.ts';
import { addConnection, connectionAs, saveConnection, tokenOf } from './support/connections.ts';
import { personAt } from './support/fixtures.ts';
import { calm, requestsWith, variablesOf } from './support/requests.ts';
import { holderOf, issueToken } from './support/tokens.ts';

const PASTE = /Access token to inspect/;
const CLAIMS = /Contents of the access token/;
const ASK = 'Ask a Server…';
const LOOKUP = 'getAccessTokenMetadata';

const tokenOfJdoe = (claims: object): string => tokenWith({ type: 'PERSONAL', actorId: 'jdoe', ...claims });

suite('Inspecting an access token', () => {
  const service = hostService();
  const person = personAt(service);

  test('needs no connection and sends nothing', async () => {
    const valid = await dialogAbout(tokenOfJdoe({ exp: Math.ceil(Date.now() / 1_000) + 3 * 86_400 }));
    assert.match(valid, /Expires in 3 days \(.*\)/);
    assert.match(valid, /Acts as jdoe/);
    assert.match(valid, /Personal access token/);
    assert.match(valid, /The signature isn't checked/);
    assert.match(valid, /Ask a Server…$/);
    const expired = await dialogAbout(tokenOfJdoe({ exp: 1_700_000_000 }));
    assert.match(expired, /Expired .* ago/);
    assert.match(expired, /An expired token isn't sent to a server/);
    assert.ok(!expired.includes(ASK), 'an expired token can be sent');
    const session = await dialogAbout(tokenOfJdoe({ type: 'SESSION' }));
    assert.match(session, /Never expires[^]*Session token[^]*keep records of session tokens/);
    assert.match(
      await dialogAbout(tokenOfJdoe({ actorId: undefined, type: undefined })),
      /No user in the token[^]*No type in the token/,
    );
    assert.deepEqual(await callService(service, 'requests'), []);
  });

  test('refuses what is no token at the field, which hides its text', async () => {
    const inspected = inspect();
    for (const [text, problem] of [
      ['hello', /Not an access token of a metadata service/],
      ['Bearer abc', /without "Bearer"/],
      [tokenOfJdoe({ exp: 'soon' }), /Not an access token/],
    ] as const) {
      assert.match(await person.triesToType(PASTE, text), problem);
    }
    assert.ok(await person.isHidden(PASTE));
    await person.leaves(PASTE);
    await inspected;
  });

  test('takes a selection that is a token, and no other', async () => {
    const token = tokenOfJdoe({ actorId: 'selected' });
    const document = await vscode.workspace.openTextDocument({ content: `TOKEN="${token}"\nother` });
    const editor = await vscode.window.showTextDocument(document);
    editor.selection = new vscode.Selection(0, 6, 0, 8 + token.length);
    const inspected = inspect();
    assert.match((await person.answers(CLAIMS)).detail, /^Acts as selected$/m);
    await inspected;
    editor.selection = new vscode.Selection(0, 0, 1, 3);
    const asked = inspect();
    await person.leaves(PASTE);
    await asked;
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
  });

  test('ignores what another extension passes: it asks, and returns nothing', async () => {
    const token = tokenOf(service, 'admin');
    for (const forged of [token, { token }, { text: token, connectionId: 'x' }]) {
      const asked = inspect(forged, [forged]);
      await person.leaves(PASTE);
      assert.equal(await asked, undefined);
    }
    assert.deepEqual(await callService(service, 'requests'), []);
  });

  test('asks a server after a question that names the connection and the host, and can revoke what it finds', async () => {
    await saveConnection(connectionAs(service, 'admin', 'Asked'));
    const { token, record } = await issueToken(service, { name: '[x](command:y) $(trash) found' });
    await calm(service);
    const inspected = inspect();
    await person.types(PASTE, token);
    await person.answers(CLAIMS, ASK);
    const { host } = new URL(service.url);
    const declined = await person.answers(/^Send this access token to "Asked"\?$/);
    assert.ok(declined.detail.includes(host) && !declined.detail.includes(token));
    await person.isAsked(CLAIMS);
    assert.deepEqual(await requestsWith(service, LOOKUP), [], 'it was sent without the answer');

    await person.answers(CLAIMS, ASK);
    await person.answers(/^Send this access token to /, 'Send Token');
    const known = (await person.isAsked(CLAIMS)).detail;
    assert.ok(known.includes(`\nID: ${record.id}\n\n`) && known.includes('\nCreated by '), known);
    assert.ok(known.includes('\n\nAsked\nName: [x](command:y) $(trash) found\n'), known);
    assert.match(known, /A 401 from "Asked" means that the token's user was suspended/);
    const [sent] = await requestsWith(service, LOOKUP);
    assert.deepEqual(variablesOf(sent ?? assert.fail()), { token });
    assert.ok(!JSON.stringify(sent?.headers).includes(token), 'it was used as a credential');

    await person.answers(CLAIMS, 'Revoke…');
    await person.answers(/^Revoke the access token "/, 'Revoke');
    await inspected;
    assert.equal(await holderOf(service, token), undefined);
  });

  test('revokes nothing once another window changed the connection, and names it', async () => {
    const id = await saveConnection(connectionAs(service, 'admin', 'Moved'));
    const { token } = await issueToken(service, { name: 'found' });
    const inspected = inspect();
    await person.types(PASTE, token);
    await person.answers(CLAIMS, ASK);
    await person.answers(/^Send this access token to /, 'Send Token');
    await person.isAsked(CLAIMS);
    await leadElsewhere(id, 'https://elsewhere.example.com');
    await person.answers(CLAIMS, 'Revoke…');
    await person.seesNotification(/^Moved: The connection was changed or removed in the meantime/);
    await inspected;
    assert.ok((await holderOf(service, token)) !== undefined);
  });

  test('through a read-only connection asks, but offers no revocation', async () => {
    await addConnection(person, { ...connectionAs(service, 'admin', 'Read'), role: 'Read-only' });
    const { token } = await issueToken(service, { name: 'read' });
    const inspected = inspect();
    await person.types(PASTE, token);
    await person.answers(CLAIMS, ASK);
    await person.answers(/^Send this access token to /, 'Send Token');
    const { detail, buttons } = await person.answers(CLAIMS);
    assert.match(detail, /^Name: read$/m);
    assert.deepEqual(buttons, [ASK]);
    await inspected;
  });

  /** Starts the command; it ends when its dialog is closed. */
  function inspect(...forged: readonly unknown[]): Thenable<unknown> {
    return vscode.commands.executeCommand(COMMANDS.tokenInspect, ...forged);
  }

  /** Pastes a token and closes its dialog. @returns all that it shows */
  async function dialogAbout(token: string): Promise<string> {
    const inspected = inspect();
    await person.types(PASTE, token);
    const { detail, buttons } = await person.answers(CLAIMS);
    assert.equal(await inspected, undefined);
    return [detail, ...buttons].join('\n');
  }
});
