// What an edit of a connection keeps and loses, where the user leaves, another window acts, or storage fails.
import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { COMMANDS } from '../../../src/manifest.ts';
import { hostService } from '../context.ts';
import {
  FORM,
  HEADER,
  NAME,
  ROLE,
  SAVE,
  TOKEN,
  changeName,
  changeToken,
  comeToForm,
  connectionAs,
  enterAddress,
  formLabels,
  leaveNothing,
  saveConnection,
  tokenOf,
} from './support/connections.ts';
import { signOutElsewhere } from './support/anotherWindow.ts';
import { activated, currentActivation, reloadExtension } from './support/extension.ts';
import { Front, gateway } from './support/gateway.ts';
import { Person } from './support/person.ts';
import { calm } from './support/requests.ts';
import { rowAt, rowsBelow, shownUser } from './support/tree.ts';

suite('The form of a connection', () => {
  const service = hostService();
  const person = new Person();
  suiteSetup(async () => {
    person.arrive();
    await activated();
  });
  setup(() => calm(service));
  teardown(() => leaveNothing(person));
  suiteTeardown(() => person.depart());

  test('changes nothing by an input that is left', async () => {
    const added = vscode.commands.executeCommand(COMMANDS.connectionAdd);
    await comeToForm(person, { baseUrl: service.url, token: tokenOf(service, 'admin') });
    await changeName(person, 'Stays');
    await person.picks(FORM, /Name: /);
    await person.leaves(NAME);
    await person.picks(FORM, /Role: /);
    await person.goesBack(ROLE);
    await person.picks(FORM, /Address: /);
    await enterAddress(person, hostService('0.14').url);
    assert.equal(await person.reads(TOKEN), '');
    await person.leaves(TOKEN);
    const labels = await formLabels(person, SAVE);
    assert.ok(labels.includes(`Address: ${service.url}`) && labels.includes('Name: Stays'), labels.join('\n'));
    await person.leaves(FORM);
    await added;
  });

  test('knows a stored token although VS Code lost what is known of it', async () => {
    const id = await saveConnection(connectionAs(service, 'admin', 'Lost'), { tokenId: 'known' });
    await reloadExtension({}, async () => currentActivation().context.globalState.update(`signIn.${id}`, undefined));
    const edited = vscode.commands.executeCommand(COMMANDS.connectionEdit, (await rowAt('Lost')).node);
    await person.offered(FORM, 'Access token: stored');
    await addHeader(person, 'X-Access-Key: of-the-gateway');
    await person.picks(FORM, SAVE);
    await edited;
    const { token, tokenId, headers } = await secretOf(id);
    assert.deepEqual(
      [token, tokenId, headers],
      [tokenOf(service, 'admin'), 'known', { 'X-Access-Key': 'of-the-gateway' }],
    );
  });

  test('saves the rest once the keychain takes the token', async () => {
    const id = await saveConnection(connectionAs(service, 'admin', 'Refused'));
    const elsewhere = hostService('0.14');
    const { secrets } = currentActivation().context;
    let isLocked = true;
    const { api } = await reloadExtension({
      secrets: {
        keys: () => secrets.keys(),
        get: (key) => secrets.get(key),
        store: (key, value) => (isLocked ? Promise.reject(new Error('locked')) : secrets.store(key, value)),
        delete: (key) => secrets.delete(key),
        onDidChange: secrets.onDidChange,
      },
    });
    const edited = vscode.commands.executeCommand(COMMANDS.connectionEdit, (await rowAt('Refused')).node);
    await person.picks(FORM, /Address: /);
    await enterAddress(person, elsewhere.url);
    await person.types(TOKEN, tokenOf(elsewhere, 'analyst'));
    await person.picks(FORM, SAVE);
    const labels = await formLabels(person, 'Try Again');
    assert.ok(
      labels.some((label) => /Couldn't save the access token/.test(label)) && !labels.includes('Save Anyway'),
      labels.join('\n'),
    );
    isLocked = false;
    await person.accepts(FORM, 'Try Again');
    await edited;
    assert.equal(api.connections()[0]?.baseUrl, elsewhere.url);
    assert.equal((await secretOf(id))['token'], tokenOf(elsewhere, 'analyst'));
    await reloadExtension();
  });

  test('offers no Save Anyway while the stored token cannot be read', async () => {
    await saveConnection(connectionAs(service, 'admin', 'Locked'));
    const { secrets } = currentActivation().context;
    const locked = { get: () => Promise.reject(new Error('locked')) };
    await reloadExtension({ secrets: Object.setPrototypeOf(locked, secrets) as vscode.SecretStorage });
    const edited = vscode.commands.executeCommand(COMMANDS.connectionEdit, (await rowAt('Locked')).node);
    await person.picks(FORM, /Address: /);
    await enterAddress(person, `${service.url}/elsewhere`);
    await person.picks(FORM, SAVE);
    const labels = await formLabels(person, 'Try Again');
    assert.ok(labels.some((label) => /Couldn't read the access token/.test(label)) && !labels.includes('Save Anyway'));
    await person.leaves(FORM);
    await edited;
    await reloadExtension();
  });
});

suite('Additional headers', () => {
  const service = hostService();
  const person = new Person();
  const front = new Front();
  suiteSetup(async () => {
    person.arrive();
    await activated();
  });
  setup(() => calm(service));
  teardown(async () => {
    front.close();
    await leaveNothing(person);
  });
  suiteTeardown(() => person.depart());

  test('are sent to what is in front of the server, with every request and without a token', async () => {
    const seen: unknown[] = [];
    const guarded = await gateway(front, service.url, ({ body, headers }) => {
      seen.push(headers['x-access-key']);
      return headers['x-access-key'] === 'of-the-gateway' ? body : undefined;
    });
    const added = vscode.commands.executeCommand(COMMANDS.connectionAdd);
    await comeToForm(person, { baseUrl: guarded.url, token: tokenOf(service, 'admin') });
    await changeName(person, 'Guarded');
    await person.picks(FORM, SAVE);
    const refused = (await formLabels(person, 'Try Again')).join(' ');
    assert.match(refused, /add the headers that it asks for under "Additional headers"/);
    await person.accepts(FORM, 'Additional headers: none');
    assert.ok(await person.isHidden(HEADER));
    assert.match(await person.triesToType(HEADER, 'X-Access-Key'), /Enter it as Name: value/);
    assert.match(await person.triesToType(HEADER, 'Authorization: Bearer x'), /can't be added/);
    await person.types(HEADER, 'X-Access-Key: of-the-gateway');
    const labels = await formLabels(person, 'Additional headers: X-Access-Key');
    assert.ok(!labels.join().includes('of-the-gateway'));
    await person.picks(FORM, SAVE);
    await added;
    seen.length = 0;
    await rowsBelow(await rowAt('Guarded', 'Access tokens'));
    await rowsBelow(await rowAt('Guarded', 'Time series indices'));
    assert.deepEqual(new Set(seen), new Set(['of-the-gateway']));

    // An edit that leaves them alone keeps them, and another token does too.
    const edited = vscode.commands.executeCommand(COMMANDS.connectionEdit, (await rowAt('Guarded')).node);
    await changeToken(person, tokenOf(service, 'analyst'));
    await person.offered(FORM, 'Additional headers: X-Access-Key');
    await person.picks(FORM, SAVE);
    await edited;
    assert.equal(await shownUser('Guarded'), 'analyst');
    assert.deepEqual(new Set(seen), new Set(['of-the-gateway']));
  });

  test('of another window are kept, and none comes back after it signed out', async () => {
    const id = await saveConnection(connectionAs(service, 'admin', 'Shared'));
    await edit('X-First: value-one');
    const begun = vscode.commands.executeCommand(COMMANDS.connectionEdit, (await rowAt('Shared')).node);
    await addHeader(person, 'X-Second: value-two');
    const { secrets } = currentActivation().context;
    const before = await secretOf(id);
    await secrets.store(`credential.${id}`, JSON.stringify({ ...before, headers: { 'X-Other': 'of-another-window' } }));
    await person.picks(FORM, SAVE);
    await begun;
    assert.deepEqual((await secretOf(id)).headers, { 'X-Other': 'of-another-window', 'X-Second': 'value-two' });

    const again = vscode.commands.executeCommand(COMMANDS.connectionEdit, (await rowAt('Shared')).node);
    await addHeader(person, 'X-Third: value-three');
    await signOutElsewhere(id);
    await person.picks(FORM, /Save/);
    await again;
    const { token, headers } = await secretOf(id);
    assert.deepEqual([token, headers], [undefined, { 'X-Third': 'value-three' }]);
  });

  async function edit(header: string): Promise<void> {
    const edited = vscode.commands.executeCommand(COMMANDS.connectionEdit, (await rowAt('Shared')).node);
    await addHeader(person, header);
    await person.picks(FORM, SAVE);
    await edited;
  }
});

async function addHeader(person: Person, header: string): Promise<void> {
  await person.picks(FORM, /Additional headers: /);
  await person.types(HEADER, header);
}

async function secretOf(id: string): Promise<Record<string, unknown>> {
  return JSON.parse((await currentActivation().context.secrets.get(`credential.${id}`)) ?? '{}') as Record<
    string,
    unknown
  >;
}
