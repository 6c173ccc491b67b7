import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { COMMANDS, SETTINGS } from '../../../src/manifest.ts';
import type { TokenRecord } from '../../service/tokens.ts';
import { callService, hostService } from '../context.ts';
import { connectionAs, leaveNothing, saveConnection, tokenOf } from './support/connections.ts';
import { Person } from './support/person.ts';
import { calm, requestsWith, variablesOf } from './support/requests.ts';
import { withSetting } from './support/settings.ts';
import { TOKENS } from './support/tokens.ts';
import { until } from './support/until.ts';
import { pressEnter, rowAt, rowsBelow } from './support/tree.ts';

const ACCOUNTS = /Search service accounts by name/;
const WHICH = /Filter by… \(current: /;

suite('The listed access tokens', () => {
  const service = hostService();
  const person = new Person();
  suiteSetup(() => person.arrive());
  setup(async () => {
    await calm(service);
    await saveConnection(connectionAs(service, 'admin', 'Filtering'));
    await saveConnection(connectionAs(service, 'analyst', 'Analyst'));
  });
  teardown(() => leaveNothing(person));
  suiteTeardown(() => person.depart());

  test("are everybody's, with their owners, for users with that privilege", async () => {
    await withSetting(SETTINGS.tokenPageSize, 500, () => choose('Filtering', 'All access tokens'));
    const all = await callService(service, 'tokens');
    const group = await rowAt('Filtering', TOKENS);
    assert.match(group.description, /· all$/);
    const rows = await rowsBelow(group);
    assert.deepEqual(named(rows), all.map(({ name }) => name).toSorted());
    for (const { label, description } of rows) {
      const record = all.find(({ name }) => name === label);
      assert.ok(
        description.endsWith(record?.ownerUrn.replace('urn:li:corpuser:', '') ?? 'nobody'),
        `${label}: ${description}`,
      );
    }
  });

  test("are the user's own again after everybody's were refused with an explanation", async () => {
    await choose('Analyst', 'All access tokens');
    const [failure] = await rowsBelow(await rowAt('Analyst', TOKENS));
    assert.equal(failure?.label, 'Not allowed');
    assert.match(failure?.description ?? '', /"Manage All Access Tokens"/);
    await choose('Analyst', 'My access tokens');
    assert.deepEqual(
      named(await rowsBelow(await rowAt('Analyst', TOKENS))),
      namesOf(await callService(service, 'tokens'), ({ ownerUrn }) => ownerUrn === 'urn:li:corpuser:analyst'),
    );
  });

  test('are never filtered by an access token, because the search text is sent unchanged', async () => {
    const token = tokenOf(service, 'admin');
    const filtered = vscode.commands.executeCommand(COMMANDS.tokenFilter, (await rowAt('Filtering', TOKENS)).node);
    await person.picks(WHICH, 'Name…');
    assert.match(await person.triesToType(/Part of the name/, token), /looks like an access token/);
    await person.leaves(/Part of the name/);
    await filtered;
    const other = vscode.commands.executeCommand(COMMANDS.tokenFilter, (await rowAt('Filtering', TOKENS)).node);
    await person.picks(WHICH, 'Another property…');
    await person.types(/Property of the token record/, 'id');
    assert.match(await person.triesToType(/Value of id/, `x ${token}`), /looks like an access token/);
    await person.leaves(/Value of id/);
    await other;
    assert.deepEqual(await requestsWith(service, token), []);
  });

  test('are filtered by a part of the name, by time, and by any other property, all combined', async () => {
    const tokens = await callService(service, 'tokens');
    const own = (record: TokenRecord): boolean => record.ownerUrn === 'urn:li:corpuser:admin';
    await choose('Filtering', 'My access tokens');
    await choose('Filtering', 'Already expired');
    const now = Date.now();
    assert.deepEqual(
      named(await shown()),
      namesOf(tokens, (record) => own(record) && record.expiresAt !== null && record.expiresAt < now),
    );
    await choose('Filtering', 'Clear Filters');
    await choose('Filtering', 'Name…', [/Part of the name/, 'produc']);
    assert.match((await rowAt('Filtering', TOKENS)).description, /· mine · name contains "produc"$/);
    const byName = namesOf(tokens, (record) => own(record) && record.name.includes('produc'));
    assert.ok(byName.length > 0);
    assert.deepEqual(named(await shown()), byName);
    await choose(
      'Filtering',
      'Another property…',
      [/Property of the token record/, 'actorUrn'],
      [/Value of actorUrn/, 'urn:li:corpuser:operator'],
    );
    assert.deepEqual(
      named(await shown()),
      namesOf(
        tokens,
        (record) => own(record) && record.name.includes('produc') && record.actorUrn === 'urn:li:corpuser:operator',
      ),
    );
    const last = (await requestsWith(service, 'listAccessTokens')).at(-1) ?? assert.fail();
    assert.match(
      JSON.stringify(variablesOf(last)),
      /"ownerUrn".*urn:li:corpuser:admin/,
      'a filter took away whose tokens are listed',
    );
  });

  test('have ready filters for tokens that expire within days, and a filter by expiry replaces another', async () => {
    const tokens = await callService(service, 'tokens');
    const within = (days: number): string[] => {
      const now = Date.now();
      return namesOf(
        tokens,
        ({ ownerUrn, expiresAt }) =>
          ownerUrn === 'urn:li:corpuser:admin' &&
          expiresAt !== null &&
          expiresAt > now &&
          expiresAt < now + days * 86_400_000,
      );
    };
    await choose('Filtering', 'Expires within 7 days');
    assert.ok(within(7).length > 0 && within(30).length > within(7).length);
    assert.deepEqual(named(await shown()), within(7));
    await choose('Filtering', 'Expires within 30 days');
    assert.match((await rowAt('Filtering', TOKENS)).description, /^\d+ · mine · expires within 30 days$/);
    assert.deepEqual(named(await shown()), within(30));
    await choose('Filtering', 'Name…', [/Part of the name/, 'a']);
    await choose('Filtering', 'Name…', [/Part of the name/, 'b']);
    assert.match(
      (await rowAt('Filtering', TOKENS)).description,
      /· mine · expires within 30 days · name contains "b"$/,
    );
  });

  test('keep a typed filter for editing', async () => {
    await choose('Filtering', 'Name…', [/Part of the name/, 'produc']);
    const filtered = vscode.commands.executeCommand(COMMANDS.tokenFilter, (await rowAt('Filtering', TOKENS)).node);
    await person.picks(/Filter by… \(current: mine · name contains "produc"\)/, 'Name…');
    assert.equal(await person.reads(/Part of the name/), 'produc');
    await person.leaves(/Part of the name/);
    await filtered;
    assert.match((await rowAt('Filtering', TOKENS)).description, /· mine · name contains "produc"$/);
  });

  test("have the missing privilege beside the choice of all users' tokens, unless the user has it", async () => {
    for (const [connection, description] of [
      ['Filtering', 'created by anyone'],
      ['Analyst', 'You don\'t have the "Manage All Access Tokens" privilege, so the server may refuse this.'],
    ] as const) {
      const left = vscode.commands.executeCommand(COMMANDS.tokenFilter, (await rowAt(connection, TOKENS)).node);
      const items = await person.offered(WHICH, 'All access tokens');
      assert.equal(items.find(({ label }) => label.endsWith('All access tokens'))?.description, description);
      await person.leaves(WHICH);
      await left;
    }
  });

  test('say if a filter matches nothing, and let the user clear it from there', async () => {
    const before = named(await shown());
    await choose('Filtering', 'Name…', [/Part of the name/, 'no token is called so']);
    const rows = await shown();
    assert.deepEqual(
      rows.map(({ label }) => label),
      ['No matching access tokens', 'Clear Filters'],
    );
    assert.equal((await rowAt('Filtering', TOKENS)).item.contextValue, 'tokens;filtered');
    await pressEnter(rows[1] ?? assert.fail());
    assert.deepEqual(named(await shown()), before);
    assert.equal((await rowAt('Filtering', TOKENS)).item.contextValue, 'tokens');
  });

  for (const profile of ['0.14', 'next'] as const) {
    test(`are those that never expire, and the soonest to expire come first: ${profile}`, async () => {
      const other = hostService(profile);
      const name = `Expiring ${profile}`;
      await calm(other);
      await saveConnection(connectionAs(other, 'admin', name));
      const own = (await callService(other, 'tokens')).filter(({ ownerUrn }) => ownerUrn.endsWith(':admin'));
      await choose(name, 'Never expires');
      const group = await rowAt(name, TOKENS);
      const never = own.filter(({ expiresAt }) => expiresAt === null);
      assert.equal(group.description, `${never.length} · mine · never expires`);
      assert.deepEqual(named(await rowsBelow(group)), never.map((one) => one.name).toSorted());
      await choose(name, 'Clear Filters');
      await withSetting(SETTINGS.tokenPageSize, 5, () => choose(name, 'Expiring Soonest First'));
      const now = Date.now();
      const soonest = own
        .filter(({ expiresAt }) => expiresAt !== null && expiresAt > now)
        .toSorted((a, b) => Number(a.expiresAt) - Number(b.expiresAt));
      const sorted = await rowAt(name, TOKENS);
      assert.match(sorted.description, /· mine · expiring soonest first$/);
      assert.deepEqual(
        (await rowsBelow(sorted)).slice(0, 5).map(({ label }) => label),
        soonest.slice(0, 5).map((one) => one.name),
      );
      await choose(name, 'Server Order');
      assert.doesNotMatch((await rowAt(name, TOKENS)).description, /soonest|mine/);
    });
  }

  test('have no filter for "never" and no order where the server reports no expiry', async () => {
    const spec = hostService('spec');
    await calm(spec);
    await saveConnection(connectionAs(spec, 'admin', 'To the letter'));
    // Its first listing shows what it has.
    await rowsBelow(await rowAt('To the letter', TOKENS));
    const left = vscode.commands.executeCommand(COMMANDS.tokenFilter, (await rowAt('To the letter', TOKENS)).node);
    const labels = (await person.offered(WHICH, 'Name…')).map(({ label }) => label);
    assert.ok(!labels.some((label) => /Never expires|Soonest|Service account/.test(label)), labels.join(', '));
    await person.leaves(WHICH);
    await left;
  });

  test('are counted with those that expire within 30 days, once all are loaded', async () => {
    const [now, own] = [
      Date.now(),
      (await callService(service, 'tokens')).filter(({ ownerUrn }) => ownerUrn.endsWith(':admin')),
    ];
    const soon = own.filter(
      ({ expiresAt }) => expiresAt !== null && expiresAt > now && expiresAt < now + 30 * 86_400_000,
    );
    await withSetting(SETTINGS.tokenPageSize, 500, () => choose('Filtering', 'My access tokens'));
    assert.equal(
      (await rowAt('Filtering', TOKENS)).description,
      `${own.length} · ${soon.length} expire within 30 days`,
    );
    await withSetting(SETTINGS.tokenPageSize, 5, () => choose('Filtering', 'My access tokens'));
    assert.doesNotMatch((await rowAt('Filtering', TOKENS)).description, /expire/);
  });

  test('are filtered by a service account that is picked by name, or by a typed user', async () => {
    const filtered = vscode.commands.executeCommand(COMMANDS.tokenFilter, (await rowAt('Filtering', TOKENS)).node);
    await person.picks(WHICH, 'Service account…');
    await person.filters(ACCOUNTS, 'renew');
    const found = ['$(server-process) Lineage [Renew](command:x) $ (trash)', '$(edit) Type an ID or URN…'];
    await until('only those whose names have the text', async () => {
      const labels = (await person.offered(ACCOUNTS, 'Type an ID or URN…')).map(({ label }) => label);
      return labels.join() === found.join();
    });
    await person.picks(ACCOUNTS, /Lineage/);
    await filtered;
    assert.match(
      (await rowAt('Filtering', TOKENS)).description,
      /· acts as "Lineage \[Renew\]\(command:x\) \$\(trash\)" \(service_5e3a1c03[^)]*\)$/,
    );
    const sent = (await requestsWith(service, 'listAccessTokens')).at(-1) ?? assert.fail();
    assert.match(JSON.stringify(variablesOf(sent)), /urn:li:corpuser:service_5e3a1c03/);
    assert.doesNotMatch(JSON.stringify(variablesOf(sent)), /Lineage/);
    const typed = vscode.commands.executeCommand(COMMANDS.tokenFilter, (await rowAt('Filtering', TOKENS)).node);
    await person.picks(WHICH, 'Acting as…');
    await person.types(/Tokens that act as this user/, 'operator');
    await typed;
    assert.match((await rowAt('Filtering', TOKENS)).description, /· acts as operator$/);
  });

  test('are filtered by a typed ID where service accounts may not be listed: the privilege is named', async () => {
    const filtered = vscode.commands.executeCommand(COMMANDS.tokenFilter, (await rowAt('Analyst', TOKENS)).node);
    await person.picks(WHICH, 'Service account…');
    await person.filters(ACCOUNTS, 'operator');
    const items = await person.offered(ACCOUNTS, 'Not allowed');
    assert.ok(items.some(({ label }) => label.includes('"Manage Service Accounts"')));
    await person.picks(ACCOUNTS, 'Type an ID or URN…');
    assert.equal(await person.reads(/Tokens that act as this user/), 'operator');
    await person.types(/Tokens that act as this user/, 'operator');
    await filtered;
    assert.match((await rowAt('Analyst', TOKENS)).description, /· mine · acts as operator$/);
  });

  test('are never searched by an access token among service accounts', async () => {
    const token = tokenOf(service, 'admin');
    const filtered = vscode.commands.executeCommand(COMMANDS.tokenFilter, (await rowAt('Filtering', TOKENS)).node);
    await person.picks(WHICH, 'Service account…');
    await person.offered(ACCOUNTS, 'Airflow nightly');
    await person.filters(ACCOUNTS, token);
    await person.offered(ACCOUNTS, 'No matching service accounts');
    await person.leaves(ACCOUNTS);
    await filtered;
    assert.deepEqual(await requestsWith(service, token), []);
  });

  /** Chooses a filter and answers the next question. */
  async function choose(
    connection: string,
    choice: string,
    ...answers: readonly (readonly [RegExp, string])[]
  ): Promise<void> {
    const filtered = vscode.commands.executeCommand(COMMANDS.tokenFilter, (await rowAt(connection, TOKENS)).node);
    await person.picks(WHICH, choice);
    for (const [asked, text] of answers) {
      await person.types(asked, text);
    }
    await filtered;
  }

  async function shown(): ReturnType<typeof rowsBelow> {
    return rowsBelow(await rowAt('Filtering', TOKENS));
  }
});

function named(rows: Awaited<ReturnType<typeof rowsBelow>>): string[] {
  return rows
    .filter(({ item }) => item.contextValue === 'token')
    .map(({ label }) => label)
    .toSorted();
}

function namesOf(records: readonly TokenRecord[], fits: (record: TokenRecord) => boolean): string[] {
  return records
    .filter(fits)
    .map(({ name }) => name)
    .toSorted();
}
