// The connection form keeps its values when the user leaves it or the keychain fails.
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
  saveConnection,
  secretOf,
  tokenOf,
} from './support/connections.ts';
import { reloadExtension } from './support/extension.ts';
import { lockedSecrets } from './support/lockedSecrets.ts';
import { personAt } from './support/fixtures.ts';
import { Front, gateway } from './support/gateway.ts';
import { refresh, rowAt, rowsBelow, shownUser } from './support/tree.ts';

suite('The form of a connection', () => {
  const service = hostService();
  const person = personAt(service);

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

  test('saves the rest once the keychain takes the token', async () => {
    const id = await saveConnection(connectionAs(service, 'admin', 'Refused'));
    const elsewhere = hostService('0.14');
    const secrets = lockedSecrets();
    const { store } = await reloadExtension({ secrets });
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
    secrets.isLocked = false;
    await person.accepts(FORM, 'Try Again');
    await edited;
    assert.equal(store.all()[0]?.baseUrl, elsewhere.url);
    assert.equal((await secretOf(id)).token, tokenOf(elsewhere, 'analyst'));
    await reloadExtension();
  });
});

suite('Additional headers', () => {
  const service = hostService();
  const person = personAt(service);
  const front = new Front();
  teardown(() => front.close());

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
    assert.match(await person.triesToType(HEADER, 'X-Access-Key'), /Enter a header as Name: value/);
    assert.match(await person.triesToType(HEADER, 'Authorization: Bearer x'), /can't be added/);
    await person.types(HEADER, 'X-Access-Key: of-the-gateway');
    const labels = await formLabels(person, 'Additional headers: X-Access-Key');
    assert.ok(!labels.join().includes('of-the-gateway'));
    await person.picks(FORM, SAVE);
    await added;
    await rowsBelow(await rowAt('Guarded', 'Access tokens'));
    await rowsBelow(await rowAt('Guarded', 'Time series indices'));
    // A visible view may have loaded them before.
    seen.length = 0;
    await refresh(await rowAt('Guarded'));
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

  test('without a token are deleted by a sign-out, which names them', async () => {
    const id = await saveConnection(
      connectionAs(service, 'admin', 'Guarded'),
      {},
      { 'X-Access-Key': 'of-the-gateway' },
    );
    assert.partialDeepStrictEqual(await secretOf(id), { headers: { 'X-Access-Key': 'of-the-gateway' } });
    const asked = await person.runs(COMMANDS.connectionSignOut, await rowAt('Guarded'), /^Sign out of "/, 'Sign Out');
    assert.match(asked.detail, /^Deletes the additional headers: X-Access-Key\.$/m);
    await assert.rejects(secretOf(id), SyntaxError, 'there is no secret');
  });
});
