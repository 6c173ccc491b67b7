import assert from 'node:assert/strict';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { COMMANDS } from '../../../src/manifest.ts';
import type { TokenRecord } from '../../service/tokens/tokens.ts';
import { callService, hostService } from '../context.ts';
import { leadElsewhere } from './support/anotherWindow.ts';
import { connectionAs, saveConnection } from './support/connections.ts';
import { currentActivation } from './support/extension.ts';
import { personAt } from './support/fixtures.ts';
import { answerWith, requestsWith, variablesOf } from './support/requests.ts';
import {
  CREATED,
  OLD,
  REPLACEMENT,
  TOKENS,
  TOKEN_NAME,
  copyHeldToken,
  createToken,
  holderOf,
  listedToken,
  revocationsSettled,
} from './support/tokens.ts';
import { labelsBelow, refresh, rowAt, rowsBelow, type Row } from './support/tree.ts';

const NAME = 'Rotating';
const DAY = 86_400_000;
const KEEP = 'Keep Both for Now';

suite('Rotating an access token', () => {
  const service = hostService('1.7');
  const person = personAt(service);
  setup(async () => {
    await saveConnection(connectionAs(service, 'admin', NAME));
    await revocationsSettled(service);
  });

  test('asks one question: a replacement with name, user and duration of the old token', async () => {
    await listed('same again', { actorUrn: 'urn:li:corpuser:operator', description: 'for the night' }, 90);
    const rotated = rotate('same again');
    const items = await person.offered(REPLACEMENT, 'Create Replacement');
    const labels = items.map(({ label, description }) => `${label}: ${description}`);
    assert.match(labels[0] ?? '', /Create Replacement: "same again" · 3 months \(90 days\) · Acts as operator$/);
    assert.deepEqual(
      ['Name: same again', 'Acts as: operator', 'Description: for the night'].filter(
        (text) => !labels.some((label) => label.endsWith(text)),
      ),
      [],
    );
    await person.picks(REPLACEMENT, 'Create Replacement');
    await person.answers(CREATED, 'Close');
    await person.answers(OLD, KEEP);
    await rotated;
    const [sent, ...others] = await requestsWith(service, 'createAccessToken');
    assert.deepEqual(others, []);
    assert.deepEqual(variablesOf(sent ?? assert.fail()), {
      input: {
        type: 'PERSONAL',
        actorUrn: 'urn:li:corpuser:operator',
        duration: 'THREE_MONTHS',
        name: 'same again',
        description: 'for the night',
      },
    });
  });

  test("keeps the only copy of a replacement, although the old token was the connection's own", async () => {
    await createToken(person, NAME, { name: 'mine', button: 'Use for This Connection' });
    const rotated = rotate('mine');
    await person.picks(REPLACEMENT, 'Create Replacement');
    await person.answers(CREATED, 'Close');
    const { detail } = await person.answers(OLD, 'Revoke Old Token');
    assert.match(detail, /This connection signs in with "mine"\. You'll have to sign in again\./);
    await rotated;
    await person.seesNotification(/^The access token that ".*" signed in with was revoked\./);
    const copied = await copyHeldToken(person, await rowAt(NAME, TOKENS, 'mine'));
    assert.equal(await holderOf(service, copied), 'urn:li:corpuser:admin');
  });

  test('does not claim that a connection signs in with the old token if it uses the new one by then', async () => {
    await listed('of this connection');
    const rotated = rotate('of this connection');
    await person.picks(REPLACEMENT, 'Create Replacement');
    await person.answers(CREATED, 'Use for This Connection');
    await person.answers(OLD, KEEP);
    await rotated;

    const own = (await twins('of this connection')).find((row) => !isSuperseded(row)) ?? assert.fail();
    const again = vscode.commands.executeCommand(COMMANDS.tokenRotate, own.node);
    await person.picks(REPLACEMENT, 'Create Replacement');
    await person.answers(CREATED, 'Use for This Connection');
    assert.doesNotMatch((await person.answers(OLD, 'Revoke Old Token')).detail, /signs in with/);
    await again;
    await refresh(await rowAt(NAME, TOKENS));
    assert.equal((await labelsBelow(NAME, TOKENS)).filter((label) => label === 'of this connection').length, 2);
  });

  test('does not ask about the old token if the connection leads to another server by then', async () => {
    const other = hostService('spec');
    await callService(other, 'clearRequests');
    const { token: old } = await listed('left where it was');
    const rotated = rotate('left where it was');
    await person.picks(REPLACEMENT, 'Create Replacement');
    await person.isAsked(CREATED);
    const { store } = currentActivation();
    await leadElsewhere(store.all()[0]?.id ?? assert.fail(), other.url);
    // By then this window knows of it too.
    await refresh(await rowAt(NAME));
    await person.answers(CREATED, 'Copy Token');
    await person.seesNotification(
      /^Rotating: The connection was changed .* nothing was sent\. The old token "left where it was" wasn't revoked\. To revoke it, select it under Access tokens\.$/,
    );
    await rotated;
    assert.deepEqual(await requestsWith(other, 'revokeAccessToken'), []);
    assert.equal(await holderOf(service, old), 'urn:li:corpuser:admin');
  });

  test('keeps the first edit of a user who may create tokens only since now', async () => {
    const platformPrivileges = { generatePersonalAccessTokens: false, manageTokens: false };
    const me = { corpUser: { urn: 'urn:li:corpuser:admin' }, platformPrivileges };
    await answerWith(service, 'generatePersonalAccessTokens', 200, { data: { me, appConfig: null } });
    await answerWith(service, 'getGrantedPrivileges', 200, { data: { getGrantedPrivileges: { privileges: [] } } });
    await saveConnection(connectionAs(service, 'admin', 'Granted'));
    await listedToken(service, 'Granted', { name: 'granted', createdAt: Date.now() - DAY, expiresAt: null });
    assert.equal((await rowAt('Granted', TOKENS)).item.contextValue, 'tokens;cannotCreateOwn;cannotCreate');
    await callService(service, 'clearFaults');
    const { node } = await rowAt('Granted', TOKENS, 'granted');
    const rotated = vscode.commands.executeCommand(COMMANDS.tokenRotate, node);
    await person.picks(REPLACEMENT, 'Name');
    await person.types(TOKEN_NAME, 'granted anew');
    await person.picks(REPLACEMENT, 'Create Replacement');
    await person.answers(CREATED, 'Close');
    await person.answers(OLD, KEEP);
    await rotated;
    const [sent] = await requestsWith(service, 'createAccessToken');
    assert.partialDeepStrictEqual(variablesOf(sent ?? assert.fail()), { input: { name: 'granted anew' } });
  });

  test('marks nothing after a refusal', async () => {
    await listed('refused');
    await answerWith(service, 'createAccessToken', 403, { message: 'no', status: 403 });
    const rotated = rotate('refused');
    await person.picks(REPLACEMENT, 'Name');
    await person.types(TOKEN_NAME, 'refused anew');
    await person.picks(REPLACEMENT, 'Create Replacement');
    await rotated;
    await person.seesNotification(/aren't allowed to create access tokens/);
    assert.ok(!(await twins('refused')).some(isSuperseded));
    assert.equal((await requestsWith(service, 'createAccessToken')).length, 1);
  });

  test('continues to its end if nothing can be stored', async () => {
    const { token: old } = await listed('on a full disk');
    const folder = join(currentActivation().context.globalStorageUri.fsPath, 'tokens');
    // Later tests need it again: a folder that was there and is gone counts as a disk that is gone.
    await mkdir(folder, { recursive: true });
    await rename(folder, `${folder}.away`);
    await writeFile(folder, '');
    const rotated = rotate('on a full disk');
    await person.picks(REPLACEMENT, 'Create Replacement');
    await person.answers(CREATED, 'Close');
    await person.answers(OLD, 'Revoke Old Token');
    await rotated;
    await rm(folder);
    await rename(`${folder}.away`, folder);
    assert.equal(await holderOf(service, old), undefined);
    assert.equal((await requestsWith(service, 'createAccessToken')).length, 1);
  });

  /** Issues a token that the tree lists, made yesterday. @param days For which it was made. */
  function listed(name: string, more: Partial<TokenRecord> = {}, days?: number): ReturnType<typeof listedToken> {
    const createdAt = Date.now() - DAY;
    const expiresAt = days === undefined ? null : createdAt + days * DAY;
    return listedToken(service, NAME, { name, createdAt, expiresAt, ...more });
  }

  async function rotate(name: string): Promise<unknown> {
    return vscode.commands.executeCommand(COMMANDS.tokenRotate, (await rowAt(NAME, TOKENS, name)).node);
  }

  /** Rows with this name: the old token and its replacement. */
  async function twins(name: string): Promise<Row[]> {
    return (await rowsBelow(await rowAt(NAME, TOKENS))).filter(({ label }) => label === name);
  }
});

function isSuperseded({ description }: Row): boolean {
  return /^superseded\b/.test(description);
}
