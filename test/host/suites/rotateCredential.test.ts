import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { SignIn } from '../../../src/connections/connection.ts';
import { COMMANDS, CONTEXT_KEYS } from '../../../src/manifest.ts';
import { tokenWith } from '../../unit/connections/tokens.ts';
import { serviceAccountUrn } from '../../service/users.ts';
import { callService, hostService } from '../context.ts';
import type { HostService } from '../environment.ts';
import { connectionAs, saveConnection, secretOf, tokenOf } from './support/connections.ts';
import { currentActivation, reloadExtension } from './support/extension.ts';
import { lockedSecrets } from './support/lockedSecrets.ts';
import { personAt } from './support/fixtures.ts';
import type { Person } from './support/person.ts';
import { answerWith, calm, requestsWith, variablesOf } from './support/requests.ts';
import {
  CREATED,
  NEW_TOKEN,
  OLD,
  REPLACEMENT,
  TOKENS,
  createToken,
  holderOf,
  issueToken,
  revokesAddedTokens,
  tokenIds,
} from './support/tokens.ts';
import { onlyFailureOf, refresh, rowAt, rowsBelow, textOf, tooltipOf } from './support/tree.ts';
import { until } from './support/until.ts';

const NAME = 'Own token';
const ADMIN = 'urn:li:corpuser:admin';
const DAY = 86_400_000;

for (const profile of ['next', 'spec'] as const) {
  suite(`Rotating the token of a connection, ${profile}`, () => {
    const service = hostService(profile);
    revokesAddedTokens(service);
    const person = personAt(service);

    test('is proposed like any other: the new one is stored, then the old one is revoked if the user wants', async () => {
      const { id, old, oldId } = await signedInWithOwn(person, service);
      assert.ok(oldId !== undefined && old !== tokenOf(service, 'admin'));
      await calm(service);
      const rotated = start();
      const items = await person.offered(REPLACEMENT, 'Create Replacement');
      const labels = items.map(({ label, description }) => `${label}: ${description}`);
      assert.match(labels[0] ?? '', /Create Replacement: "mine" · 1 day$/);
      assert.ok(!labels.some((label) => /Acts as|Type/.test(label)), 'it could become the token of another user');
      await person.picks(REPLACEMENT, 'Create Replacement');
      await person.answers(OLD, 'Revoke Old Token');
      await rotated;
      const [created, ...others] = await requestsWith(service, 'createAccessToken');
      assert.deepEqual(others, []);
      assert.partialDeepStrictEqual(variablesOf(created ?? assert.fail()), {
        input: { type: 'PERSONAL', name: 'mine', duration: 'ONE_DAY' },
      });
      const ids = await tokenIds(service);
      assert.ok(!ids.has(oldId) && ids.has(idIn(id) ?? ''));
      assert.notEqual(await tokenIn(id), old);
      // Created with the old one, tested with the new one, revoked with the new one.
      const values = [old, await tokenIn(id)];
      const order = (await callService(service, 'requests')).map(({ headers, body }) => [
        values.indexOf(String(headers.authorization).replace('Bearer ', '')),
        /createAccessToken|revokeAccessToken|\bme\b/.exec(body)?.[0],
      ]);
      const at = (which: number, what: string): number =>
        order.findIndex(([one, did]) => one === which && did === what);
      assert.ok(
        at(0, 'createAccessToken') < at(1, 'me') && at(1, 'me') < at(1, 'revokeAccessToken'),
        JSON.stringify(order),
      );
      await assertOnlyInSecrets(values);
      const rows = (await rowsBelow(await rowAt(NAME, TOKENS))).filter(({ label }) => label === 'mine');
      assert.ok(rows.length <= 1 && !rows.some(({ description }) => /superseded/.test(String(description))));
    });
  });
}

suite('Rotating the token of a connection', () => {
  const service = hostService();
  revokesAddedTokens(service);
  const person = personAt(service);

  test('keeps one that was typed, and says that it lives on', async () => {
    const { token, record } = await issueToken(service, { name: 'typed', expiresAt: Date.now() + DAY });
    const id = await saveConnection({ ...connectionAs(service, 'admin', NAME), token });
    const rotated = start();
    const [accept] = await person.offered(NEW_TOKEN, 'Create Replacement');
    assert.equal(accept?.description, '"VS Code: Own token" · 1 month (30 days)');
    await person.picks(NEW_TOKEN, 'Create Replacement');
    await rotated;
    await person.seesNotification(
      /^The old token of "Own token" stays valid: its ID isn't known here\. To revoke it, select it under Access tokens\.$/,
    );
    assert.deepEqual(await requestsWith(service, 'revokeAccessToken'), []);
    assert.notEqual(await tokenIn(id), token);
    const ids = await tokenIds(service);
    assert.ok(ids.has(idIn(id) ?? '') && ids.has(record.id));
  });

  test('keeps the old one if the server does not take the new one, which is offered', async () => {
    const { id, old, oldId } = await signedInWithOwn(person, service);
    const rotated = start();
    await person.offered(REPLACEMENT, 'Create Replacement');
    await calm(service);
    await answerWith(service, 'query me', 401);
    await person.picks(REPLACEMENT, 'Create Replacement');
    await person.seesNotification(
      /^The access token of "Own token" wasn't fully rotated: .* The new token "mine" isn't used by the connection\./,
    );
    const { buttons } = await person.answers(CREATED, 'Close');
    await rotated;
    assert.deepEqual(buttons, ['Copy Token', 'Close'], 'what failed its test is no credential');
    await calm(service);
    assert.deepEqual([await tokenIn(id), idIn(id)], [old, oldId]);
    assert.ok((await tokenIds(service)).has(oldId ?? ''));
  });

  test('is refused for a session and an expired token, before anything is created', async () => {
    // As a browser gets it.
    const { executeCommand } = vscode.commands;
    const counts: unknown[] = [0];
    vscode.commands.executeCommand = (command, ...given: unknown[]) => {
      if (command === 'setContext' && given[0] === CONTEXT_KEYS.rotatableConnectionCount) counts.push(given[1]);
      return executeCommand(command, ...given);
    };
    const id = await saveConnection(connectionAs(service, 'admin', NAME));
    await assertRefused(/token of a web session/).finally(() => (vscode.commands.executeCommand = executeCommand));
    assert.equal(counts.at(-1), 0, 'the palette offers no rotation');
    const { token } = await issueToken(service, { name: 'personal' });
    const signedIn = vscode.commands.executeCommand(COMMANDS.connectionSignIn, (await rowAt(NAME)).node);
    await person.types(/^Sign In to "Own token"/, token);
    await signedIn;
    await replaceSecret(id, tokenWith({ type: 'PERSONAL', actorId: 'admin', exp: 1_700_000_000 }));
    await assertRefused(/has expired\..* Sign in with another/);
  });

  test('of a service account takes no more than its own privilege', async () => {
    const expiresAt = Date.now() + DAY;
    const { token } = await issueToken(service, {
      actorUrn: serviceAccountUrn,
      ownerUrn: serviceAccountUrn,
      expiresAt,
    });
    const id = await saveConnection({ baseUrl: service.url, actor: 'service_ingestion', token, name: NAME });
    const rotated = start();
    await person.picks(NEW_TOKEN, 'Create Replacement');
    await rotated;
    await person.seesNotification(/^The old token of "Own token" stays valid/);
    assert.equal(await holderOf(service, await tokenIn(id)), serviceAccountUrn);
    assert.notEqual(await tokenIn(id), token);
  });

  test('is refused at once to who can create tokens for service accounts alone, as a terminal is', async () => {
    const platformPrivileges = { generatePersonalAccessTokens: false, manageTokens: false };
    const me = { corpUser: { urn: ADMIN }, platformPrivileges };
    const privileges = ['MANAGE_SERVICE_ACCOUNTS'];
    await answerWith(service, 'generatePersonalAccessTokens', 200, { data: { me, appConfig: null } });
    await answerWith(service, 'getGrantedPrivileges', 200, { data: { getGrantedPrivileges: { privileges } } });
    await saveConnection(connectionAs(service, 'admin', NAME));
    await rowsBelow(await rowAt(NAME, TOKENS));
    assert.equal((await rowAt(NAME, TOKENS)).item.contextValue, 'tokens;cannotCreateOwn');
    for (const command of [COMMANDS.connectionRotateToken, COMMANDS.tokenOpenTerminal]) {
      await vscode.commands.executeCommand(command, (await rowAt(NAME)).node);
      await person.seesNotification(
        /^Own token: You aren't allowed to create access tokens\. Ask .*"Generate Personal Access Tokens"/,
      );
    }
    await callService(service, 'clearFaults');
  });

  async function assertRefused(says: RegExp): Promise<void> {
    await reloadExtension();
    await calm(service);
    const rotated = start();
    const items = await person.offered(NEW_TOKEN, 'Try Again');
    assert.match(items.map(({ label }) => label).join(' '), says);
    await person.leaves(NEW_TOKEN);
    await rotated;
    assert.deepEqual(await requestsWith(service, 'createAccessToken'), []);
  }

  test('keeps the old one while the keychain refuses the new one, which is offered and can be stored later', async () => {
    const { id, old, oldId } = await signedInWithOwn(person, service);
    const secrets = lockedSecrets();
    await reloadExtension({ secrets });
    await until('the token to be listed', async () => {
      await refresh(await rowAt(NAME, TOKENS));
      return (await rowsBelow(await rowAt(NAME, TOKENS))).some(({ label }) => label === 'mine');
    });
    const rotated = start();
    await person.picks(REPLACEMENT, 'Create Replacement');
    await person.seesNotification(/fully rotated: Couldn't save the access token .* isn't used by the conn/);
    await person.isAsked(CREATED);
    assert.deepEqual([await tokenIn(id), idIn(id), await holderOf(service, old)], [old, oldId, ADMIN]);
    secrets.isLocked = false;
    await person.answers(CREATED, 'Use for This Connection');
    await rotated;
    assert.notEqual(await tokenIn(id), old);
    assert.deepEqual([await holderOf(service, await tokenIn(id)), await holderOf(service, old)], [ADMIN, ADMIN]);
    await reloadExtension();
  });
});

suite('The end of a connection’s token', () => {
  const service = hostService();
  const person = personAt(service);

  test('is stored without a secret when signing in, and shown in the row when it is near', async () => {
    const { token, record } = await issueToken(service, { name: 'short', expiresAt: Date.now() + 2.5 * DAY });
    const id = await saveConnection({ ...connectionAs(service, 'admin', NAME), token });
    const { context } = currentActivation();
    assert.equal(signInOf(id).endsAt, Math.floor((record.expiresAt ?? 0) / 1_000) * 1_000);
    assert.doesNotMatch(String((await rowAt(NAME)).description), /token/);
    const shown = async (storedAt: number, endsAt: number): Promise<string> => {
      const [secret, signIn] = [await secretOf(id), signInOf(id)];
      await reloadExtension({}, async () => {
        await context.secrets.store(`credential.${id}`, JSON.stringify({ ...secret, storedAt, endsAt }));
        await context.globalState.update(`signIn.${id}`, { ...signIn, storedAt, endsAt });
      });
      return (await rowAt(NAME)).description;
    };
    const now = Date.now();
    assert.match(await shown(now - 90 * DAY, now + 2.5 * DAY), /^token expires in 2 days/);
    const { item } = await rowAt(NAME);
    assert.ok(item.iconPath instanceof vscode.ThemeIcon && item.iconPath.id === 'warning');
    assert.match(textOf(await tooltipOf(await rowAt(NAME))), /expires on .*Rotate Connection's Access Token/);
    assert.match(await shown(now - 90 * DAY, now - DAY), /^token expired/);
    assert.deepEqual(person.toldSoFar, []);
  });

  test('is the reason that a refused request gives', async () => {
    const { token } = await issueToken(service, { name: 'gone', expiresAt: Date.now() + 60 * DAY });
    const id = await saveConnection({ ...connectionAs(service, 'admin', NAME), token });
    await replaceSecret(id, tokenWith({ type: 'PERSONAL', actorId: 'admin', exp: 1_700_000_000 }));
    const failure = await onlyFailureOf(NAME);
    assert.match(failure.label, /^Token expired/);
    assert.match(textOf(await tooltipOf(failure)), /The access token has expired/);
  });
});

/** A connection that signs in with a token that was created here. */
async function signedInWithOwn(
  person: Person,
  service: HostService,
): Promise<{ readonly id: string; readonly old: string; readonly oldId: string | undefined }> {
  const id = await saveConnection(connectionAs(service, 'admin', NAME));
  await createToken(person, NAME, { name: 'mine', duration: '1 day', button: 'Use for This Connection' });
  return { id, old: await tokenIn(id), oldId: idIn(id) };
}

async function start(): Promise<unknown> {
  return vscode.commands.executeCommand(COMMANDS.connectionRotateToken, (await rowAt(NAME)).node);
}

function signInOf(id: string): SignIn {
  return currentActivation().store.get(id)?.signIn ?? assert.fail();
}

function idIn(id: string): string | undefined {
  return signInOf(id).tokenId;
}

async function tokenIn(id: string): Promise<string> {
  return (await secretOf(id)).token;
}

/** As another window would. */
async function replaceSecret(id: string, token: string): Promise<void> {
  const secret = { ...(await secretOf(id)), token };
  await currentActivation().context.secrets.store(`credential.${id}`, JSON.stringify(secret));
}

async function assertOnlyInSecrets(values: readonly string[]): Promise<void> {
  const { context, store } = currentActivation();
  const state = [context.globalState, context.workspaceState].flatMap((memory) =>
    memory.keys().map((key) => memory.get<unknown>(key)),
  );
  const rows = [...(await rowsBelow()), ...(await rowsBelow(await rowAt(NAME, TOKENS)))].map(({ item }) => item);
  const elsewhere = JSON.stringify([state, store.all(), rows, await vscode.env.clipboard.readText()]);
  assert.ok(
    values.every((value) => !elsewhere.includes(value)),
    'a token is elsewhere',
  );
}
