// Several indices are truncated with one confirmation, by keyboard. One that grew stops the rest, which is listed
// after a reload and continues only from new dry runs. One with a caution needs a tick of its own. Ticks and age are kept
// for the next time. Axe and narrow windows in each state.
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { Locator } from 'playwright-core';
import { inQuickTime } from '../host/vscode/quickTime.ts';
import { axeViolations } from './harness/axe.ts';
import { eventually } from './harness/conditions.ts';
import { answerModal, clearNotifications, clipboardText, notification } from './harness/dialogs.ts';
import { clippedParts, layoutIsSettled, setPageWidth } from './harness/layout.ts';
import { pick, runCommand } from './harness/quickInput.ts';
import { openStage } from './harness/stage.ts';
import { inOrder } from './harness/inOrder.ts';
import { PICTURED_THEMES, showTheme, THEMES, type Theme } from './harness/themes.ts';
import { treeRow } from './harness/tree.ts';
import { webviewPage } from './harness/webview.ts';
import { reloadWorkbench } from './harness/workbench.ts';
import { addConnection, chooseRole } from './steps/connections.ts';
import { cutoffOf, dryRunRequests, executeRequests } from './steps/service.ts';
import { confirmDeletion, questionOf } from './steps/wizard.ts';

const DAY_MS = 86_400_000;
const WINDOW = { width: 1100, height: 1000 };
/**
 * Rows of 500 days ago, and newer ones. More than half of the last index are old, so the server would choose a
 * reindex by itself.
 */
const INDICES = [
  ['dataset', 'datasetprofile', 1_234, 5_083, 5],
  ['dataset', 'operation', 300, 4_000, 60],
  ['chart', 'chartusagestatistics', 800, 100, 5],
] as const;
/** An index of which no row is newer. */
const DOOMED = ['query', 'queryusagestatistics'] as const;

const { service, database, vscode, page } = await openStage({
  service: { rows: 0, tokens: 0 },
  person: { ...WINDOW, timeZone: 'UTC' },
});
const overview = webviewPage(page);
const now = Date.now();
for (const [entity, aspect, old, newer, days] of INDICES) {
  database.insert(entity, aspect, now - 500 * DAY_MS, old);
  database.insert(entity, aspect, now - days * DAY_MS, newer);
}

const table = overview.getByRole('table');
/** The buttons of a job. */
const job = overview.locator('section.job');
const tickBox = (entity: string, aspect: string) =>
  overview.getByRole('checkbox', { name: `Select ${entity}/${aspect}`, exact: true });
const age = overview.getByLabel('Delete rows older than (days)');
const deleteButton = (rows: number) =>
  overview.getByRole('button', { name: `Delete ${rows.toLocaleString('en')} Rows…`, exact: true });
const items = overview.locator('ul.items > li');
const item = (name: string) => items.filter({ hasText: name });
const itemBox = (name: string) => overview.getByRole('checkbox', { name, exact: true });
const caution = 'All rows of this index will be deleted.';
/** Positions of all rows. */
const places = (): Promise<readonly string[]> =>
  table
    .locator('tbody tr')
    .evaluateAll((rows) =>
      rows.map(
        (one) =>
          `${one.querySelector('th.name .link > bdi, th.name .label > bdi')?.textContent} ${one.getBoundingClientRect().top}`,
      ),
    );
/** Positions before the first box was checked. */
let placesAtFirst: readonly string[] = [];

suite('a user truncates several indices at once', () => {
  inOrder();

  test('checks three in the overview, by keyboard', async () => {
    await addConnection(page, {
      // A front dates its answers. While two indices are watched in quick time, the clocks would come to differ.
      address: service.url,
      actor: 'admin',
      token: service.adminToken,
      name: 'Staging',
    });
    await runCommand(page, 'DataHub: Time Series Indices');
    await overview.getByText('Select the indices below.').waitFor();
    const dryRun = overview.getByRole('button', { name: 'Dry Run' });
    assert.equal(await dryRun.getAttribute('aria-disabled'), 'true');
    await look('nothing selected');
    await layoutIsSettled(overview);
    placesAtFirst = await places();
    for (const [entity, aspect] of INDICES) {
      const box = tickBox(entity, aspect);
      await box.press('Space');
      assert.ok(await box.isChecked());
      assert.deepEqual(await places(), placesAtFirst, 'no row moves');
    }
    await overview.getByText(/^3 indices · [\d.]+ MB$/).waitFor();
    assert.equal(await dryRun.getAttribute('aria-disabled'), 'false');
    await look('choosing');
  });

  test('checks a range by a click with Shift, in either direction, and nothing moves', async () => {
    await overview.getByRole('button', { name: 'Clear Selection' }).click();
    const boxes = table.locator('tbody').getByRole('checkbox');
    await boxes.nth(4).click();
    await boxes.nth(0).click({ modifiers: ['Shift'] });
    await overview.getByText(/^5 indices · /).waitFor();
    assert.deepEqual(await places(), placesAtFirst);
    await boxes.nth(4).click({ modifiers: ['Shift'] });
    await overview.getByText('Select the indices below.').waitFor();
    for (const [entity, aspect] of INDICES) await tickBox(entity, aspect).click();
    assert.deepEqual(await places(), placesAtFirst);
    assert.equal(await overview.locator('body').evaluate(() => getSelection()?.toString() ?? ''), '');
  });

  test('sees what would be deleted from each, and in total', async () => {
    await age.fill('0');
    await overview.getByText('Enter a whole number from 1 to 36,500.').waitFor();
    await age.fill('365');
    await age.press('Enter');
    await deleteButton(2_334).waitFor();
    await overview.getByRole('heading', { level: 1, name: 'Truncate indices', exact: true }).waitFor();
    await headingIsFocused('Delete 2,334 of 11,517 rows of 3 indices?');
    await rowsAreShown();
    await overview.getByText('3 ticked', { exact: true }).waitFor();
    assert.equal(await overview.getByText("Deleted rows can't be recovered.").count(), 1, 'said once of all');
    assert.equal(await overview.getByText(/reindex/i).count(), 0);
    await told('Dry run complete. 2,334 of 11,517 rows would be deleted (20.3%).');
    assert.deepEqual(executeRequests(service), []);
    await look('planned', THEMES);
  });

  test('sees the figures stay, without their button, once the role has changed', async () => {
    const productionRow = treeRow(page, /Staging/).filter({ hasText: 'production' });
    await chooseRole(page, 'Staging', 'Production');
    await productionRow.waitFor();
    await overview.getByText("The connection's role has changed since the dry run.").first().waitFor();
    await overview.getByRole('heading', { level: 2, name: 'Outdated dry run' }).waitFor();
    // A tab says where rows are deleted, also while its page is hidden.
    await tab('Time Series Indices: Staging · production').waitFor();
    await rowsAreShown();
    assert.equal(await overview.getByRole('button', { name: /^Delete/ }).count(), 0);
    await look('outdated', PICTURED_THEMES);
    await chooseRole(page, 'Staging', 'Development');
    await answerModal(page, 'Change Role');
    // The role is stored after the question has closed. A dry run made before that would be outdated too.
    await productionRow.waitFor({ state: 'detached' });
    await tab('Time Series Indices: Staging').waitFor();
    await job.getByRole('button', { name: 'Dry Run Again' }).click();
    await deleteButton(2_334).waitFor();
  });

  test('removes one', async () => {
    await itemBox('chart/chartusagestatistics').press('Space');
    await deleteButton(1_534).waitFor();
    await told('Dry run complete. 1,534 of 10,617 rows would be deleted (14.4%).');
    await overview.getByRole('heading', { level: 2, name: 'Delete 1,534 of 10,617 rows of 2 indices?' }).waitFor();
    await figures(/Rows to delete\s+1,534\s+14\.4%\s+Rows to keep\s+9,083\s+85\.6%/);
    await overview.getByText('2 ticked', { exact: true }).waitFor();
    assert.match(await item('chartusagestatistics').innerText(), /800 of 900 rows \(88\.9%\)/, 'it can be put back');
    assert.ok(await itemBox('chart/chartusagestatistics').evaluate((one) => one === document.activeElement));
  });

  test('types the name of the connection below the facts, and Enter sends', async () => {
    service.pacing.held = true;
    const remove = deleteButton(1_534);
    await remove.press('Enter');
    await questionOf(page, '2 indices');
    await page.keyboard.press('Escape');
    await eventually(async () => assert.ok(await remove.evaluate((one) => one === document.activeElement)));
    await remove.press('Enter');
    const asked = await confirmDeletion(page, '2 indices');
    const { host } = new URL(service.url);
    assert.ok(asked.startsWith(`Delete 1,534 of 10,617 rows of 2 indices from Staging (${host})\n`), asked);
    assert.match(
      asked,
      /\nRows dated up to .* \(365 days ago\), as admin\. 9,083 stay\. Can't be undone\. Type "Staging"\./,
    );
  });

  test('watches one after another', async () => {
    await item('datasetprofile').locator('.status').getByText('0%').waitFor();
    await item('operation').locator('.status').getByText('waiting').waitFor();
    await headingIsFocused('Truncating dataset/datasetprofile…');
    await job.getByText(/^Running for .* It can't be stopped from here\.$/).waitFor();
    await job.getByRole('button', { name: 'Stop After This One' }).waitFor();
    assert.equal(executeRequests(service).length, 1);
    await itemsKeepTheirPlaces();
    await look('executing');
    service.pacing.held = false;
    await outcome(/^1,534 rows deleted · still [\d.]+ MB · 2 indices$/);
    await item('datasetprofile')
      .getByText(/^1,234 rows deleted · still /)
      .waitFor();
    await item('operation')
      .getByText(/^300 rows deleted · still /)
      .waitFor();
    assert.equal(await item('chartusagestatistics').locator('.status').count(), 0);
    await itemsKeepTheirPlaces();
    await look('ended');
    assert.deepEqual(executeRequests(service).map(aspectOf), ['datasetprofile', 'operation']);
    assert.ok(executeRequests(service).every(({ body }) => body.includes('"forceDeleteByQuery":true')));
    assert.equal(database.rows('dataset', 'operation').length, 4_000);
    assert.equal(database.rows('chart', 'chartusagestatistics').length, 900);
  });

  test('copies one receipt for both', async () => {
    await chooseFrom('Receipt…', 'Copy as Markdown');
    const receipt = await eventually(async () => {
      const copied = await clipboardText(page);
      assert.match(copied, /^# Truncation of `dataset\/datasetprofile`$/m);
      return copied;
    });
    assert.match(receipt, /^# Truncation of `dataset\/operation`$/m);
    assert.doesNotMatch(receipt, /chart/);
  });

  test('learns that no release of DataHub can do this by itself', async () => {
    await chooseFrom('Automate…', 'Copy as datahub-gc Recipe');
    await notification(page, /^No release of DataHub can truncate dataset\/datasetprofile automatically\./).waitFor();
    await clearNotifications(page);
  });

  test('copies a scheduled job that repeats it, which sends nothing', async () => {
    const requests = dryRunRequests(service).length;
    await chooseFrom('Automate…', 'Copy as Scheduled Job');
    await pick(page, 'Kubernetes CronJob');
    await notification(page, 'Copied a Kubernetes CronJob.').waitFor();
    const copied = await eventually(async () => {
      const text = await clipboardText(page);
      assert.match(text, /^    dataset datasetprofile \d+ 2468 5083\n    dataset operation \d+ 600 4000$/m);
      return text;
    });
    assert.doesNotMatch(copied, /chartusagestatistics/);
    assert.equal(dryRunRequests(service).length, requests);
    await clearNotifications(page);
  });

  test('sees which one grew, and nothing after it is sent', async () => {
    await job.getByRole('button', { name: 'Back to Overview' }).click();
    // What was ticked for the job still is, for the next time.
    await overview.getByText(/^3 indices · [\d.]+ MB$/).waitFor();
    await ageIsFocused();
    service.clearRequests();
    for (const [entity, aspect] of INDICES.slice(0, 2)) database.insert(entity, aspect, now - 400 * DAY_MS, 10);
    await overview.getByRole('button', { name: 'Dry Run' }).click();
    await deleteButton(820).waitFor();
    database.insert('dataset', 'datasetprofile', now - 400 * DAY_MS, 1);
    await deleteButton(820).click();
    await confirmDeletion(page, '3 indices');
    await outcome('0 of 3 indices truncated.');
    await item('datasetprofile')
      .locator('.remark')
      .getByText(/^Nothing was deleted: more rows would be deleted now than the dry run showed\./)
      .waitFor();
    assert.equal(await items.locator('.status').getByText('not sent').count(), 3);
    assert.deepEqual(executeRequests(service), []);
    await look('stopped');
  });

  test('finds them after a reload, counts them again, and continues', async () => {
    await reloadWorkbench(page);
    await overview.getByText(/^Confirmed .*: truncation sent for 0 of 3 indices\.$/).waitFor();
    await overview
      .getByText('Not sent: dataset/datasetprofile, dataset/operation, chart/chartusagestatistics')
      .waitFor();
    assert.deepEqual(executeRequests(service), []);
    await look('interrupted');
    await overview.getByRole('button', { name: 'Dry Run the Rest' }).click();
    await deleteButton(821).click();
    await confirmDeletion(page, '3 indices');
    await outcome(/^821 rows deleted · still [\d.]+ MB · 3 indices$/);
    assert.equal(database.rows('chart', 'chartusagestatistics').length, 100);
    await job.getByRole('button', { name: 'Back to Overview' }).click();
    await table.waitFor();
    assert.equal(await overview.getByText(/^Not sent: /).count(), 0);
  });

  test('finds the ticks and the age again in a new page, and nothing is sent by it', async () => {
    await openedAgain(['dataset/datasetprofile', 'dataset/operation', 'chart/chartusagestatistics'], '365');
    await tickBox('dataset', 'operation').press('Space');
    await age.fill('400');
    service.clearRequests();
    const earliestCutoff = Date.now() - 400 * DAY_MS;
    await openedAgain(['dataset/datasetprofile', 'chart/chartusagestatistics'], '400');
    await look('ticked as before', PICTURED_THEMES);
    // Earlier truncations may still be counted, up to an older cutoff and up to the time they were sent.
    const isNew = (cutoff: number): boolean => cutoff >= earliestCutoff && cutoff < earliestCutoff + DAY_MS;
    const dryRuns = dryRunRequests(service).filter((request) => isNew(cutoffOf(request)));
    assert.deepEqual([...dryRuns, ...executeRequests(service)], []);
    await age.press('Enter');
    await headingIsFocused('No index to truncate');
    assert.equal(await items.getByText('No rows to delete').count(), 2);
    await overview.getByText('2 have nothing to delete', { exact: true }).waitFor();
    assert.equal(await overview.getByRole('button', { name: /^Delete/ }).count(), 0);
    await look('nothing to delete');
    await job.getByRole('button', { name: 'Back', exact: true }).click();
    await ageIsFocused();
    assert.deepEqual(executeRequests(service), []);
  });

  test('sends no index with a caution that it has not ticked', async () => {
    database.insert('dataset', 'operation', now - 500 * DAY_MS, 20);
    database.insert(...DOOMED, now - 500 * DAY_MS, 70);
    await overview.getByRole('button', { name: 'Clear Selection' }).click();
    for (const [entity, aspect] of [INDICES[1], DOOMED]) await tickBox(entity, aspect).press('Space');
    service.clearRequests();
    await overview.getByRole('button', { name: 'Dry Run' }).click();
    await headingIsFocused('Delete 20 of 4,020 rows?');
    await overview.getByText('1 ticked', { exact: true }).waitFor();
    const box = itemBox(DOOMED.join('/'));
    await item(DOOMED[1]).locator('.caution').getByText(caution).waitFor();
    assert.equal(await box.isChecked(), false);
    assert.equal(await item('operation').locator('.caution').count(), 0);
    await look('with a caution', THEMES);

    // With nothing ticked, the button does nothing.
    await itemBox('dataset/operation').press('Space');
    const nothing = overview.getByRole('button', { name: 'Delete Rows…', exact: true });
    await nothing.and(overview.locator('[aria-disabled="true"]')).waitFor();
    await nothing.press('Enter');
    await itemBox('dataset/operation').press('Space');
    await deleteButton(20).press('Enter');
    await confirmDeletion(page, 'dataset/operation');
    await outcome(/^20 rows deleted · still [\d.]+ MB · 1 index$/);
    assert.deepEqual(executeRequests(service).map(aspectOf), ['operation']);
    assert.equal(database.rows(...DOOMED).length, 70);
  });

  test('ticks its own box, and deletes its rows', async () => {
    await job.getByRole('button', { name: 'Back to Overview' }).click();
    service.clearRequests();
    await overview.getByRole('button', { name: 'Dry Run' }).click();
    await headingIsFocused('No index is ticked');
    await itemBox(DOOMED.join('/')).press('Space');
    await deleteButton(70).press('Enter');
    await confirmDeletion(page, DOOMED.join('/'));
    await outcome(/^70 rows deleted · still [\d.]+ kB · 1 index$/);
    assert.deepEqual(executeRequests(service).map(aspectOf), [DOOMED[1]]);
    assert.deepEqual(database.rows(...DOOMED), []);
  });
});

/** Presses a button at the end of a job, and picks from its list. */
async function chooseFrom(button: string, entry: string): Promise<void> {
  await job.getByRole('button', { name: button }).press('Enter');
  await pick(page, entry);
}

/** Closes the page and opens it again, with these ticks and this age. */
async function openedAgain(ticked: readonly string[], days: string): Promise<void> {
  await runCommand(page, 'View: Close Editor');
  await page.locator('iframe.webview.ready').waitFor({ state: 'detached' });
  await runCommand(page, 'DataHub: Time Series Indices');
  await overview.getByText(new RegExp(`^${ticked.length} indices · [\\d.]+ MB$`)).waitFor();
  for (const [entity, aspect] of INDICES) {
    assert.equal(await tickBox(entity, aspect).isChecked(), ticked.includes(`${entity}/${aspect}`), aspect);
  }
  assert.equal(await age.inputValue(), days);
}

/** What the dry run of three found, for each and in total. */
async function rowsAreShown(): Promise<void> {
  for (const [name, rows] of [
    ['dataset/datasetprofile', '1,234 of 6,317 rows (19.5%)'],
    ['dataset/operation', '300 of 4,300 rows (7%)'],
    ['chart/chartusagestatistics', '800 of 900 rows (88.9%)'],
  ] as const) {
    assert.equal(await item(name).locator('.state').innerText(), rows);
  }
  await itemsKeepTheirPlaces();
  await figures(/Rows to delete\s+2,334\s+20\.3%\s+Rows to keep\s+9,183\s+79\.7%/);
}

/** In the order of sending, which is that of ticking. */
async function itemsKeepTheirPlaces(): Promise<void> {
  assert.deepEqual(
    await items.locator('.name').allInnerTexts(),
    INDICES.map(([entity, aspect]) => `${entity}/${aspect}`),
  );
}

function figures(text: RegExp): Promise<void> {
  return eventually(async () => assert.match(await overview.locator('.figures').innerText(), text));
}

/** Waits until the job says so, and the keyboard is there. */
function headingIsFocused(text: string): Promise<void> {
  return overview.locator('#job-heading:focus', { hasText: text }).waitFor();
}

function ageIsFocused(): Promise<void> {
  return overview.locator('#age:focus').waitFor();
}

function tab(label: string): Locator {
  return page.locator('.part.editor').getByRole('tab', { name: label, exact: true });
}

function aspectOf({ body }: { readonly body: string }): string {
  return (JSON.parse(body) as { aspect: string }).aspect.toLowerCase();
}

/** Waits for an announcement to a screen reader. */
function told(text: string): Promise<void> {
  return overview.locator('.announcer', { hasText: text }).waitFor({ state: 'attached' });
}

/** Waits for the outcome on the page. A screen reader gets the same text. */
function outcome(text: string | RegExp): Promise<void> {
  return inQuickTime(() => job.getByRole('heading', { level: 2, name: text }).waitFor());
}

/**
 * Collects faults from axe, in the current theme or in each of these, and content that overflows or is cut off at 300
 * px.
 */
async function look(state: string, themes: readonly (Theme | undefined)[] = [undefined]): Promise<void> {
  const faults: string[] = [];
  for (const theme of themes) {
    if (theme !== undefined) await showTheme(page, vscode, theme);
    faults.push(...(await axeViolations(overview)));
  }
  await setPageWidth(page, overview, 300);
  // Names in the table of all indices are cut off on purpose, because it has one row for each index.
  const isTable = / \/ |^<(?:button link|span (?:label|quiet note)|bdi )/;
  faults.push(...(await clippedParts(overview)).filter((fault) => !isTable.test(fault)));
  await page.setViewportSize(WINDOW);
  assert.deepEqual(faults, [], state);
}
