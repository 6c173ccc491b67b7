// The overview of a connection's indices, with the maximum number of them: by mouse, by keyboard, in each theme, and
// after a reload.
import assert from 'node:assert/strict';
import { readFile, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import type { Locator } from 'playwright-core';
import { axeViolations } from './harness/axe.ts';
import { eventually, eventuallyEqual } from './harness/conditions.ts';
import { faintFocusRings } from './harness/contrast.ts';
import { freeze, leaveAlone } from './harness/frozen.ts';
import { arrowTo, countPointer, typeCommand } from './harness/keyboard.ts';
import { clippedParts, setPageWidth } from './harness/layout.ts';
import { differenceFromApproved, whyIncomparable } from './harness/pictures.ts';
import { runCommand } from './harness/quickInput.ts';
import { openStage } from './harness/stage.ts';
import { inOrder } from './harness/inOrder.ts';
import { PICTURED_THEMES, showTheme, THEMES } from './harness/themes.ts';
import { allPlaces, placesWith } from './harness/traces.ts';
import { pressRowIcon, treeRow } from './harness/tree.ts';
import { webviewPage } from './harness/webview.ts';
import { controlFocus, lookAway } from './harness/windows.ts';
import { reloadWorkbench } from './harness/workbench.ts';
import { addConnection, removeConnection } from './steps/connections.ts';

const DAY_MS = 86_400_000;
const WINDOW = { width: 1400, height: 900 };
/** As at 200 %. */
const LOW = { width: WINDOW.width / 2, height: WINDOW.height / 2 };
const NARROW = 300;
/** Of a cluster that several installations share. */
const SMALL_INDICES = 150;

const { service, database, vscode, person, page } = await openStage({
  service: { rows: 0, tokens: 0, smallIndices: SMALL_INDICES },
  browser: { ownFonts: true },
  person: { ...WINDOW, timeZone: 'UTC' },
});
await controlFocus(person);
const overview = webviewPage(page);
const rows = overview.locator('tbody tr.row');
const filter = overview.getByRole('textbox', { name: 'Filter indices' });
const age = overview.getByLabel('Delete rows older than (days)');
const sizeHeader = overview.getByRole('columnheader', { name: 'Size' });
const heading = overview.getByRole('heading', { level: 1, name: 'Time series indices' });
const incomparable = await whyIncomparable();

/** Examined states, and the faults in them. */
const looks: string[] = [];
const found = { axe: [] as string[], rings: [] as string[], layout: [] as string[] };
const pictures = new Map<string, Buffer>();

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
      actor: 'admin',
      token: service.adminToken,
      name: 'Main',
      role: 'Production',
    });
    await treeRow(page, /^Time series indices [\d.]+ GB/).waitFor();
    await pressRowIcon(page, /^Time series indices/, 'Time Series Indices', rows);
    assert.equal(sizeRequests(), 1);
    assert.match(await rows.first().innerText(), /^\s*dataset \/ datasetusagestatistics\s+\d+ MB/);
  });

  test('scrolls the rows below the question', async () => {
    assert.ok((await rows.count()) > SMALL_INDICES);
    await scrollsDown(overview.locator('.rows'));
    // The question about them does not scroll away.
    for (const stays of [heading, age, overview.getByRole('button', { name: 'Dry Run' }), filter, sizeHeader]) {
      assert.ok(await isInSight(stays), String(stays));
    }
    await overview.locator('.rows').evaluate((part) => (part.scrollTop = 0));
    await rows.first().filter({ hasText: 'datasetusagestatistics' }).waitFor();
  });

  test('scrolls as a whole where the page is so low that all of it scrolls', async () => {
    await page.setViewportSize(LOW);
    await scrollsDown(overview.locator('html'));
    assert.ok(await isInSight(sizeHeader));
    assert.equal(await isInSight(filter), false);
    await overview.locator('html').evaluate((root) => (root.scrollTop = 0));
    await rows.first().filter({ hasText: 'datasetusagestatistics' }).waitFor();
    await page.setViewportSize(WINDOW);
  });

  test('sorts by the pressed header, and in reverse', async () => {
    const [name, size] = ['Index', 'Size'].map((title) => overview.getByRole('columnheader', { name: title }));
    assert.equal(await size?.getAttribute('aria-sort'), 'descending');
    await name?.getByRole('button').click();
    assert.equal(await name?.getAttribute('aria-sort'), 'ascending');
    assert.equal(await size?.getAttribute('aria-sort'), null);
    await rows.first().filter({ hasText: 'assertion / assertionrunevent' }).waitFor();
    await size?.getByRole('button').click();
    await size?.getByRole('button').click();
    assert.equal(await size?.getAttribute('aria-sort'), 'ascending');
    await size?.getByRole('button').click();
  });

  test('shows how an index grew on the days that its size was read', async () => {
    await overview.getByRole('columnheader', { name: 'Growth', exact: true }).waitFor();
    await rows.filter({ hasText: 'datasetprofile' }).getByText('from tomorrow', { exact: true }).waitFor();
    await lookBack(30);
    await overview.getByRole('button', { name: 'Refresh' }).click();
    await rows.filter({ hasText: 'datasetprofile' }).getByText('+300 MB', { exact: true }).waitFor();
  });

  test('explains the growth of a row by keyboard', async () => {
    const row = rows.filter({ hasText: 'datasetprofile' });
    const button = row.locator('.growth').getByRole('button', { name: '+300 MB' });
    const said = row.locator('.sentence').filter({ hasText: /^\+300 MB in 30 days$/ });
    await row.locator('.name button.link').focus();
    await explainByKeyboard(button, said);
    await page.keyboard.press('Space');
    await said.waitFor();
    // The keyboard moves on, and the open row closes.
    await page.keyboard.press('ArrowDown');
    await said.waitFor({ state: 'hidden' });
  });

  test('explains by keyboard what an index is for, and why one cannot be selected', async () => {
    await filter.fill('checkpoint');
    await eventuallyEqual(() => rows.count(), 1);
    await overview.getByRole('checkbox', { name: 'Select all', disabled: true }).waitFor();
    assert.equal(await overview.getByRole('checkbox').count(), 1, 'there is none in the row');
    await overview.getByRole('columnheader', { name: 'Size' }).getByRole('button').focus();
    for (const [name, sentence] of [
      ["Why datajob/datahubingestioncheckpoint can't be selected", /truncated alone/],
      ['About datajob/datahubingestioncheckpoint', /starts over/],
    ] as const) {
      const button = rows.getByRole('button', { name });
      const said = rows.locator('.sentence').filter({ hasText: sentence });
      await explainByKeyboard(button, said);
    }
    await filter.fill('');
  });

  test('opens the wizard of one that stores state with two years as its cutoff', async () => {
    await filter.fill('checkpoint');
    await rows.getByRole('button', { name: 'datajob / datahubingestioncheckpoint', exact: true }).click();
    await overview.getByRole('heading', { level: 1, name: 'Truncate datajob/datahubingestioncheckpoint' }).waitFor();
    const days = overview.getByRole('combobox', { name: 'Delete rows older than' });
    await eventuallyEqual(() => days.inputValue(), '730');
    const suggested = await overview
      .locator('#ages option')
      .evaluateAll((all: HTMLOptionElement[]) => all.map(({ value }) => value));
    assert.deepEqual(suggested, ['365', '730']);
    found.axe.push(...(await axeViolations(overview)));
    await runCommand(page, 'View: Close Editor');
    await heading.waitFor();
    await filter.fill('');
  });

  test('shows only matching indices', async () => {
    await filter.fill('data set');
    await eventuallyEqual(() => rows.count(), 4);
    await overview.getByRole('status').filter({ hasText: '4 indices' }).waitFor();
    await look();
    await filter.fill('nothing of that name');
    await overview.getByText('No matching indices').waitFor();
    await filter.fill('');
  });

  test('opens, filters, and reaches the rows and the wizard of one by keyboard alone', async () => {
    await runCommand(page, 'View: Close All Editors');
    const pointerPresses = await countPointer(page);
    await typeCommand(page, 'DataHub: Time Series Indices', heading);
    const focused = (selector: string) => async (): Promise<boolean> =>
      (await overview.locator(`${selector}:focus`).count()) > 0;
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
    await overview.getByRole('heading', { level: 1, name: 'Truncate dataset/datasetprofile' }).waitFor();
    assert.equal(await pointerPresses(), 0);
  });

  test('is restored after a reload, with its filter and order', async () => {
    await runCommand(page, 'View: Close All Editors');
    await runCommand(page, 'DataHub: Time Series Indices');
    await filter.fill('dataset operat');
    // VS Code stores the state of a panel when the window loses the focus.
    await eventually(async () => {
      await lookAway(page);
      const places = placesWith(await allPlaces(vscode, page), 'dataset operat');
      assert.ok(places.some((where) => where.includes('workbench.parts.editor')));
    });
    await reloadWorkbench(page);
    await rows.first().filter({ hasText: 'dataset / operation' }).waitFor();
    assert.equal(await filter.inputValue(), 'dataset operat');
  });

  test('closes with its connection, whose stored sizes are deleted', async () => {
    assert.equal((await histories()).length, 1);
    await removeConnection(page, 'Main');
    await page.locator('iframe.webview.ready').waitFor({ state: 'detached' });
    await eventuallyEqual(histories, []);
  });
});

test('axe finds no faults in it, in any theme', () => assertClean(found.axe));
test('the focus is visible, in any theme', () => assertClean(found.rings));
test(`at ${NARROW} px, and at 200 %, nothing overflows, and name and size stay`, () => assertClean(found.layout));
test('it looks like the approved pictures', { skip: incomparable ?? false }, async () => {
  assert.equal(pictures.size, PICTURED_THEMES.length);
  const differences = await Promise.all([...pictures].map(([name, shot]) => differenceFromApproved(name, shot)));
  assert.deepEqual(
    differences.filter((difference) => difference !== undefined),
    [],
  );
});

function assertClean(wrong: readonly string[]): void {
  assert.equal(looks.length, THEMES.length, 'all has been looked at');
  assert.deepEqual(wrong, []);
}

async function look(): Promise<void> {
  for (const theme of THEMES) {
    await showTheme(page, vscode, theme);
    looks.push(theme.id);
    const told = (lines: readonly string[]): string[] => lines.map((line) => `${theme.id}: ${line}`);
    found.axe.push(...told(await axeViolations(overview)));
    found.rings.push(...told(await faintFocusRings(page, overview)));
    if (!PICTURED_THEMES.includes(theme)) continue;
    await leaveAlone(page, overview);
    await freeze(overview.locator('body'));
    pictures.set(`overview-${theme.slug}`, await page.locator('iframe.webview.ready').screenshot());
  }
  await setPageWidth(page, overview, NARROW);
  await checkLayout(`${NARROW} px`);
  await page.setViewportSize(LOW);
  await checkLayout('200 %');
  await page.setViewportSize(WINDOW);
}

/** A name in a row may end in an ellipsis, because its tooltip has all of it. */
async function checkLayout(at: string): Promise<void> {
  const wrong = (await clippedParts(overview)).filter((line) => !line.endsWith('is cut off'));
  found.layout.push(...wrong.map((line) => `${at}: ${line}`));
  for (const cell of ['th.name', 'td.size']) {
    if (!(await rows.first().locator(cell).isVisible())) found.layout.push(`${at}: ${cell} is gone`);
  }
  const crowded = await overview.locator('.row:not(:hover, :focus-within) .named').evaluateAll(crowdedNames);
  found.layout.push(...crowded.map((name) => `${at}: ${name} leaves room for what isn't shown`));
}

/** Names that are cut off although there is room beside them. */
function crowdedNames(places: readonly Element[]): readonly string[] {
  return places.flatMap((place) => {
    const shown = [...place.children].filter((part) => getComputedStyle(part).opacity !== '0');
    const isCut = shown.some(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth + 1);
    const end = Math.max(...shown.map((part) => part.getBoundingClientRect().right));
    return isCut && place.getBoundingClientRect().right - end > 1 ? [place.textContent.trim()] : [];
  });
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

/** Reaches a button with Tab, shows its sentence with Enter, and hides it with Escape. */
async function explainByKeyboard(button: Locator, sentence: Locator): Promise<void> {
  await arrowTo(page, async () => (await button.and(overview.locator(':focus')).count()) > 0, 'Tab');
  await page.keyboard.press('Enter');
  await sentence.waitFor();
  assert.equal(await button.getAttribute('title'), await sentence.textContent(), 'a screen reader is told the same');
  found.axe.push(...(await axeViolations(overview)));
  await page.keyboard.press('Escape');
  await sentence.waitFor({ state: 'hidden' });
}

function sizeRequests(): number {
  return service.requests.filter(({ path }) => path.includes('action=getIndexSizes')).length;
}

const sizesFolder = join(vscode.userFolder, 'User/globalStorage/metadata-service-tools.metadata-service/sizes');

async function histories(): Promise<string[]> {
  return readdir(sizesFolder);
}

/** Simulates that the user looked every day while the largest index grew by ten megabytes a day. */
async function lookBack(days: number): Promise<void> {
  const [name = ''] = await eventually(async () => {
    const names = await histories();
    assert.equal(names.length, 1);
    return names;
  });
  const file = join(sizesFolder, name);
  const history = JSON.parse(await readFile(file, 'utf8')) as { sizes: Record<string, [number, number][]> };
  const key = 'dataset/datasetprofile';
  const [day = 0, bytes = 0] = history.sizes[key]?.at(-1) ?? [];
  history.sizes[key] = Array.from({ length: days + 1 }, (_, before) => [
    day - days + before,
    bytes - (days - before) * 10e6,
  ]);
  await writeFile(file, JSON.stringify(history));
}
