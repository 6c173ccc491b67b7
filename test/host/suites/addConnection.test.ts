import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { COMMANDS } from '../../../src/manifest.ts';
import { callService, hostService } from '../context.ts';
import {
  ADDRESS,
  FORM,
  NAME,
  SAVE,
  TOKEN,
  WHO,
  addConnection,
  answerConnectionFlow,
  changeName,
  comeToForm,
  connectionAs,
  enterAddress,
  formLabels,
  tokenOf,
} from './support/connections.ts';
import { activated, currentActivation } from './support/extension.ts';
import { personAt } from './support/fixtures.ts';
import { Front, gateway } from './support/gateway.ts';
import { calm, requestsWith } from './support/requests.ts';
import { refresh, rowAt, rowsBelow, shownUser } from './support/tree.ts';
import { until } from './support/until.ts';

suite('Adding a connection', () => {
  const service = hostService();
  const person = personAt(service);
  const front = new Front();
  teardown(() => front.close());

  test('corrects a pasted address, shows problems at the field, and sends nothing before it is to be saved', async () => {
    const { api } = await activated();
    const added = vscode.commands.executeCommand(COMMANDS.connectionAdd);
    await person.filters(ADDRESS, 'ftp://metadata.example.com');
    await person.offered(ADDRESS, /http/);
    await person.filters(ADDRESS, ` ${service.url}/api/graphql/ `);
    await person.picks(ADDRESS, service.url);
    assert.ok(await person.isHidden(TOKEN), 'the token can be read over the shoulder');
    assert.match(await person.triesToType(TOKEN, 'Bearer abc'), /without "Bearer"/);
    assert.match(await person.triesToType(TOKEN, 'two words'), /can't contain spaces/);
    for (const address of [service.url, new URL(service.url).host]) {
      assert.match(await person.triesToType(TOKEN, address), /^Not an access token/);
    }
    await person.types(TOKEN, ` export DATAHUB_GMS_TOKEN="${tokenOf(service, 'admin')}" `);
    assert.deepEqual(await formLabels(person, SAVE), [
      'Save Connection',
      'This connection will sign in as admin',
      `Address: ${service.url}`,
      'Access token: entered',
      `Name: ${new URL(service.url).host}`,
      'Role: Development',
      'Additional headers: none',
    ]);
    await person.picks(FORM, /Name: /);
    assert.equal(await person.reads(NAME), new URL(service.url).host);
    assert.match(await person.triesToType(NAME, '  '), /Enter a value/);
    await person.types(NAME, 'Found');
    await person.offered(FORM, 'Name: Found');
    assert.deepEqual([await api.connections(), await callService(service, 'requests')], [[], []]);
    await person.picks(FORM, SAVE);
    await added;
    assert.deepEqual(
      (await api.connections()).map(({ id: _id, ...connection }) => connection),
      [{ name: 'Found', baseUrl: service.url, actorUrn: 'urn:li:corpuser:admin' }],
    );
  });

  test('checks once: who the server is without the token, then whose token it is', async () => {
    await addConnection(person, connectionAs(service, 'admin', 'Asked once'));
    const checks = (await callService(service, 'requests')).filter(
      ({ path, body }) => path === '/config' || / me /.test(body),
    );
    assert.deepEqual(
      checks.slice(0, 3).map(({ path, headers }) => [path, headers.authorization !== undefined]),
      [
        ['/config', false],
        ['/config', false],
        ['/api/graphql', true],
      ],
    );
    const asked = (await requestsWith(service, 'query me')).length;
    assert.ok(asked <= 2, `asked ${asked} times by the check, and by the lists that are shown then`);
    const { version } = (await activated()).context.extension.packageJSON as { version: string };
    assert.deepEqual(
      [...new Set(checks.map(({ headers }) => headers['user-agent']))],
      [`metadata-service-vscode/${version}`],
    );
  });

  test('keeps the name of an address without a service, which is corrected in the form; a token belongs to one origin', async () => {
    const added = vscode.commands.executeCommand(COMMANDS.connectionAdd);
    await comeToForm(person, { baseUrl: 'http://127.0.0.1:1', token: tokenOf(service, 'admin') });
    await changeName(person, 'Corrected');
    await person.picks(FORM, 'Address: http://127.0.0.1:1');
    assert.equal(await person.reads(ADDRESS), 'http://127.0.0.1:1');
    await enterAddress(person, service.url);
    assert.equal(await person.reads(TOKEN), '');
    await person.types(TOKEN, tokenOf(service, 'admin'));
    await person.offered(FORM, 'Name: Corrected');
    await person.leaves(FORM);
    await added;
  });

  test('goes back with the typed values; an unfinished form keeps them, except for secrets and their user', async () => {
    const first = vscode.commands.executeCommand(COMMANDS.connectionAdd);
    await enterAddress(person, service.url);
    await person.types(TOKEN, 'typed-by-mistake');
    await changeName(person, 'Resumed');
    await person.offered(FORM, 'Name: Resumed');
    await person.goesBack(FORM);
    assert.equal(await person.reads(TOKEN), 'typed-by-mistake');
    await person.goesBack(TOKEN);
    assert.equal(await person.reads(ADDRESS), service.url);
    await person.leaves(ADDRESS);
    await first;

    const second = vscode.commands.executeCommand(COMMANDS.connectionAdd);
    await person.picks(ADDRESS, service.url);
    assert.equal(await person.reads(TOKEN), '');
    await person.types(TOKEN, tokenOf(service, 'analyst'));
    await person.offered(FORM, 'Name: Resumed');
    await person.picks(FORM, SAVE);
    await second;
    assert.equal(await shownUser('Resumed'), 'analyst');
  });

  test('asks about plain HTTP before the first secret is sent there, again for another origin', async () => {
    const added = vscode.commands.executeCommand(COMMANDS.connectionAdd);
    await enterAddress(person, 'http://a.invalid');
    await person.types(TOKEN, 'typed-for-a');
    await person.picks(FORM, SAVE);
    await person.answers(/^Send credentials to a\.invalid without encryption\?$/);
    await person.picks(FORM, SAVE);
    await person.answers(/^Send credentials to a\.invalid without encryption\?$/, 'Use Plain HTTP');
    await person.offered(FORM, 'Save Anyway');
    await person.picks(FORM, /Address: /);
    await enterAddress(person, 'http://b.invalid');
    assert.equal(await person.reads(TOKEN), '', 'the token was typed for another server');
    await person.types(TOKEN, 'typed-for-b');
    await person.picks(FORM, SAVE);
    await person.answers(/^Send credentials to b\.invalid without encryption\?$/);
    await person.leaves(FORM);
    await added;
  });

  test('does not save a refused token, and leads to it', async () => {
    const added = vscode.commands.executeCommand(COMMANDS.connectionAdd);
    await comeToForm(person, { baseUrl: service.url, token: 'wrong' });
    await person.picks(FORM, SAVE);
    const found = await formLabels(person, 'Try Again');
    const advice = 'Sign in with another access token.';
    assert.deepEqual(found.slice(0, 3), [
      'Problem',
      "Access token rejected. It may be expired, revoked, or another server's.",
      advice,
    ]);
    assert.ok(!found.includes('Save Anyway'), found.join('\n'));
    await person.picks(FORM, advice);
    assert.equal(await person.reads(TOKEN), 'wrong');
    await person.goesBack(TOKEN);
    await person.accepts(FORM, 'Access token: entered');
    assert.equal(await person.reads(TOKEN), 'wrong');
    await person.types(TOKEN, tokenOf(service, 'admin'));
    await person.offered(FORM, 'This connection will sign in as admin');
    await changeName(person, 'Wrong first');
    await person.picks(FORM, SAVE);
    await added;
    assert.equal(await shownUser('Wrong first'), 'admin');
  });

  test('says what the server calls the user if it is another one than the token says', async () => {
    const elsewhere = await gateway(front, service.url, ({ body }) =>
      body.replaceAll('corpuser:admin', 'corpuser:renamed'),
    );
    const added = vscode.commands.executeCommand(COMMANDS.connectionAdd);
    await comeToForm(person, { baseUrl: elsewhere.url, token: tokenOf(service, 'admin') });
    await person.offered(FORM, 'This connection will sign in as admin');
    await person.picks(FORM, SAVE);
    await person.offered(FORM, 'This connection will sign in as renamed');
    await changeName(person, 'Renamed');
    const before = (await requestsWith(service, 'query me')).length;
    await person.picks(FORM, SAVE);
    await added;
    assert.equal(await shownUser('Renamed'), 'renamed');
    assert.equal(before, 1, 'the credential was sent again');
  });

  test('asks for the user where neither the server nor the token says who that is', async () => {
    const spec = hostService('spec');
    await calm(spec);
    const { url } = await gateway(front, spec.url, ({ body }) => body, `Bearer ${tokenOf(spec, 'admin')}`);
    const added = vscode.commands.executeCommand(COMMANDS.connectionAdd);
    await comeToForm(person, { baseUrl: url, token: 'opaque' });
    assert.ok(!(await formLabels(person, SAVE)).some((label) => label.startsWith('User')));
    await changeName(person, 'Silent');
    await person.picks(FORM, SAVE);
    await person.offered(FORM, "The server doesn't say who you are");
    await person.accepts(FORM, 'User: none');
    await person.types(WHO, 'admin');
    await person.picks(FORM, SAVE);
    await added;
    assert.equal(await shownUser('Silent'), 'admin');
  });

  test('says at the form that nothing answers, without cutting lines off, and saves anyway', async () => {
    const added = vscode.commands.executeCommand(COMMANDS.connectionAdd);
    const nobody = `https://${'nobody-'.repeat(8)}.nobody-of-this-name.invalid`;
    await comeToForm(person, { baseUrl: nobody, token: 'typed-for-nobody' });
    await changeName(person, 'Nobody');
    await person.picks(FORM, SAVE);
    const found = await formLabels(person, 'Save Anyway');
    assert.ok(
      found.some((label) => label.startsWith("Can't find ")),
      found.join('\n'),
    );
    assert.ok(
      found.slice(0, found.indexOf('Try Again')).every((label) => label.length <= 80),
      found.join('\n'),
    );
    assert.ok(found.join('').includes(new URL(nobody).host), found.join('\n'));
    assert.ok(!found.some((line) => /header:/.test(line)), found.join('\n'));
    await person.picks(FORM, 'Save Anyway');
    await added;
    assert.equal((await rowAt('Nobody')).label, 'Nobody');
    assert.ok(!JSON.stringify(await callService(service, 'requests')).includes('typed-for-nobody'));
  });

  test('sends no token to an address that answers with a web page', async () => {
    await callService(service, 'addFault', { fault: { kind: 'html' }, times: 'always' });
    const added = vscode.commands.executeCommand(COMMANDS.connectionAdd);
    await comeToForm(person, { baseUrl: service.url, token: tokenOf(service, 'admin') });
    await person.picks(FORM, SAVE);
    assert.match((await formLabels(person, 'Save Anyway')).join(' '), /This may not be a metadata service/);
    const requests = await callService(service, 'requests');
    assert.ok(requests.every(({ headers }) => headers.authorization === undefined));
    await calm(service);
    await person.picks(FORM, 'Try Again');
    await added;
    assert.equal(currentActivation().store.all().length, 1);
  });

  test('stops asking once the user leaves the check, and goes on in the form', async () => {
    await callService(service, 'addFault', { fault: { kind: 'latency', millis: 60_000 }, times: 'always' });
    const added = vscode.commands.executeCommand(COMMANDS.connectionAdd);
    await comeToForm(person, { baseUrl: service.url, token: tokenOf(service, 'admin') });
    await person.picks(FORM, SAVE);
    await until('the question to the server', async () => (await requestsWith(service, '/config')).length === 1);
    await person.goesBack(/Testing connection/);
    await person.picks(FORM, SAVE);
    await until('the next question', async () => (await requestsWith(service, '/config')).length === 2);
    await person.leaves(/Testing connection/);
    await person.leaves(FORM);
    await added;
    await calm(service);
    person.assertNothingOpen();
  });

  test('is offered by a command that needs a connection', async () => {
    const created = vscode.commands.executeCommand(COMMANDS.tokenCreate);
    await person.presses(/There are no connections yet/, 'Add Connection…');
    await answerConnectionFlow(person, connectionAs(service, 'admin', 'Made on the way'));
    await created;
    await until('the connection', () => currentActivation().store.all()[0]?.name === 'Made on the way');
  });

  test('works without a token where authentication is off: as the user, who decides, and not as signed out', async () => {
    const open = hostService('0.14');
    await addConnection(person, { ...connectionAs(open, 'analyst', 'Open'), token: '' });
    await rowsBelow(await rowAt('Open', 'Access tokens'));
    await rowsBelow(await rowAt('Open', 'Time series indices'));
    await calm(open);
    await refresh(await rowAt('Open'));
    const requests = await callService(open, 'requests');
    assert.ok(requests.some(({ path }) => path.includes('getIndexSizes')));
    for (const { path, headers } of requests) {
      const seen = [headers.authorization, headers['x-datahub-actor']];
      assert.deepEqual(seen, [undefined, path === '/config' ? undefined : 'urn:li:corpuser:analyst'], path);
    }
    const row = await rowAt('Open');
    assert.deepEqual([row.description, row.item.contextValue], ['', 'connection;signedOut']);
    assert.equal(await shownUser('Open'), 'analyst');
  });
});
