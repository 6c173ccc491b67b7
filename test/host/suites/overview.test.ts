import assert from 'node:assert/strict';
import { readFile, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { COMMANDS, OVERVIEW_VIEW_TYPE, WIZARD_VIEW_TYPE } from '../../../src/manifest.ts';
import type { OverviewTableRow, OverviewPageView } from '../../../src/pages/overview/protocol.ts';
import { callService, hostService } from '../context.ts';
import { inQuickTime } from '../vscode/quickTime.ts';
import { connectionAs, leaveNothing, removeConnections, saveConnection } from './support/connections.ts';
import { currentActivation } from './support/extension.ts';
import { openPage, type ListenedPage } from './support/openPage.ts';
import { shownOverview, shownRows } from './support/overviewPage.ts';
import { Person } from './support/person.ts';
import { calm, requestsWith } from './support/requests.ts';
import { refresh, rowAt, tooltipOf } from './support/tree.ts';
import { INDICES, READERS_PATIENCE_MS, truncate } from './support/truncations.ts';
import { until } from './support/until.ts';

const NAME = 'Looked over';

suite('The overview of the indices', () => {
  const service = hostService();
  const person = new Person();
  let connectionId: string;
  suiteSetup(() => person.arrive());
  setup(async () => {
    await calm(service);
    connectionId = await saveConnection(connectionAs(service, 'operator', NAME));
    await vscode.commands.executeCommand('workbench.view.explorer');
  });
  teardown(async () => {
    await calm(service);
    await leaveNothing(person);
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  });
  suiteTeardown(() => person.depart());

  test('shows the list of the tree without another request, and exists once per connection', async () => {
    await rowAt(NAME, INDICES, 'dataset');
    const before = (await sizeRequests()).length;
    const page = await openOverview();
    const rows = await rowsTold(page);
    assert.equal((await sizeRequests()).length, before);
    const profile = rows.find(({ aspect }) => aspect === 'datasetprofile');
    assert.ok(profile?.canTruncate === true && (profile.bytes ?? 0) > 0);
    assert.equal((await viewTold(page)).connection.name, NAME);
    assert.equal(page.panel.title, `Time Series Indices: ${NAME}`);
    assert.equal(await openPage(COMMANDS.indexOverview, await rowAt(NAME, INDICES)), undefined);
    assert.equal(tabs(OVERVIEW_VIEW_TYPE).length, 1);
  });

  test('only carries out what its page requests for a listed index', async () => {
    const page = await openOverview();
    const profile = (await rowsTold(page)).find(({ aspect }) => aspect === 'datasetprofile');
    for (const message of [
      { type: 'truncate', id: { indexName: 'forged' } },
      { type: 'truncate', id: 'another_index' },
      { type: 'truncate', index: profile },
      { type: 'execute' },
      { type: 'command', command: 'workbench.action.closeAllEditors' },
      'refresh',
    ]) {
      page.says(message);
    }
    page.says({ type: 'truncate', id: profile?.id });
    await until('the wizard', () =>
      tabs(WIZARD_VIEW_TYPE).some(({ label }) => label === `Truncate dataset/datasetprofile (${NAME})`),
    );
    assert.equal(tabs(WIZARD_VIEW_TYPE).length, 1);
  });

  test('loads again on request; a failure says what helps, and keeps the loaded rows', async () => {
    const page = await openOverview();
    await rowsTold(page);
    await callService(service, 'addFault', { fault: { kind: 'status', status: 403 }, match: 'getIndexSizes' });
    page.says({ type: 'refresh' });
    const failed = await until('the failure', () => failedView(page));
    assert.equal(failed.failure?.action, 'refresh');
    assert.match(failed.failure.sentence, /aren't allowed/);
    assert.ok(failed.loadedAt !== undefined && failed.hint === undefined);
    page.says({ type: 'copyDetails' });
    await until('the details', async () => /HTTP status: 403/.test(await vscode.env.clipboard.readText()));
    page.says({ type: 'refresh' });
    await until('the sizes', () => shownOverview(page)?.failure === undefined);
  });

  test('shows the outcome of a truncation', async () => {
    const page = await openOverview();
    await rowsTold(page);
    await truncate(person, NAME, 'chart/chartusagestatistics', { days: 365 });
    const told = await inQuickTime(() =>
      until(
        'the result',
        () =>
          shownRows(page)
            .find(({ aspect }) => aspect === 'chartusagestatistics')
            ?.truncation?.result.match(/rows? deleted$|^finished$/),
        READERS_PATIENCE_MS,
      ),
    );
    assert.ok(told);
    page.says({
      type: 'showTruncation',
      id: shownRows(page).find(({ truncation }) => truncation !== undefined)?.id,
    });
    await until('its page', () => tabs(WIZARD_VIEW_TYPE).length > 0);
  });

  test('stores the sizes of the day in one file; removing the connection deletes it and closes the page', async () => {
    const page = await openOverview();
    await rowsTold(page);
    const file = await until('the sizes of the day', async () =>
      (await histories()).find((one) => one.endsWith(`${connectionId}.json`)),
    );
    const history = JSON.parse(await readFile(join(folder(), file), 'utf8')) as { sizes: Record<string, number[][]> };
    const { sizes } = history;
    assert.equal(sizes['dataset/datasetprofile']?.length, 1);
    // Simulates that the user looked each day for ten days.
    const [day = 0, bytes = 0] = sizes['dataset/datasetprofile']?.[0] ?? [];
    sizes['dataset/datasetprofile'] = Array.from({ length: 10 }, (_, before) => [
      day - 9 + before,
      bytes - (9 - before) * 1e6,
    ]);
    await writeFile(join(folder(), file), JSON.stringify(history));
    await refresh(await rowAt(NAME, INDICES));
    await until('the growth', () => shownRows(page).some(({ growth }) => growth !== undefined));
    const tooltip = await tooltipOf(await rowAt(NAME, INDICES, 'dataset', 'datasetprofile'));
    assert.match((tooltip as vscode.MarkdownString).value, /Grew.*by.*9.*MB.*in.*9.*days/);
    const { globalState } = currentActivation().context;
    assert.ok(!JSON.stringify(globalState.keys().map((key) => globalState.get(key))).includes('"sizes"'));
    await removeConnections(person);
    assert.deepEqual(await histories(), []);
    await until('the page to close', () => tabs(OVERVIEW_VIEW_TYPE).length === 0);
  });

  function sizeRequests(): Promise<readonly unknown[]> {
    return requestsWith(service, 'getIndexSizes');
  }

  async function openOverview(): Promise<ListenedPage> {
    const page = await openPage(COMMANDS.indexOverview, await rowAt(NAME, INDICES));
    assert.ok(page !== undefined, 'an overview was open');
    return page;
  }

  function folder(): string {
    return vscode.Uri.joinPath(currentActivation().context.globalStorageUri, 'sizes').fsPath;
  }

  async function histories(): Promise<string[]> {
    return readdir(folder()).catch(() => []);
  }
});

suite('The overview of a server that does not list its indices', () => {
  const service = hostService('postgres');
  const person = new Person();
  suiteSetup(() => person.arrive());
  teardown(async () => {
    await calm(service);
    await leaveNothing(person);
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  });
  suiteTeardown(() => person.depart());

  test('shows the total, and leads to adding indices by name', async () => {
    await saveConnection(connectionAs(service, 'operator', NAME));
    const page = await openPage(COMMANDS.indexOverview, await rowAt(NAME, INDICES));
    assert.ok(page !== undefined);
    const view = await viewTold(page);
    assert.deepEqual(view.hint, {
      text: 'This server only reports a total. Add indices by name.',
      canAdd: true,
    });
    assert.deepEqual(
      (await rowsTold(page)).map(({ canTruncate }) => canTruncate),
      [false],
    );
    page.says({ type: 'addIndex' });
    await person.types(/Entity type/, 'dataset');
    await person.types(/Aspect, as/, 'operation');
    const added = await until('the index', () => shownRows(page).find(({ aspect }) => aspect === 'operation'));
    assert.equal(added.note?.text, 'added by name');
    assert.equal(added.canTruncate, true);
  });
});

function failedView(page: ListenedPage): OverviewPageView | undefined {
  const view = shownOverview(page);
  return view?.failure && view;
}

function rowsTold(page: ListenedPage): Promise<readonly OverviewTableRow[]> {
  return until('rows', () => shownRows(page).length > 0 && shownRows(page));
}

function viewTold(page: ListenedPage): Promise<OverviewPageView> {
  return until('what stands around the table', () => {
    const view = shownOverview(page);
    return view?.loadedAt !== undefined && view;
  });
}

function tabs(viewType: string): vscode.Tab[] {
  return vscode.window.tabGroups.all
    .flatMap((group) => group.tabs)
    .filter(({ input }) => input instanceof vscode.TabInputWebview && input.viewType.endsWith(viewType));
}
