import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { COMMANDS } from '../../../src/manifest.ts';
import type { TokenRecord } from '../../service/tokens/tokens.ts';
import { callService, hostService } from '../context.ts';
import { connectionAs, saveConnection, tokenOf } from './support/connections.ts';
import { personAt } from './support/fixtures.ts';
import { answerWith, calm, requestsWith, variablesOf } from './support/requests.ts';
import { TOKENS } from './support/tokens.ts';
import { pressEnter, rowAt, rowsBelow, tokenRowsBelow, type Row } from './support/tree.ts';
import { until } from './support/until.ts';

const ACCOUNTS = /Search service accounts by name/;
const FILTERS = /Access tokens must match all of them/;

suite('The listed access tokens', () => {
  const service = hostService();
  const person = personAt(service);
  setup(async () => {
    await saveConnection(connectionAs(service, 'admin', 'Filtering'));
    await saveConnection(connectionAs(service, 'analyst', 'Analyst'));
  });

  test("are everybody's, and say the user where a filter says the rest", async () => {
    await filterBy('Filtering', ['All access tokens', 'never expires']);
    const revoking = vscode.commands.executeCommand(COMMANDS.tokenRevoke, (await rowAt('Filtering')).node);
    await person.leaves(/^Revoke Access Token.*Select access tokens on "Filtering".* · never expires, all$/);
    await revoking;
    await filterBy('Filtering', ['All access tokens']);
    const all = await callService(service, 'tokens');
    assert.match((await rowAt('Filtering', TOKENS)).description, /^all · \d/);
    const rows = await shown();
    assert.deepEqual(
      named(rows),
      namesOf(all, () => true),
    );
    for (const { label, spoken } of rows) {
      const record = all.find(({ name }) => name === label);
      assert.ok(spoken.endsWith(record?.actorUrn.replace('urn:li:corpuser:', '') ?? 'nobody'), `${label}: ${spoken}`);
    }
    await filterBy('Filtering', ['All access tokens', 'never expires']);
    const never = all.filter(({ expiresAt }) => expiresAt === null);
    assert.equal((await rowAt('Filtering', TOKENS)).description, `never expires, all · ${never.length}`);
    const left = openFilters('Filtering');
    const offered = await person.offered(FILTERS, 'Name…');
    assert.deepEqual(
      offered.filter(({ picked }) => picked).map(({ label }) => label),
      ['All access tokens', 'never expires'],
    );
    await person.leaves(FILTERS);
    await left;
    for (const { label, description } of await shown()) {
      const record = never.find(({ name }) => name === label);
      assert.equal(description, record?.actorUrn.replace('urn:li:corpuser:', ''));
    }
  });

  test("are the user's own again after everybody's were refused with an explanation", async () => {
    const filtered = openFilters('Analyst');
    await person.ticks(FILTERS, 'All access tokens');
    await filtered;
    const [failure] = await rowsBelow(await rowAt('Analyst', TOKENS));
    assert.equal(failure?.label, 'Not allowed');
    assert.match(failure?.description ?? '', /"Manage All Access Tokens"/);
    await filterBy('Analyst', []);
    assert.deepEqual(
      named(await tokenRowsBelow(await rowAt('Analyst', TOKENS))),
      namesOf(await callService(service, 'tokens'), ({ ownerUrn }) => ownerUrn === 'urn:li:corpuser:analyst'),
    );
  });

  test('are never filtered by an access token, because the search text is sent unchanged', async () => {
    const token = tokenOf(service, 'admin');
    const filtered = openFilters('Filtering');
    await person.ticks(FILTERS, 'Name…');
    assert.match(await person.triesToType(/Part of the name/, token), /looks like an access token/);
    await person.leaves(/Part of the name/);
    await filtered;
    assert.deepEqual(await requestsWith(service, token), []);
  });

  test('are filtered by a part of the name, by time and by user, all combined', async () => {
    const tokens = await callService(service, 'tokens');
    const own = (record: TokenRecord): boolean => record.ownerUrn === 'urn:li:corpuser:admin';
    await filterBy('Filtering', ['already expired']);
    const now = Date.now();
    const expired = namesOf(tokens, (record) => own(record) && record.expiresAt !== null && record.expiresAt < now);
    const [folder, ...others] = await rowsBelow(await rowAt('Filtering', TOKENS));
    assert.deepEqual([folder?.label, others], [`${expired.length} expired`, []]);
    assert.equal(folder?.item.collapsibleState, vscode.TreeItemCollapsibleState.Expanded, 'these were asked for');
    assert.deepEqual(named(await shown()), expired);
    await filterBy('Filtering', ['Name…'], [/Part of the name/, 'produc']);
    assert.match((await rowAt('Filtering', TOKENS)).description, /^name contains "produc" · \d+/);
    const byName = namesOf(tokens, (record) => own(record) && record.name.includes('produc'));
    assert.ok(byName.length > 0);
    assert.deepEqual(named(await shown()), byName);
    await filterBy('Filtering', [/^name contains/, 'Acting as…'], [/Acting as/, 'operator']);
    assert.match((await rowAt('Filtering', TOKENS)).description, /^name contains "produc", acts as operator · \d+/);
    assert.deepEqual(
      named(await shown()),
      namesOf(
        tokens,
        (record) => own(record) && record.name.includes('produc') && record.actorUrn === 'urn:li:corpuser:operator',
      ),
    );
    // Other lists may be read meanwhile.
    const listings = (await requestsWith(service, 'listAccessTokens')).map((one) => JSON.stringify(variablesOf(one)));
    const last = listings.findLast((variables) => variables.includes('produc')) ?? assert.fail();
    assert.match(last, /"ownerUrn".*urn:li:corpuser:admin/, 'a filter took away whose tokens are listed');
  });

  test('are all there again once the filters are cleared, also by the row that says that none matches', async () => {
    await filterBy('Filtering', ['Name…'], [/Part of the name/, 'no such name']);
    const rows = await rowsBelow(await rowAt('Filtering', TOKENS));
    assert.deepEqual(
      rows.map(({ label }) => label),
      ['No matching access tokens', 'Clear Filters'],
    );
    await pressEnter(rows[1] ?? assert.fail());
    await until('the tokens', async () => named(await shown()).length > 0);
    assert.match((await rowAt('Filtering', TOKENS)).description, /^\d/);
    await filterBy('Filtering', ['All access tokens']);
    const all = await rowAt('Filtering', TOKENS);
    assert.deepEqual([all.item.contextValue, iconOf(all)], ['tokens;filtered', 'filter-filled']);
    await vscode.commands.executeCommand(COMMANDS.tokenClearFilters, (await rowAt('Filtering', TOKENS)).node);
    const own = await rowAt('Filtering', TOKENS);
    assert.match(own.description, /^\d/);
    assert.deepEqual([own.item.contextValue, iconOf(own)], ['tokens', 'key']);
  });

  test('are filtered by one of those that contradict each other: checking one unchecks the other', async () => {
    const filtered = openFilters('Filtering');
    await person.checks(FILTERS, ['never expires', 'Name…'], ['never expires', 'Name…']);
    const both = ['never expires', 'already expired', 'Name…'];
    await person.checks(FILTERS, both, ['already expired', 'Name…']);
    await person.ticks(FILTERS, 'never expires');
    await filtered;
    assert.match((await rowAt('Filtering', TOKENS)).description, /^never expires · /);
  });

  test('are sorted by name or by age', async () => {
    const own = (await callService(service, 'tokens')).filter(
      ({ ownerUrn, expiresAt }) => ownerUrn.endsWith(':admin') && (expiresAt === null || expiresAt > Date.now()),
    );
    const labels = async (): Promise<string[]> =>
      (await rowsBelow(await rowAt('Filtering', TOKENS)))
        .filter(({ item }) => item.contextValue === 'token')
        .map(({ label }) => label);
    await sortBy('By Name');
    const { compare } = new Intl.Collator('en', { numeric: true });
    assert.deepEqual(await labels(), own.map(({ name }) => name).toSorted(compare));
    await sortBy('Newest First');
    const newest = own.toSorted((a, b) => b.createdAt - a.createdAt);
    assert.equal((await labels())[0], newest[0]?.name);
    await sortBy('Expiring Soonest First');
  });

  test('have no filter for "never" where the server reports no expiry', async () => {
    const spec = hostService('spec');
    await calm(spec);
    await saveConnection(connectionAs(spec, 'admin', 'To the letter'));
    // Its first listing shows what it has.
    await rowsBelow(await rowAt('To the letter', TOKENS));
    const left = openFilters('To the letter');
    const labels = (await person.offered(FILTERS, 'Name…')).map(({ label }) => label);
    assert.ok(!labels.some((label) => /expire|Service account|before|after/i.test(label)), labels.join(', '));
    await person.leaves(FILTERS);
    await left;
  });

  test('are filtered by a service account that is picked by name, or by a typed user', async () => {
    const filtered = openFilters('Filtering');
    await person.ticks(FILTERS, 'Service account…');
    const labels = (await person.offered(ACCOUNTS, 'Airflow nightly')).map(({ label }) => label);
    assert.ok(labels.includes('$(server-process) Lineage [Renew](command:x) $ (trash)'), labels.join(', '));
    await person.picks(ACCOUNTS, /Lineage/);
    await filtered;
    assert.match(
      (await rowAt('Filtering', TOKENS)).description,
      /^acts as "Lineage \[Renew\]\(command:x\) \$\(trash\)" \(service_5e3a1c03[^)]*\) · /,
    );
    const sent = (await requestsWith(service, 'listAccessTokens')).at(-1) ?? assert.fail();
    assert.match(JSON.stringify(variablesOf(sent)), /urn:li:corpuser:service_5e3a1c03/);
    assert.doesNotMatch(JSON.stringify(variablesOf(sent)), /Lineage/);
    await filterBy('Filtering', ['Acting as…'], [/Acting as/, 'operator']);
    assert.match((await rowAt('Filtering', TOKENS)).description, /^acts as operator · /);
  });

  test('name the privilege where service accounts may not be listed', async () => {
    const filtered = openFilters('Analyst');
    await person.ticks(FILTERS, 'Service account…');
    const items = await person.offered(ACCOUNTS, 'Not allowed');
    assert.ok(items.some(({ label }) => label.includes('"Manage Service Accounts"')));
    await person.leaves(ACCOUNTS);
    await filtered;
    assert.equal((await rowAt('Analyst', TOKENS)).item.contextValue, 'tokens');
  });

  test('are filtered by nothing while the server fails to say what it can filter by', async () => {
    await saveConnection(connectionAs(service, 'admin', 'Unreachable'));
    await answerWith(service, 'graphql', 401);
    const filtered = openFilters('Unreachable');
    const items = await person.offered(FILTERS, 'Token rejected (401)');
    assert.ok(items.every(({ picked }) => picked === undefined));
    assert.equal(await person.checksSeveral(FILTERS), false);
    await person.leaves(FILTERS);
    const buttons = await person.isOffered(/^Unreachable: /);
    assert.deepEqual(buttons, ['Sign In…', 'Copy Details for a Report']);
    await filtered;
    assert.equal((await rowAt('Unreachable', TOKENS)).item.contextValue, 'tokens');
  });

  async function openFilters(connection: string): Promise<void> {
    const { node } = await rowAt(connection, TOKENS);
    await vscode.commands.executeCommand(COMMANDS.tokenFilter, node);
  }

  /** Checks these filters and no others, and answers what they ask. */
  async function filterBy(
    connection: string,
    labels: readonly (string | RegExp)[],
    ...answers: readonly (readonly [RegExp, string])[]
  ): Promise<void> {
    const filtered = openFilters(connection);
    await person.ticks(FILTERS, ...labels);
    for (const [asked, text] of answers) {
      await person.types(asked, text);
    }
    await filtered;
  }

  async function sortBy(label: string): Promise<void> {
    const sorted = vscode.commands.executeCommand(COMMANDS.tokenSort);
    await person.picks(/Select the order/, label);
    await sorted;
  }

  async function shown(): Promise<Row[]> {
    return tokenRowsBelow(await rowAt('Filtering', TOKENS));
  }
});

function iconOf({ item }: Row): string | undefined {
  return item.iconPath instanceof vscode.ThemeIcon ? item.iconPath.id : undefined;
}

function named(rows: readonly Row[]): string[] {
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
