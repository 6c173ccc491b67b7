// Several indices are truncated with one confirmation, by keyboard. One that grew stops the rest, which is listed
// after a reload and continues only from new dry runs. Axe and narrow windows in each state.
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { inQuickTime } from '../host/vscode/quickTime.ts';
import { axeViolations } from './harness/axe.ts';
import { eventually } from './harness/conditions.ts';
import { answerModal, clearNotifications, clipboardText, modal, notification } from './harness/dialogs.ts';
import { clippedParts, layoutIsSettled, setPageWidth } from './harness/layout.ts';
import { acceptQuickInput, fillQuickInput, pick, quickInputStep, runCommand } from './harness/quickInput.ts';
import { openStage } from './harness/stage.ts';
import { inOrder } from './harness/inOrder.ts';
import { PICTURED_THEMES, showTheme, THEMES, type Theme } from './harness/themes.ts';
import { treeRow } from './harness/tree.ts';
import { webviewPage } from './harness/webview.ts';
import { reloadWorkbench } from './harness/workbench.ts';
import { addConnection } from './steps/connections.ts';
import { cutoffOf, dryRunRequests, executeRequests } from './steps/service.ts';

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
const bar = overview.locator('footer');
const tickBox = (entity: string, aspect: string) =>
  overview.getByRole('checkbox', { name: `Select ${entity}/${aspect}`, exact: true });
const row = (aspect: string) => table.locator('tbody tr', { hasText: ` / ${aspect}` });
const total = table.locator('tfoot');
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
    await runCommand(page, 'DataHub: Show Index Overview');
    await bar.getByText('Select indices to truncate').waitFor();
    assert.equal(await bar.getByRole('button', { name: 'Dry Run' }).getAttribute('aria-disabled'), 'true');
    await look('nothing selected');
    await layoutIsSettled(overview);
    placesAtFirst = await places();
    const height = (await bar.boundingBox())?.height;
    for (const [entity, aspect] of INDICES) {
      const box = tickBox(entity, aspect);
      await box.press('Space');
      assert.ok(await box.isChecked());
      assert.deepEqual(await places(), placesAtFirst, 'no row moves');
      assert.equal((await bar.boundingBox())?.height, height);
    }
    await bar.getByText(/^3 indices · [\d.]+ MB$/).waitFor();
    await look('choosing');
  });

  test('checks a range by a click with Shift, in either direction, and nothing moves', async () => {
    await bar.getByRole('button', { name: 'Clear Selection' }).click();
    const boxes = table.locator('tbody').getByRole('checkbox');
    await boxes.nth(4).click();
    await boxes.nth(0).click({ modifiers: ['Shift'] });
    await bar.getByText(/^5 indices · /).waitFor();
    assert.deepEqual(await places(), placesAtFirst);
    await boxes.nth(4).click({ modifiers: ['Shift'] });
    await bar.getByText('Select indices to truncate').waitFor();
    for (const [entity, aspect] of INDICES) await tickBox(entity, aspect).click();
    assert.deepEqual(await places(), placesAtFirst);
    assert.equal(await overview.locator('body').evaluate(() => getSelection()?.toString() ?? ''), '');
  });

  test('sees what would be deleted from each, and in total', async () => {
    const days = overview.getByLabel('Older than (days)');
    await days.fill('0');
    await overview.getByText('Enter a whole number from 1 to 36,500.').waitFor();
    await days.fill('365');
    await days.press('Enter');
    await overview.getByRole('button', { name: 'Delete 2,334 Rows…' }).waitFor();
    await overview.getByRole('heading', { level: 1, name: 'Truncate 3 indices' }).waitFor();
    assert.deepEqual(await places(), placesAtFirst, 'the review is in the same rows');
    assert.match(await row('datasetprofile').innerText(), /1,234\s+19\.5%\s+5,083/);
    assert.match(await row('chartusagestatistics').innerText(), /800\s+88\.9%\s+100/);
    assert.match(await total.innerText(), /Total of 3 indices\s+2,334\s+20\.3%\s+9,183/);
    await bar.getByText(/^3 indices · 2,334 of 11,517 rows · about [\d.]+ \wB$/).waitFor();
    assert.equal(await overview.getByText(/deleted in batches/).count(), 1, 'said once of all');
    assert.equal(await overview.getByText(/reindex/i).count(), 0);
    await told('Dry run complete. 2,334 of 11,517 rows would be deleted (20.3%).');
    assert.deepEqual(executeRequests(service), []);
    await look('planned', THEMES);
  });

  test('sees the figures stay, without their button, once the role has changed', async () => {
    const productionRow = treeRow(page, /Staging/).filter({ hasText: 'production' });
    await chooseRole('Production');
    await productionRow.waitFor();
    await bar.getByText("The connection's role has changed since the dry run.").waitFor();
    assert.deepEqual(await places(), placesAtFirst);
    assert.match(await row('datasetprofile').innerText(), /1,234\s+19\.5%\s+5,083/);
    assert.match(await total.innerText(), /Total of 3 indices\s+2,334\s+20\.3%\s+9,183/);
    assert.equal(await bar.getByRole('button', { name: /^Delete/ }).count(), 0);
    await look('outdated', PICTURED_THEMES);
    await chooseRole('Development');
    await answerModal(page, 'Change Role');
    // The role is stored after the question has closed. A dry run made before that would be outdated too.
    await productionRow.waitFor({ state: 'detached' });
    await bar.getByRole('button', { name: 'Dry Run Again' }).click();
    await overview.getByRole('button', { name: 'Delete 2,334 Rows…' }).waitFor();
  });

  test('removes one', async () => {
    await tickBox('chart', 'chartusagestatistics').press('Space');
    await overview.getByRole('button', { name: 'Delete 1,534 Rows…' }).waitFor();
    await told('Dry run complete. 1,534 of 10,617 rows would be deleted (14.4%).');
    await overview.getByRole('heading', { level: 1, name: 'Truncate 2 indices' }).waitFor();
    assert.match(await total.innerText(), /Total of 2 indices\s+1,534\s+14\.4%\s+9,083/);
  });

  test('learns that no release of DataHub can do this by itself', async () => {
    await chooseFromMenu('More Actions', 'Copy as datahub-gc Recipe');
    await notification(page, /^No release of DataHub can truncate dataset\/datasetprofile automatically\./).waitFor();
    await clearNotifications(page);
  });

  test('copies a scheduled job that would do it, which sends nothing', async () => {
    const requests = dryRunRequests(service).length;
    await chooseFromMenu('More Actions', 'Copy as Scheduled Job');
    await pick(page, 'Kubernetes CronJob');
    await notification(page, 'Copied a Kubernetes CronJob.').waitFor();
    await eventually(async () =>
      assert.match(
        await clipboardText(page),
        /^    dataset datasetprofile \d+ 2468 5083\n    dataset operation \d+ 600 4000$/m,
      ),
    );
    assert.equal(dryRunRequests(service).length, requests);
    await clearNotifications(page);
  });

  test('types the name of the connection, and sees each index and the address', async () => {
    service.pacing.held = true;
    const remove = overview.getByRole('button', { name: 'Delete 1,534 Rows…' });
    await remove.press('Enter');
    await quickInputStep(page, /^Delete rows from/);
    await page.keyboard.press('Escape');
    await eventually(async () => assert.ok(await remove.evaluate((one) => one === document.activeElement)));
    await remove.press('Enter');
    await confirm('Staging', (asked) => {
      assert.match(asked, /Delete rows from 2 indices on Staging\?/);
      assert.ok(asked.includes(service.url), asked);
      assert.match(asked, /dataset\/datasetprofile: 1,234 of 6,317 rows/);
      assert.match(asked, /dataset\/operation: 300 of 4,300 rows/);
      assert.doesNotMatch(asked, /chart/);
    });
  });

  test('watches one after another', async () => {
    await row('datasetprofile').locator('.status').getByText('0%').waitFor();
    await row('operation').locator('.status').getByText('waiting').waitFor();
    await bar.getByText('Truncating dataset/datasetprofile…').waitFor();
    await bar.getByText(/^Running for .* It can't be stopped from here\.$/).waitFor();
    assert.equal(executeRequests(service).length, 1);
    assert.deepEqual(await places(), placesAtFirst);
    await look('executing');
    service.pacing.held = false;
    await outcome('2 of 2 indices truncated.');
    await bar.getByText('1,534 rows deleted', { exact: true }).waitFor();
    assert.match(await total.innerText(), /Total of 2 indices\s+1,534\s+14\.4%\s+9,083/);
    await look('ended');
    assert.deepEqual(
      executeRequests(service).map(({ body }) => (JSON.parse(body) as { aspect: string }).aspect.toLowerCase()),
      ['datasetprofile', 'operation'],
    );
    assert.ok(executeRequests(service).every(({ body }) => body.includes('"forceDeleteByQuery":true')));
    assert.equal(database.rows('dataset', 'operation').length, 4_000);
    assert.equal(database.rows('chart', 'chartusagestatistics').length, 900);
  });

  test('copies one receipt for both', async () => {
    await chooseFromMenu('Receipt', 'Copy as Markdown');
    const receipt = await eventually(async () => {
      const copied = await clipboardText(page);
      assert.match(copied, /^# Truncation of `dataset\/datasetprofile`$/m);
      return copied;
    });
    assert.match(receipt, /^# Truncation of `dataset\/operation`$/m);
    assert.doesNotMatch(receipt, /chart/);
  });

  test('sees which one grew, and nothing after it is sent', async () => {
    await overview.getByRole('button', { name: 'Done' }).click();
    // No index that was truncated or excluded is selected any more.
    await bar.getByText('Select indices to truncate').waitFor();
    assert.deepEqual(await places(), placesAtFirst);
    for (const [entity, aspect] of INDICES) await tickBox(entity, aspect).check();
    service.clearRequests();
    for (const [entity, aspect] of INDICES.slice(0, 2)) database.insert(entity, aspect, now - 400 * DAY_MS, 10);
    await overview.getByRole('button', { name: 'Dry Run' }).click();
    await overview.getByRole('button', { name: 'Delete 820 Rows…' }).waitFor();
    database.insert('dataset', 'datasetprofile', now - 400 * DAY_MS, 1);
    await overview.getByRole('button', { name: 'Delete 820 Rows…' }).click();
    await confirm('Staging');
    await outcome('0 of 3 indices truncated.');
    await overview
      .locator('.notes')
      .getByText(/^Nothing was deleted\. More rows would be deleted now than the dry run showed\./)
      .waitFor();
    assert.equal(await table.locator('td.status').getByText('not sent').count(), 3);
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
    await overview.getByRole('button', { name: 'Delete 821 Rows…' }).click();
    await confirm('Staging');
    await outcome('3 of 3 indices truncated.');
    assert.equal(database.rows('chart', 'chartusagestatistics').length, 100);
    await overview.getByRole('button', { name: 'Done' }).click();
    assert.equal(await overview.getByText(/^Not sent: /).count(), 0);
  });

  test('selects in a new page what was confirmed last, by keyboard, and nothing is sent by it', async () => {
    const days = overview.getByLabel('Older than (days)');
    await runCommand(page, 'View: Close Editor');
    await runCommand(page, 'DataHub: Show Index Overview');
    await bar.getByText('Select indices to truncate').waitFor();
    assert.equal(await days.inputValue(), '90');
    service.clearRequests();
    const earliestCutoff = Date.now() - 365 * DAY_MS;
    await look('the last selection is offered', PICTURED_THEMES);
    await overview.getByRole('button', { name: 'Same as Last Time' }).press('Enter');
    await bar.getByText(/^3 indices · [\d.]+ MB$/).waitFor();
    await told('3 indices selected, as last time.');
    for (const [entity, aspect] of INDICES) assert.ok(await tickBox(entity, aspect).isChecked());
    assert.equal(await days.inputValue(), '365');
    assert.ok(await days.evaluate((one) => one === document.activeElement), 'the focus is where the cutoff is');
    await look('selected as last time');
    // Earlier truncations may still be counted, up to an older cutoff and up to the time they were sent.
    const isNew = (cutoff: number): boolean => cutoff >= earliestCutoff && cutoff < earliestCutoff + DAY_MS;
    const dryRuns = dryRunRequests(service).filter((request) => isNew(cutoffOf(request)));
    assert.deepEqual([...dryRuns, ...executeRequests(service)], []);
    await page.keyboard.press('Enter');
    await overview.getByText('No rows to delete').first().waitFor();
    assert.deepEqual(executeRequests(service), []);
  });
});

/** Types the connection's name and answers the modal with yes. */
async function confirm(name: string, check: (asked: string) => void = () => undefined): Promise<void> {
  await quickInputStep(page, /^Delete rows from \d+ indices on/);
  await fillQuickInput(page, name);
  await acceptQuickInput(page);
  await modal(page).waitFor();
  check(await answerModal(page, /^Delete .*Rows$/));
}

async function chooseRole(role: string): Promise<void> {
  await runCommand(page, 'DataHub: Set Connection Role...');
  await pick(page, role);
}

/** By keyboard. */
async function chooseFromMenu(menu: string, item: string): Promise<void> {
  await bar.getByRole('button', { name: menu }).press('ArrowDown');
  await overview.getByRole('menuitem', { name: item }).press('Enter');
}

/** Waits for an announcement to a screen reader. */
function told(text: string): Promise<void> {
  return overview.locator('.announcer', { hasText: text }).waitFor({ state: 'attached' });
}

/** Waits for the outcome on the page. A screen reader gets the same text. */
function outcome(text: string): Promise<void> {
  return inQuickTime(() => bar.getByText(text, { exact: true }).waitFor());
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
