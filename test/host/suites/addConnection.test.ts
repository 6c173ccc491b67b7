import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { COMMANDS } from '../../../src/manifest.ts';
import { callService, hostService } from '../context.ts';
import {
  ADDRESS,
  ANYWAY,
  NAME,
  ROLE,
  SAVE,
  TOKEN,
  VERDICT,
  WHO,
  addConnection,
  answerConnectionFlow,
  changeName,
  changeRole,
  changeUser,
  comeToSummary,
  connectionAs,
  leaveNothing,
  tokenOf,
} from './support/connections.ts';
import { activated } from './support/extension.ts';
import { Person } from './support/person.ts';
import { calm, requestsWith } from './support/requests.ts';
import { rowAt, rowsBelow } from './support/tree.ts';
import { until } from './support/until.ts';

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
    assert.ok(await person.isHidden(TOKEN), 'the token can be read over the shoulder');
    assert.match(await person.triesToType(TOKEN, 'Bearer abc'), /without "Bearer"/);
    assert.match(await person.triesToType(TOKEN, 'two words'), /can't contain spaces/);
    assert.deepEqual(
      (await callService(service, 'requests')).map(({ path }) => path),
      ['/config'],
      'more was sent than who the server is',
    );
    await person.types(TOKEN, ` export DATAHUB_GMS_TOKEN="${tokenOf(service, 'admin')}" `);
    const found = (await person.offered(VERDICT, 'Save Connection')).map(({ label }) => label);
    assert.deepEqual(found, [
      '$(check) Save Connection',
      `$(tag) Name: ${new URL(service.url).host}`,
      '$(shield) Role: Development',
      'Server details',
      '$(server) DataHub v1.7.1-SNAPSHOT',
      '$(person) This connection will sign in as admin',
      '$(key) Can create access tokens',
      "$(organization) Can manage all users' access tokens",
      '$(database) Can read index sizes, truncate indices and monitor tasks',
    ]);
    await person.picks(VERDICT, /Name: /);
    assert.equal(await person.reads(NAME), new URL(service.url).host);
    assert.match(await person.triesToType(NAME, '  '), /Enter a name/);
    await person.types(NAME, 'Found');
    await changeUser(person, 'urn:li:corpuser:admin');
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
    await person.tries(ADDRESS, 'Use the address as typed', ANYWAY);
    assert.match(await problemOfAddress(), /No metadata service found at .* \(HTTP 404\)/);
    await person.picks(ADDRESS, ANYWAY);
    await person.goesBack(TOKEN);
    assert.equal(await person.reads(ADDRESS), `${service.url}/settings/tokens`);
    // Enter accepts the earlier choice again.
    await person.accepts(ADDRESS, `${service.url}/settings/tokens`, ANYWAY);
    await person.picks(ADDRESS, ANYWAY);
    await person.goesBack(TOKEN);
    assert.equal(await person.reads(ADDRESS), `${service.url}/settings/tokens`);
    // The selection stays where the user moves it, however early.
    assert.deepEqual(await person.movesTo(ADDRESS, service.url), [service.url]);
    await person.picks(ADDRESS, service.url);
    await person.goesBack(TOKEN);
    assert.equal(await person.reads(ADDRESS), service.url);
    await person.leaves(ADDRESS);
    await added;
  });

  test('mentions no header if the server was not reached', async () => {
    const added = vscode.commands.executeCommand(COMMANDS.connectionAdd);
    await usesAnyway('https://nobody.invalid');
    await person.types(TOKEN, 'token');
    await person.types(WHO, 'admin');
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

  test('names the extension and its version in each request', async () => {
    await addConnection(person, connectionAs(service, 'admin', 'Named'));
    const { version } = (await activated()).context.extension.packageJSON as { version: string };
    const requests = await callService(service, 'requests');
    assert.ok(requests.length > 2);
    assert.deepEqual(
      [...new Set(requests.map(({ headers }) => headers['user-agent']))],
      [`metadata-service-vscode/${version}`],
    );
  });

  test('goes back with the typed values; an unfinished flow keeps them, except for the token and its user', async () => {
    const first = vscode.commands.executeCommand(COMMANDS.connectionAdd);
    await person.filters(ADDRESS, service.url);
    await person.picks(ADDRESS, service.url);
    await person.triesToType(TOKEN, 'typed-by-mistake');
    await person.insists(TOKEN);
    await person.types(WHO, 'analyst');
    await changeName(person, 'Resumed');
    await person.offered(VERDICT, SAVE);
    await person.goesBack(VERDICT);
    assert.equal(await person.reads(WHO), 'analyst');
    await person.goesBack(WHO);
    assert.equal(await person.reads(TOKEN), 'typed-by-mistake');
    await person.goesBack(TOKEN);
    assert.equal(await person.reads(ADDRESS), service.url);
    await person.leaves(ADDRESS);
    await first;

    const second = vscode.commands.executeCommand(COMMANDS.connectionAdd);
    await person.picks(ADDRESS, service.url);
    assert.equal(await person.reads(TOKEN), '');
    await person.types(TOKEN, '');
    assert.equal(await person.reads(WHO), '', 'the user was typed for the other token');
    await person.goesBack(WHO);
    await person.types(TOKEN, tokenOf(service, 'analyst'));
    await person.offered(VERDICT, 'Name: Resumed');
    await person.picks(VERDICT, SAVE);
    await second;
    assert.equal((await rowAt('Resumed')).description, 'analyst');
  });

  test('proposes the user of an abandoned flow again, but not to a token that says whose it is', async () => {
    const abandoned = vscode.commands.executeCommand(COMMANDS.connectionAdd);
    await usesAnyway(`${service.url}/settings/elsewhere`);
    await person.types(TOKEN, '');
    await person.types(WHO, 'analyst');
    await person.leaves(VERDICT);
    await abandoned;
    const added = vscode.commands.executeCommand(COMMANDS.connectionAdd);
    await person.filters(ADDRESS, service.url);
    await person.picks(ADDRESS, service.url);
    await person.types(TOKEN, tokenOf(service, 'admin'));
    await person.offered(VERDICT, 'This connection will sign in as admin');
    await changeName(person, 'Of the admin');
    await person.picks(VERDICT, SAVE);
    await added;
    assert.equal((await rowAt('Of the admin')).description, 'admin');
  });

  test('asks about plain HTTP again for another origin, which does not receive the typed token', async () => {
    const added = vscode.commands.executeCommand(COMMANDS.connectionAdd);
    await usesAnyway('http://a.invalid');
    await person.answers(/^Send credentials to a\.invalid without encryption\?$/, 'Use Plain HTTP');
    await person.types(TOKEN, 'typed-for-a');
    await person.goesBack(WHO);
    assert.equal(await person.reads(TOKEN), 'typed-for-a');
    await person.goesBack(TOKEN);
    await usesAnyway('http://b.invalid');
    await person.answers(/^Send credentials to b\.invalid without encryption\?$/, 'Use Plain HTTP');
    assert.equal(await person.reads(TOKEN), '');
    await person.leaves(TOKEN);
    await added;
    const resumed = vscode.commands.executeCommand(COMMANDS.connectionAdd);
    await person.accepts(ADDRESS, 'http://b.invalid', ANYWAY);
    await person.picks(ADDRESS, ANYWAY);
    await person.answers(/^Send credentials to b\.invalid without encryption\?$/);
    await person.leaves(ADDRESS);
    await resumed;
  });

  test('reports that the server takes the user for another one, and which privileges are missing', async () => {
    const added = vscode.commands.executeCommand(COMMANDS.connectionAdd);
    const connection = { ...connectionAs(service, 'watcher', 'Somebody else'), actor: 'admin' };
    await comeToSummary(person, connection);
    await changeUser(person, connection.actor);
    const found = (await person.offered(VERDICT, 'Save Connection')).map(({ label, detail }) =>
      [label, detail].filter(Boolean).join(': '),
    );
    assert.ok(found.includes('$(warning) This connection will sign in as watcher, not admin'), found.join('\n'));
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
    // The server decides who acts.
    assert.equal((await rowAt('Somebody else')).description, 'watcher');
  });

  test('says at the token that it was refused, and proposes nothing that it could not learn', async () => {
    const added = vscode.commands.executeCommand(COMMANDS.connectionAdd);
    await person.filters(ADDRESS, service.url);
    await person.picks(ADDRESS, service.url);
    assert.equal(
      await person.triesToType(TOKEN, 'wrong'),
      'Access token rejected. It may have expired or been revoked. ' +
        'Sign in with another access token. Press Enter again to use it anyway.',
    );
    await person.types(TOKEN, tokenOf(service, 'admin'));
    await person.offered(VERDICT, 'This connection will sign in as admin');
    await person.leaves(VERDICT);
    await added;
  });

  test('says at the token that the server refused the request with it', async () => {
    const added = vscode.commands.executeCommand(COMMANDS.connectionAdd);
    await person.filters(ADDRESS, service.url);
    await person.picks(ADDRESS, service.url);
    await callService(service, 'addFault', { fault: { kind: 'status', status: 403 }, match: 'query me' });
    assert.match(
      await person.triesToType(TOKEN, tokenOf(service, 'admin')),
      /^The server refused: .* Press Enter again to use it anyway\.$/,
    );
    await person.insists(TOKEN);
    await person.leaves(WHO);
    await added;
  });

  test('summarizes what is wrong, and returns to the token if that is the problem', async () => {
    const added = vscode.commands.executeCommand(COMMANDS.connectionAdd);
    await person.filters(ADDRESS, service.url);
    await person.picks(ADDRESS, service.url);
    await person.triesToType(TOKEN, 'wrong');
    await person.insists(TOKEN);
    await person.types(WHO, 'analyst');
    await changeName(person, 'Wrong first');
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
    // Name and role aren't asked again, and a user that was typed for another token isn't kept.
    await person.offered(VERDICT, 'Name: Wrong first');
    await person.offered(VERDICT, 'This connection will sign in as admin');
    await person.picks(VERDICT, 'Save Connection');
    await added;
    assert.equal((await rowAt('Wrong first')).description, 'admin');
  });

  test('says at the address that it does not answer, without cutting lines off, and returns to it', async () => {
    const added = vscode.commands.executeCommand(COMMANDS.connectionAdd);
    const nobody = `https://${'nobody-'.repeat(8)}.nobody-of-this-name.invalid`;
    await person.filters(ADDRESS, nobody);
    await person.tries(ADDRESS, nobody, ANYWAY);
    assertReasonOf(nobody, (await person.offered(ADDRESS, ANYWAY)).slice(0, -1));
    await person.picks(ADDRESS, ANYWAY);
    await person.types(TOKEN, 'typed-for-nobody');
    await person.types(WHO, 'admin');
    await changeName(person, 'Nobody');
    assertReasonOf(nobody, await person.offered(VERDICT, 'Save Anyway'));
    await person.picks(VERDICT, 'Edit Address');
    assert.equal(await person.reads(ADDRESS), nobody);
    await person.filters(ADDRESS, service.url);
    await person.picks(ADDRESS, service.url);
    assert.equal(await person.reads(TOKEN), '', 'the token was typed for another server');
    await person.types(TOKEN, tokenOf(service, 'admin'));
    await person.offered(VERDICT, 'Name: Nobody');
    await person.leaves(VERDICT);
    await added;
    assert.ok(!JSON.stringify(await callService(service, 'requests')).includes('typed-for-nobody'));
  });

  test('asks only for what is wrong: a corrected path keeps token and user', async () => {
    const added = vscode.commands.executeCommand(COMMANDS.connectionAdd);
    await usesAnyway(`${service.url}/settings/elsewhere`);
    await person.types(TOKEN, tokenOf(service, 'admin'));
    await person.types(WHO, 'admin');
    await changeName(person, 'Corrected');
    const found = (await person.offered(VERDICT, 'Save Anyway')).map(({ label }) => label);
    assert.ok(
      found.some((line) => /No metadata service found at .* \(HTTP 404\)/.test(line)),
      found.join('\n'),
    );
    assert.ok(!found.some((line) => /"me"|header/.test(line)), found.join('\n'));
    await person.picks(VERDICT, 'Edit Address');
    await person.filters(ADDRESS, service.url);
    await person.picks(ADDRESS, service.url);
    await person.offered(VERDICT, 'This connection will sign in as admin');
    // A question that is left changes nothing.
    await person.picks(VERDICT, /Name: /);
    await person.leaves(NAME);
    await person.picks(VERDICT, /Role: /);
    await person.goesBack(ROLE);
    await person.offered(VERDICT, 'Name: Corrected');
    await person.leaves(VERDICT);
    await added;
  });

  test('stays as it was if the token for another address is not typed', async () => {
    const added = vscode.commands.executeCommand(COMMANDS.connectionAdd);
    await usesAnyway(`${service.url}/settings/elsewhere`);
    await person.types(TOKEN, tokenOf(service, 'admin'));
    await person.types(WHO, 'admin');
    await person.picks(VERDICT, 'Edit Address');
    const other = hostService('0.14').url;
    await person.filters(ADDRESS, other);
    await person.picks(ADDRESS, other);
    assert.equal(await person.reads(TOKEN), '');
    await person.leaves(TOKEN);
    await person.picks(VERDICT, 'Edit Address');
    assert.equal(await person.reads(ADDRESS), `${service.url}/settings/elsewhere`);
    await person.filters(ADDRESS, service.url);
    await person.picks(ADDRESS, service.url);
    await person.offered(VERDICT, 'This connection will sign in as admin');
    await person.leaves(VERDICT);
    await added;
  });

  for (const [what, fault, reason] of [
    ['a web page', { kind: 'html' }, /This may not be a metadata service/],
    ['a missing page', { kind: 'html', status: 404 }, /No metadata service found at .* \(HTTP 404\)/],
    ['a redirect', { kind: 'redirect', location: 'https://login.example.com/' }, /redirected the request/],
    ['no HTTP', { kind: 'cutBefore' }, /closed the connection unexpectedly/],
    ['503', { kind: 'status', status: 503 }, /isn't ready \(HTTP 503\)/],
  ] as const) {
    test(`refuses an address that answers with ${what}, without a credential`, async () => {
      await callService(service, 'addFault', { fault, times: 'always' });
      const added = vscode.commands.executeCommand(COMMANDS.connectionAdd);
      await person.filters(ADDRESS, service.url);
      await person.tries(ADDRESS, service.url, ANYWAY);
      assert.match(await problemOfAddress(), reason);
      const requests = await callService(service, 'requests');
      assert.deepEqual(
        requests.flatMap(({ headers }) => headers.authorization ?? []),
        [],
      );
      await calm(service);
      await person.picks(ADDRESS, 'Try Again');
      await person.leaves(TOKEN);
      await added;
    });
  }

  test('stops asking once the address is changed, or the flow is left', async () => {
    const asked = async (count: number): Promise<unknown> =>
      until('the question to the server', async () => (await requestsWith(service, '/config')).length === count);
    await callService(service, 'addFault', { fault: { kind: 'latency', millis: 60_000 }, times: 'always' });
    const added = vscode.commands.executeCommand(COMMANDS.connectionAdd);
    await person.filters(ADDRESS, service.url);
    await person.tries(ADDRESS, service.url, `Connecting to ${service.url}…`);
    await asked(1);
    await person.filters(ADDRESS, `${service.url}/`);
    await person.offered(ADDRESS, service.url);
    await person.tries(ADDRESS, service.url, `Connecting to ${service.url}…`);
    await asked(2);
    await person.leaves(ADDRESS);
    await added;
    await calm(service);
    person.assertNothingOpen();
  });

  test('stops trying a token once another one is typed, or the flow is left', async () => {
    const added = vscode.commands.executeCommand(COMMANDS.connectionAdd);
    await person.filters(ADDRESS, service.url);
    await person.picks(ADDRESS, service.url);
    await callService(service, 'addFault', { fault: { kind: 'latency', millis: 60_000 }, match: 'query me' });
    await person.startsToType(TOKEN, tokenOf(service, 'analyst'));
    await until('the question to the server', async () => (await requestsWith(service, 'query me')).length === 1);
    await person.types(TOKEN, tokenOf(service, 'admin'));
    await person.offered(VERDICT, 'This connection will sign in as admin');
    await person.leaves(VERDICT);
    await added;
    await calm(service);
  });

  test('requires a name that no other connection has', async () => {
    await addConnection(person, connectionAs(service, 'admin', 'Taken'));
    const added = vscode.commands.executeCommand(COMMANDS.connectionAdd);
    await person.filters(ADDRESS, service.url);
    await person.picks(ADDRESS, service.url);
    await person.types(TOKEN, tokenOf(service, 'admin'));
    await person.picks(VERDICT, /Name: /);
    for (const name of ['Taken', 'Ta\u200Bken\u00A0', '\u2003Taken']) {
      assert.match(await person.triesToType(NAME, name), /Another connection already has this name/);
    }
    assert.match(await person.triesToType(NAME, '\u200B\u00A0'), /Enter a name/);
    await person.types(NAME, 'Free\u00A0of\u200B it\u2060');
    await changeRole(person, 'Production');
    await person.picks(VERDICT, SAVE);
    await added;
    assert.equal((await rowAt('Free of it')).label, 'Free of it');
  });

  test('proposes a name that no other connection has', async () => {
    const { host } = new URL(service.url);
    await addConnection(person, connectionAs(service, 'admin', host));
    const added = vscode.commands.executeCommand(COMMANDS.connectionAdd);
    await comeToSummary(person, connectionAs(service, 'analyst', ''));
    await person.offered(VERDICT, `Name: ${host} 2`);
    await person.picks(VERDICT, SAVE);
    await added;
    await rowAt(`${host} 2`);
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
    test(`names the actor in the header of ${profile} on every request, and signs operations`, async () => {
      const server = hostService(profile);
      await calm(server);
      await addConnection(person, connectionAs(server, 'admin', profile));
      // Before, the token alone says whose it is.
      await calm(server);
      await rowsBelow(await rowAt(profile, 'Access tokens'));
      await rowsBelow(await rowAt(profile, 'Time series indices'));
      const header = profile === 'spec' ? 'x-service-actor' : 'x-datahub-actor';
      const queries = await requestsWith(server, '/api/graphql');
      assert.ok(queries.length > 1);
      const operations = await requestsWith(server, 'operations?action=');
      assert.deepEqual(
        new Set([...queries, ...operations].map(({ headers }) => headers[header])),
        new Set(['urn:li:corpuser:admin']),
      );
      const sizes = (await requestsWith(server, 'getIndexSizes')).filter(({ status }) => status === 200);
      assert.equal(sizes.length, 1);
      assert.equal(sizes[0]?.headers.authorization, `Bearer ${tokenOf(server, 'admin')}`);
    });
  }

  test('works without a token where authentication is off: as the user, who decides, and not as signed out', async () => {
    const open = hostService('0.14');
    await addConnection(person, { ...connectionAs(open, 'analyst', 'Open'), token: '' });
    await calm(open);
    await rowsBelow(await rowAt('Open', 'Access tokens'));
    await rowsBelow(await rowAt('Open', 'Time series indices'));
    const requests = await callService(open, 'requests');
    assert.ok(requests.some(({ path }) => path.includes('getIndexSizes')));
    for (const { path, headers } of requests) {
      const seen = [headers.authorization, headers['x-datahub-actor']];
      assert.deepEqual(seen, [undefined, path === '/config' ? undefined : 'urn:li:corpuser:analyst'], path);
    }
    const row = await rowAt('Open');
    assert.deepEqual([row.description, row.item.contextValue], ['analyst', 'connection;signedOut']);
  });

  for (const profile of ['0.14', '1.7', 'next', 'postgres'] as const) {
    test(`works through the front end of ${profile}, which names its product without a credential`, async () => {
      const server = hostService(profile);
      await calm(server);
      const added = vscode.commands.executeCommand(COMMANDS.connectionAdd);
      await person.filters(ADDRESS, server.frontUrl);
      await person.picks(ADDRESS, server.frontUrl);
      assert.deepEqual(
        (await callService(server, 'requests')).flatMap(({ headers }) => headers.authorization ?? []),
        [],
      );
      await person.leaves(TOKEN);
      await added;
    });
  }

  /** Goes on with an address where no service was found. */
  async function usesAnyway(address: string): Promise<void> {
    await person.filters(ADDRESS, address);
    await person.tries(ADDRESS, address.includes('/settings/') ? 'Use the address as typed' : address, ANYWAY);
    await person.picks(ADDRESS, ANYWAY);
  }

  async function problemOfAddress(): Promise<string> {
    const offered = await person.offered(ADDRESS, ANYWAY);
    return textsOf(offered).join(' ');
  }
});

function assertReasonOf(baseUrl: string, items: readonly vscode.QuickPickItem[]): void {
  const found = textsOf(items);
  assert.ok(found.includes("Can't reach host"), found.join('\n'));
  assert.ok(
    found.every((label) => label.length <= 80),
    found.join('\n'),
  );
  assert.ok(found.join('').includes(new URL(baseUrl).host), found.join('\n'));
}

/** Label and description in one. */
function textsOf(items: readonly vscode.QuickPickItem[]): string[] {
  return items.map(({ label, description = '' }) => `${withoutIcon(label)}${description}`);
}

function withoutIcon(label: string): string {
  return label.replace(/^\$\([\w~-]+\) /, '');
}
