import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { Connection } from '../../../src/connections/connection.ts';
import { COMMANDS } from '../../../src/manifest.ts';
import { callService, hostService } from '../context.ts';
import {
  SAVE,
  FORM,
  addConnection,
  answerConnectionFlow,
  changeName,
  changeToken,
  connectionAs,
  leaveNothing,
  tokenOf,
} from './support/connections.ts';
import { leadElsewhere } from './support/anotherWindow.ts';
import { currentActivation, reloadExtension } from './support/extension.ts';
import { Person } from './support/person.ts';
import { calm, requestsWith, variablesOf } from './support/requests.ts';
import { issueToken } from './support/tokens.ts';
import { onlyFailureOf, refresh, rowAt, rowsBelow, shownUser } from './support/tree.ts';
import { until } from './support/until.ts';

const ANALYST = 'urn:li:corpuser:analyst';

suite('Working with connections', () => {
  const service = hostService();
  const person = new Person();
  suiteSetup(() => person.arrive());
  setup(async () => {
    await calm(service);
    await addConnection(person, connectionAs(service, 'admin', 'First'));
    await addConnection(person, connectionAs(service, 'analyst', 'Second'));
  });
  teardown(() => leaveNothing(person));
  suiteTeardown(() => person.depart());

  test('the last one added is in use; another can be chosen, and the choice survives a reload', async () => {
    assert.equal(inUse(), 'Second');
    const used = vscode.commands.executeCommand(COMMANDS.connectionUse);
    await person.picks(/Select the connection to use/, 'First');
    await used;
    assert.equal(inUse(), 'First');
    await reloadExtension();
    assert.equal(inUse(), 'First');
  });

  test('a command without a selection asks for the connection, the one in use first', async () => {
    const tested = vscode.commands.executeCommand(COMMANDS.connectionTest);
    const offered = await person.offered(/Select a connection/, 'Second');
    assert.deepEqual(
      offered.map(({ label }) => label),
      ['Second', 'First'],
    );
    await person.picks(/Select a connection/, 'Second');
    await tested;
    const { detail } = await person.answers(/^Connected to "Second"$/);
    assert.match(detail, /^DataHub v\S+\nSigned in as analyst\n/);
  });

  test('while switching, another one can be added', async () => {
    const added = vscode.commands.executeCommand(COMMANDS.connectionUse);
    await person.picks(/Select the connection to use/, 'Add Connection…');
    await answerConnectionFlow(person, connectionAs(service, 'operator', 'Third'));
    await added;
    assert.equal(inUse(), 'Third');
  });

  test('a failed test says why, and offers the details', async () => {
    const row = await rowAt('First');
    await callService(service, 'addFault', { fault: { kind: 'html' }, times: 'always' });
    await vscode.commands.executeCommand(COMMANDS.connectionTest, row.node);
    await person.presses(/This may not be a metadata service/, 'Copy Details for a Report');
    await until('the report', async () => /^Kind: unexpectedAnswer$/m.test(await vscode.env.clipboard.readText()));
    await calm(service);
  });

  test('a successful test loads the tree of its connection again, and no other', async () => {
    await callService(service, 'addFault', { fault: { kind: 'status', status: 503 }, times: 'always' });
    await refresh(await rowAt('Second'));
    assert.match((await onlyFailureOf('Second')).label, /not ready/);
    await calm(service);
    const tested = vscode.commands.executeCommand(COMMANDS.connectionTest, (await rowAt('Second')).node);
    await person.answers(/^Connected to "Second"$/);
    await tested;
    assert.equal(await shownUser('Second'), 'analyst');
    assert.equal((await rowsBelow(await rowAt('Second', 'Access tokens')))[0]?.item.contextValue, 'token');
    const listings = await requestsWith(service, 'listAccessTokens');
    assert.deepEqual(new Set(listings.map(({ headers }) => headers['x-datahub-actor'])), new Set([ANALYST]));
  });

  test('a failed test leaves the tree as it is', async () => {
    const before = await rowsBelow(await rowAt('Second', 'Access tokens'));
    await calm(service);
    await callService(service, 'addFault', { fault: { kind: 'html' }, times: 'always' });
    await vscode.commands.executeCommand(COMMANDS.connectionTest, (await rowAt('Second')).node);
    await person.seesNotification(/This may not be a metadata service/);
    assert.deepEqual(await requestsWith(service, 'listAccessTokens'), []);
    assert.equal((await rowsBelow(await rowAt('Second', 'Access tokens'))).length, before.length);
    await calm(service);
  });

  test('a token of another user makes that one the user of the connection, and the summary says so', async () => {
    const edited = vscode.commands.executeCommand(COMMANDS.connectionEdit, (await rowAt('Second')).node);
    await changeToken(person, tokenOf(service, 'operator'));
    await person.offered(FORM, 'This connection will sign in as operator, not analyst');
    await person.picks(FORM, 'Save Connection');
    await edited;
    assert.equal(await shownUser('Second'), 'operator');
  });

  test('a new name keeps credential, tokens and tree unchanged', async () => {
    await rowsBelow(await rowAt('Second', 'Access tokens'));
    await calm(service);
    const edited = vscode.commands.executeCommand(COMMANDS.connectionEdit, (await rowAt('Second')).node);
    await changeName(person, 'Renamed');
    await person.picks(FORM, 'Save Connection');
    await edited;
    assert.deepEqual(await callService(service, 'requests'), [], 'a name is no reason for a request');
    assert.equal(await shownUser('Renamed'), 'analyst');
    assert.ok((await rowsBelow(await rowAt('Renamed', 'Access tokens'))).length > 0);
    assert.deepEqual(await requestsWith(service, 'listAccessTokens'), [], 'the tokens were listed anew');
  });

  test('a user ID in any letters is sent unchanged', async () => {
    const id = "zoë.o'neil";
    const urn = `urn:li:corpuser:${id}`;
    const { token } = await issueToken(service, { name: 'of Zoë', actorUrn: urn, ownerUrn: urn, expiresAt: null });
    await addConnection(person, { baseUrl: service.url, actor: id, token, name: 'Zoë' });
    const row = await rowAt('Zoë');
    assert.equal(await shownUser('Zoë'), id);
    await calm(service);
    await refresh(await rowAt('Zoë', 'Access tokens'));
    const listings = await requestsWith(service, 'listAccessTokens');
    const own = listings.filter(({ headers }) => headers['x-datahub-actor'] === "urn:li:corpuser:zo%C3%AB.o'neil");
    assert.deepEqual(
      own.map((listing) => variablesOf(listing)['value0']),
      [[urn]],
    );

    const edited = vscode.commands.executeCommand(COMMANDS.connectionEdit, row.node);
    await person.offered(FORM, `This connection will sign in as ${id}`);
    await person.picks(FORM, 'Save Connection');
    await edited;
    assert.equal(await shownUser('Zoë'), id);
    const removed = vscode.commands.executeCommand(COMMANDS.connectionRemove, (await rowAt('Zoë')).node);
    await person.answers(/^Remove the connection "Zoë"\?$/, 'Remove');
    await removed;
  });

  test('an edit of the name keeps an address that another window changed meanwhile', async () => {
    const edited = vscode.commands.executeCommand(COMMANDS.connectionEdit, (await rowAt('Second')).node);
    await changeName(person, 'Renamed');
    await person.offered(FORM, 'Save Connection');
    await leadElsewhere(stored('Second').id, `${service.url}/elsewhere`);
    await person.picks(FORM, 'Save Connection');
    await edited;
    assert.equal(stored('Renamed').baseUrl, `${service.url}/elsewhere`);
  });

  test('an edit of the token is refused if another window changed the address meanwhile', async () => {
    const edited = vscode.commands.executeCommand(COMMANDS.connectionEdit, (await rowAt('Second')).node);
    await changeToken(person, tokenOf(service, 'admin'));
    await person.offered(FORM, 'This connection will sign in as admin, not analyst');
    await leadElsewhere(stored('Second').id, `${service.url}/elsewhere`);
    await person.picks(FORM, SAVE);
    await edited;
    await person.seesNotification(/was changed in the meantime, so nothing was saved/);
    const { baseUrl, actorUrn } = stored('Second');
    assert.deepEqual([baseUrl, actorUrn], [`${service.url}/elsewhere`, ANALYST]);
  });

  test('removing asks first, and Escape keeps everything', async () => {
    const kept = vscode.commands.executeCommand(COMMANDS.connectionRemove, (await rowAt('Second')).node);
    const question = await person.answers(/^Remove the connection "Second"\?$/);
    assert.match(question.detail, /token stays valid on the server until it's revoked/);
    await kept;
    await rowAt('Second');

    const removed = vscode.commands.executeCommand(COMMANDS.connectionRemove, (await rowAt('Second')).node);
    await person.answers(/^Remove the connection "Second"\?$/, 'Remove');
    await removed;
    assert.deepEqual(
      (await rowsBelow()).map(({ label }) => label),
      ['First'],
    );
  });

  function stored(name: string): Connection {
    return (
      currentActivation()
        .api.store?.all()
        .find((one) => one.name === name) ?? assert.fail()
    );
  }

  function inUse(): string | undefined {
    return currentActivation().api.store?.inUse()?.name;
  }
});
