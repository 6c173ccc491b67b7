import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
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
const window = vscode.window as { showSaveDialog: typeof vscode.window.showSaveDialog };

suite('The receipt of a truncation', () => {
  const { service, person } = connectedTests({ name: NAME });
  const { showSaveDialog } = window;
  let folder = '';
  suiteSetup(async () => (folder = await mkdtemp(join(tmpdir(), 'metadata-service-receipt-'))));
  teardown(() => (window.showSaveDialog = showSaveDialog));
  suiteTeardown(() => rm(folder, { recursive: true }));

  test('is copied and saved as the same text, without a secret', async () => {
    await truncate(person, NAME, TARGET);
    const page = await openWizard(await endedTruncation(NAME, TARGET), COMMANDS.taskShow);
    await until('the page', () => page.view());
    const choose = async (label: string): Promise<void> => {
      page.says({ type: 'receipt' } satisfies TruncationPageMessage);
      await person.picks(/^Receipt \| Copy or save the receipt$/, label);
    };
    await vscode.env.clipboard.writeText('');
    await choose('Copy as Markdown');
    const copied = await until('the copy', async () => (await vscode.env.clipboard.readText()) || false);
    assert.ok(copied.startsWith(`# Truncation of \`${TARGET}\`\n`), copied);
    let proposed = '';
    window.showSaveDialog = (options) => {
      proposed = basename(options?.defaultUri?.fsPath ?? '');
      assert.deepEqual(options?.filters, { Markdown: ['md'] });
      return Promise.resolve(vscode.Uri.file(join(folder, proposed)));
    };
    await choose('Save…');
    const saved = await until('the file', () => readFile(join(folder, proposed), 'utf8').catch(() => undefined));
    assert.match(proposed, /^truncation-dataset-operation-\d{4}-\d\d-\d\d\.md$/);
    assert.equal(saved, copied);
    const token = tokenOf(service, 'operator');
    for (const secret of [token, token.split('.')[2] ?? '']) {
      assert.ok(secret.length > 20 && !copied.includes(secret));
    }
  });
});
