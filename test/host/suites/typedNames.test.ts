import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { COMMANDS } from '../../../src/manifest.ts';
import { callService, hostService } from '../context.ts';
import { ROLE, SAVE, TOKEN, FORM, changeName, comeToForm, enterAddress, tokenOf } from './support/connections.ts';
import { personAt, withAnotherProxy } from './support/fixtures.ts';
import { proxyTo } from './support/proxy.ts';
import { rowAt } from './support/tree.ts';
import { dryRun, executionsOf, pressDelete } from './support/truncations.ts';

const NAME = 'Dev';
const INDEX = 'dataset/operation';
const DELETE = /^Delete [\d,]+ of [\d,]+ rows of dataset\/operation from Dev \(datahub\.example\.test:\d+\)\?$/;
const NO_TYPING = /^Allow deleting rows on "Dev" without typing a name\?$/;

suite('A typed name before rows are deleted on a server elsewhere', () => {
  const service = hostService();
  const closing: (() => void)[] = [];
  const { port } = new URL(service.url);
  const elsewhere = `http://datahub.example.test:${port}`;
  const other = `http://other.example.test:${port}`;
  suiteSetup(async () => {
    // Only the proxy can resolve the name.
    const proxy = await proxyTo({ after: (close) => closing.push(close) }, Number(port));
    await vscode.workspace.getConfiguration().update('http.proxy', proxy.url, vscode.ConfigurationTarget.Global);
  });
  const person = personAt(service);
  suiteTeardown(async () => {
    await vscode.workspace.getConfiguration().update('http.proxy', undefined, vscode.ConfigurationTarget.Global);
    closing.forEach((close) => close());
  });

  withAnotherProxy(
    'is not asked for where the user chose Development, in a dialog that names the server; for another one again',
    async () => {
      await callService(service, 'restoreRows');
      const added = vscode.commands.executeCommand(COMMANDS.connectionAdd);
      await comeToForm(person, { baseUrl: elsewhere, token: tokenOf(service, 'admin') });
      await changeName(person, NAME);
      await person.picks(FORM, 'Role: Production');
      await person.picks(ROLE, 'Development');
      await person.picks(FORM, SAVE);
      await person.answers(/^Send credentials to /, 'Use Plain HTTP');
      const declined = await person.answers(NO_TYPING);
      assert.ok(declined.detail.includes(elsewhere), declined.detail);
      await person.picks(FORM, SAVE);
      await person.answers(NO_TYPING, 'Choose Development');
      await added;

      const wizard = await dryRun(NAME, INDEX);
      await pressDelete(wizard);
      const { detail } = await person.answers(DELETE);
      assert.match(detail, /^Rows dated up to .* \(365 days ago\), as \w+\. [\d,]+ stay\. Can't be undone\.$/);
      await wizard.settled();
      wizard.close();
      assert.deepEqual(await executionsOf(service, INDEX), []);

      const edited = vscode.commands.executeCommand(COMMANDS.connectionEdit, (await rowAt(NAME)).node);
      await person.picks(FORM, /Address: /);
      await enterAddress(person, other);
      await person.types(TOKEN, '');
      await person.picks(FORM, 'Role: Production');
      await person.picks(ROLE, 'Development');
      await person.picks(FORM, 'Save Without a Token');
      const again = await person.answers(NO_TYPING);
      assert.ok(again.detail.includes(other) && !again.detail.includes(elsewhere), again.detail);
      await person.leaves(FORM);
      await edited;
    },
  );
});
