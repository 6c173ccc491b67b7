// Several indices are truncated with one confirmation, by keyboard. One that grew stops the rest, whose ticks are there
// after a reload, and which is sent only after new dry runs. One with a caution needs a tick of its own. Axe and narrow
// windows in each state.
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { inQuickTime } from '../host/vscode/quickTime.ts';
import { eventually } from './harness/conditions.ts';
import { answerModal, clipboardText } from './harness/dialogs.ts';
import { layoutIsSettled } from './harness/layout.ts';
import { assertReadable } from './harness/readable.ts';
import { runCommand } from './harness/quickInput.ts';
import { openStage } from './harness/stage.ts';
import { inOrder } from './harness/inOrder.ts';
import { THEMES, type Theme } from './harness/themes.ts';
import { treeRow } from './harness/tree.ts';
import { webviewPage } from './harness/webview.ts';
import { reloadWorkbench } from './harness/workbench.ts';
import { addConnection, chooseRole } from './steps/connections.ts';
import { executeRequests } from './steps/service.ts';
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

const stage = await openStage({
  service: { rows: 0, tokens: 0 },
  person: { ...WINDOW, timeZone: 'UTC' },
});
const { service, database, page } = stage;
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
  overview.getByRole('checkbox', { name: new RegExp(`^Select ${entity}/${aspect}$`, 'i') });
const age = overview.getByLabel('Delete rows older than (days)');
const deleteButton = (rows: number) =>
  overview.getByRole('button', { name: `Delete ${rows.toLocaleString('en')} Rows…`, exact: true });
const items = overview.locator('ul.items > li');
const item = (name: string) => items.filter({ hasText: name });
const itemBox = (name: string) => overview.getByRole('checkbox', { name: new RegExp(`^${name}$`, 'i') });
/** Names and positions of all rows, in px. */
const places = () =>
  table
    .locator('tbody tr')
    .evaluateAll((rows) =>
      rows.map((row) => `${row.querySelector('th.name bdi')?.textContent} ${row.getBoundingClientRect().top}`),
    );
/** Positions before the first box was checked. */
let placesAtFirst: readonly string[] = [];

suite('a user truncates several indices at once', () => {
  inOrder();

  test('checks three in the overview, by keyboard', async () => {
    await addConnection(page, {
      // A front dates its answers. While two indices are watched in quick time, the clocks would come to differ.
      address: service.url,
      token: service.adminToken,
      name: 'Staging',
    });
    await runCommand(page, 'DataHub: Time Series Indices');
    await overview.getByText('Select the indices below.').waitFor();
    const dryRun = overview.getByRole('button', { name: 'Dry Run' });
    assert.equal(await dryRun.getAttribute('aria-disabled'), 'true');
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
  });

  test('sees what would be deleted from each, and in total', async () => {
    await age.fill('0');
    await overview.getByText('Enter a whole number from 1 to 36,500.').waitFor();
    await age.fill('365');
    await age.press('Enter');
    await deleteButton(2_334).waitFor();
    await overview.getByRole('heading', { level: 1, name: 'Truncate indices', exact: true }).waitFor();
    await headingIsFocused('Delete 2,334 of 11,517 rows of 3 indices?');
    await itemsKeepTheirPlaces();
    await overview.getByText('3 ticked', { exact: true }).waitFor();
    await overview.locator('.announcer', { hasText: 'Delete 2,334 of 11,517 rows' }).waitFor({ state: 'attached' });
    assert.deepEqual(executeRequests(service), []);
  });

  test('sees why nothing can be deleted once the role has changed, and counts again', async () => {
    await chooseRole(page, 'Staging', 'Production');
    await overview.getByRole('heading', { level: 2, name: 'No index to truncate' }).waitFor();
    await overview.getByText('The connection has changed since the dry run.').first().waitFor();
    const tab = page
      .locator('.part.editor')
      .getByRole('tab', { name: 'Time Series Indices: Staging · production', exact: true });
    await tab.waitFor();
    assert.equal(await overview.getByRole('button', { name: /^Delete/ }).count(), 0);
    await chooseRole(page, 'Staging', 'Development');
    await answerModal(page, 'Change Role');
    // The role is stored after the question has closed. A dry run made before that would be outdated too.
    await treeRow(page, /Staging/)
      .filter({ hasText: 'production' })
      .waitFor({ state: 'detached' });
    await job.getByRole('button', { name: 'Back' }).click();
    await overview.getByRole('button', { name: 'Dry Run' }).click();
    await deleteButton(2_334).waitFor();
  });

  test('removes one', async () => {
    await itemBox('chart/chartusagestatistics').press('Space');
    await deleteButton(1_534).waitFor();
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
    await headingIsFocused('Truncating dataset/datasetProfile…');
    await job.getByText(/^Running for .* It can't be stopped from here\.$/).waitFor();
    await job.getByRole('button', { name: 'Stop After This One' }).waitFor();
    await job.getByText(/^Keep this page open: /).waitFor();
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
    assert.deepEqual(executeRequests(service).map(aspectOf), ['datasetprofile', 'operation']);
    assert.ok(executeRequests(service).every(({ body }) => body.includes('"forceDeleteByQuery":true')));
    assert.equal(database.rows('dataset', 'operation').length, 4_000);
    assert.equal(database.rows('chart', 'chartusagestatistics').length, 900);
  });

  test('copies one receipt for both', async () => {
    await job.getByRole('button', { name: 'Copy Receipt' }).press('Enter');
    const receipt = await eventually(async () => {
      const text = await clipboardText(page);
      assert.match(text, /^# Truncation of `dataset\/datasetprofile`$/m);
      return text;
    });
    assert.match(receipt, /^# Truncation of `dataset\/operation`$/m);
    assert.doesNotMatch(receipt, /chart/);
  });

  test('sees which one grew, and nothing after it is sent', async () => {
    await job.getByRole('button', { name: 'Back to Overview' }).click();
    // What was ticked for the job still is, for the next time.
    await overview.getByText(/^3 indices · [\d.]+ MB$/).waitFor();
    await overview.locator('#age:focus').waitFor();
    service.clearRequests();
    for (const [entity, aspect] of INDICES.slice(0, 2)) database.insert(entity, aspect, now - 400 * DAY_MS, 10);
    await age.fill('364');
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

  test('finds their ticks and the age after a reload, and sends them after new dry runs', async () => {
    await reloadWorkbench(page);
    await overview.getByText(/^3 indices · [\d.]+ MB$/).waitFor();
    assert.equal(await age.inputValue(), '364');
    assert.deepEqual(executeRequests(service), []);
    await overview.getByRole('button', { name: 'Dry Run' }).click();
    await deleteButton(821).click();
    await confirmDeletion(page, '3 indices');
    await outcome(/^821 rows deleted · still [\d.]+ MB · 3 indices$/);
    assert.equal(database.rows('chart', 'chartusagestatistics').length, 100);
    await job.getByRole('button', { name: 'Back to Overview' }).click();
    await table.waitFor();
  });

  test('sends no index with a caution until its own box is ticked', async () => {
    database.insert('dataset', 'operation', now - 500 * DAY_MS, 20);
    database.insert(...DOOMED, now - 500 * DAY_MS, 70);
    await overview.getByRole('button', { name: 'Clear Selection' }).click();
    for (const [entity, aspect] of [INDICES[1], DOOMED]) await tickBox(entity, aspect).press('Space');
    service.clearRequests();
    await overview.getByRole('button', { name: 'Dry Run' }).click();
    await headingIsFocused('Delete 20 of 4,020 rows?');
    await overview.getByText('1 ticked', { exact: true }).waitFor();
    await item(DOOMED[1]).locator('.caution').getByText('All rows of this index will be deleted.').waitFor();
    assert.equal(await itemBox(DOOMED.join('/')).isChecked(), false);
    assert.equal(await item('operation').locator('.caution').count(), 0);
    await look('with a caution', THEMES);
    service.pacing.held = true;
    await deleteButton(20).press('Enter');
    await confirmDeletion(page, 'dataset/operation');
    await item('operation').locator('.status').getByText('0%').waitFor();
    assert.equal(await job.getByRole('button', { name: /^Stop/ }).count(), 0, 'nothing is left to stop');
    service.pacing.held = false;
    // Quick time may have passed before five counts.
    await outcome(/^20 rows deleted · still [\d.]+ MB · 1 index(?: · not checked)?$/);
    assert.deepEqual(executeRequests(service).map(aspectOf), ['operation']);
    assert.equal(database.rows(...DOOMED).length, 70);

    await job.getByRole('button', { name: 'Back to Overview' }).click();
    await overview.getByRole('button', { name: 'Dry Run' }).click();
    await headingIsFocused('No index is ticked');
    // With nothing ticked, the button does nothing.
    const nothing = overview.getByRole('button', { name: 'Delete Rows…', exact: true });
    await nothing.and(overview.locator('[aria-disabled="true"]')).waitFor();
    await nothing.press('Enter');
    await itemBox(DOOMED.join('/')).press('Space');
    await deleteButton(70).press('Enter');
    await confirmDeletion(page, DOOMED.join('/'));
    // Quick time would let the request be too late.
    await eventually(() => assert.equal(executeRequests(service).length, 2));
    await outcome(/^70 rows deleted · still [\d.]+ kB · 1 index$/);
    assert.deepEqual(executeRequests(service).map(aspectOf), ['operation', DOOMED[1]]);
    assert.deepEqual(database.rows(...DOOMED), []);
  });
});

/** In the order of sending, which is that of ticking. */
async function itemsKeepTheirPlaces(): Promise<void> {
  assert.deepEqual(
    (await items.locator('.name').allInnerTexts()).map((name) => name.toLowerCase()),
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

function aspectOf({ body }: { readonly body: string }): string {
  return (JSON.parse(body) as { aspect: string }).aspect.toLowerCase();
}

/** Waits for the outcome on the page. A screen reader gets the same text. */
function outcome(text: string | RegExp): Promise<void> {
  return inQuickTime(() => job.getByRole('heading', { level: 2, name: text }).waitFor());
}

async function look(state: string, themes?: readonly Theme[]): Promise<void> {
  // Names in the table of all indices are cut off on purpose, because it has one row for each index.
  const isTable = / \/ |^<(?:button link|span (?:label|quiet note|>)|bdi )/;
  await assertReadable(stage, state, { ...(themes && { themes }), mayBeCut: (part) => isTable.test(part) });
}
