import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import * as vscode from 'vscode';
import { COMMANDS } from '../../../src/manifest.ts';
import type { TruncationPageMessage } from '../../../src/pages/truncation/protocol.ts';
import { receiptFacts } from '../../receiptFacts.ts';
import { callService } from '../context.ts';
import { tokenOf } from './support/connections.ts';
import { connectedTests } from './support/fixtures.ts';
import { openWizard } from './support/drivenWizard.ts';
import { endedTruncation, executionsOf, truncate } from './support/truncations.ts';
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

  test('says what was requested, counted and done; the copy and the file are the same, without a secret', async () => {
    const before = await callService(service, 'rows', 'dataset', 'operation');
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

    const receipt = receiptFacts(copied);
    const [execution] = await executionsOf(service, TARGET);
    const after = await callService(service, 'rows', 'dataset', 'operation');
    const deleted = String(before.count - after.count);
    assert.partialDeepStrictEqual(receipt, {
      'Entity type': 'dataset',
      Aspect: 'operation',
      Connection: NAME,
      Server: service.url,
      'Configured user': service.users['operator']?.urn,
      'Cutoff (inclusive)': new Date(execution?.endTimeMillis ?? 0).toISOString(),
      'Batch size': String(execution?.batchSize),
      'Strategy chosen': 'deleteByQuery',
      'Strategy used': 'deleteByQuery',
      'Task ID': (await callService(service, 'tasks')).at(-1)?.id,
      'Rows before': String(before.count),
      'Rows to delete': deleted,
      'Rows deleted': deleted,
      Result: 'finished',
      Reason: 'clean',
      'Rows to delete that searches find': '0',
      'Rows to keep that searches find': String(after.count),
    });
    const times = ['Dry run', 'Sent', 'Ended'].map((name) => Date.parse(String(receipt[name])));
    assert.deepEqual(
      times,
      times.toSorted((a, b) => a - b),
    );
    assert.ok(Number(receipt['Size before in bytes']) > 0);
    assert.ok(!('Size after in bytes' in receipt), 'a size that is read at the end says nothing');
  });
});
