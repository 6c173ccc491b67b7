import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { COMMANDS } from '../../../src/manifest.ts';
import { callService, hostService } from '../context.ts';
import { addConnection, connectionAs, leaveNothing, tokenOf } from './support/connections.ts';
import { Person } from './support/person.ts';
import { calm, requestsWith } from './support/requests.ts';
import { assertNothingCutOff, sentencesFrom } from './support/rows.ts';
import { labelsBelow, rowAt } from './support/tree.ts';
import {
  INDICES,
  REPORT,
  TRUNCATIONS,
  WHICH_ROWS,
  confirm,
  dryRun,
  executionsOf,
  sentTo,
  truncate,
  truncations,
} from './support/truncations.ts';
import { until } from './support/until.ts';

const NAME = 'Truncating';
const DAY = 24 * 60 * 60 * 1000;

suite('Truncating an index without the page', () => {
  const service = hostService();
  const person = new Person();
  suiteSetup(() => person.arrive());
  setup(async () => {
    await callService(service, 'restoreRows');
    await addConnection(person, connectionAs(service, 'operator', NAME));
    await calm(service);
  });
  teardown(async () => {
    await vscode.commands.executeCommand('workbench.view.explorer');
    await callService(service, 'setPacing', { held: false, failAfterBatches: null });
    await calm(service);
    await leaveNothing(person);
  });
  suiteTeardown(() => person.depart());

  test('shows what would go before anything goes; a wrong name or Escape deletes nothing', async () => {
    const before = await callService(service, 'rows', 'dataset', 'operation');
    const { done } = await dryRun(person, NAME, 'dataset/operation');
    const offered = await person.offered(REPORT, 'Dry Run Again');
    const report = offered.map(({ label }) => label);
    const first = offered.find(({ kind }) => kind !== vscode.QuickPickItemKind.Separator);
    assert.match(first?.label ?? '', /rows would be deleted/, 'an Enter too many takes the first');
    const [plan] = await sentTo(service, 'dataset/operation');
    assert.ok(plan !== undefined && Math.abs(plan.endTimeMillis - (Date.now() - 365 * DAY)) < DAY);
    assert.ok(
      report.some((line) => /^\$\(list-unordered\) [\d,]+ of [\d,]+ rows would be deleted \([\d.]+%\)$/.test(line)),
      report.join('\n'),
    );
    assert.match(
      sentencesFrom(offered, /^\$\(comment\)/),
      /^Delete \d+ out of \d+ rows .* This was a dry run\. Run with dryRun = false to execute\.$/,
    );
    assert.equal(
      sentencesFrom(offered, /^\$\(gear\)/),
      'Delete by query Rows are deleted in batches; the rest stay readable. Disk space is freed gradually.',
    );
    assertNothingCutOff(offered);

    await person.picks(REPORT, /^\$\(trash\) Delete/);
    assert.match(
      await person.triesToType(/to confirm/, 'dataset/operations'),
      /Doesn't match\. Type dataset\/operation/,
    );
    await person.leaves(/to confirm/);
    await person.picks(REPORT, /^\$\(trash\) Delete/);
    await person.types(/to confirm/, 'dataset/operation');
    const question = await person.answers(/^Delete [\d,]+ rows of dataset\/operation\?$/);
    assert.ok(question.detail.includes(`Connection: ${NAME} (${service.url})`), question.detail);
    assert.match(question.detail, /Rows up to and including: .*\d{4}/);
    assert.match(question.detail, /Deleted rows can't be recovered/);
    await person.leaves(REPORT);
    await done;
    assert.deepEqual(await executionsOf(service, 'dataset/operation'), []);
    assert.deepEqual(await callService(service, 'rows', 'dataset', 'operation'), before);
    assert.equal((await truncations(NAME)).length, 0);
  });

  test('is executed once, is watched in the tree, and leaves exactly the rows newer than the cut-off', async () => {
    const before = await callService(service, 'rows', 'dataset', 'operation');
    const sizeBefore = (await rowAt(NAME, INDICES, 'dataset', 'operation')).description;
    await vscode.commands.executeCommand('metadataService.explorer.focus');
    await callService(service, 'setPacing', { held: true });
    await truncate(person, NAME, 'dataset/operation');
    const row = await rowAt(NAME, TRUNCATIONS, 'dataset/operation');
    assert.equal(row.item.contextValue, 'task;idKnown');
    assert.equal((await rowAt(NAME, TRUNCATIONS)).description, '1 running');
    assert.deepEqual(await callService(service, 'rows', 'dataset', 'operation'), before);

    await callService(service, 'setPacing', { held: false });
    // Nobody refreshes anything: the tree is visible, so the task is watched.
    const finished = await until('the end of the task', async () => {
      const [first] = await truncations(NAME);
      return first?.item.contextValue === 'task;idKnown;ended' && first;
    });
    const executions = await executionsOf(service, 'dataset/operation');
    assert.equal(executions.length, 1);
    const { endTimeMillis, batchSize } = executions[0] ?? assert.fail();
    assert.equal(batchSize, 100);
    const after = await callService(service, 'rows', 'dataset', 'operation');
    assert.ok(after.min !== null && after.min > endTimeMillis && after.max === before.max);
    const deleted = `${new Intl.NumberFormat('en').format(before.count - after.count)} rows deleted`;
    assert.equal(finished.description, deleted);
    assert.equal(finished.spoken, `dataset/operation, Finished: ${deleted}.`);
    assert.match(
      await person.isTold(/^Truncated dataset \/ operation on Truncating: [\d,]+ rows deleted\./),
      /Size: \S+ .?B before, \S+ .?B now\./,
    );
    assert.notEqual(
      (await rowAt(NAME, INDICES, 'dataset', 'operation')).description,
      sizeBefore,
      'sizes were not read again',
    );
    // Every dry run and the execution were about one and the same plan.
    assert.deepEqual(
      new Set((await sentTo(service, 'dataset/operation')).map((body) => body.endTimeMillis)),
      new Set([endTimeMillis]),
    );

    await vscode.commands.executeCommand(COMMANDS.taskCopyId, finished.node);
    const [task] = await callService(service, 'tasks');
    assert.equal(await vscode.env.clipboard.readText(), task?.id);
    await vscode.commands.executeCommand(COMMANDS.taskForget, finished.node);
    assert.equal((await truncations(NAME)).length, 0);
    assert.ok(!(await labelsBelow(NAME)).includes(TRUNCATIONS));
  });

  test('a cut-off that reaches what is new, or what is to come, needs a second yes', async () => {
    const row = await rowAt(NAME, INDICES, 'query', 'queryusagestatistics');
    const truncated = vscode.commands.executeCommand(COMMANDS.indexTruncateQuick, row.node);
    await person.picks(WHICH_ROWS, 'Another date and time…');
    assert.match(await person.triesToType(/Deletes rows up to this time/, '2026-02-31 10:00'), /YYYY-MM-DD HH:MM/);
    await person.types(/Deletes rows up to this time/, '2099-01-01 00:00');
    await person.picks(/is in the future\. Every existing row will be deleted/, 'Yes, Use This Cut-Off');
    await confirmLeft();
    await truncated;
    assert.deepEqual(await executionsOf(service, 'query/queryusagestatistics'), []);

    async function confirmLeft(): Promise<void> {
      await person.picks(REPORT, /^\$\(trash\) Delete/);
      await person.types(/to confirm/, 'query/queryusagestatistics');
      const question = await person.answers(/^Delete [\d,]+ rows of query\/queryusagestatistics\?$/);
      assert.match(question.detail, /is in the future/);
      await person.leaves(REPORT);
    }
  });

  test('an index that is not listed can be named, and wildcards are not taken', async () => {
    const truncated = vscode.commands.executeCommand(COMMANDS.indexTruncateQuick);
    await person.picks(/Select a time series index/, 'Another index…');
    assert.match(await person.triesToType(/Entity type/, '*'), /Wildcards/);
    await person.types(/Entity type/, 'dataset');
    assert.match(await person.triesToType(/Aspect, as/, 'a,b'), /Wildcards/);
    await person.types(/Aspect, as/, 'datasetprofile');
    await person.leaves(WHICH_ROWS);
    await truncated;
    assert.deepEqual(await requestsWith(service, 'truncateTimeseriesAspect'), []);
  });

  test('a refusal of the dry run names the privilege that is missing', async () => {
    await addConnection(person, connectionAs(service, 'sizer', 'Sizer'));
    const { done } = await dryRun(person, 'Sizer', 'dataset/datasetprofile');
    const items = await person.offered(REPORT, /^\$\(error\)/);
    assert.match(sentencesFrom(items, /^\$\(error\)/), /you aren't allowed to truncate time series indices/);
    assert.match(sentencesFrom(items, /^\$\(lightbulb\)/), /"Truncate timeseries aspect index size API"/);
    assertNothingCutOff(items);
    await person.leaves(REPORT);
    await done;
  });

  test('a refusal of the execution is told, and nothing is remembered as sent', async () => {
    await callService(service, 'addFault', {
      fault: {
        kind: 'status',
        status: 403,
        body: '{"message":"User is unauthorized","status":403}',
        contentType: 'application/json',
      },
      match: '"dryRun":false',
    });
    await truncate(person, NAME, 'dataset/datasetprofile');
    await person.isTold(
      /you aren't allowed to truncate time series indices.*"Truncate timeseries aspect index size API"/,
    );
    assert.equal((await executionsOf(service, 'dataset/datasetprofile')).length, 1);
    assert.equal((await truncations(NAME)).length, 0);
  });

  test('an index that cannot be reindexed: the way out is told, and leads out', async () => {
    const before = await callService(service, 'rows', 'dashboard', 'dashboardusagestatistics');
    await truncate(person, NAME, 'dashboard/dashboardusagestatistics');
    assert.match(
      await person.isTold(/couldn't reindex this index/),
      /failed\. Nothing was deleted.*Delete by query instead/,
    );
    assert.deepEqual(await callService(service, 'rows', 'dashboard', 'dashboardusagestatistics'), before);
    assert.equal((await truncations(NAME)).length, 0);

    await calm(service);
    const { done } = await dryRun(
      person,
      NAME,
      'dashboard/dashboardusagestatistics',
      'Older than 365 days',
      'Delete by query',
    );
    await confirm(person, 'dashboard/dashboardusagestatistics');
    await done;
    const [execution] = await executionsOf(service, 'dashboard/dashboardusagestatistics');
    assert.equal(execution?.forceDeleteByQuery, true);
    const { endTimeMillis } = execution;
    await until('the rows to be gone', async () => {
      const { min } = await callService(service, 'rows', 'dashboard', 'dashboardusagestatistics');
      return min !== null && min > endTimeMillis;
    });
  });

  test('a reindex tells what it means before, and where the space is after', async () => {
    const { done } = await dryRun(person, NAME, 'chart/chartusagestatistics', 'Older than 180 days');
    const items = await person.offered(REPORT, 'Dry Run Again');
    const meaning = sentencesFrom(items, /^\$\(gear\) Reindex$/);
    assert.match(meaning, /hidden from readers until the copy finishes\. .* an administrator has to restore them/);
    assert.match(meaning, /The old index uses disk space until it's removed\.$/);
    assertNothingCutOff(items);
    const question = await confirm(person, 'chart/chartusagestatistics');
    assert.match(question.detail, /an administrator has to restore them/);
    await done;
    const row = await until('the end of the task', async () => {
      await vscode.commands.executeCommand(COMMANDS.explorerRefresh, (await rowAt(NAME, TRUNCATIONS)).node);
      const [first] = await truncations(NAME);
      return first?.item.contextValue?.endsWith(';ended') && first;
    });
    assert.match(row.description, /^[\d,]+ rows deleted$/);
    const after = await callService(service, 'rows', 'chart', 'chartusagestatistics');
    const [execution] = await executionsOf(service, 'chart/chartusagestatistics');
    assert.ok(after.count > 0 && after.min !== null && execution !== undefined && after.min > execution.endTimeMillis);
  });

  test('a dry run can be copied as a command line that holds no token and deletes nothing', async () => {
    await vscode.commands.executeCommand(
      COMMANDS.indexCopyRequest,
      (await rowAt(NAME, INDICES, 'dataset', 'datasetprofile')).node,
    );
    const line = await vscode.env.clipboard.readText();
    assert.match(line, /"dryRun":true/);
    assert.match(line, /Bearer \$ACCESS_TOKEN/);
    assert.ok(line.includes(`${service.url}/operations?action=truncateTimeseriesAspect`));
    assert.ok(!line.includes(tokenOf(service, 'operator')));
    await person.isTold(/Set ACCESS_TOKEN/);
  });
});
