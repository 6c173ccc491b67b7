import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { COMMANDS } from '../../../src/manifest.ts';
import { callService, hostService } from '../context.ts';
import {
  ROLE,
  SAVE,
  TOKEN,
  FORM,
  changeName,
  comeToForm,
  connectionAs,
  enterAddress,
  leaveNothing,
} from './support/connections.ts';
import { activated } from './support/extension.ts';
import { Person } from './support/person.ts';
import { proxyTo } from './support/proxy.ts';
import { calm } from './support/requests.ts';
import { rowAt } from './support/tree.ts';
import { until } from './support/until.ts';
import { deletionOf, dryRun, executionsOf, pressDelete } from './support/truncations.ts';

const NAME = 'Dev';
const INDEX = 'dataset/operation';
const DELETE = /^Delete [\d,]+ of [\d,]+ rows of dataset\/operation from Dev \(datahub\.example\.test:\d+\)\?$/;
const NO_TYPING = /^Allow deleting rows on "Dev" without typing a name\?$/;

suite('A typed name before rows are deleted on a server elsewhere', () => {
  const service = hostService();
  const person = new Person();
  const closing: (() => void)[] = [];
  const { port } = new URL(service.url);
  const elsewhere = `http://datahub.example.test:${port}`;

  suiteSetup(async () => {
    person.arrive();
    await activated();
    // Only the proxy can resolve the name.
    const proxy = await proxyTo({ after: (close) => closing.push(close) }, Number(port));
    await vscode.workspace.getConfiguration().update('http.proxy', proxy.url, vscode.ConfigurationTarget.Global);
  });
  setup(async () => {
    await calm(service);
    await callService(service, 'restoreRows');
  });
  teardown(() => leaveNothing(person));
  suiteTeardown(async () => {
    await vscode.workspace.getConfiguration().update('http.proxy', undefined, vscode.ConfigurationTarget.Global);
    closing.forEach((close) => close());
    person.depart();
  });

  test('is not asked for where the user chose Development while adding it; the dialog names the server', async () => {
    await add(async () => {
      await person.picks(FORM, 'Role: Development');
      await person.picks(ROLE, 'Development');
      await person.picks(FORM, SAVE);
      await person.answers(/^Send credentials to /, 'Use Plain HTTP');
      const { detail } = await person.answers(NO_TYPING);
      assert.ok(detail.includes(elsewhere), detail);
      await person.picks(FORM, SAVE);
      await person.answers(NO_TYPING, 'Choose Development');
    });
    const wizard = await dryRun(NAME, INDEX);
    await pressDelete(wizard);
    const { detail } = await person.answers(DELETE);
    assert.match(detail, /^Rows dated up to .* \(365 days ago\), as \w+\. [\d,]+ stay\. Can't be undone\.$/);
    await wizard.settled();
    wizard.close();
    assert.deepEqual(await executionsOf(service, INDEX), []);
  });

  test('stays with a role that was suggested and accepted, until the user chooses it', async () => {
    await add();
    await staysTyped();
    await chooseDevelopment();
    const wizard = await dryRun(NAME, INDEX);
    await pressDelete(wizard);
    await person.answers(DELETE, /^Delete/);
    await until('the truncation', async () => (await executionsOf(service, INDEX)).length === 1);
    wizard.close();
  });

  test('is agreed to for another address again, in a dialog that names that one', async () => {
    await add();
    const other = `http://other.example.test:${port}`;
    for (const isChosenBefore of [false, true]) {
      if (isChosenBefore) await chooseDevelopment();
      const edited = vscode.commands.executeCommand(COMMANDS.connectionEdit, (await rowAt(NAME)).node);
      await person.picks(FORM, /Address: /);
      await enterAddress(person, other);
      await person.types(TOKEN, '');
      await person.picks(FORM, 'Role: Development');
      await person.picks(ROLE, 'Development');
      await person.picks(FORM, 'Save Without a Token');
      const { detail } = await person.answers(NO_TYPING);
      assert.ok(detail.includes(other) && !detail.includes(elsewhere), detail);
      await person.leaves(FORM);
      await edited;
    }
  });

  /** Adds it with the suggested role, which is Development by its name. @param save Changes it in the form, and saves. */
  async function add(save: () => Promise<void> = saves): Promise<void> {
    const { token } = connectionAs(service, 'admin', NAME);
    const added = vscode.commands.executeCommand(COMMANDS.connectionAdd);
    await comeToForm(person, { baseUrl: elsewhere, token });
    await changeName(person, NAME);
    await save();
    await added;
  }

  async function saves(): Promise<void> {
    await person.picks(FORM, SAVE);
    await person.answers(/^Send credentials to /, 'Use Plain HTTP');
  }

  async function chooseDevelopment(): Promise<void> {
    const changed = vscode.commands.executeCommand(COMMANDS.connectionEdit, (await rowAt(NAME)).node);
    await person.picks(FORM, 'Role: Development');
    await person.picks(ROLE, 'Development');
    await person.picks(FORM, SAVE);
    await person.answers(NO_TYPING, 'Choose Development');
    await changed;
  }

  async function staysTyped(): Promise<void> {
    const wizard = await dryRun(NAME, INDEX);
    await pressDelete(wizard);
    await person.leaves(deletionOf(INDEX));
    await wizard.settled();
    wizard.close();
  }
});
