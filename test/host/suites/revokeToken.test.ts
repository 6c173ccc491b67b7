import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { COMMANDS } from '../../../src/manifest.ts';
import { callService, hostService } from '../context.ts';
import { connectionAs, saveConnection } from './support/connections.ts';
import { personAt } from './support/fixtures.ts';
import { answerWith, requestsWith, variablesOf } from './support/requests.ts';
import {
  TOKENS,
  createToken,
  holderOf,
  issueToken,
  listedToken,
  recordOf,
  revocationsSettled,
  revokeElsewhere,
  revokesAddedTokens,
} from './support/tokens.ts';
import type { Question } from './support/watchedWindow.ts';
import { labelsBelow, onlyFailureOf, refresh, rowAt, rowsBelow, type Row } from './support/tree.ts';

const NAME = 'Revoking';

suite('Revoking access tokens', () => {
  const service = hostService();
  revokesAddedTokens(service);
  setup(async () => {
    await saveConnection(connectionAs(service, 'admin', NAME));
    await revocationsSettled(service);
  });
  const person = personAt(service);

  test('asks with the name and whose token it is, and Escape sends nothing', async () => {
    await listedToken(service, NAME, { name: 'stays', actorUrn: 'urn:li:corpuser:analyst' });
    const { detail } = await revoke('stays');
    assert.match(
      detail,
      /^Acts as analyst · Created by admin\nCreated [A-Z][a-z]{2} \d+, \d{4}, .+\n\nAnything still using a revoked token will lose access, /,
    );
    assert.ok(await recordOf(service, 'stays'));
    assert.deepEqual(await requestsWith(service, 'revokeAccessToken'), []);
    await rowAt(NAME, TOKENS, 'stays');
  });

  test('hides the token at once, even if the listing fails on it, and the service no longer accepts it', async () => {
    await issueToken(service, { name: 'beside it' });
    const { token } = await listedToken(service, NAME, { name: 'goes' });
    assert.equal(await holderOf(service, token), 'urn:li:corpuser:admin');
    await revoke('goes', 'Revoke');
    assert.ok(!(await labelsBelow(NAME, TOKENS)).includes('goes'));
    assert.equal((await requestsWith(service, 'revokeAccessToken')).length, 1);
    assert.equal(await holderOf(service, token), undefined);

    await refresh(await rowAt(NAME, TOKENS));
    const labels = await labelsBelow(NAME, TOKENS);
    assert.ok(labels.includes('beside it') && !labels.includes('goes'), labels.join(', '));
  });

  test('removes a token that was created here and revoked elsewhere, without a failure', async () => {
    await createToken(person, NAME, { name: 'revoked elsewhere' });
    const { id } = (await recordOf(service, 'revoked elsewhere')) ?? assert.fail();
    await revokeElsewhere(service, id);
    await revoke('revoked elsewhere', 'Revoke');
    assert.deepEqual(person.toldSoFar, [], 'it is gone, and something is told to be wrong');
    assert.ok(!(await labelsBelow(NAME, TOKENS)).includes('revoked elsewhere'));
  });

  test('of several rows asks once, sends one request each, and lists failures by name', async () => {
    const names = ['one of three', 'two of three', 'three of three'];
    const rows = await severalRows(names);
    const second = (await recordOf(service, 'two of three')) ?? assert.fail();
    await answerWith(service, JSON.stringify(second.id), 403);
    const question = await person.runs(
      COMMANDS.tokenRevoke,
      rows,
      /^Revoke 3 access tokens on ".+"\?$/,
      'Revoke 3 Tokens',
    );
    assert.ok(names.every((name) => question.detail.includes(`• ${name} · Acts as admin`)));
    await person.seesNotification(/"two of three" wasn't revoked/);
    const ids = (await requestsWith(service, 'revokeAccessToken')).map((request) => variablesOf(request)['tokenId']);
    assert.equal(new Set(ids).size, 3);
    assert.equal(ids.length, 3);
    const labels = await labelsBelow(NAME, TOKENS);
    assert.deepEqual(
      names.filter((name) => labels.includes(name)),
      ['two of three'],
    );
  });

  test('handles as many at once as a question can name; one more is refused before anything is asked', async () => {
    const names = Array.from({ length: 26 }, (_, index) => `one of many ${String.fromCodePoint(97 + index)}`);
    const rows = await severalRows(names);
    const nodes = rows.map(({ node }) => node);
    await vscode.commands.executeCommand(COMMANDS.tokenRevoke, nodes[0], nodes);
    const buttons = await person.isOffered(/^[^:]+: At most 25 access tokens can be revoked at once\. Select fewer\.$/);
    assert.deepEqual(buttons, [], 'there are no details to copy');

    const left = vscode.commands.executeCommand(COMMANDS.tokenRevoke);
    await person.triesToTick(/Select access tokens/, ...names);
    await person.seesNotification(/^At most 25 access tokens can be revoked at once\.$/);
    await person.leaves(/Select access tokens/);
    await left;
    assert.deepEqual(await requestsWith(service, 'revokeAccessToken'), []);

    // A row that is passed twice counts once.
    const most = rows.slice(0, 25);
    const asked = /^Revoke 25 access tokens on ".+"\?$/;
    const { detail } = await person.runs(COMMANDS.tokenRevoke, [...most, ...most], asked, 'Revoke 25 Tokens');
    assert.equal(names.filter((name) => detail.includes(`• ${name} · `)).length, 25);
    // VS Code cuts off the end of such a long question in a low window.
    assert.match(detail, /^Anything still using a revoked token will lose access, [^•]+This can't be undone\.\n\n• /);
    assert.equal((await requestsWith(service, 'revokeAccessToken')).length, 25);
  });

  test("warns about the connection's own credential, revokes it last, and signs the connection out", async () => {
    const { row: other } = await listedToken(service, NAME, { name: 'goes first' });
    await createToken(person, NAME, { name: 'own credential', button: 'Use for This Connection' });
    const own = await rowAt(NAME, TOKENS, 'own credential');
    const asked = /^Revoke 2 access tokens on ".+"\?$/;
    const { detail } = await person.runs(COMMANDS.tokenRevoke, [own, other], asked, 'Revoke 2 Tokens');
    assert.match(detail, /This connection signs in with "own credential"\. You'll have to sign in again\./);
    assert.equal(await recordOf(service, 'goes first'), undefined);
    assert.equal(await recordOf(service, 'own credential'), undefined);
    await person.seesNotification(new RegExp(`^The access token that "${NAME}" signed in with was revoked\\.`));
    const failure = await onlyFailureOf(NAME);
    assert.equal(failure.label, 'Sign-in required (401)');
    assert.deepEqual(failure.item.iconPath, new vscode.ThemeIcon('sign-in'), 'no error');
    assert.equal(failure.item.command?.command, COMMANDS.connectionSignIn);
  });

  /**
   * Issues tokens.
   * @returns their rows
   */
  async function severalRows(names: readonly string[]): Promise<Row[]> {
    await Promise.all(names.map((name) => issueToken(service, { name, expiresAt: null })));
    await refresh(await rowAt(NAME, TOKENS));
    const rows = (await rowsBelow(await rowAt(NAME, TOKENS))).filter(({ label }) => names.includes(label));
    assert.equal(rows.length, names.length);
    return rows;
  }

  async function revoke(name: string, button?: string): Promise<Question> {
    const row = await rowAt(NAME, TOKENS, name);
    return person.runs(COMMANDS.tokenRevoke, row, new RegExp(`^Revoke the access token "${name}" on ".+"\\?$`), button);
  }
});

for (const profile of ['0.14', '1.6'] as const) {
  suite(`Revoking the token that was pasted to sign in, on ${profile}`, () => {
    const service = hostService(profile);
    // Off by default in 0.14.
    setup(() => callService(service, 'setAuthentication', true));
    teardown(() => callService(service, 'setAuthentication', profile !== '0.14'));
    revokesAddedTokens(service);
    const person = personAt(service);

    test('warns, revokes it, and offers to sign in', async () => {
      const { token } = await issueToken(service, { name: 'pasted' });
      await saveConnection({ ...connectionAs(service, 'admin', NAME), token });
      const { row: other } = await listedToken(service, NAME, { name: 'beside', expiresAt: Date.now() + 86_400_000 });
      const row = await rowAt(NAME, TOKENS, 'pasted');
      const might = /This connection might sign in with "pasted"\. If so, you'll have to sign in again\./;
      const several = await person.runs(COMMANDS.tokenRevoke, [other, row], /^Revoke 2 access tokens on/);
      assert.match(several.detail, might);
      const { detail } = await person.runs(COMMANDS.tokenRevoke, row, /^Revoke the access token "pasted" on/, 'Revoke');
      assert.match(detail, might);
      assert.equal(await recordOf(service, 'pasted'), undefined);
      await person.seesNotification(new RegExp(`^The access token that "${NAME}" signed in with was revoked\\.`));
      assert.equal((await rowAt(NAME)).item.contextValue, 'connection;signedOut');
      assert.equal((await requestsWith(service, 'revokeAccessToken')).length, 1);
    });
  });
}

suite('Revoking on a server that lists no names and dates', () => {
  const service = hostService('spec');
  revokesAddedTokens(service);
  const person = personAt(service);

  test('says whose token it is, without its ID', async () => {
    await saveConnection(connectionAs(service, 'admin', NAME));
    const { record } = await issueToken(service, { name: 'nameless', actorUrn: 'urn:li:corpuser:analyst' });
    await refresh(await rowAt(NAME, TOKENS));
    const row = await rowAt(NAME, TOKENS, `${record.id.slice(0, 12)}…`);
    const { detail } = await person.runs(
      COMMANDS.tokenRevoke,
      row,
      /^Revoke the access token "unnamed token of analyst" on/,
    );
    assert.match(detail, /^Acts as analyst\n\nAnything still using a revoked token will lose access, /);
  });
});
