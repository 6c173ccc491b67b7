// Text from servers and other users, in every place where VS Code shows it.
import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { COMMANDS } from '../../../src/manifest.ts';
import { hostService } from '../context.ts';
import { FORM, SAVE, changeToken, connectionAs, saveConnection, tokenOf } from './support/connections.ts';
import { personWith } from './support/fixtures.ts';
import { answerWith, calm, requestsWith } from './support/requests.ts';
import { TOKENS, issueToken } from './support/tokens.ts';
import { refresh, rowAt, tooltipOf } from './support/tree.ts';
import { dryRun, pressDelete, deletionOf } from './support/truncations.ts';

const NAME = '[Main](command:workbench.action.quit) $(flame)';
const LINK = '[Renew](command:workbench.action.quit) $(key)';
/** Has a right-to-left override, ESC, BEL, 60 line breaks and a long end. */
const ODD_REPORT = `All is well\u202E\u001B[31m\u0007${'\n'.repeat(60)}\u200B${'go on '.repeat(100)}`;

suite('Text from servers and other users', () => {
  const service = hostService();
  const person = personWith(service, async () => {
    await saveConnection(connectionAs(service, 'admin', NAME));
    await issueToken(service, {
      name: LINK,
      description: `$(flame) first\u202E\nsecond ${'x'.repeat(400)}`,
      expiresAt: null,
    });
    await refresh(await rowAt(NAME, TOKENS));
  });

  test('has no icons in the form of a connection, which has our own', async () => {
    await answerWith(service, 'me', 400, { message: LINK });
    const added = vscode.commands.executeCommand(COMMANDS.connectionEdit, (await rowAt(NAME)).node);
    await changeToken(person, tokenOf(service, 'admin'));
    await person.picks(FORM, SAVE);
    const found = await person.offered(FORM, /Renew/);
    assert.deepEqual(found.flatMap(({ label }) => label.match(/\$\([\w~-]+\)/g) ?? []).toSorted(), [
      '$(account)',
      // A line that continues below.
      '$(blank)',
      '$(error)',
      '$(globe)',
      '$(key)',
      '$(list-unordered)',
      '$(refresh)',
      '$(save)',
      '$(shield)',
      '$(tag)',
    ]);
    await person.leaves(FORM);
    await added;
  });

  test('is one line in a row of the tree, and in its tooltip', async () => {
    const row = await rowAt(NAME, TOKENS, LINK);
    const tooltip = await tooltipOf(row);
    assert.ok(tooltip instanceof vscode.MarkdownString && tooltip.supportThemeIcons !== true);
    assert.ok(tooltip.value.includes('first&nbsp;second') || tooltip.value.includes('first second'), tooltip.value);
    assert.doesNotMatch(tooltip.value, /\u202E/);
    assert.ok(!tooltip.value.includes('x'.repeat(301)));

    await answerWith(service, 'listAccessTokens', 400, { message: `odd ${ODD_REPORT}` });
    await refresh(await rowAt(NAME, TOKENS));
    const failure = await rowAt(NAME, TOKENS, 'Request rejected (400)');
    const spoken = failure.item.accessibilityInformation?.label ?? '';
    assert.match(spoken, /odd All is well/);
    for (const text of [failure.label, failure.description, spoken]) {
      assert.doesNotMatch(text, /[\p{Cc}\u202E\u200B]/u);
    }
    const hover = await tooltipOf(failure);
    assert.doesNotMatch(
      hover instanceof vscode.MarkdownString ? hover.value.replaceAll('\n\n', '') : hover,
      /[\p{Cc}\u202E\u200B]/u,
    );
    await calm(service);
    await refresh(await rowAt(NAME, TOKENS));
  });

  test('is one short line if it is an unknown report of a dry run, also in the question', async () => {
    await answerWith(service, '"dryRun":true', 200, { value: ODD_REPORT });
    const wizard = await dryRun(NAME, 'dataset/operation');
    const { rows, details } = await wizard.report();
    assert.equal(rows, undefined);
    const shown = details.find(({ name }) => name === 'Server response')?.quoted ?? '';
    assert.match(shown, /^All is well \[31m go on .*…$/);
    assert.ok(shown.length <= 301, shown);
    assert.equal(wizard.view.primary.enabled, false);
    wizard.says({ type: 'execute' });
    await wizard.settled();
    person.assertNothingOpen();
    await pressDelete(wizard, 'unreadable');
    const { title, prompt } = await person.readsBox(deletionOf('dataset/operation'));
    // VS Code renders links in a prompt, but not in a title.
    assert.doesNotMatch(title + prompt, /[\p{Cc}\u202E\u200B]/u);
    assert.ok(!prompt.includes('](command:'), prompt);
    await person.leaves(deletionOf('dataset/operation'));
    await wizard.settled();
    wizard.close();
    assert.deepEqual((await requestsWith(service, '"dryRun":false')).length, 0);
  });
});
