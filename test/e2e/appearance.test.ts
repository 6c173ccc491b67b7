// Appearance of the wizard and the tree in all states: axe, contrasts, narrow windows, and approved pictures (`npm run
// pictures:approve`). In a light and a high-contrast theme, and in each theme where most controls are shown.
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { inQuickTime } from '../host/vscode/quickTime.ts';
import { axeViolations } from './harness/axe.ts';
import { faintControls, faintFocusRings } from './harness/contrast.ts';
import { freeze, leaveAlone } from './harness/frozen.ts';
import { coveredFocus, clippedParts, setPageWidth } from './harness/layout.ts';
import { differenceFromApproved, whyIncomparable } from './harness/pictures.ts';
import { openStage } from './harness/stage.ts';
import { inOrder } from './harness/inOrder.ts';
import { PICTURED_THEMES, showTheme, THEMES, type Theme } from './harness/themes.ts';
import { clippedTreeRows, expandRow, treeIsQuiet } from './harness/tree.ts';
import { webviewPage } from './harness/webview.ts';
import { addConnection } from './steps/connections.ts';
import {
  chooseDate,
  chooseDays,
  cutoffKind,
  confirmDeletion,
  deleteButton,
  dryRun,
  openWizard,
  rowsByAgeCounted,
} from './steps/wizard.ts';

const DAY_MS = 86_400_000;
/** High enough for most of the page, and wide enough for the tree beside its full column, in px. */
const WINDOW = { width: 1140, height: 1200 };
/** Wide enough for the side bar to open at its full width, in px. */
const WIDE = 1280;
/** Minimum width of a page, in px. */
const NARROW = 300;

const { service, database, vscode, page } = await openStage({
  // Without random rows and tokens, so that pictures are the same each time.
  service: { rows: 0, tokens: 0 },
  browser: { ownFonts: true },
  person: { ...WINDOW, width: WIDE, timeZone: 'UTC' },
});
await page.setViewportSize(WINDOW);
const wizard = webviewPage(page);
const incomparable = await whyIncomparable();

/** Examined states and themes, and the faults in them. */
const looks: string[] = [];
const found = { axe: [] as string[], controls: [] as string[], rings: [] as string[], layout: [] as string[] };
const pictures = new Map<string, Buffer>();
/** Rows of the tree wider than the side bar. */
const tooLong: string[] = [];

suite('the wizard reaches each state, and is examined in it', () => {
  inOrder();

  test('opens on a server with the same tokens and rows each time', async () => {
    const now = Date.now();
    for (const [entity, aspect, old, recent] of [
      ['dataset', 'datasetprofile', 12_345, 5_083],
      ['dataset', 'operation', 300, 4_000],
      ['dataset', 'datasetusagestatistics', 3_000, 9_000],
      ['chart', 'chartusagestatistics', 800, 100],
    ] as const) {
      database.insert(entity, aspect, now - 500.5 * DAY_MS, old);
      database.insert(entity, aspect, now - 5.5 * DAY_MS, recent);
    }
    for (const [name, days] of [
      ['dbt laptop', -2.5],
      ['airflow production', 2.5],
      ['nightly export', 200.5],
      ['notebook', null],
    ] as const) {
      const expiresAt = days === null ? null : now + days * DAY_MS;
      const { urn } = service.users.admin;
      service.issueToken({ name, createdAt: now - 90 * DAY_MS, expiresAt, actorUrn: urn, ownerUrn: urn });
    }
    await addConnection(page, {
      address: service.frontUrl,
      actor: 'admin',
      token: service.adminToken,
      name: 'Production',
    });
    await expandRow(page, /^Access tokens/);
    await expandRow(page, /^Time series indices/);
    await openWizard(page, /^dataset, datasetProfile,/);
  });

  test("has a side bar of VS Code's default width", async () => {
    const { width } = (await page.locator('.part.sidebar').boundingBox()) ?? {};
    assert.equal(width, 300);
    await leaveAlone(page, wizard);
    await treeIsQuiet(page);
    tooLong.push(...(await clippedTreeRows(page)));
  });

  test('editing', async () => {
    await chooseDays(wizard, 365);
    await toggleAdvanced();
    await look('editing', { pictured: true, withTree: true });
  });

  test('problems with fields', async () => {
    await wizard.locator('#batchSize').fill('many');
    await chooseDate(wizard, '2099-01-01');
    await wizard.locator('#date').press('Enter');
    await wizard.locator('#batchSize-problem').waitFor();
    await look('problems', { pictured: true, themes: THEMES });
  });

  test('rows by age, and an invalid limit', async () => {
    await wizard.locator('#batchSize').fill('');
    await chooseDays(wizard, 365);
    await toggleAdvanced();
    await rowsByAgeCounted(wizard);
    await look('ages', { pictured: true });
    await wizard.getByText('Rows by age as a table').click();
    await cutoffKind(wizard).selectOption('of the oldest rows');
    await wizard.locator('#rows').fill('many');
    await wizard.locator('#rows').press('Enter');
    await wizard.locator('#cutoff-problem').waitFor();
    await look('limit');
    await wizard.getByText('Rows by age as a table').click();
    await chooseDays(wizard, 365);
  });

  test('a failed dry run', async () => {
    service.faults.add({ fault: { kind: 'status', status: 403 }, match: 'truncateTimeseriesAspect' });
    await wizard.locator('#primary').click();
    await wizard.locator('#failure-heading').waitFor();
    await look('failure');
  });

  test('its report', async () => {
    await dryRun(wizard);
    await look('report', { pictured: true, themes: THEMES });
  });

  test('running', async () => {
    service.pacing.held = true;
    await deleteButton(wizard).click();
    await confirmDeletion(page, 'dataset/datasetprofile');
    await wizard.locator('#outcome-heading').waitFor();
    await look('running');
  });

  test('finished', async () => {
    service.pacing.held = false;
    await inQuickTime(() => wizard.locator('.callout.done').waitFor());
    await look('finished', { pictured: true });
  });
});

/** Six states in the pictured themes, and two in all themes. */
const LOOKS = 6 * PICTURED_THEMES.length + 2 * THEMES.length;

test('axe finds no faults in the wizard, in any state and theme', () => assertClean(found.axe));
test('its controls have enough contrast, in any state and theme', () => assertClean(found.controls));
test('the focus is visible, in any state and theme', () => assertClean(found.rings));
test(`at ${NARROW} px, and at 200 %, nothing is cut off, covers the focus or scrolls sideways, in any state`, () =>
  assertClean(found.layout));
test(
  'the tree has room for all that its rows say, except beside the longest names, which are whole',
  { skip: incomparable ?? false },
  () => {
    assert.deepEqual(tooLong, [
      'dataJob, datahubIngestionCheckpoint, 208 bytes · <0.1%',
      'dataJob, datahubIngestionRunSummary, 208 bytes · <0.1%',
      'dashboard, dashboardUsageStatistics, 208 bytes · <0.1%',
      'dataProcessInstance, dataProcessInstanceRunEvent, 208 bytes · <0.1%',
      'document, documentUsageStatistics, 208 bytes · <0.1%',
      // Its name alone is wider than the side bar.
      'prod_dataset_datasetprofileaspect_v1, 208 bytes · <0.1% · may belong to another installation',
    ]);
  },
);
test('the wizard and the tree look like the approved pictures', { skip: incomparable ?? false }, async () => {
  assert.equal(pictures.size, 6 * PICTURED_THEMES.length);
  const differences = await Promise.all([...pictures].map(([name, shot]) => differenceFromApproved(name, shot)));
  assert.deepEqual(
    differences.filter((difference) => difference !== undefined),
    [],
  );
});

function assertClean(wrong: readonly string[]): void {
  assert.equal(looks.length, LOOKS, 'all has been looked at');
  assert.deepEqual(wrong, []);
}

type Look = { readonly pictured?: boolean; readonly withTree?: boolean; readonly themes?: readonly Theme[] };

/** Examines the wizard's current state in themes, and in narrow windows. */
async function look(state: string, options: Look = {}): Promise<void> {
  const { pictured = false, withTree = false, themes = PICTURED_THEMES } = options;
  for (const theme of themes) {
    await showTheme(page, vscode, theme);
    const isPictured = pictured && PICTURED_THEMES.includes(theme);
    if (isPictured) await take(`wizard-${state}-${theme.slug}`, 'iframe.webview.ready');
    if (withTree) await take(`tree-${theme.slug}`, '.part.sidebar');
    const there = `${state}, ${theme.id}`;
    looks.push(there);
    const told = (lines: readonly string[]): string[] => lines.map((line) => `${there}: ${line}`);
    found.axe.push(...told(await axeViolations(wizard)));
    found.controls.push(...told(await faintControls(wizard)));
    found.rings.push(...told(await faintFocusRings(page, wizard)));
  }
  await setPageWidth(page, wizard, NARROW);
  found.layout.push(...(await unreadable()).map((line) => `${state}, ${NARROW} px: ${line}`));
  // Like zooming, this halves the width and height.
  await page.setViewportSize({ width: WINDOW.width / 2, height: WINDOW.height / 2 });
  found.layout.push(...(await unreadable()).map((line) => `${state}, 200 %: ${line}`));
  await page.setViewportSize(WINDOW);
}

async function unreadable(): Promise<string[]> {
  return [...(await clippedParts(wizard)), ...(await coveredFocus(wizard))];
}

/** Takes a picture of a part of the window, without parts that change over time. */
async function take(name: string, part: string): Promise<void> {
  await leaveAlone(page, wizard);
  await treeIsQuiet(page);
  await freeze(page.locator('.part.sidebar'));
  await freeze(wizard.locator('body'));
  await wizard.locator('html').evaluate((root) => {
    root.scrollTop = 0;
    document.querySelector('#primary')?.scrollIntoView({ block: 'nearest' });
  });
  pictures.set(name, await page.locator(part).screenshot());
}

async function toggleAdvanced(): Promise<void> {
  await wizard.locator('summary', { hasText: 'Advanced' }).click();
}
