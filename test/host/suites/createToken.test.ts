import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import * as vscode from 'vscode';
import { COMMANDS } from '../../../src/manifest.ts';
import { callService, hostService } from '../context.ts';
import { connectionAs, saveConnection } from './support/connections.ts';
import { reloadExtension } from './support/extension.ts';
import { personAt } from './support/fixtures.ts';
import { answerWith, calm, requestsWith, variablesOf } from './support/requests.ts';
import {
  ACTS_AS,
  DURATION,
  HELD,
  NEW_TOKEN,
  TOKENS,
  TOKEN_NAME,
  ACTOR,
  copyHeldToken,
  createToken,
  describeToken,
  holderOf,
  listedToken,
  recordOf,
} from './support/tokens.ts';
import { labelsBelow, refresh, rowAt, rowsBelow, tooltipOf } from './support/tree.ts';
import { until } from './support/until.ts';

const NAME = 'Creating';
/** Longer than a test: the response comes once the faults are cleared. In ms. */
const LATE_MILLIS = 3_600_000;

suite('Creating an access token', () => {
  const service = hostService();
  const person = personAt(service);
  setup(async () => {
    await saveConnection(connectionAs(service, 'admin', NAME));
    await rowsBelow(await rowAt(NAME, TOKENS));
    await calm(service);
  });

  test('ends with the sent duration, although the input is edited again while the server answers', async () => {
    await callService(service, 'addFault', {
      fault: { kind: 'latency', millis: LATE_MILLIS },
      match: 'createAccessToken',
    });
    const { node } = await rowAt(NAME);
    const created = vscode.commands.executeCommand(COMMANDS.tokenCreate, node);
    await describeToken(person, { name: 'sent for a day', duration: '1 day' });
    const again = vscode.commands.executeCommand(COMMANDS.tokenCreate, node);
    await person.types(TOKEN_NAME, 'another');
    await person.picks(NEW_TOKEN, 'Expires after');
    await person.picks(DURATION, '1 hour');
    await person.leaves(NEW_TOKEN);
    await again;
    await callService(service, 'clearFaults');
    await person.answers(/^The access token "sent for a day" was created on ".+"\.$/);
    await created;
    const { description } = await rowAt(NAME, TOKENS, 'sent for a day');
    assert.match(description, /1 day|2[34] hours/);
  });

  test('asks only for the name: the rest has defaults, each of which can be edited', async () => {
    const created = vscode.commands.executeCommand(COMMANDS.tokenCreate, (await rowAt(NAME)).node);
    await person.types(TOKEN_NAME, 'with defaults');
    const [accept, ...fields] = (await person.offered(NEW_TOKEN, 'Create Access Token')).filter(
      ({ kind }) => kind !== vscode.QuickPickItemKind.Separator,
    );
    assert.equal(accept?.description, '"with defaults" · 1 month (30 days)');
    assert.deepEqual(
      fields.map(({ label, description }) => `${label.replace(/^\$\(.*\) /, '')}: ${description?.split(' · ')[0]}`),
      ['Name: with defaults', 'Expires after: 1 month (30 days)', 'Acts as: admin', 'Description: no description'],
    );
    await person.accepts(NEW_TOKEN, 'Create Access Token');
    await person.answers(/^The access token "with defaults" was created on ".+"\.$/, 'Close');
    await created;
    const [sent] = await requestsWith(service, 'createAccessToken');
    assert.match(sent?.body ?? '', /"ONE_MONTH"/);
  });

  test('is sent once, offers the string once, and shows the token at once although the listing lags', async () => {
    const question = await createToken(person, NAME, {
      name: 'copied',
      duration: '1 day',
      description: 'for a **test**',
      button: 'Copy Token',
    });
    assert.match(question.detail, /Copy it now: the server won't show it again/);
    const string = await vscode.env.clipboard.readText();
    assert.ok(!JSON.stringify(question).includes(string), 'the question shows the token');
    assert.equal(await holderOf(service, string), 'urn:li:corpuser:admin');

    const sent = await requestsWith(service, 'createAccessToken');
    assert.equal(sent.length, 1);
    assert.deepEqual(variablesOf(sent[0] ?? assert.fail()), {
      input: {
        type: 'PERSONAL',
        actorUrn: 'urn:li:corpuser:admin',
        duration: 'ONE_DAY',
        name: 'copied',
        description: 'for a **test**',
      },
    });

    const row = await rowAt(NAME, TOKENS, 'copied');
    assert.equal(row.description, 'in 1 day');
    const tooltip = await tooltipOf(row);
    assert.ok(tooltip instanceof vscode.MarkdownString && tooltip.value.includes(String.raw`\*\*test\*\*`));
    // This listing does not have it yet. There is always exactly one row.
    await refresh(await rowAt(NAME, TOKENS));
    assert.equal((await labelsBelow(NAME, TOKENS)).filter((label) => label === 'copied').length, 1);

    // Until the window closes it can be copied again.
    assert.equal(await copyHeldToken(person, row), string);
    const elsewhere = await listedToken(service, NAME, { name: 'made elsewhere' });
    await vscode.commands.executeCommand(COMMANDS.tokenCopy, elsewhere.row.node);
    await person.seesNotification(/^A token's value can only be copied in the window that created it\.$/);
    assert.equal(await vscode.env.clipboard.readText(), string);
    const copied = vscode.commands.executeCommand(COMMANDS.tokenCopy);
    const held = await person.offered(HELD, 'copied');
    assert.ok(!held.some(({ label }) => label === 'made elsewhere'));
    await person.leaves(HELD);
    await copied;
  });

  test('clears the copy of a window that closed too early when this one gets the focus', async () => {
    const focus = new vscode.EventEmitter<vscode.WindowState>();
    // The extension has the same object. A browser without a user gives no focus.
    const window = vscode.window as { onDidChangeWindowState: vscode.Event<vscode.WindowState> };
    const real = window.onDidChangeWindowState;
    window.onDidChangeWindowState = focus.event;
    try {
      const { context } = await reloadExtension();
      const left = 'a token of a window that is gone';
      const hash = createHash('sha256').update(left).digest('hex');
      await vscode.env.clipboard.writeText(left);
      await until('the clipboard to be empty', async () => {
        // Repeated if the extension's own write replaces this one.
        await context.globalState.update('copiedToken', { hash, clearAt: Date.now() - 1 });
        focus.fire({ focused: true, active: true });
        return (await vscode.env.clipboard.readText()) === '';
      });
    } finally {
      window.onDidChangeWindowState = real;
      focus.dispose();
      await reloadExtension();
    }
  });

  test('shows problems at the field, says when each choice ends, and keeps the input for the next time', async () => {
    const left = vscode.commands.executeCommand(COMMANDS.tokenCreate, (await rowAt(NAME, TOKENS)).node);
    assert.match(await person.triesToType(TOKEN_NAME, ' '), /Enter a value/);
    assert.match(await person.triesToType(TOKEN_NAME, 'x'.repeat(51)), /At most 50 characters\. You entered 51\./);
    await person.types(TOKEN_NAME, 'half typed');
    await person.picks(NEW_TOKEN, 'Acts as');
    await person.picks(ACTOR, 'User…');
    assert.equal(await person.reads(ACTS_AS), 'admin');
    await person.types(ACTS_AS, 'admin');
    await person.picks(NEW_TOKEN, 'Expires after');
    const inAWeek = new Intl.DateTimeFormat('en', { dateStyle: 'medium' }).format(Date.now() + 7 * 24 * 60 * 60 * 1000);
    const offered = await person.offered(DURATION, '1 week');
    assert.ok(offered.find(({ label }) => label === '1 week')?.description?.startsWith(`until ${inAWeek}`));
    await person.leaves(DURATION);
    // Escape in a question leads back to the list.
    await person.leaves(NEW_TOKEN);
    await left;
    assert.deepEqual(await requestsWith(service, 'createAccessToken'), []);

    const again = vscode.commands.executeCommand(COMMANDS.tokenCreate, (await rowAt(NAME, TOKENS)).node);
    assert.equal(await person.reads(TOKEN_NAME), 'half typed');
    await person.types(TOKEN_NAME, 'typed again');
    await person.picks(NEW_TOKEN, 'Acts as');
    await person.picks(ACTOR, 'User…');
    await person.types(ACTS_AS, 'analyst');
    await person.picks(NEW_TOKEN, 'Expires after');
    await person.picks(DURATION, '1 hour');
    await person.accepts(NEW_TOKEN, 'Create Access Token');
    await person.answers(/"typed again" was created/, 'Close');
    await again;
    const record = await recordOf(service, 'typed again');
    assert.deepEqual([record?.actorUrn, record?.ownerUrn], ['urn:li:corpuser:analyst', 'urn:li:corpuser:admin']);
  });

  test("never offers another user's token as the credential", async () => {
    const created = vscode.commands.executeCommand(COMMANDS.tokenCreate, (await rowAt(NAME)).node);
    await person.types(TOKEN_NAME, 'of the operator');
    await person.picks(NEW_TOKEN, 'Acts as');
    await person.picks(ACTOR, 'User…');
    await person.types(ACTS_AS, 'operator');
    await person.accepts(NEW_TOKEN, 'Create Access Token');
    const { buttons } = await person.answers(/^The access token "of the operator" was created on ".+"\.$/);
    assert.deepEqual(buttons, ['Copy Token', 'Close']);
    await created;
  });

  test('asks before the dialog of a token without an ID is closed', async () => {
    const created = { createAccessToken: { accessToken: 'a.token.without.id', metadata: null } };
    await answerWith(service, 'createAccessToken', 200, { data: created });
    const creating = vscode.commands.executeCommand(COMMANDS.tokenCreate, (await rowAt(NAME)).node);
    await describeToken(person, { name: 'without ID' });
    const { detail } = await person.answers(/^The access token "without ID" was created on ".+"\.$/);
    assert.match(detail, /The server didn't return its ID/);
    await person.answers(/^Discard the access token "without ID" from ".+" without copying it\?$/);
    await person.answers(/^The access token "without ID" was created on ".+"\.$/, 'Copy Token');
    await creating;
    assert.equal(await vscode.env.clipboard.readText(), 'a.token.without.id');
  });

  test('is created for a service account that is picked by name', async () => {
    const server = hostService('next');
    await saveConnection(connectionAs(server, 'admin', 'Accounts'));
    const created = vscode.commands.executeCommand(COMMANDS.tokenCreate, (await rowAt('Accounts')).node);
    await person.types(TOKEN_NAME, 'for a job');
    await person.picks(NEW_TOKEN, 'Acts as');
    await person.picks(ACTOR, 'Service account…');
    // Its first item is the focused one once the accounts are there.
    await person.offered(/Search service accounts by name/, 'Spark');
    await person.picks(/Search service accounts by name/, 'Spark');
    const fields = await person.offered(NEW_TOKEN, 'Acts as');
    const actsAs = fields.find(({ label }) => label.endsWith('Acts as'))?.description ?? '';
    assert.match(actsAs, /^Spark · service_5e3a1c04-/);
    // A user would be asked for with the caller's name, and the account stays.
    await person.picks(NEW_TOKEN, 'Acts as');
    await person.picks(ACTOR, 'User…');
    assert.equal(await person.reads(ACTS_AS), 'admin');
    await person.leaves(ACTS_AS);
    await person.accepts(NEW_TOKEN, 'Create Access Token');
    await person.answers(/^The access token "for a job" was created on ".+"\.$/, 'Close');
    await created;
    const { actorUrn } = (await recordOf(server, 'for a job')) ?? assert.fail();
    assert.match(actorUrn, /^urn:li:corpuser:service_5e3a1c04-/);
    await callService(server, 'refreshTokens');
  });
});
