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
import { connectedSuite } from './support/fixtures.ts';
import { openWizard } from './support/openWizard.ts';
import { rowAt } from './support/tree.ts';
import { TRUNCATIONS, endedMuchLater, endedTruncation, executionsOf, truncate } from './support/truncations.ts';
import { until } from './support/until.ts';

const NAME = 'Receipts | EU';
const window = vscode.window as { showSaveDialog: typeof vscode.window.showSaveDialog };

suite('The receipt of a truncation', () => {
  const { service, person } = connectedSuite({ name: NAME });
  const token = tokenOf(service, 'operator');
  const { showSaveDialog } = window;
  let folder = '';

  suiteSetup(async () => (folder = await mkdtemp(join(tmpdir(), 'metadata-service-receipt-'))));
  teardown(() => (window.showSaveDialog = showSaveDialog));
  suiteTeardown(() => rm(folder, { recursive: true }));

  test('of a delete by query says what was requested, counted and done', async () => {
    const before = await callService(service, 'rows', 'dataset', 'operation');
    await truncate(person, NAME, 'dataset/operation');
    const receipt = await receiptOf('dataset/operation');
    const after = await callService(service, 'rows', 'dataset', 'operation');
    await assertPlan(receipt, 'dataset/operation');
    assert.deepEqual(
      [
        receipt['Strategy used'],
        receipt['Rows before'],
        receipt['Rows to delete'],
        receipt['Rows deleted'],
        receipt['Result'],
      ],
      [
        'deleteByQuery',
        ...[before.count, before.count - after.count, before.count - after.count].map(String),
        'finished',
      ],
    );
    assert.deepEqual(
      [receipt['Searches'], receipt['Rows to delete that searches find'], receipt['Rows to keep that searches find']],
      ['as planned', '0', String(after.count)],
    );
    assert.ok(Number(receipt['Size before in bytes']) > 0 && receipt['Precision of that size'] === 'exact');
    assert.ok(!('Size after in bytes' in receipt), 'a size that is read at the end says nothing');
  });

  test('of a reindex says the same', async () => {
    const before = await callService(service, 'rows', 'dataset', 'datasetusagestatistics');
    const target = 'dataset/datasetusagestatistics';
    await truncate(person, NAME, target, { days: 180, strategy: 'reindex' });
    await until(
      'the end of the task',
      async () => (await rowAt(NAME, TRUNCATIONS, target)).description === 'checking…',
    );
    await callService(service, 'refreshIndex', 'dataset', 'datasetusagestatistics');
    const receipt = await receiptOf(target);
    const after = await callService(service, 'rows', 'dataset', 'datasetusagestatistics');
    await assertPlan(receipt, target, 'reindex');
    assert.deepEqual(
      [receipt['Strategy used'], receipt['Rows before'], receipt['Rows deleted'], receipt['Result']],
      ['reindex', String(before.count), String(before.count - after.count), 'finished'],
    );
  });

  test('of a failed one says why, without secrets that the server quotes', async () => {
    await callService(service, 'setPacing', { held: true });
    await truncate(person, NAME, 'query/queryusagestatistics');
    const failures = ['shard 3: no space', `shard 4: Authorization: Bearer ${token}`];
    const status = JSON.stringify({ total: 20, deleted: 3 });
    await callService(service, 'addFault', {
      fault: {
        kind: 'status',
        status: 200,
        body: JSON.stringify({ value: JSON.stringify({ completed: true, status, failures }) }),
        contentType: 'application/json',
      },
      match: 'getEsTaskStatus',
      times: 'always',
    });
    const receipt = await receiptOf('query/queryusagestatistics', endedMuchLater);
    await assertPlan(receipt, 'query/queryusagestatistics');
    assert.deepEqual([receipt['Result'], receipt['Rows deleted']], ['failed', undefined]);
    assert.match(String(receipt['Failure']), /^the task ended after \d+ of \d+ rows; rows left to delete: \d+$/);
    assert.match(String(receipt['Failures of the task']), /^shard 3: no space; shard 4: /);
  });

  /** The receipt from its page, copied, and the same as a file. Neither has secrets. */
  async function receiptOf(
    target: string,
    ended: typeof endedTruncation = endedTruncation,
  ): Promise<Readonly<Record<string, string>>> {
    const { page } = await openWizard(await ended(NAME, target), COMMANDS.taskShow);
    await until('the page', () => page.view());
    const choose = async (label: string): Promise<void> => {
      page.says({ type: 'receipt' } satisfies TruncationPageMessage);
      await person.picks(/^Receipt \| Copy or save the receipt$/, label);
    };
    await vscode.env.clipboard.writeText('');
    await choose('Copy as Markdown');
    const copied = await until('the copy', async () => {
      const text = await vscode.env.clipboard.readText();
      return text.startsWith(`# Truncation of \`${target}\`\n`) && text;
    });
    let proposed = '';
    window.showSaveDialog = (options) => {
      proposed = basename(options?.defaultUri?.fsPath ?? '');
      assert.deepEqual(options?.filters, { Markdown: ['md'] });
      return Promise.resolve(vscode.Uri.file(join(folder, proposed)));
    };
    await choose('Save…');
    const saved = await until('the file', () => readFile(join(folder, proposed), 'utf8').catch(() => undefined));
    assert.match(proposed, new RegExp(`^truncation-${target.replace('/', '-')}-\\d{4}-\\d\\d-\\d\\d\\.md$`));
    assert.equal(saved, copied);
    for (const secret of [token, token.split('.')[2] ?? '']) {
      assert.ok(secret.length > 20 && !copied.includes(secret));
    }
    return receiptFacts(copied);
  }

  /** Facts of every receipt: plan, server, user, times and task. */
  async function assertPlan(
    receipt: Readonly<Record<string, string>>,
    target: string,
    strategyChosenThere = 'deleteByQuery',
  ): Promise<void> {
    const [execution] = await executionsOf(service, target);
    const task = (await callService(service, 'tasks')).at(-1);
    assert.partialDeepStrictEqual(receipt, {
      'Entity type': execution?.entityType,
      Aspect: execution?.aspect,
      Connection: NAME,
      Server: service.url,
      'Configured user': service.users['operator']?.urn,
      'Cutoff (inclusive)': new Date(execution?.endTimeMillis ?? 0).toISOString(),
      'Batch size': String(execution?.batchSize),
      'Strategy chosen': strategyChosenThere,
      'Task ID': task?.id,
    });
    const times = ['Dry run', 'Sent', 'Ended'].map((name) => Date.parse(String(receipt[name])));
    assert.deepEqual(
      times,
      times.toSorted((a, b) => a - b),
    );
  }
});
