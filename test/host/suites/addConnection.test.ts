import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { COMMANDS } from '../../../src/manifest.ts';
import { callService, hostService } from '../context.ts';
import {
  ADDRESS,
  NAME,
  ROLE,
  SAVE,
  TOKEN,
  VERDICT,
  WHO,
  addConnection,
  answerConnectionFlow,
  connectionAs,
  leaveNothing,
  tokenOf,
} from './support/connections.ts';
import { activated } from './support/extension.ts';
import { Person } from './support/person.ts';
import { calm, requestsWith } from './support/requests.ts';
import { rowAt, rowsBelow } from './support/tree.ts';

suite('Adding a connection', () => {
  const service = hostService();
  const person = new Person();
  suiteSetup(async () => {
    person.arrive();
    await activated();
  });
  setup(() => calm(service));
  teardown(() => leaveNothing(person));
  suiteTeardown(() => person.depart());

  test('corrects a pasted address, shows problems at the field, and its check before it saves', async () => {
    const { api } = await activated();
    let changes = 0;
    const subscription = api.onDidChangeConnections(() => changes++);
    const added = vscode.commands.executeCommand(COMMANDS.connectionAdd);
    await person.filters(ADDRESS, 'ftp://metadata.example.com');
    await person.offered(ADDRESS, /http/);
    await person.filters(ADDRESS, ` ${service.url}/api/graphql/ `);
    await person.picks(ADDRESS, service.url);
    assert.match(await person.triesToType(WHO, 'urn:li:corpGroup:admins'), /User URNs look like/);
    await person.types(WHO, 'urn:li:corpuser:admin');
    assert.ok(await person.isHidden(TOKEN), 'the token can be read over the shoulder');
    assert.match(await person.triesToType(TOKEN, 'Bearer abc'), /without "Bearer"/);
    assert.match(await person.triesToType(TOKEN, 'two words'), /can't contain spaces/);
    assert.deepEqual(await callService(service, 'requests'), [], 'something was sent before everything was known');
    await person.types(TOKEN, ` ${tokenOf(service, 'admin')} `);
    assert.equal(await person.reads(NAME), new URL(service.url).host);
    assert.match(await person.triesToType(NAME, '  '), /Enter a name/);
    await person.types(NAME, 'Found');
    await person.picks(ROLE, 'Development');
    const found = (await person.offered(VERDICT, 'Save Connection')).map(({ label }) => label);
    assert.deepEqual(found.slice(2), [
      '$(server) DataHub v1.7.1-SNAPSHOT',
      '$(person) Signed in as admin',
      '$(key) Can create access tokens',
      "$(organization) Can manage all users' access tokens",
      '$(database) Can read index sizes, truncate indices and monitor tasks',
    ]);
    assert.deepEqual(api.connections(), [], 'it was saved before one said so');
    await person.picks(VERDICT, 'Save Connection');
    await added;
    subscription.dispose();
    assert.ok(changes > 0);
    assert.deepEqual(
      api.connections().map(({ id: _id, ...connection }) => connection),
      [{ name: 'Found', baseUrl: service.url, actorUrn: 'urn:li:corpuser:admin' }],
    );
  });

  test('offers the address of the service if that of one of its pages was pasted', async () => {
    const added = vscode.commands.executeCommand(COMMANDS.connectionAdd);
    await person.filters(ADDRESS, `${service.url}/settings/tokens`);
    const offered = (await person.offered(ADDRESS, service.url))
      .map(({ label }) => label)
      .filter((label) => label.startsWith('$(arrow-right)'));
    assert.deepEqual(offered, [`$(arrow-right) ${service.url}`, '$(arrow-right) Use the address as typed']);
    await person.picks(ADDRESS, 'Use the address as typed');
    await person.goesBack(WHO);
    assert.equal(await person.reads(ADDRESS), `${service.url}/settings/tokens`);
    // Enter accepts the earlier choice again.
    await person.accepts(ADDRESS, `${service.url}/settings/tokens`);
    await person.goesBack(WHO);
    assert.equal(await person.reads(ADDRESS), `${service.url}/settings/tokens`);
    // The selection stays where the user moves it, however early.
    assert.deepEqual(await person.movesTo(ADDRESS, service.url), [service.url]);
    await person.picks(ADDRESS, service.url);
    await person.goesBack(WHO);
    assert.equal(await person.reads(ADDRESS), service.url);
    await person.leaves(ADDRESS);
    await added;
  });

  test('mentions no header if the server was not reached', async () => {
    const added = vscode.commands.executeCommand(COMMANDS.connectionAdd);
    await person.filters(ADDRESS, 'https://nobody.invalid');
    await person.picks(ADDRESS, 'https://nobody.invalid');
    await person.types(WHO, 'admin');
    await person.types(TOKEN, 'token');
    await person.types(NAME, 'Nobody');
    await person.picks(ROLE, 'Development');
    const found = (await person.offered(VERDICT, 'Save Anyway')).map(({ label }) => label);
    assert.ok(!found.some((line) => /header/.test(line)), found.join('\n'));
    await person.leaves(VERDICT);
    await added;
  });

  test('sends a token only to an identified server', async () => {
    await addConnection(person, connectionAs(service, 'admin', 'Asked first'));
    const requests = await callService(service, 'requests');
    assert.equal(requests[0]?.path, '/config');
    assert.deepEqual(
      requests.filter(({ path }) => path === '/config').flatMap(({ headers }) => headers.authorization ?? []),
      [],
    );
  });

  test('goes back with the typed values; an unfinished flow keeps them, except for the token', async () => {
    const first = vscode.commands.executeCommand(COMMANDS.connectionAdd);
    await person.filters(ADDRESS, service.url);
    await person.picks(ADDRESS, service.url);
    await person.types(WHO, 'analyst');
    await person.types(TOKEN, 'typed-by-mistake');
    await person.goesBack(NAME);
    assert.equal(await person.reads(TOKEN), 'typed-by-mistake');
    await person.goesBack(TOKEN);
    assert.equal(await person.reads(WHO), 'analyst');
    await person.goesBack(WHO);
    assert.equal(await person.reads(ADDRESS), service.url);
    await person.leaves(ADDRESS);
    await first;

    const second = vscode.commands.executeCommand(COMMANDS.connectionAdd);
    await person.picks(ADDRESS, service.url);
    assert.equal(await person.reads(WHO), 'analyst');
    await person.types(WHO, 'analyst');
    assert.equal(await person.reads(TOKEN), '');
    await person.types(TOKEN, tokenOf(service, 'analyst'));
    await person.types(NAME, 'Resumed');
    await person.picks(ROLE, 'Development');
    await person.picks(VERDICT, SAVE);
    await second;
  });

  test('asks about plain HTTP again for another origin, which does not receive the typed token', async () => {
    const added = vscode.commands.executeCommand(COMMANDS.connectionAdd);
    await person.filters(ADDRESS, 'http://a.invalid');
    await person.picks(ADDRESS, 'http://a.invalid');
    await person.answers(/^Send credentials to a\.invalid without encryption\?$/, 'Use Plain HTTP');
    await person.types(WHO, 'admin');
    await person.types(TOKEN, 'typed-for-a');
    await person.goesBack(NAME);
    assert.equal(await person.reads(TOKEN), 'typed-for-a');
    await person.goesBack(TOKEN);
    await person.goesBack(WHO);
    await person.filters(ADDRESS, 'http://b.invalid');
    await person.picks(ADDRESS, 'http://b.invalid');
    await person.answers(/^Send credentials to b\.invalid without encryption\?$/, 'Use Plain HTTP');
    await person.types(WHO, 'admin');
    assert.equal(await person.reads(TOKEN), '');
    await person.leaves(TOKEN);
    await added;
  });

  test('reports that the server takes the user for another one, and which privileges are missing', async () => {
    const added = vscode.commands.executeCommand(COMMANDS.connectionAdd);
    const connection = { ...connectionAs(service, 'watcher', 'Somebody else'), actor: 'admin' };
    await person.filters(ADDRESS, connection.baseUrl);
    await person.picks(ADDRESS, connection.baseUrl);
    await person.types(WHO, connection.actor);
    await person.types(TOKEN, connection.token);
    await person.types(NAME, connection.name);
    await person.picks(ROLE, 'Development');
    const found = (await person.offered(VERDICT, 'Save Connection')).map(({ label, detail }) =>
      [label, detail].filter(Boolean).join(': '),
    );
    assert.ok(found.includes('$(warning) Signed in as watcher, not admin'), found.join('\n'));
    assert.ok(
      found.some((line) => /Can't create access tokens.*Generate Personal Access Tokens/.test(line)),
      found.join('\n'),
    );
    assert.ok(
      found.some((line) => /Truncation may be refused: .*Truncate timeseries aspect index size API/.test(line)),
      found.join('\n'),
    );
    assert.ok(!found.some((line) => /Monitoring tasks may be refused/.test(line)), found.join('\n'));
    await person.leaves(VERDICT);
    await added;
    assert.deepEqual((await activated()).api.connections(), []);
    // An unfinished flow is continued. The next one is empty once a connection is saved.
    await addConnection(person, connection);
  });

  test('summarizes what is wrong, and returns to the token if that is the problem', async () => {
    const added = vscode.commands.executeCommand(COMMANDS.connectionAdd);
    await person.filters(ADDRESS, service.url);
    await person.picks(ADDRESS, service.url);
    await person.types(WHO, 'admin');
    await person.types(TOKEN, 'wrong');
    await person.types(NAME, 'Wrong first');
    await person.picks(ROLE, 'Development');
    const found = (await person.offered(VERDICT, 'Save Anyway')).map(({ label }) => label);
    assert.deepEqual(found.slice(0, 4), [
      'Problem',
      '$(error) Token rejected (401)',
      '$(info) Access token rejected. It may have expired or been revoked.',
      '$(lightbulb) Sign in with another access token.',
    ]);
    // The server identified itself before it refused, so its own header was sent, and the product is known.
    assert.ok(found.includes('$(server) DataHub v1.7.1-SNAPSHOT'), found.join('\n'));
    assert.ok(!found.some((line) => /header/.test(line)), found.join('\n'));
    await person.accepts(VERDICT, 'Edit Token');
    assert.equal(await person.reads(TOKEN), 'wrong');
    await person.types(TOKEN, tokenOf(service, 'admin'));
    await person.types(NAME, 'Right then');
    await person.picks(ROLE, 'Development');
    await person.picks(VERDICT, 'Save Connection');
    await added;
  });

  test('returns to an address that does not answer, and shows the reason without cutting lines off', async () => {
    const added = vscode.commands.executeCommand(COMMANDS.connectionAdd);
    const nobody = `https://${'nobody-'.repeat(8)}.nobody-of-this-name.invalid`;
    await person.filters(ADDRESS, nobody);
    await person.picks(ADDRESS, nobody);
    await person.types(WHO, 'admin');
    await person.types(TOKEN, 'typed-for-nobody');
    await person.types(NAME, 'Nobody');
    await person.picks(ROLE, 'Development');
    const found = (await person.offered(VERDICT, 'Save Anyway')).map(({ label }) => withoutIcon(label));
    assert.equal(found[1], "Can't reach host");
    assert.ok(
      found.every((label) => label.length <= 80),
      found.join('\n'),
    );
    assert.ok(found.join('').includes(new URL(nobody).host), found.join('\n'));
    await person.picks(VERDICT, 'Edit Address');
    assert.equal(await person.reads(ADDRESS), nobody);
    await person.filters(ADDRESS, service.url);
    await person.picks(ADDRESS, service.url);
    assert.equal(await person.reads(WHO), 'admin');
    await person.types(WHO, 'admin');
    assert.equal(await person.reads(TOKEN), '', 'the token was typed for another server');
    await person.leaves(TOKEN);
    await added;
  });

  test('requires a name that no other connection has', async () => {
    await addConnection(person, connectionAs(service, 'admin', 'Taken'));
    const added = vscode.commands.executeCommand(COMMANDS.connectionAdd);
    await person.filters(ADDRESS, service.url);
    await person.picks(ADDRESS, service.url);
    await person.types(WHO, 'admin');
    await person.types(TOKEN, tokenOf(service, 'admin'));
    for (const name of ['Taken', 'Ta\u200Bken\u00A0', '\u2003Taken']) {
      assert.match(await person.triesToType(NAME, name), /Another connection already has this name/);
    }
    assert.match(await person.triesToType(NAME, '\u200B\u00A0'), /Enter a name/);
    await person.types(NAME, 'Free\u00A0of\u200B it\u2060');
    await person.picks(ROLE, 'Production');
    await person.picks(VERDICT, SAVE);
    await added;
    assert.equal((await rowAt('Free of it')).label, 'Free of it');
  });

  test('is offered by a command that needs a connection', async () => {
    const created = vscode.commands.executeCommand(COMMANDS.tokenCreate);
    await person.presses(/There are no connections yet/, 'Add Connection…');
    await answerConnectionFlow(person, connectionAs(service, 'admin', 'Made on the way'));
    await created;
    assert.deepEqual(
      (await activated()).api.connections().map(({ name }) => name),
      ['Made on the way'],
    );
  });

  for (const profile of ['spec', '0.14', '1.7', 'next'] as const) {
    test(`names the actor in the header of ${profile} on every GraphQL request, and signs operations`, async () => {
      const server = hostService(profile);
      await calm(server);
      await addConnection(person, connectionAs(server, 'admin', profile));
      await rowsBelow(await rowAt(profile, 'Access tokens'));
      await rowsBelow(await rowAt(profile, 'Time series indices'));
      const header = profile === 'spec' ? 'x-service-actor' : 'x-datahub-actor';
      const queries = await requestsWith(server, '/api/graphql');
      assert.ok(queries.length > 1);
      assert.deepEqual(new Set(queries.map(({ headers }) => headers[header])), new Set(['urn:li:corpuser:admin']));
      const sizes = (await requestsWith(server, 'getIndexSizes')).filter(({ status }) => status === 200);
      assert.equal(sizes.length, 1);
      assert.equal(sizes[0]?.headers.authorization, `Bearer ${tokenOf(server, 'admin')}`);
    });
  }
});

function withoutIcon(label: string): string {
  return label.replace(/^\$\([\w~-]+\) /, '');
}
