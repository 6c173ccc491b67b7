import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import * as vscode from 'vscode';
import { COMMANDS } from '../../../src/manifest.ts';
import type { TruncationPageMessage } from '../../../src/pages/truncation/protocol.ts';
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
        receipt['strategyUsed'],
        receipt['rowsBefore'],
        receipt['rowsToDelete'],
        receipt['rowsDeleted'],
        receipt['result'],
      ],
      ['deleteByQuery', before.count, before.count - after.count, before.count - after.count, 'finished'],
    );
    assert.deepEqual(
      [receipt['searches'], receipt['deletedFound'], receipt['keptFound']],
      ['as planned', 0, after.count],
    );
    assert.ok(Number(receipt['bytesBefore']) > 0 && receipt['bytesBeforePrecision'] === 'exact');
    assert.ok(!('bytesAfter' in receipt), 'a size that is read at the end says nothing');
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
      [receipt['strategyUsed'], receipt['rowsBefore'], receipt['rowsDeleted'], receipt['result']],
      ['reindex', before.count, before.count - after.count, 'finished'],
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
    assert.deepEqual([receipt['result'], receipt['rowsDeleted']], ['failed', undefined]);
    assert.match(String(receipt['failure']), /^the task ended after \d+ of \d+ rows; rows left to delete: \d+$/);
    assert.match(String(receipt['failures']), /^shard 3: no space; shard 4: /);
  });

  /** The receipt from its page: both formats when copied, and the same as files. None of them has secrets. */
  async function receiptOf(
    target: string,
    ended: typeof endedTruncation = endedTruncation,
  ): Promise<Readonly<Record<string, unknown>>> {
    const { page } = await openWizard(await ended(NAME, target), COMMANDS.taskShow);
    await until('the page', () => page.view());
    const choose = async (label: string): Promise<void> => {
      page.says({ type: 'receipt' } satisfies TruncationPageMessage);
      await person.picks(/^Receipt \| Select a format$/, label);
    };
    const copied = async (format: 'Markdown' | 'JSON', start: string): Promise<string> => {
      await vscode.env.clipboard.writeText('');
      await choose(`Copy as ${format}`);
      return until(`the copy as ${format}`, async () => {
        const text = await vscode.env.clipboard.readText();
        return text.startsWith(start) && text;
      });
    };
    const saved = async (extension: string): Promise<string> => {
      let proposed = '';
      window.showSaveDialog = (options) => {
        proposed = basename(options?.defaultUri?.fsPath ?? '');
        assert.deepEqual(options?.filters, { Markdown: ['md'], JSON: ['json'] });
        return Promise.resolve(vscode.Uri.file(join(folder, proposed.replace(/md$/, extension))));
      };
      await choose('Save…');
      const text = await until('the file', () =>
        readFile(join(folder, proposed.replace(/md$/, extension)), 'utf8').catch(() => undefined),
      );
      assert.match(proposed, new RegExp(`^truncation-${target.replace('/', '-')}-\\d{4}-\\d\\d-\\d\\d\\.md$`));
      return text;
    };
    const markdown = await copied('Markdown', `# Truncation of \`${target}\`\n`);
    const json = await copied('JSON', '{');
    assert.equal(await saved('md'), markdown);
    assert.equal(await saved('JSON'), json);
    const receipt = JSON.parse(json) as Record<string, unknown>;
    assert.deepEqual(
      valuesOf(markdown),
      Object.values(receipt).map((value) => String(value)),
    );
    for (const secret of [token, token.split('.')[2] ?? '']) {
      assert.ok(secret.length > 20 && !json.includes(secret) && !markdown.includes(secret));
    }
    return receipt;
  }

  /** Facts of every receipt: plan, server, user, times and task. */
  async function assertPlan(
    receipt: Readonly<Record<string, unknown>>,
    target: string,
    strategyChosenThere = 'deleteByQuery',
  ): Promise<void> {
    const [execution] = await executionsOf(service, target);
    const task = (await callService(service, 'tasks')).at(-1);
    const { entityType, aspect, connection, server, actor, cutoff, batchSize, strategyChosen, taskId } = receipt;
    assert.deepEqual(
      { entityType, aspect, connection, server, actor, cutoff, batchSize, strategyChosen, taskId },
      {
        entityType: execution?.entityType,
        aspect: execution?.aspect,
        connection: NAME,
        server: service.url,
        actor: service.users['operator']?.urn,
        cutoff: new Date(execution?.endTimeMillis ?? 0).toISOString(),
        batchSize: execution?.batchSize,
        strategyChosen: strategyChosenThere,
        taskId: task?.id,
      },
    );
    const times = ['dryRunAt', 'sentAt', 'endedAt'].map((name) => Date.parse(String(receipt[name])));
    assert.deepEqual(
      times,
      times.toSorted((a, b) => a - b),
    );
  }
});

/** Values of its list. */
function valuesOf(markdown: string): string[] {
  return [...markdown.matchAll(/^- [^:]+: (?<value>.*)$/gm)].map(({ groups }) =>
    (groups?.['value'] ?? '').replace(/^`(?<kept>.*)`$/, '$<kept>'),
  );
}
