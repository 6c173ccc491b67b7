// A cutoff chosen by the age of the rows, by mouse and by keyboard, and one read from them for a limit.
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { eventually, eventuallyEqual } from './harness/conditions.ts';
import { arrowTo } from './harness/keyboard.ts';
import { fromLeftToRight, setPageWidth } from './harness/layout.ts';
import { runCommand } from './harness/quickInput.ts';
import { openStage } from './harness/stage.ts';
import { inOrder } from './harness/inOrder.ts';
import { expandRow } from './harness/tree.ts';
import { webviewPage } from './harness/webview.ts';
import { addConnection } from './steps/connections.ts';
import { dryRunRequests } from './steps/service.ts';
import {
  backToFields,
  chooseDate,
  chooseDays,
  cutoffKind,
  deleteButton,
  dryRun,
  openWizard,
  shownReport,
  tickCautions,
} from './steps/wizard.ts';

const DAY_MS = 86_400_000;
const HEIGHT = 800;

const { service, database, page } = await openStage({
  service: { rows: 0 },
  person: { timeZone: 'UTC', width: 1280, height: HEIGHT },
});
const wizard = webviewPage(page);
const handle = wizard.getByRole('slider', { name: 'Cutoff' });
const days = wizard.getByRole('combobox', { name: 'Delete rows older than' });
const again = wizard.getByRole('button', { name: 'Count Again' });

const now = Date.now();
for (let week = 1; week <= 52; week++) database.insert('dataset', 'operation', now - week * 7 * DAY_MS, 100);

suite('a user sees how old the rows are, and chooses a cutoff by that', () => {
  inOrder();

  test('counts as soon as the page is open, one dry run after the other, and remembers it', async () => {
    // In Hebrew, with a sign at its end, which is on its left also before an address.
    await addConnection(page, { address: service.frontUrl, token: service.adminToken, name: 'שרת #' });
    await expandRow(page, /^Time series indices/);
    await openWizard(page, /^dataset, operation,/);
    assert.match(await fromLeftToRight(wizard.locator('header p')), /^#תרשhttp/);
    await again.waitFor();
    await days.and(wizard.locator(':focus')).waitFor();
    assert.ok(dryRuns() > 2 && dryRuns() <= 12, String(dryRuns()));
    await runCommand(page, 'View: Close Editor');
    service.clearRequests();
    await openWizard(page, /^dataset, operation,/);
    await wizard.getByText(/^as of /).waitFor();
    assert.equal(dryRuns(), 0);
  });

  test('can count again, and stop that: the chart stays, and nothing moves', async () => {
    await chooseDays(wizard, 180);
    const before = await places();
    service.faults.add({ fault: { kind: 'latency', millis: 3_600_000 }, match: 'truncateTimeseriesAspect' });
    await again.click();
    await wizard.getByRole('button', { name: 'Stop' }).click();
    await again.waitFor();
    await handle.waitFor();
    service.faults.clear();
    await again.click();
    await wizard.getByRole('status').filter({ hasText: 'Rows by age are shown.' }).waitFor();
    await wizard.getByText(/^(about )?2,\d{3} of 5,200 rows \(about [\d.]+ MB\)$/).waitFor();
    assert.deepEqual(await places(), before);
  });

  test('drags the cutoff: the days and the rows to delete follow', async () => {
    const { x, y, width, height } = (await handle.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
    await page.mouse.move(x + width * 0.2, y + height / 2);
    await page.mouse.down();
    for (const [place, rows] of [
      [0.4, /^(about )?[12],\d{3} of 5,200 rows/],
      [0.75, /^(about )?[34],\d{3} of 5,200 rows/],
    ] as const) {
      await page.mouse.move(x + width * place, y + height / 2, { steps: 4 });
      await wizard.getByText(rows).waitFor();
    }
    await page.mouse.up();
    const age = Number(await days.inputValue());
    assert.ok(age > 70 && age < 110, `${age} days`);
    const day = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeZone: 'UTC' }).format(now - age * DAY_MS);
    await says(new RegExp(`^${day}: about [\\d,]+ of 5,200 rows \\(about [\\d.]+ MB\\)$`));
  });

  test('moves it by keys in whole days, from the oldest row to the last day, wherever it comes from', async () => {
    await chooseDate(wizard, new Date(Date.now() - 30 * DAY_MS).toISOString().slice(0, 10));
    await arrowTo(page, () => handle.evaluate((element) => element === document.activeElement), 'Tab');
    await page.keyboard.press('ArrowLeft');
    await eventually(async () => assert.match(await days.inputValue(), /^3[0-2]$/));
    const before = Number(await days.inputValue());
    for (const [key, expected] of [
      ['ArrowLeft', String(before + 1)],
      ['ArrowRight', String(before)],
      ['End', '1'],
    ] as const) {
      await page.keyboard.press(key);
      await eventuallyEqual(() => days.inputValue(), expected);
    }
    await page.keyboard.press('Home');
    await says(/: (about )?0 of 5,200 rows \(/);
  });

  test('sees no row to delete or to keep without a cutoff', async () => {
    const bars = (part: string) => wizard.locator(`.plot rect.${part}`);
    await days.fill('');
    await bars('undecided').first().waitFor();
    assert.deepEqual([await bars('kept').count(), await bars('deleted').count()], [0, 0]);
    assert.equal(await wizard.getByText('Rows to keep', { exact: true }).count(), 0);
    await chooseDays(wizard, 180);
    await bars('kept').first().waitFor();
    assert.equal(await bars('undecided').count(), 0);
  });

  test('gets a cutoff for a limit without a dry run, which its own dry run checks', async () => {
    service.clearRequests();
    await cutoffKind(wizard).selectOption('of the oldest rows');
    await wizard.getByRole('textbox', { name: 'Delete at most' }).fill('1,000');
    await wizard.getByText(/^(about )?[\d,]+ of 5,200 rows \(about [\d.]+ MB\)$/).waitFor();
    assert.equal(dryRuns(), 0);
    await page.keyboard.press('Enter');
    const { rowsToDelete } = await shownReport(wizard);
    assert.ok(rowsToDelete > 800 && rowsToDelete < 1_200, String(rowsToDelete));
    assert.equal(dryRuns(), 1);
    await handle.waitFor({ state: 'hidden' });
  });

  test('chooses a reindex, and ticks what it is warned of before the rows can be deleted', async () => {
    await backToFields(wizard);
    await wizard.getByText('Advanced').click();
    await wizard.getByRole('radio', { name: 'Reindex', exact: true }).check();
    assert.match((await dryRun(wizard)).strategy, /^Reindex\./);
    const deletes = (can: boolean) => deleteButton(wizard).and(wizard.locator(`[aria-disabled="${!can}"]`));
    // Pressed, the button leads to what is missing.
    await deletes(false).press('Enter');
    const first = wizard.getByRole('checkbox').first();
    await first.and(wizard.locator(':focus')).waitFor();
    await tickCautions(wizard);
    await deletes(true).waitFor();
    await first.press('Space');
    await deletes(false).waitFor();
  });
});

function says(text: RegExp): Promise<void> {
  return eventually(async () => assert.match((await handle.getAttribute('aria-valuetext')) ?? '', text));
}

/** Distance of each part from the top of the page, in px, in a narrow and in a usual window. */
async function places(): Promise<readonly (readonly number[])[]> {
  const measured: (readonly number[])[] = [];
  for (const width of [300, 900]) {
    await setPageWidth(page, wizard, width);
    measured.push(
      await wizard
        .locator('.plot, .cutoff, #primary, .legend, details')
        .evaluateAll((parts) => parts.map((part) => part.getBoundingClientRect().top + scrollY)),
    );
  }
  return measured;
}

function dryRuns(): number {
  return dryRunRequests(service).length;
}
