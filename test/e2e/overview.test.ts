// The overview of a connection's indices, with many of them: by mouse, by keyboard, in themes, and after a reload.
import assert from 'node:assert/strict';
import { readFile, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import type { Locator } from 'playwright-core';
import { axeViolations } from './harness/axe.ts';
import { eventually, eventuallyEqual } from './harness/conditions.ts';
import { arrowTo, typeCommand } from './harness/keyboard.ts';
import { assertReadable } from './harness/readable.ts';
import { whyIncomparable } from './harness/approvedPictures.ts';
import { runCommand } from './harness/quickInput.ts';
import { openStage } from './harness/stage.ts';
import { inOrder } from './harness/inOrder.ts';
import { pressRowIcon, refreshTree, treeRow } from './harness/tree.ts';
import { webviewPage } from './harness/webview.ts';
import { controlFocus, kept } from './harness/windows.ts';
import { reloadWorkbench } from './harness/workbench.ts';
import { addConnection, removeConnection } from './steps/connections.ts';

const DAY_MS = 86_400_000;
const WINDOW = { width: 1400, height: 900 };
/** As at 200 %. */
const LOW = { width: WINDOW.width / 2, height: WINDOW.height / 2 };
/** Of a cluster that several installations share. */
const SMALL_INDICES = 150;

const stage = await openStage({
  service: { rows: 0, tokens: 0, smallIndices: SMALL_INDICES },
  browser: { ownFonts: true },
  person: { ...WINDOW, timeZone: 'UTC' },
});
const { service, database, vscode, person, page } = stage;
await controlFocus(person);
const overview = webviewPage(page);
const rows = overview.locator('tbody tr.row');
const filter = overview.getByRole('textbox', { name: 'Filter indices' });
const age = overview.getByLabel('Delete rows older than (days)');
const sizeHeader = overview.getByRole('columnheader', { name: 'Size' });
const heading = overview.getByRole('heading', { level: 1, name: 'Time series indices' });
const incomparable = await whyIncomparable();

const differences: string[] = [];

suite('a user looks through the indices', () => {
  inOrder();

  test('opens by mouse on the group of indices, and requests nothing that the tree has', async () => {
    const now = Date.now();
    for (const [entity, aspect, count] of [
      ['dataset', 'datasetprofile', 17_428],
      ['dataset', 'operation', 4_300],
      ['dataset', 'datasetusagestatistics', 12_000],
      ['chart', 'chartusagestatistics', 900],
    ] as const) {
      database.insert(entity, aspect, now - 5 * DAY_MS, count);
    }
    await addConnection(page, {
      address: service.frontUrl,
      token: service.adminToken,
      name: 'Main',
      role: 'Production',
    });
    await treeRow(page, /^Time series indices [\d.]+ GB/).waitFor();
    await pressRowIcon(page, /^Time series indices/, 'Time Series Indices', rows);
    assert.equal(sizeRequests(), 1);
    assert.match(await rows.first().innerText(), /^\s*dataset \/ datasetUsageStatistics\s+\d+ MB/);
  });

  test('scrolls the rows below the question', async () => {
    assert.ok((await rows.count()) > SMALL_INDICES);
    await scrollsDown(overview.locator('.rows'));
    // The question about them does not scroll away.
    for (const stays of [heading, age, overview.getByRole('button', { name: 'Dry Run' }), filter, sizeHeader]) {
      assert.ok(await isInSight(stays), String(stays));
    }
    await overview.locator('.rows').evaluate((part) => (part.scrollTop = 0));
    // Where the page is so low that all of it scrolls, the names of the columns stay.
    await page.setViewportSize(LOW);
    await scrollsDown(overview.locator('html'));
    assert.ok(await isInSight(sizeHeader));
    assert.equal(await isInSight(filter), false);
    await overview.locator('html').evaluate((root) => (root.scrollTop = 0));
    await rows.first().filter({ hasText: 'datasetusagestatistics' }).waitFor();
    await page.setViewportSize(WINDOW);
  });

  test('tells screen readers what an index is for, and why one cannot be selected', async () => {
    await filter.fill('checkpoint');
    await eventuallyEqual(() => rows.count(), 1);
    await overview.getByRole('checkbox', { name: 'Select all', disabled: true }).waitFor();
    const box = rows.getByRole('checkbox', { name: 'Select dataJob/datahubIngestionCheckpoint', disabled: true });
    assert.match((await box.getAttribute('title')) ?? '', /truncated alone/);
    const name = rows.getByRole('button', { name: 'dataJob / datahubIngestionCheckpoint' });
    const about = await name.getAttribute('title');
    assert.match(about ?? '', /^datajob_datahubingestioncheckpointaspect_v1\S*\n.*starts over.*\n.*truncated alone/);
    assert.deepEqual(await axeViolations(overview), []);
    // The arrow keys pass a box that can't be focused: the space key would tick the index before.
    await filter.fill('datahub');
    await sortBy('Index', 'ascending');
    await rows.first().filter({ hasText: 'checkpoint' }).waitFor();
    await rows.nth(1).getByRole('checkbox').focus();
    await page.keyboard.press('ArrowUp');
    await name.and(overview.locator(':focus')).waitFor();
    await sortBy('Size', 'descending');
    await filter.fill('');
  });

  test('shows only matching indices', async () => {
    await filter.fill('data set');
    await eventuallyEqual(() => rows.count(), 4);
    await overview.getByRole('status').filter({ hasText: '4 indices' }).waitFor();
    // A name in a row may end in an ellipsis, because its tooltip has all of it.
    const mayBeCut = (part: string): boolean => part.endsWith('is cut off');
    const pictures = { overview: 'iframe.webview.ready' };
    differences.push(...(await assertReadable(stage, 'overview', { pictures, mayBeCut, alsoNarrow: lostCells })));
    await filter.fill('nothing of that name');
    await overview.getByText('No matching indices').waitFor();
    await filter.fill('');
  });

  test('shows how an index grew, and in how long to a hover and to screen readers', async () => {
    const row = rows.filter({ hasText: 'datasetprofile' });
    await row.getByText('from tomorrow', { exact: true }).waitFor();
    await lookBack('dataset/datasetprofile', 30);
    const shown = row.locator('.growth').getByTitle('+300 MB in 30 days', { exact: true });
    await refreshTree(page, shown);
    assert.equal(await shown.innerText(), '+300 MB');
    await row.getByRole('cell', { name: '+300 MB in 30 days', exact: true }).waitFor();
    assert.deepEqual(await axeViolations(overview), []);
  });

  test('opens the wizard of one that stores state, which proposes no short age', async () => {
    await filter.fill('checkpoint');
    await rows.getByRole('button', { name: 'dataJob / datahubIngestionCheckpoint', exact: true }).click();
    await overview.getByRole('heading', { level: 1, name: 'Truncate dataJob/datahubIngestionCheckpoint' }).waitFor();
    await eventuallyEqual(() => overview.locator('#days').inputValue(), '730');
    const ages = overview.locator('#ages option');
    assert.deepEqual(await ages.evaluateAll((all) => all.map((option) => option.getAttribute('value'))), [
      '365',
      '730',
    ]);
  });

  test('opens, filters, and reaches the rows and the wizard of one by keyboard alone', async () => {
    await runCommand(page, 'View: Close All Editors');
    await typeCommand(page, 'DataHub: Time Series Indices', heading);
    const focused = (selector: string) => async (): Promise<boolean> =>
      (await overview.locator(`${selector}:focus`).count()) > 0;
    await overview.locator('#age:focus').waitFor();
    await arrowTo(page, focused('#filter'), 'Tab');
    await page.keyboard.type('chart');
    await rows.first().filter({ hasText: 'chartusagestatistics' }).waitFor();
    await page.keyboard.press('Control+A');
    await page.keyboard.press('Delete');
    await eventually(async () => assert.ok((await rows.count()) > 20));
    await arrowTo(page, focused('tbody button.link'), 'Tab');
    await page.keyboard.press('End');
    await rows.last().locator(':focus').waitFor();
    await page.keyboard.press('Home');
    await page.keyboard.press('ArrowDown');
    await rows.nth(1).locator('button:focus').waitFor();
    await page.keyboard.press('Enter');
    await overview.getByRole('heading', { level: 1, name: 'Truncate dataset/datasetProfile' }).waitFor();
  });

  test('is restored after a reload, with its filter and order', async () => {
    await runCommand(page, 'View: Close All Editors');
    await runCommand(page, 'DataHub: Time Series Indices');
    await filter.fill('dataset operat');
    await kept(page, 'dataset operat', /workbench\.parts\.editor/);
    await reloadWorkbench(page);
    await rows.first().filter({ hasText: 'dataset / operation' }).waitFor();
    assert.equal(await filter.inputValue(), 'dataset operat');
  });

  test('closes with its connection', async () => {
    await removeConnection(page, 'Main');
    await page.locator('iframe.webview.ready').waitFor({ state: 'detached' });
  });
});

test('it looks like the approved pictures', { skip: incomparable ?? false }, () => assert.deepEqual(differences, []));

async function sortBy(column: string, order: 'ascending' | 'descending'): Promise<void> {
  const header = overview.getByRole('columnheader', { name: column });
  await header.getByRole('button').click();
  await eventuallyEqual(() => header.getAttribute('aria-sort'), order);
}

/** Cells that are gone, and names that are cut off although there is room beside them. */
async function lostCells(): Promise<string[]> {
  const first = rows.first();
  const gone = await Promise.all(
    ['th.name', 'td.size'].map(async (cell) => ((await first.locator(cell).isVisible()) ? [] : [`${cell} is gone`])),
  );
  const isEntityShown = await first.locator('.entity').evaluate((part) => {
    const { left, top, width, height } = part.getBoundingClientRect();
    return part.contains(document.elementFromPoint(left + width / 2, top + height / 2));
  });
  const crowded = await overview.locator('.row .named').evaluateAll((places) =>
    places.flatMap((place) => {
      const shown = [...place.children];
      const isCut = shown.some(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth + 1);
      const end = Math.max(...shown.map((part) => part.getBoundingClientRect().right));
      const isCrowded = isCut && place.getBoundingClientRect().right - end > 1;
      return isCrowded ? [`${place.textContent.trim()} leaves room for what isn't shown`] : [];
    }),
  );
  return [...gone.flat(), ...(isEntityShown ? [] : ['the entity is gone']), ...crowded];
}

async function scrollsDown(part: Locator): Promise<void> {
  await part.evaluate((element) => (element.scrollTop = 100_000));
  await eventually(async () =>
    assert.ok(await rows.last().evaluate((row) => row.getBoundingClientRect().top < innerHeight)),
  );
}

/** True if all of it is in the page's window. */
function isInSight(part: Locator): Promise<boolean> {
  return part.evaluate((element) => {
    const { top, bottom } = element.getBoundingClientRect();
    return top >= 0 && bottom <= innerHeight;
  });
}

/** Simulates daily visits while an index grew by 10 MB a day. */
async function lookBack(index: string, days: number): Promise<void> {
  const folder = join(vscode.userFolder, 'User/globalStorage/metadata-service-tools.metadata-service/sizes');
  const [name = ''] = await readdir(folder);
  const file = join(folder, name);
  type Sizes = Record<'firstDay' | 'firstBytes' | 'lastDay' | 'lastBytes', number>;
  const history = JSON.parse(await readFile(file, 'utf8')) as { sizes: Record<string, Sizes> };
  const { lastDay, lastBytes } = history.sizes[index] ?? assert.fail(`${index} has no size`);
  const first = { firstDay: lastDay - days, firstBytes: lastBytes - days * 10e6 };
  history.sizes[index] = { ...first, lastDay, lastBytes };
  await writeFile(file, JSON.stringify(history));
}

function sizeRequests(): number {
  return service.requests.filter(({ path }) => path.includes('action=getIndexSizes')).length;
}
