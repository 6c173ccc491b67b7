// A cutoff chosen by the age of the rows, by mouse and by keyboard, and one read from them for a limit.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import { inQuickTime } from '../host/vscode/quickTime.ts';
import { eventually, eventuallyEqual } from './harness/conditions.ts';
import { arrowTo } from './harness/keyboard.ts';
import { setPageWidth } from './harness/layout.ts';
import { acceptQuickInput, fillQuickInput, quickInput, quickInputStep, runCommand } from './harness/quickInput.ts';
import { openStage } from './harness/stage.ts';
import { inOrder } from './harness/inOrder.ts';
import { expandRow } from './harness/tree.ts';
import { webviewPage } from './harness/webview.ts';
import { addConnection } from './steps/connections.ts';
import { dryRunRequests, executeRequests } from './steps/service.ts';
import {
  chooseDate,
  chooseDays,
  chooseFromReceipt,
  confirmDeletion,
  cutoffKind,
  deleteButton,
  openWizard,
  shownReport,
} from './steps/wizard.ts';

const DAY_MS = 86_400_000;

const { service, database, vscode, page } = await openStage({
  service: { rows: 0 },
  person: { timeZone: 'UTC', width: 1280, height: 800 },
});
const wizard = webviewPage(page);
const handle = wizard.getByRole('slider', { name: 'Cutoff' });
const days = wizard.getByRole('combobox', { name: 'Delete rows older than' });
const limit = wizard.getByRole('textbox', { name: 'Delete at most' });
const again = wizard.getByRole('button', { name: 'Count Again' });
const live = wizard.getByRole('status');

const now = Date.now();
for (let week = 1; week <= 52; week++) database.insert('dataset', 'operation', now - week * 7 * DAY_MS, 100);

suite('a user sees how old the rows are, and chooses a cutoff by that', () => {
  inOrder();

  test('counts as soon as the page is open, one dry run after the other, and remembers it', async () => {
    await addConnection(page, { address: service.frontUrl, actor: 'admin', token: service.adminToken, name: 'Ages' });
    await expandRow(page, /^Time series indices/);
    await openWizard(page, /^dataset, operation,/);
    await again.waitFor();
    await days.and(wizard.locator(':focus')).waitFor();
    assert.ok(dryRuns() > 2 && dryRuns() <= 12, String(dryRuns()));
    await wizard.getByText(/^as of /).waitFor();
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
    service.clearRequests();
    await again.click();
    await live.filter({ hasText: 'Rows by age are shown.' }).waitFor();
    assert.ok(dryRuns() > 2 && dryRuns() <= 12, String(dryRuns()));
    assert.deepEqual(await places(), before);
  });

  test('sees what each choice would delete', async () => {
    await wizard.getByText(/^(about )?2,\d{3} of 5,200 rows, about [\d.]+ MB$/).waitFor();
    const suggested = wizard.locator('#ages option[value="180"]');
    assert.match((await suggested.getAttribute('label')) ?? '', /^(about )?5\d%$/);
    await wizard.getByText('Rows by age as a table').click();
    const rows = wizard.getByRole('row');
    assert.equal(await rows.count(), dryRuns() + 1);
    assert.match(await rows.nth(1).innerText(), /5,200\s+100%/);
    await wizard.getByText('Rows by age as a table').click();
  });

  test('drags the cutoff: the days follow, and the figures stay in view beside the handle', async () => {
    const { x, y, width, height } = (await handle.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
    await page.mouse.move(x + width * 0.2, y + height / 2);
    await page.mouse.down();
    for (const place of [0.4, 0.75]) {
      await page.mouse.move(x + width * place, y + height / 2, { steps: 4 });
      await eventually(async () => assert.match(await figuresInView(), /^[\d,]+ · \d+%$/));
    }
    await page.mouse.up();
    const age = Number(await days.inputValue());
    assert.ok(age > 70 && age < 110, `${age} days`);
    await said(now - age * DAY_MS, /about [\d,]+ rows would be deleted, about 7\d%/);
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
    await eventually(async () =>
      assert.match(
        (await handle.getAttribute('aria-valuetext')) ?? '',
        /: (about )?0 rows would be deleted, (about )?0%$/,
      ),
    );
    assert.equal(executeRequests(service).length, 0);
  });

  test('sees at the field why a limit is wrong, before anything is sent', async () => {
    service.clearRequests();
    await cutoffKind(wizard).selectOption('of the oldest rows');
    await limit.fill('many');
    await page.keyboard.press('Enter');
    await wizard.getByText('Enter a whole number from 1 to').waitFor();
    await limit.and(wizard.locator(':focus')).waitFor();
    assert.equal(dryRuns(), 0);
  });

  test('gets a cutoff from the rows by age, without a dry run, which its own dry run checks', async () => {
    await limit.fill('1,000');
    await wizard.getByText(/^(about )?[\d,]+ of 5,200 rows, about [\d.]+ MB$/).waitFor();
    assert.equal(dryRuns(), 0);
    await page.keyboard.press('Enter');
    const { rowsToDelete } = await shownReport(wizard);
    assert.ok(rowsToDelete > 800 && rowsToDelete < 1_200, String(rowsToDelete));
    assert.equal(dryRuns(), 1);
  });

  test('reviews what remains, deletes it and keeps a receipt', async () => {
    await handle.waitFor({ state: 'hidden' });
    await deleteButton(wizard).click();
    await confirmDeletion(page, 'dataset/operation');
    await inQuickTime(() => wizard.getByRole('heading', { name: /^[\d,]+ rows deleted · still / }).waitFor());
    await chooseFromReceipt(page, wizard, 'Copy as Markdown');
    await eventually(async () => assert.match(await clipboard(), /^# Truncation of `dataset\/operation`\n/));
  });

  test('saves it as a file', async () => {
    await chooseFromReceipt(page, wizard, 'Save…');
    await quickInputStep(page, 'Save Receipt');
    const name = quickInput(page).locator('.quick-input-box input');
    await eventually(async () =>
      assert.match(await name.inputValue(), /truncation-dataset-operation-\d{4}-\d\d-\d\d\.md$/),
    );
    const file = join(vscode.workspace, 'receipt.md');
    await fillQuickInput(page, file);
    await acceptQuickInput(page);
    await eventually(async () => assert.match(await readFile(file, 'utf8'), /^# Truncation of `dataset\/operation`\n/));
  });
});

function clipboard(): Promise<string> {
  return page.evaluate(() => navigator.clipboard.readText());
}

/** Waits until the handle announces this day with these figures. */
async function said(day: number, figures: RegExp): Promise<void> {
  const name = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeZone: 'UTC' }).format(day);
  await eventually(async () => {
    const text = (await handle.getAttribute('aria-valuetext')) ?? '';
    assert.ok(text.startsWith(`${name}: `) && text.includes(' would be deleted, '), text);
    assert.match(text, figures);
  });
}

/** Text beside the handle, once it is wholly within the visible part of the page. */
async function figuresInView(): Promise<string> {
  const figures = wizard.locator('.handle text');
  const [box, header] = await Promise.all([figures.boundingBox(), wizard.locator('header').boundingBox()]);
  assert.ok(box && header, 'both are drawn');
  assert.ok(box.y >= header.y + header.height && box.y + box.height <= 800, JSON.stringify({ box, header }));
  return (await figures.textContent()) ?? '';
}

/** Distance of each part from the top of the page, in px, in a narrow and in a usual window. */
async function places(): Promise<readonly (readonly number[])[]> {
  const measured: (readonly number[])[] = [];
  for (const width of [300, 900]) {
    await setPageWidth(page, wizard, width);
    measured.push(
      await wizard
        .locator('.plot, .cutoff, #primary, .legend, .more')
        .evaluateAll((parts) => parts.map((part) => part.getBoundingClientRect().top + scrollY)),
    );
  }
  return measured;
}

function dryRuns(): number {
  return dryRunRequests(service).length;
}
