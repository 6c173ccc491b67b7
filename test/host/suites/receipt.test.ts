import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { COMMANDS } from '../../../src/manifest.ts';
import type { TruncationPageMessage } from '../../../src/pages/truncation/protocol.ts';
import { tokenOf } from './support/connections.ts';
import { connectedTests } from './support/fixtures.ts';
import { openWizard } from './support/drivenWizard.ts';
import { endedTruncation, truncate } from './support/truncations.ts';
import { until } from './support/until.ts';

const NAME = 'Receipts | EU';
const TARGET = 'dataset/operation';

suite('The receipt of a truncation', () => {
  const { service, person } = connectedTests({ name: NAME });

  test('is copied and opened as the same text, without a secret', async () => {
    await truncate(person, NAME, TARGET);
    const page = await openWizard(await endedTruncation(NAME, TARGET), COMMANDS.taskShow);
    await until('the page', () => page.view());
    await vscode.env.clipboard.writeText('');
    page.says({ type: 'receipt' } satisfies TruncationPageMessage);
    await person.presses(/^Copied$/, 'Open in Editor');
    const copied = await vscode.env.clipboard.readText();
    assert.ok(copied.startsWith(`# Truncation of \`${TARGET}\`\n`), copied);
    const opened = await until('the editor', () => vscode.window.activeTextEditor?.document);
    assert.deepEqual([opened.isUntitled, opened.languageId, opened.getText()], [true, 'markdown', copied]);
    const token = tokenOf(service, 'operator');
    for (const secret of [token, token.split('.')[2] ?? '']) {
      assert.ok(secret.length > 20 && !copied.includes(secret));
    }
  });
});
