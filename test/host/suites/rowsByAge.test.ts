import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { DryRunReportView, RowsByAgeView } from '../../../src/pages/truncation/protocol.ts';
import { callService, hostService } from '../context.ts';
import { addConnection, connectionAs, leaveNothing, saveConnection } from './support/connections.ts';
import { DrivenWizard } from './support/drivenWizard.ts';
import { connectedTests } from './support/fixtures.ts';
import { Person } from './support/person.ts';
import { calm } from './support/requests.ts';
import { indexRow, type Row, rowAt, rowsBelow } from './support/tree.ts';
import { endedTruncation, executionsOf, sentTo, truncate, type TruncateBody } from './support/truncations.ts';
import { actUntil, until } from './support/until.ts';

const NAME = 'By age';
const TARGET = 'dataset/operation';
const ANOTHER = 'dataset/datasetprofile';
const MOST_DRY_RUNS = 12;
const DAY = 24 * 60 * 60 * 1000;

suite('Rows by age', () => {
  const { service, person } = connectedTests({ name: NAME });

  test('are counted in the background once Truncate Index has opened the page, and shown as a curve', async () => {
    const wizard = await opened(NAME);
    const { samples, total } = await curve(wizard);
    assert.equal(total, (await callService(service, 'rows', 'dataset', 'operation')).count);
    assert.ok(samples.length > 2 && samples.length <= MOST_DRY_RUNS, `${samples.length} counts`);
    const sent = await sentTo(service, TARGET);
    assert.equal(sent.length, samples.length);
    assert.deepEqual(cutoffsOf(sent), cutoffsOf(samples));
    assert.deepEqual(await executionsOf(service, TARGET), []);
    assert.deepEqual([wizard.view.phase, wizard.view.primary.intent], ['editing', 'dryRun']);
  });

  test('are remembered, and not counted again unless the user asks for it', async () => {
    const first = await opened(NAME);
    const { total, samples, at } = await curve(first);
    first.close();
    await calm(service);
    const again = await opened(NAME);
    const { rowsByAge } = again.view;
    assert.deepEqual(
      [rowsByAge?.state, rowsByAge?.total, rowsByAge?.samples, rowsByAge?.at],
      ['complete', total, samples, at],
    );
    await untilCountedBeside(again);
    assert.deepEqual(await sentTo(service, TARGET), []);

    again.says({ type: 'countRowsByAge' });
    await until('a newer curve', () => again.view.rowsByAge?.state === 'complete' && again.view.rowsByAge.at > at);
    assert.equal((await sentTo(service, TARGET)).length, again.view.rowsByAge?.samples.length);
  });

  test('are not counted unasked on a read-only connection', async () => {
    await addConnection(person, { ...connectionAs(service, 'operator', 'Read'), role: 'Read-only' });
    const wizard = await opened('Read');
    await untilCountedBeside(wizard);
    assert.equal(wizard.view.rowsByAge?.state, 'idle');
    assert.deepEqual(await sentTo(service, TARGET), []);
    wizard.says({ type: 'countRowsByAge' });
    const { total } = await curve(wizard);
    assert.equal(total, (await callService(service, 'rows', 'dataset', 'operation')).count);
  });

  test('are not counted unasked for a user without the privilege, whom the server would refuse', async () => {
    await saveConnection(connectionAs(service, 'sizer', 'Sizer'));
    const wizard = await opened('Sizer');
    await untilCountedBeside(wizard);
    assert.equal(wizard.view.rowsByAge?.state, 'idle');
    assert.deepEqual(await sentTo(service, TARGET), []);
  });

  test('are not counted, nor is anything asked, if a click or Enter on the row opens the page; its button counts', async () => {
    const row = await indexRow(NAME, TARGET);
    await rowsBelow(await rowAt(NAME, 'Access tokens'));
    await calm(service);
    const wizard = await clicked(row);
    assert.equal(wizard.view.rowsByAge?.state, 'idle');
    assert.deepEqual(await callService(service, 'requests'), []);
    await untilCountedBeside(wizard);
    assert.deepEqual(await sentTo(service, TARGET), []);
    wizard.says({ type: 'countRowsByAge' });
    await curve(wizard);
  });

  test('wait on a page that a click opens for a reader too, whatever the role and privileges', async () => {
    await addConnection(person, { ...connectionAs(service, 'sizer', 'Reader'), role: 'Read-only' });
    const wizard = await clicked(await indexRow('Reader', TARGET));
    assert.deepEqual([wizard.view.phase, wizard.view.rowsByAge?.state], ['editing', 'idle']);
  });

  test('are not counted any more once the user runs the dry run, which waits for no count', async () => {
    const [wizard, counting] = await openedWhileCounting();
    wizard.edit({ endTimeMillis: Date.now() - 400 * DAY });
    wizard.says({ type: 'dryRun' });
    await wizard.report();
    assert.equal(wizard.view.rowsByAge?.state, 'stopped');
    await untilCountedBeside(wizard);
    const { endTimeMillis } = wizard.view.draft;
    assert.ok(endTimeMillis !== undefined && endTimeMillis !== counting.endTimeMillis);
    assert.deepEqual(cutoffsOf(await sentTo(service, TARGET)), new Set([counting.endTimeMillis, endTimeMillis]));
    assert.equal(wizard.view.phase, 'reviewed');

    wizard.says({ type: 'goBack' });
    wizard.says({ type: 'countRowsByAge' });
    const { total } = await curve(wizard);
    assert.equal(total, (await callService(service, 'rows', 'dataset', 'operation')).count);
  });

  test('stop being counted when the user says so, and go on from there', async () => {
    const [wizard] = await openedWhileCounting();
    wizard.says({ type: 'stopCounting' });
    await until('the stop', () => wizard.view.rowsByAge?.state === 'stopped');
    await untilCountedBeside(wizard);
    assert.equal((await sentTo(service, TARGET)).length, 1);
    wizard.says({ type: 'countRowsByAge' });
    await curve(wizard);
  });

  test('stop being counted in the background when the page is hidden', async () => {
    const [wizard] = await openedWhileCounting();
    await wizard.hide();
    await until('the stop', () => wizard.view.rowsByAge?.state === 'stopped');
    await untilCounted(await opened(NAME, ANOTHER));
    assert.equal((await sentTo(service, TARGET)).length, 1);
    wizard.close();
  });

  test('are no longer valid once rows were deleted', async () => {
    await truncate(person, NAME, TARGET);
    await endedTruncation(NAME, TARGET);
    await calm(service);
    const { total } = await curve(await opened(NAME));
    assert.equal(total, (await callService(service, 'rows', 'dataset', 'operation')).count);
    assert.ok((await sentTo(service, TARGET)).length > 2);
  });

  /** Opens a page whose first count isn't answered. */
  async function openedWhileCounting(): Promise<readonly [DrivenWizard, TruncateBody]> {
    await callService(service, 'addFault', { fault: { kind: 'latency', millis: 3_600_000 }, match: '"dryRun":true' });
    const wizard = await opened(NAME);
    const [counting] = await until('a count', async () => {
      const sent = await sentTo(service, TARGET);
      return sent.length > 0 && sent;
    });
    assert.equal(wizard.view.rowsByAge?.state, 'counting');
    return [wizard, counting ?? assert.fail()];
  }

  /** Opens the page of another index beside this one, and waits for its counts: by then, this one would count too. */
  async function untilCountedBeside({ page: { panel } }: DrivenWizard): Promise<void> {
    const { tabGroups } = vscode.window;
    await until('the page in front', () => tabGroups.activeTabGroup.activeTab?.label === panel.title);
    await actUntil(
      'room beside',
      async () => vscode.commands.executeCommand('workbench.action.focusSecondEditorGroup'),
      () => tabGroups.activeTabGroup.viewColumn === vscode.ViewColumn.Two,
    );
    const other = await opened(NAME, ANOTHER);
    // The page takes the focus once it has loaded, and the other one may open in front of it. Hidden, it counts nothing.
    await actUntil(
      'both pages in sight',
      async () => vscode.commands.executeCommand('workbench.action.moveEditorToNextGroup'),
      () => panel.visible && other.page.panel.visible,
    );
    await untilCounted(other);
    // A page behind another shows nothing new.
    panel.reveal(panel.viewColumn, true);
    await until('the page in sight', () => panel.visible);
  }

  async function untilCounted(other: DrivenWizard): Promise<void> {
    await curve(other);
    assert.ok((await sentTo(service, ANOTHER)).length > 2);
  }
});

/** Behaviour common to all servers. */
suite('Rows by age, by kind of server', () => {
  const person = new Person();
  suiteSetup(() => person.arrive());
  teardown(async () => {
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await leaveNothing(person);
  });
  suiteTeardown(() => person.depart());

  for (const profile of ['spec', '0.14', '1.7', 'next'] as const) {
    test(`${profile}: a curve that agrees with the dry run`, async () => {
      const service = hostService(profile);
      await callService(service, 'restoreRows');
      await saveConnection(connectionAs(service, 'operator', profile));
      await calm(service);
      const wizard = await opened(profile);
      wizard.says({ type: 'countRowsByAge' });
      const { samples, total } = await curve(wizard);
      const { count } = await callService(service, 'rows', 'dataset', 'operation');
      assert.deepEqual([total, samples.at(-1)?.rows], [count, count]);
      assert.ok(samples.length > 2 && samples.length <= MOST_DRY_RUNS);

      const sample = samples.find(({ rows }) => rows > 0) ?? assert.fail('no sample has rows');
      const { rows } = await reviewed(wizard, sample.endTimeMillis);
      assert.equal((await sentTo(service, TARGET)).at(-1)?.endTimeMillis, sample.endTimeMillis);
      assert.deepEqual([rows?.toDelete, rows?.total], [sample.rows, total]);
    });
  }
});

async function opened(connection: string, target = TARGET): Promise<DrivenWizard> {
  return DrivenWizard.open(await indexRow(connection, target));
}

/** Opens the page of an index as a click on its row does. */
function clicked(row: Row): Promise<DrivenWizard> {
  const [click] = (row.item.command?.arguments ?? []) as unknown[];
  return DrivenWizard.open({ ...row, node: click }, row.item.command?.command);
}

function curve(wizard: DrivenWizard): Promise<RowsByAgeView> {
  return until(
    () => `the whole curve (the wizard: ${JSON.stringify(wizard.view.rowsByAge)})`,
    () => wizard.view.rowsByAge?.state === 'complete' && wizard.view.rowsByAge,
  );
}

/** Runs a new dry run. */
async function reviewed(wizard: DrivenWizard, endTimeMillis: number): Promise<DryRunReportView> {
  const before = wizard.view.report?.at;
  wizard.dryRun({ endTimeMillis });
  return until('a report', () => {
    const { phase, report } = wizard.view;
    return phase === 'reviewed' && report?.at !== before && report;
  });
}

function cutoffsOf(counts: readonly { readonly endTimeMillis: number }[]): ReadonlySet<number> {
  return new Set(counts.map(({ endTimeMillis }) => endTimeMillis));
}
