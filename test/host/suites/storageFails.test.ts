// The server carries out a request, and nothing can be stored: nothing is lost, and the user need not repeat it.
import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { COMMANDS } from '../../../src/manifest.ts';
import { hostService } from '../context.ts';
import { SAVE, FORM, changeName, comeToForm, connectionAs, formLabels, saveConnection } from './support/connections.ts';
import { activated, reloadExtension } from './support/extension.ts';
import { breakFolders, failingState, type FailingState, type FolderKind } from './support/failingStorage.ts';
import { personAt } from './support/fixtures.ts';
import { calm, requestsWith } from './support/requests.ts';
import {
  CREATED,
  OLD,
  REPLACEMENT,
  TOKENS,
  holderOf,
  listedToken,
  revocationsSettled,
  revokesAddedTokens,
} from './support/tokens.ts';
import { rowAt, rowsBelow, shownUser } from './support/tree.ts';

const NAME = 'Storage fails';

suite('Without working storage', () => {
  const service = hostService();
  let state: FailingState;
  let repair: () => Promise<void> = () => Promise.resolve();
  suiteSetup(async () => {
    state = failingState((await activated()).context.globalState);
    await reloadExtension({ globalState: state });
  });
  teardown(works);
  revokesAddedTokens(service);
  const person = personAt(service);
  setup(async () => {
    await saveConnection(connectionAs(service, 'admin', NAME));
    await revocationsSettled(service);
    await rowsBelow(await rowAt(NAME, TOKENS));
    await calm(service);
  });
  suiteTeardown(async () => void (await reloadExtension()));

  test('a connection that could not be saved stays in the form, with its token', async () => {
    const added = vscode.commands.executeCommand(COMMANDS.connectionAdd);
    await comeToForm(person, connectionAs(service, 'analyst', 'Typed once'));
    await changeName(person, 'Typed once');
    await fails('roles');
    await person.picks(FORM, SAVE);
    const labels = await formLabels(person, 'Try Again');
    assert.ok(labels.includes("Couldn't save the connection.") && !labels.includes('Save Anyway'), labels.join('\n'));
    await works();
    await person.accepts(FORM, 'Try Again');
    await added;
    assert.equal(await shownUser('Typed once'), 'analyst');
  });

  test('a rotation continues to its end', async () => {
    const { token: old, row } = await listedToken(service, NAME, { name: 'rotated', expiresAt: null });
    await calm(service);
    const rotated = vscode.commands.executeCommand(COMMANDS.tokenRotate, row.node);
    await fails('tokens');
    await person.picks(REPLACEMENT, 'Create Replacement');
    await person.answers(CREATED, 'Copy Token');
    await person.isAsked(OLD);
    const string = await vscode.env.clipboard.readText();
    await person.answers(OLD, 'Revoke Old Token');
    await rotated;
    assert.equal(await holderOf(service, string), 'urn:li:corpuser:admin');
    assert.equal(await holderOf(service, old), undefined);
    await isTriedOnce('createAccessToken');
    await isTriedOnce('revokeAccessToken');
  });

  /** From now on, nothing can be stored in VS Code's storage, nor in these folders. */
  async function fails(...folders: readonly FolderKind[]): Promise<void> {
    state.isFailing = true;
    repair = await breakFolders(...folders);
  }

  async function works(): Promise<void> {
    state.isFailing = false;
    await repair();
    repair = () => Promise.resolve();
  }

  async function isTriedOnce(operation: string): Promise<void> {
    assert.equal((await requestsWith(service, operation)).length, 1);
    assert.ok(!person.toldSoFar.some((told) => /Try again/i.test(told)), person.toldSoFar.join(' / '));
  }
});
