import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { COMMANDS } from '../../../src/manifest.ts';
import { callService, hostService } from '../context.ts';
import { leadElsewhere } from './support/anotherWindow.ts';
import { connectionAs, saveConnection } from './support/connections.ts';
import { currentActivation } from './support/extension.ts';
import { personAt } from './support/fixtures.ts';
import { requestsWith, variablesOf } from './support/requests.ts';
import {
  TOKENS,
  createToken,
  holderOf,
  issueToken,
  recordOf,
  revocationsSettled,
  revokeAddedSince,
  revokeElsewhere,
  tokenIds,
} from './support/tokens.ts';
import { labelsBelow, onlyFailureOf, refresh, rowAt, rowsBelow } from './support/tree.ts';

const NAME = 'Revoking';

suite('Revoking access tokens', () => {
  const service = hostService();
  let before: ReadonlySet<string>;
  setup(async () => {
    before = await tokenIds(service);
    await saveConnection(connectionAs(service, 'admin', NAME));
    await revocationsSettled(service);
  });
  teardown(() => revokeAddedSince(service, before));
  const person = personAt(service);

  test('asks with the name and whose token it is, and Escape sends nothing', async () => {
    await listed('stays', 'urn:li:corpuser:analyst');
    const stayed = revoke('stays');
    const question = await person.answers(/^Revoke the access token "stays" on ".+"\?$/);
    assert.match(
      question.detail,
      /^Acts as analyst · Owner: admin\nCreated [A-Z][a-z]{2} \d+, \d{4}, .+\n\nAnything using this token will lose access, /,
    );
    await stayed;
    assert.ok(await recordOf(service, 'stays'));
    assert.deepEqual(await requestsWith(service, 'revokeAccessToken'), []);
    await rowAt(NAME, TOKENS, 'stays');
  });

  test("refuses a row of the connection's previous server, although VS Code has not reported the change", async () => {
    const other = hostService('spec');
    await callService(other, 'clearRequests');
    const string = await listed('of the server before');
    const { node } = await rowAt(NAME, TOKENS, 'of the server before');
    const { store } = currentActivation();
    await leadElsewhere(store.all()[0]?.id ?? assert.fail(), other.url);
    await vscode.commands.executeCommand(COMMANDS.tokenRevoke, node);
    await person.seesNotification(/^The connection was changed or removed in the meantime, so nothing was sent\./);
    assert.deepEqual(await requestsWith(other, 'revokeAccessToken'), []);
    assert.equal(await holderOf(service, string), 'urn:li:corpuser:admin');
  });

  test('hides the token at once, even if the listing fails on it, and the service no longer accepts it', async () => {
    await listed('beside it');
    const string = await listed('goes');
    assert.equal(await holderOf(service, string), 'urn:li:corpuser:admin');
    await answered(revoke('goes'), /^Revoke the access token "goes" on ".+"\?$/, 'Revoke');
    assert.ok(!(await labelsBelow(NAME, TOKENS)).includes('goes'));
    assert.equal((await requestsWith(service, 'revokeAccessToken')).length, 1);
    assert.equal(await holderOf(service, string), undefined);

    await refresh(await rowAt(NAME, TOKENS));
    const labels = await labelsBelow(NAME, TOKENS);
    assert.ok(labels.includes('beside it') && !labels.includes('goes'), labels.join(', '));
  });

  test('brings a token back if its revocation is refused, with the reason', async () => {
    await listed('refused');
    const fault = {
      kind: 'status',
      status: 403,
      body: '{"message":"not yours","status":403}',
      contentType: 'application/json',
    } as const;
    await callService(service, 'addFault', { fault, match: 'revokeAccessToken' });
    await answered(revoke('refused'), /"refused"/, 'Revoke');
    assert.match(
      await person.seesNotification(/"refused" wasn't revoked/),
      /you aren't allowed to revoke this access token.*"Manage All Access Tokens"/,
    );
    await rowAt(NAME, TOKENS, 'refused');
  });

  test('removes a token that was created here and revoked elsewhere, without a failure', async () => {
    await createToken(person, NAME, { name: 'revoked elsewhere' });
    const { id } = (await recordOf(service, 'revoked elsewhere')) ?? assert.fail();
    await revokeElsewhere(service, id);
    await answered(revoke('revoked elsewhere'), /"revoked elsewhere"/, 'Revoke');
    assert.deepEqual(person.toldSoFar, [], 'it is gone, and something is told to be wrong');
    assert.ok(!(await labelsBelow(NAME, TOKENS)).includes('revoked elsewhere'));
  });

  test('of several rows asks once, sends one request each, and lists failures by name', async () => {
    const names = ['one of three', 'two of three', 'three of three'];
    const nodes = await severalRows(names);
    const second = (await recordOf(service, 'two of three')) ?? assert.fail();
    await callService(service, 'addFault', {
      fault: { kind: 'status', status: 403 },
      match: JSON.stringify(second.id),
    });
    const revoked = vscode.commands.executeCommand(COMMANDS.tokenRevoke, nodes[0], nodes);
    const question = await person.answers(/^Revoke 3 access tokens on ".+"\?$/, 'Revoke 3 Tokens');
    assert.ok(names.every((name) => question.detail.includes(`• ${name}`)));
    await revoked;
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

  test('of several rows sends no more once it is cancelled', async () => {
    const nodes = await severalRows(['cancelled 1', 'cancelled 2', 'cancelled 3']);
    const stop = new vscode.CancellationTokenSource();
    // A user presses Cancel in the notification, and no command can do so. The extension has the same object.
    const window = vscode.window as { withProgress: typeof vscode.window.withProgress };
    const { withProgress } = window;
    window.withProgress = (options, work) =>
      withProgress(options, (progress) =>
        work(
          {
            report: (step) => {
              stop.cancel();
              progress.report(step);
            },
          },
          stop.token,
        ),
      );
    try {
      const revoked = vscode.commands.executeCommand(COMMANDS.tokenRevoke, nodes[0], nodes);
      await person.answers(/^Revoke 3 access tokens on ".+"\?$/, 'Revoke 3 Tokens');
      await revoked;
    } finally {
      window.withProgress = withProgress;
    }
    assert.equal((await requestsWith(service, 'revokeAccessToken')).length, 1);
    const left = (await labelsBelow(NAME, TOKENS)).filter((label) => label.startsWith('cancelled '));
    assert.equal(left.length, 2);
  });

  test('handles as many at once as a question can name; one more is refused before anything is asked', async () => {
    const names = Array.from({ length: 26 }, (_, index) => `one of many ${String.fromCodePoint(97 + index)}`);
    const nodes = await severalRows(names);
    await vscode.commands.executeCommand(COMMANDS.tokenRevoke, nodes[0], nodes);
    const buttons = await person.isOffered(/^At most 25 access tokens can be revoked at once\. Select fewer\.$/);
    assert.deepEqual(buttons, [], 'there are no details to copy');

    const left = vscode.commands.executeCommand(COMMANDS.tokenRevoke);
    await person.triesToTick(/Select access tokens/, ...names);
    await person.seesNotification(/^At most 25 access tokens can be revoked at once\.$/);
    await person.leaves(/Select access tokens/);
    await left;
    assert.deepEqual(await requestsWith(service, 'revokeAccessToken'), []);

    // A row that is passed twice counts once.
    const most = nodes.slice(0, 25);
    const revoked = vscode.commands.executeCommand(COMMANDS.tokenRevoke, most[0], [...most, ...most]);
    const { detail } = await person.answers(/^Revoke 25 access tokens on ".+"\?$/, 'Revoke 25 Tokens');
    assert.equal(names.filter((name) => detail.includes(`• ${name} · `)).length, 25);
    // VS Code cuts off the end of such a long question in a low window.
    assert.match(detail, /^Anything using these tokens will lose access, [^•]+This can't be undone\.\n\n• /);
    await revoked;
    assert.equal((await requestsWith(service, 'revokeAccessToken')).length, 25);
  });

  test("warns about the connection's own credential, revokes it last, and signs the connection out", async () => {
    await listed('goes first');
    await createToken(person, NAME, { name: 'own credential', button: 'Use for This Connection' });
    const own = await rowAt(NAME, TOKENS, 'own credential');
    const other = await rowAt(NAME, TOKENS, 'goes first');
    const revoked = vscode.commands.executeCommand(COMMANDS.tokenRevoke, own.node, [own.node, other.node]);
    const question = await person.answers(/^Revoke 2 access tokens on ".+"\?$/, 'Revoke 2 Tokens');
    assert.match(question.detail, /This connection signs in with "own credential"\. You'll have to sign in again\./);
    await revoked;
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
   * @returns their rows from VS Code
   */
  async function severalRows(names: readonly string[]): Promise<unknown[]> {
    await Promise.all(names.map((name) => issueToken(service, { name, expiresAt: null })));
    await refresh(await rowAt(NAME, TOKENS));
    const rows = (await rowsBelow(await rowAt(NAME, TOKENS))).filter(({ label }) => names.includes(label));
    assert.equal(rows.length, names.length);
    return rows.map(({ node }) => node);
  }

  /**
   * Issues a token that the tree lists.
   * @returns its string
   */
  async function listed(name: string, actorUrn = 'urn:li:corpuser:admin'): Promise<string> {
    const { token } = await issueToken(service, { name, actorUrn, expiresAt: null });
    await refresh(await rowAt(NAME, TOKENS));
    await rowAt(NAME, TOKENS, name);
    return token;
  }

  async function revoke(name: string): Promise<unknown> {
    assert.equal(currentActivation().store.all().length, 1);
    return vscode.commands.executeCommand(COMMANDS.tokenRevoke, (await rowAt(NAME, TOKENS, name)).node);
  }

  async function answered(command: Promise<unknown>, question: RegExp, button: string): Promise<void> {
    await person.answers(question, button);
    await command;
  }
});

for (const profile of ['0.14', '1.6'] as const) {
  suite(`Revoking the token that was pasted to sign in, on ${profile}`, () => {
    const service = hostService(profile);
    let before: ReadonlySet<string>;
    setup(async () => {
      // Off by default in 0.14.
      await callService(service, 'setAuthentication', true);
      before = await tokenIds(service);
    });
    teardown(async () => {
      await callService(service, 'setAuthentication', profile !== '0.14');
      await revokeAddedSince(service, before);
    });
    const person = personAt(service);

    test('warns, revokes it, and offers to sign in', async () => {
      await signedIn();
      const { node } = await rowAt(NAME, TOKENS, 'pasted');
      const revoked = vscode.commands.executeCommand(COMMANDS.tokenRevoke, node);
      const { detail } = await person.answers(/^Revoke the access token "pasted" on ".+"\?$/, 'Revoke');
      assert.match(detail, /This connection might sign in with "pasted", which has the same user and expiry\./);
      await revoked;
      assert.equal(await recordOf(service, 'pasted'), undefined);
      await person.seesNotification(new RegExp(`^The access token that "${NAME}" signed in with was revoked\\.`));
      assert.equal((await rowAt(NAME)).item.contextValue, 'connection;signedOut');
      assert.equal((await requestsWith(service, 'revokeAccessToken')).length, 1);
    });

    test('says of no other token with the same user and expiry that it was revoked', async () => {
      await issueToken(service, { name: 'its twin' });
      await signedIn();
      const [own, twin] = [await rowAt(NAME, TOKENS, 'pasted'), await rowAt(NAME, TOKENS, 'its twin')];
      const revoked = vscode.commands.executeCommand(COMMANDS.tokenRevoke, own.node, [own.node, twin.node]);
      const { detail } = await person.answers(/^Revoke 2 access tokens on ".+"\?$/, 'Revoke 2 Tokens');
      assert.match(
        detail,
        /This connection might sign in with one of these tokens\. If so, you'll have to sign in again\./,
      );
      await revoked;
      const left = (await callService(service, 'tokens')).flatMap(({ name }) =>
        name === 'pasted' || name === 'its twin' ? [name] : [],
      );
      if (left.length > 0) {
        // The first one was the connection's own.
        assert.deepEqual(left, ['its twin']);
        await person.seesNotification(/^"its twin" wasn't revoked/);
      }
      await person.seesNotification(new RegExp(`^The access token that "${NAME}" signed in with was revoked\\.`));
    });

    async function signedIn(): Promise<void> {
      const { token } = await issueToken(service, { name: 'pasted' });
      await saveConnection({ ...connectionAs(service, 'admin', NAME), token });
    }
  });
}
