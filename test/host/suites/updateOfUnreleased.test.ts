import assert from 'node:assert/strict';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { COMMANDS } from '../../../src/manifest.ts';
import type { OverviewPageView, OverviewTableRow } from '../../../src/overview/protocol.ts';
import { MILLIS_PER_DAY } from '../../../src/time.ts';
import type { Stored } from '../../stored/stored.ts';
import { callService, hostService } from '../context.ts';
import { removeConnections } from './support/connections.ts';
import { activated, currentActivation } from './support/extension.ts';
import { openPage } from './support/openPage.ts';
import { Person } from './support/person.ts';
import { calm, requestsWith } from './support/requests.ts';
import { inThisRun, leaveNothingStored, update } from './support/storedState.ts';
import { TOKENS } from './support/tokens.ts';
import { refresh, rowAt, rowsBelow, type Row } from './support/tree.ts';
import { INDICES, truncations } from './support/truncations.ts';
import { until } from './support/until.ts';

// Values that 0.1.0 stored too are in update.test.ts.
suite('The stored state of a version between 0.1.0 and the next, after an update', () => {
  const service = hostService();
  const person = new Person();
  let stored: Stored;
  let histories: readonly (readonly [connectionId: string, history: History])[] = [];
  suiteSetup(async () => {
    person.arrive();
    await activated();
    await vscode.commands.executeCommand('workbench.view.explorer');
  });
  setup(async () => {
    await removeConnections(person);
    await callService(service, 'restoreRows');
    stored = await inThisRun('unreleased');
    await mkdir(sizes(), { recursive: true });
    histories = Object.entries(stored.sizeHistories ?? {}).map(([id, history]) => [
      id,
      upToYesterday(history as History),
    ]);
    for (const [id, history] of histories) await writeFile(join(sizes(), `${id}.json`), JSON.stringify(history));
    await update(stored);
    await calm(service);
  });
  teardown(async () => {
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await calm(service);
    await leaveNothingStored(person);
  });
  suiteTeardown(() => person.depart());

  test('connections have their roles, and a removed one is not back', async () => {
    const rows = (await rowsBelow()).map(({ label, description }) => [label, description]);
    assert.deepEqual(rows, [
      ['Own token', 'analyst'],
      ['Plain HTTP', 'jdoe'],
      ['Production', 'production · admin'],
      ['Signed out', 'watcher'],
      ['To the letter', 'operator'],
    ]);
    person.assertNothingOpen();
  });

  test('rows of the tree are expanded or collapsed as they were', async () => {
    const { Collapsed, Expanded } = vscode.TreeItemCollapsibleState;
    const stateOf = async (...path: string[]): Promise<unknown> => (await rowAt(...path)).item.collapsibleState;
    assert.equal(await stateOf('Production', TOKENS), Expanded);
    assert.equal(await stateOf('To the letter', TOKENS), Collapsed);
    assert.equal(await stateOf('Production', INDICES, 'dataset'), Collapsed);
    assert.equal(await stateOf('Production', INDICES, 'chart'), Expanded);
  });

  test('each truncation has its outcome: those that hid rows say so, and one that 0.1.0 called finished is not checked', async () => {
    const rows = await truncations('Production');
    assert.deepEqual(rows.map(shown).toSorted(), [
      'chart/chartusagestatistics: running, sync~spin',
      'datajob/datahubingestionrunsummary: failed, error',
      'datajob/datahubingestionrunsummary: outcome unknown, question',
      'datajob/datahubingestionrunsummary: outcome unknown, question',
      'datajob/operation: 346 rows deleted, pass',
      'dataset/datasetprofile: outcome unknown, question',
      'dataset/datasetusagestatistics: rows may be hidden, error',
      'dataset/datasetusagestatistics: rows may be hidden, question',
      'dataset/operation: outcome unknown, question',
      'query/queryusagestatistics: 346 rows deleted, pass',
      'query/queryusagestatistics: 349 rows deleted, pass',
      'query/queryusagestatistics: 349 rows deleted, question',
    ]);
    const spoken = rows.map((row) => row.spoken).join('\n');
    assert.match(spoken, /Finished\. Searches still find 3 rows dated before the cutoff: /);
    assert.match(spoken, /Finished on the server; not checked\./);
    const [reindex] = await truncations('To the letter');
    assert.equal(reindex?.spoken, 'datajob/operation, Finished on the server; not checked.');
  });

  test('the overview has the last selection, and says which truncations of an interrupted batch were not sent', async () => {
    await until('the indices', () => rowAt('Production', INDICES, 'chart'));
    const page = await openPage(COMMANDS.indexOverview, await rowAt('Production', INDICES));
    const opened = await until('the page', () => page?.told('open'));
    const { lastTime, batch } = opened['view'] as OverviewPageView;
    const rows = opened['rows'] as readonly OverviewTableRow[];
    assert.equal(lastTime?.days, 90);
    assert.deepEqual(
      rows.filter(({ id }) => lastTime.ids.includes(id)).map(({ entityType, aspect }) => `${entityType}/${aspect}`),
      ['dataset/operation', 'chart/chartusagestatistics'],
    );
    const [interrupted, ...others] = batch.interrupted;
    assert.match(interrupted?.sentence ?? '', /^Confirmed .*: truncation sent for 1 of 3 indices\.$/);
    assert.equal(interrupted?.left, 'Not sent: datajob/operation, datajob/datahubingestioncheckpoint');
    assert.deepEqual(others, []);
    assert.deepEqual(await requestsWith(service, '"dryRun":false'), []);
  });

  test('the size of each index on each day is kept, beside that of today', async () => {
    await refresh(await rowAt('Production', INDICES));
    for (const [id, { sizes: before }] of histories) {
      const now = await until('the sizes of today', async () => {
        const kept = JSON.parse(await readFile(join(sizes(), `${id}.json`), 'utf8')) as History;
        return kept.sizes['dataset/operation']?.length === 2 && kept.sizes;
      });
      for (const [index, figures] of Object.entries(before))
        assert.deepEqual(now[index]?.slice(0, figures.length), figures, index);
    }
  });
});

interface History {
  /** By index: pairs of a day and bytes. */
  readonly sizes: Readonly<Record<string, readonly (readonly [number, number])[]>>;
}

/** Moves a history in time, so that its latest day is yesterday: old days are dropped. */
function upToYesterday(history: History): History {
  const days = Object.values(history.sizes).flatMap((figures) => figures.map(([day]) => day));
  const shift = Math.floor(Date.now() / MILLIS_PER_DAY) - 1 - Math.max(...days);
  const moved = Object.entries(history.sizes).map(([index, figures]) => [
    index,
    figures.map(([day, bytes]) => [day + shift, bytes]),
  ]);
  return { ...history, sizes: Object.fromEntries(moved) as History['sizes'] };
}

/** Folder of the size histories. */
function sizes(): string {
  return vscode.Uri.joinPath(currentActivation().context.globalStorageUri, 'sizes').fsPath;
}

/** A truncation's row in words. */
function shown({ label, description, item }: Row): string {
  return `${label}: ${description}, ${(item.iconPath as vscode.ThemeIcon).id}`;
}
