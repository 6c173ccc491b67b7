import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { COMMANDS } from '../../../src/manifest.ts';
import { callService } from '../context.ts';
import { inQuickTime } from '../vscode/quickTime.ts';
import { tokenOf } from './support/connections.ts';
import { DrivenWizard } from './support/drivenWizard.ts';
import { connectedTests } from './support/fixtures.ts';
import { calm, requestsWith } from './support/requests.ts';
import { indexRow, labelsBelow, rowAt } from './support/tree.ts';
import {
  executionsOf,
  INDICES,
  READERS_PATIENCE_MS,
  sentTo,
  truncate,
  truncations,
  TRUNCATIONS,
} from './support/truncations.ts';
import { until } from './support/until.ts';

const NAME = 'Truncating';
const DAY = 24 * 60 * 60 * 1000;

suite('Truncating an index', () => {
  const { service, person } = connectedTests({ name: NAME });

  test('is executed once, is watched in the tree, and leaves exactly the rows newer than the cutoff', async () => {
    const before = await callService(service, 'rows', 'dataset', 'operation');
    await countedBefore('dataset/operation');
    const sizesRead = (await requestsWith(service, 'getIndexSizes')).length;
    await vscode.commands.executeCommand('metadataService.explorer.focus');
    await callService(service, 'setPacing', { held: true });
    await truncate(person, NAME, 'dataset/operation');
    const row = await rowAt(NAME, TRUNCATIONS, 'dataset/operation');
    assert.equal(row.item.contextValue, 'task;idKnown');
    assert.equal((await rowAt(NAME, TRUNCATIONS)).description, '1 running');
    assert.deepEqual(await callService(service, 'rows', 'dataset', 'operation'), before);
    // Forgetting one that runs is asked about.
    await person.runs(COMMANDS.taskForget, row, /^Forget the truncation of dataset\/operation\?$/);
    assert.equal((await truncations(NAME)).length, 1);

    await callService(service, 'setPacing', { held: false });
    // No test refreshes anything: the tree is visible, so the task is watched.
    const finished = await inQuickTime(() =>
      until(
        'the end of the task',
        async () => {
          const [first] = await truncations(NAME);
          return first?.description?.endsWith('rows deleted') && first;
        },
        READERS_PATIENCE_MS,
      ),
    );
    const executions = await executionsOf(service, 'dataset/operation');
    assert.equal(executions.length, 1);
    const { endTimeMillis, batchSize } = executions[0] ?? assert.fail();
    assert.equal(batchSize, 100);
    const after = await callService(service, 'rows', 'dataset', 'operation');
    assert.ok(after.min !== null && after.min > endTimeMillis && after.max === before.max);
    const deleted = `${new Intl.NumberFormat('en').format(before.count - after.count)} rows deleted`;
    assert.equal(finished.description, deleted);
    assert.equal(finished.spoken, `dataset/operation, Finished: ${deleted}.`);
    assert.deepEqual(person.toldSoFar, [], 'the tree shows it');
    await until(
      'the sizes to be read again',
      async () => (await requestsWith(service, 'getIndexSizes')).length > sizesRead,
    );
    // Every dry run and the execution had the same plan, or counted the rows up to the execution.
    const cutoffs = new Set((await sentTo(service, 'dataset/operation')).map((body) => body.endTimeMillis));
    assert.equal(cutoffs.size, 2);
    assert.ok(cutoffs.has(endTimeMillis) && Math.max(...cutoffs) > Date.now() - DAY);

    await vscode.commands.executeCommand(COMMANDS.taskCopyId, finished.node);
    const tasks = await callService(service, 'tasks');
    assert.equal(await vscode.env.clipboard.readText(), tasks.at(-1)?.id);
    await vscode.commands.executeCommand(COMMANDS.taskForget, finished.node);
    assert.equal((await truncations(NAME)).length, 0);
    assert.ok(!(await labelsBelow(NAME)).includes(TRUNCATIONS));
  });

  test('copies a dry run as a command line without a token that deletes nothing', async () => {
    await vscode.commands.executeCommand(
      COMMANDS.indexCopyRequest,
      (await rowAt(NAME, INDICES, 'dataset', 'datasetprofile')).node,
    );
    const line = await vscode.env.clipboard.readText();
    assert.match(line, /"dryRun":true/);
    assert.match(line, /"forceDeleteByQuery":true/, 'run with dryRun false, it is no reindex either');
    assert.match(line, /Bearer \$ACCESS_TOKEN/);
    assert.ok(line.includes(`${service.url}/operations?action=truncateTimeseriesAspect`));
    assert.ok(!line.includes(tokenOf(service, 'operator')));
    await person.seesNotification(/Set ACCESS_TOKEN/);
  });

  /** Rows by age that are known already: a page counts none by itself. */
  async function countedBefore(target: string): Promise<void> {
    const wizard = await DrivenWizard.open(await indexRow(NAME, target));
    await wizard.counted();
    assert.equal(wizard.view.rowsByAge?.phase, 'complete');
    wizard.close();
    await calm(service);
  }
});
