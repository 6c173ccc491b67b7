// The server carries out a request, and VS Code's storage fails: nothing is lost, and the user need not repeat it.
import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { COMMANDS } from '../../../src/manifest.ts';
import { hostService } from '../context.ts';
import {
  ADDRESS,
  SAVE,
  TOKEN,
  VERDICT,
  changeName,
  comeToSummary,
  connectionAs,
  leaveNothing,
  saveConnection,
  tokenOf,
} from './support/connections.ts';
import { activated, reloadExtension } from './support/extension.ts';
import { failingState, type FailingState } from './support/failingState.ts';
import { Person } from './support/person.ts';
import { calm, requestsWith } from './support/requests.ts';
import {
  TOKENS,
  copyHeldToken,
  describeToken,
  holderOf,
  issueToken,
  recordOf,
  revokeAddedSince,
  revocationsSettled,
  tokenIds,
} from './support/tokens.ts';
import { labelsBelow, refresh, rowAt, rowsBelow } from './support/tree.ts';

const NAME = 'Storage fails';
const CREATED = /^The access token ".*" was created\.$/;
const OLD = /^Revoke the old token "/;

interface Problem {
  readonly which: string;
  readonly failing: FailingState['failing'];
}

/** By their keys: how many other writes come before depends on the load of the machine. */
const FAILING: readonly Problem[] = [
  ...['createdToken', 'copiedToken', 'supersededToken', 'connection'].map((value) => ({
    which: `each write of ${value}`,
    failing: (key: string) => key.startsWith(`${value}.`),
  })),
  { which: 'every write', failing: () => true },
];

suite('Without working storage', () => {
  const service = hostService();
  const person = new Person();
  let state: FailingState;
  let before: ReadonlySet<string>;
  suiteSetup(async () => {
    person.arrive();
    state = failingState((await activated()).context.globalState);
    await reloadExtension({ globalState: state });
  });
  setup(async () => {
    state.failing = () => false;
    before = await tokenIds(service);
    await calm(service);
    await saveConnection(connectionAs(service, 'admin', NAME));
    await revocationsSettled(service);
    await rowsBelow(await rowAt(NAME, TOKENS));
    await calm(service);
  });
  teardown(async () => {
    state.failing = () => false;
    await revokeAddedSince(service, before);
    await leaveNothing(person);
  });
  suiteTeardown(async () => {
    await reloadExtension();
    person.depart();
  });

  test('a connection that could not be saved is proposed again, without its token', async () => {
    const added = vscode.commands.executeCommand(COMMANDS.connectionAdd);
    await comeToSummary(person, connectionAs(service, 'analyst', 'Typed once'));
    await changeName(person, 'Typed once');
    fail(() => true);
    await person.picks(VERDICT, SAVE);
    await added;
    await person.seesNotification(/Try again/);
    state.failing = () => false;
    const resumed = vscode.commands.executeCommand(COMMANDS.connectionAdd);
    assert.equal(await person.reads(ADDRESS), service.url);
    await person.picks(ADDRESS, service.url);
    assert.equal(await person.reads(TOKEN), '');
    await person.types(TOKEN, tokenOf(service, 'analyst'));
    await person.offered(VERDICT, 'Name: Typed once');
    await person.picks(VERDICT, SAVE);
    await resumed;
    assert.equal((await rowAt('Typed once')).description, 'analyst');
  });

  for (const { which, failing } of FAILING) {
    test(`a created token is offered all the same: ${which} fails`, async () => {
      const created = vscode.commands.executeCommand(COMMANDS.tokenCreate, (await rowAt(NAME)).node);
      fail(failing);
      await describeToken(person, { name: 'created' });
      await person.answers(CREATED, 'Copy Token');
      await created;
      assert.equal(await holderOf(service, await vscode.env.clipboard.readText()), 'urn:li:corpuser:admin');
      await isTriedOnce('createAccessToken');
      await seesStorageNotification(
        'createdToken.',
        /"created" was created, but VS Code couldn't save its name and dates/,
      );
      await seesStorageNotification('copiedToken.', /Couldn't save when to clear the clipboard/);
      await rowAt(NAME, TOKENS, 'created');
    });

    test(`a token whose dialog was closed is still held: ${which} fails`, async () => {
      const created = vscode.commands.executeCommand(COMMANDS.tokenCreate, (await rowAt(NAME)).node);
      fail(failing);
      await describeToken(person, { name: 'held' });
      await person.answers(CREATED, 'Close');
      await created;
      const string = await copyHeldToken(person, await rowAt(NAME, TOKENS, 'held'));
      assert.equal(await holderOf(service, string), 'urn:li:corpuser:admin');
      await isTriedOnce('createAccessToken');
    });

    test(`a token that can't be kept for the connection is offered again: ${which} fails`, async () => {
      const created = vscode.commands.executeCommand(COMMANDS.tokenCreate, (await rowAt(NAME)).node);
      fail(failing);
      await describeToken(person, { name: 'kept' });
      await person.answers(CREATED, 'Use for This Connection');
      const isUnsaved = failing('connection.');
      if (isUnsaved) {
        await person.seesNotification(/Couldn't save the connection/);
        await person.answers(CREATED, 'Copy Token');
      }
      await created;
      if (isUnsaved) {
        assert.equal(await holderOf(service, await vscode.env.clipboard.readText()), 'urn:li:corpuser:admin');
      }
      await isTriedOnce('createAccessToken');
    });

    test(`a rotation continues to its end: ${which} fails`, async () => {
      const name = `rotated while ${which} fails`;
      const old = await listed(name);
      const row = await rowAt(NAME, TOKENS, name);
      await calm(service);
      const rotated = vscode.commands.executeCommand(COMMANDS.tokenRotate, row.node);
      fail(failing);
      await person.picks(/Create a replacement for "/, 'Create Replacement');
      await person.answers(CREATED, 'Copy Token');
      await person.isAsked(OLD);
      const string = await vscode.env.clipboard.readText();
      await person.answers(OLD, 'Revoke Old Token');
      await rotated;
      assert.equal(await holderOf(service, string), 'urn:li:corpuser:admin');
      assert.equal(await holderOf(service, old), undefined);
      await isTriedOnce('createAccessToken');
      await isTriedOnce('revokeAccessToken');
      await seesStorageNotification('supersededToken.', /couldn't mark it as superseded/);
      await seesStorageNotification('createdToken.', /couldn't delete what it stored/);
    });

    test(`revoked tokens are reported as revoked: ${which} fails`, async () => {
      const names = ['first', 'second'];
      for (const name of names) {
        const created = vscode.commands.executeCommand(COMMANDS.tokenCreate, (await rowAt(NAME)).node);
        await describeToken(person, { name });
        await person.answers(CREATED, 'Close');
        await created;
      }
      const nodes = await Promise.all(names.map(async (name) => (await rowAt(NAME, TOKENS, name)).node));
      const revoked = vscode.commands.executeCommand(COMMANDS.tokenRevoke, nodes[0], nodes);
      fail(failing);
      await person.answers(/^Revoke 2 access tokens\?$/, 'Revoke 2 Tokens');
      await revoked;
      assert.equal((await requestsWith(service, 'revokeAccessToken')).length, 2);
      assert.deepEqual(await Promise.all(names.map((name) => recordOf(service, name))), [undefined, undefined]);
      await seesStorageNotification(
        'createdToken.',
        /2 access tokens revoked, but VS Code couldn't delete what it stored about them/,
      );
      assert.ok(person.toldSoFar.length <= 1, person.toldSoFar.join(' / '));
      const labels = await labelsBelow(NAME, TOKENS);
      assert.ok(!names.some((name) => labels.includes(name)), labels.join(', '));
    });
  }

  function fail(failing: FailingState['failing']): void {
    state.restart();
    state.failing = failing;
  }

  async function isTriedOnce(operation: string): Promise<void> {
    assert.equal((await requestsWith(service, operation)).length, 1);
    assert.ok(!person.toldSoFar.some((told) => /Try again/i.test(told)), person.toldSoFar.join(' / '));
  }

  /** Asserts that the failure is reported if a write of such a key failed, and only then. */
  async function seesStorageNotification(prefix: string, said: RegExp): Promise<void> {
    if (state.failed.some((key) => key.startsWith(prefix))) {
      await person.seesNotification(said);
    } else {
      assert.ok(!person.toldSoFar.some((told) => said.test(told)), person.toldSoFar.join(' / '));
    }
  }

  /**
   * Issues a token that the tree lists.
   * @returns its string
   */
  async function listed(name: string): Promise<string> {
    const { token } = await issueToken(service, { name, expiresAt: null });
    await refresh(await rowAt(NAME, TOKENS));
    await rowAt(NAME, TOKENS, name);
    return token;
  }
});
