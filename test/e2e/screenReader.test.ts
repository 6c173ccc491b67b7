// The wizard for users who can't see it, or who use another script or reduced motion: Chromium's accessibility tree
// in each state, announcements, right-to-left names, and no animation for users who turn it off.
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { Locator } from 'playwright-core';
import { inQuickTime } from '../host/vscode/quickTime.ts';
import { accessibilityTree } from './harness/accessibilityTree.ts';
import { runningAnimations } from './harness/animations.ts';
import { eventually, eventuallyEqual } from './harness/conditions.ts';
import { fromLeftToRight } from './harness/layout.ts';
import { openStage } from './harness/stage.ts';
import { inOrder } from './harness/inOrder.ts';
import { expandRow, treeIsQuiet, treeRow } from './harness/tree.ts';
import { webviewPage } from './harness/webview.ts';
import { addConnection } from './steps/connections.ts';
import { chooseDate, chooseDays, confirmDeletion, deleteButton, openWizard, shownTaskId } from './steps/wizard.ts';

const { service, page } = await openStage();
const wizard = webviewPage(page);

/** In Hebrew, with a number in parentheses at its end, which is on its left. */
const CONNECTION = 'שרת (7)';
const TOKEN = 'מפתח (7)';
const HOURS = 3_600_000;
service.issueToken({ name: TOKEN, createdAt: Date.now() - HOURS, expiresAt: Date.now() + 84 * HOURS });

/** Every text of the live region. */
const heard: string[] = [];
await page.context().exposeFunction('hear', (text: string) => heard.push(text));

suite('the wizard can be used without seeing it, in any script, and without motion', () => {
  inOrder();

  test('a right-to-left name stays in its place in the tree', async () => {
    await addConnection(page, {
      address: service.frontUrl,
      actor: 'admin',
      token: service.adminToken,
      name: CONNECTION,
    });
    await expandRow(page, /^Access tokens/);
    await expandRow(page, /^Time series indices/);
    for (const [row, name] of [
      [treeRow(page, /שרת/), ')7(תרש'],
      [treeRow(page, /מפתח/), ')7(חתפמ'],
    ] as const) {
      await row.waitFor();
      // The tree reuses rows while more are loaded.
      await treeIsQuiet(page);
      assert.equal(await fromLeftToRight(row.locator('.label-name')), name);
    }
    const token = treeRow(page, /מפתח/);
    await standsLeftOf(token.locator('.label-name'), token.locator('.label-description', { hasText: /\w/ }));
  });

  test('a right-to-left name stays in its place in the page', async () => {
    await openWizard(page, /^dataset, operation,/);
    const name = wizard.locator('bdi', { hasText: CONNECTION });
    assert.equal(await fromLeftToRight(name), ')7(תרש');
    await standsLeftOf(name, wizard.locator('.quiet', { hasText: service.frontUrl }));
  });

  test('the form is read in order, each field with its name, its state and its help', async () => {
    // The page counts rows when it opens, and announces it.
    await wizard.getByRole('button', { name: 'Count Again' }).waitFor();
    await wizard.getByRole('status').evaluate((region) => {
      const { hear } = globalThis as unknown as { hear(text: string): void };
      const observer = new MutationObserver(() => hear(region.textContent));
      observer.observe(region, { subtree: true, childList: true, characterData: true });
    });
    await chooseDays(wizard, 180);
    await wizard.locator('#primary[aria-disabled=false]').waitFor();
    await reads(
      /^main/,
      /^heading "Truncate .+" level=1$/,
      /^group "Delete rows older than"$/,
      /^heading "Delete rows older than" level=2$/,
      /^combobox "Delete rows older than" .*\(.*Deletes rows dated at or before .+ and keeps newer rows\..*\)$/,
      /^combobox "Set the cutoff by"/,
      /^button "Dry Run"$/,
      /^heading "Rows by age" level=2$/,
      /^button "Count Again"$/,
      /^slider "Cutoff"/,
      /^DisclosureTriangle "Rows by age as a table"$/,
      /^DisclosureTriangle "Advanced"$/,
      /^status "" live=polite$/,
    );
  });

  test('the rows by age are a handle that says what it would delete, and an alternative table', async () => {
    await wizard.getByRole('button', { name: 'Count Again' }).click();
    await wizard.getByRole('status').filter({ hasText: 'Rows by age are shown.' }).waitFor();
    await wizard.getByRole('button', { name: 'Count Again' }).and(wizard.locator(':focus')).waitFor();
    await wizard.getByText('Rows by age as a table').click();
    await reads(
      /^combobox "Delete rows older than"/,
      /^heading "Rows by age" level=2$/,
      /^slider "Cutoff"/,
      /^DisclosureTriangle "Rows by age as a table" .*expanded=true$/,
      /^columnheader "Rows to delete"$/,
      /^rowheader "\w+ \d+, \d{4}, .+"$/,
    );
    // Chromium only gives scripts the number of a slider.
    assert.match(
      (await wizard.getByRole('slider', { name: 'Cutoff' }).getAttribute('aria-valuetext')) ?? '',
      /^\w+ \d+, \d{4}: (about )?[\d,]+ rows would be deleted, (about )?\d+%$/,
    );
    assertHeard(heard.splice(0), [/^Waiting for the server…$/, /^Rows by age are shown\.$/]);
  });

  test('a problem is read with its field, which has the focus', async () => {
    await wizard.locator('summary', { hasText: 'Advanced' }).click();
    await wizard.locator('#batchSize').fill('many');
    await chooseDate(wizard, '2099-01-01');
    await wizard.locator('#date').press('Enter');
    await wizard.locator('#batchSize-problem').waitFor();
    await wizard.locator('#batchSize:focus').waitFor();
    await reads(
      /^Date "Date" \(.*Deletes rows dated at or before this time.+\)$/,
      /^InputTime "Time" \(.*Deletes rows dated at or before this time.+\)$/,
      /^button "Dry Run"$/,
      /^DisclosureTriangle "Advanced" expanded=true$/,
      /^textbox "Batch size" invalid=true focused=true \(Enter a whole number.+ Rows deleted per batch.+\)$/,
      /^textbox "Timeout in seconds" \(.+\)$/,
      /^group "Strategy" \(.+\)$/,
      /^radio "Delete by query \(recommended\).+" checked=true$/,
    );
  });

  test('nothing can be changed while the server is asked, and nothing moves for users without motion', async () => {
    await wizard.locator('#batchSize').fill('50');
    await chooseDays(wizard, 180);
    service.faults.add({ fault: { kind: 'latency', millis: HOURS }, match: 'truncateTimeseriesAspect' });
    await wizard.locator('#primary').click();
    await wizard.getByRole('button', { name: 'Cancel' }).waitFor();
    // Chromium doesn't report this state of a combobox.
    await wizard.locator('#days[readonly]').waitFor();
    await reads(
      /^button "Cancel"/,
      /^progressbar "Waiting for the server…"/,
      /^textbox "Batch size" readonly=true \(.+\)$/,
    );
    await eventuallyEqual(() => runningAnimations(wizard), []);
    await page.emulateMedia({ reducedMotion: 'no-preference' });
    await eventually(async () => assert.notDeepEqual(await runningAnimations(wizard), []));
    await page.emulateMedia({ reducedMotion: 'reduce' });
    await eventuallyEqual(() => runningAnimations(wizard), []);
    await wizard.getByRole('button', { name: 'Cancel' }).click();
    await wizard.getByRole('button', { name: 'Cancel' }).waitFor({ state: 'detached' });
  });

  test('the report has the focus and is announced once', async () => {
    await wizard.locator('#primary').click();
    await wizard.locator('#report-heading:focus').waitFor();
    await reads(
      /^heading "Delete [\d,]+ of [\d,]+ rows\?" focused=true level=2$/,
      /^term "Rows to delete"$/,
      /^StaticText "[\d,]+"$/,
      /^StaticText "Feeds the last update .* Deleted rows can't be recovered\."$/,
      /^button "Delete [\d,]+ Rows…"$/,
      /^button "Back"$/,
      /^DisclosureTriangle "Details"$/,
    );
    assertHeard(heard.splice(0), [/^Waiting for the server…$/, /^Dry run complete\. [\d,]+ of [\d,]+ rows/]);
  });

  test('progress is announced in steps of at least ten percent, however often checked, and then the end', async () => {
    service.pacing.batchDelayMillis = 60;
    // Stays held until it has been read.
    service.pacing.held = true;
    await deleteButton(wizard).click();
    await confirmDeletion(page, 'dataset/operation');
    await wizard.locator('#outcome-heading:focus').waitFor();
    await shownTaskId(wizard);
    await wizard.locator('#outcome-heading').focus();
    await reads(
      /^heading ".+" focused=true level=2$/,
      /^progressbar "Task progress"/,
      /^button "Close"$/,
      /^button "Check Now"$/,
      /^term "Task ID"$/,
      /^button "Copy" \(.+\)$/,
    );
    // Nothing is deleted yet. The bar works without motion too.
    const bar = wizard.getByRole('progressbar', { name: 'Task progress' }).locator('.indicator');
    await eventuallyEqual(() => bar.evaluate((indicator) => indicator.clientWidth), 0);
    service.pacing.held = false;
    const look = wizard.getByRole('button', { name: 'Check Now' });
    const lookUntilHeard = (text: RegExp): Promise<void> =>
      eventually(async () => {
        // The button disappears at the end, so this does not wait for it.
        await look.evaluateAll((buttons: HTMLElement[]) => buttons.forEach((button) => button.click()));
        assert.ok(heard.some((one) => text.test(one)));
      });
    await lookUntilHeard(/^Deleted\. /);
    await inQuickTime(() => lookUntilHeard(/rows deleted · still /));
    // Requested checks are announced too, with their time.
    const told = heard.filter((text) => !/^Last (?:checked|counted): /.test(text));
    assert.ok(told.length < heard.length);
    const progress = told.filter((text) => text.startsWith('Deleting: '));
    assertHeard(
      told.filter((text) => !progress.includes(text)),
      [
        /^Waiting for your confirmation/,
        /^Waiting for the server…$/,
        /^Sending…$/,
        /^Deleted\. Searches may still find the rows for a few seconds\.$/,
        /^[\d,]+ rows deleted · still /,
      ],
    );
    const tens = progress.map((text) => {
      const [done = 0, total = 1] = [...text.matchAll(/[\d,]+/g)].map(([number]) => Number(number.replaceAll(',', '')));
      return Math.floor((done / total) * 10);
    });
    assert.ok(tens.length > 0);
    assert.deepEqual(
      tens,
      [...new Set(tens)].toSorted((a, b) => a - b),
      progress.join('\n'),
    );
    assert.deepEqual(told.slice(-2 - progress.length, -2), progress, 'between the start and the end');
  });

  test('the end is read in place of the progress, and the focus stays', async () => {
    await wizard.locator('#outcome-heading:focus').waitFor();
    const lines = await reads(
      /^heading ".+" focused=true level=2$/,
      /^StaticText "[\d,]+ rows deleted · still .+"$/,
      /^button "Close"$/,
      /^button "New Truncation"$/,
      /^term "Ended"$/,
    );
    assert.deepEqual(
      lines.filter((line) => line.startsWith('progressbar')),
      [],
    );
  });
});

/** Elements that are meaningless without a name. */
const NAMED =
  /^(?:button|checkbox|combobox|Date|DisclosureTriangle|heading|InputTime|meter|progressbar|radio|region|slider|spinbutton|textbox) ""/;

/**
 * Asserts that a screen reader reads these in this order, and no element without a name.
 * @returns all lines
 */
async function reads(...expected: readonly RegExp[]): Promise<string[]> {
  const lines = await accessibilityTree(page);
  assert.deepEqual(
    lines.filter((line) => NAMED.test(line)),
    [],
  );
  let at = -1;
  for (const pattern of expected) {
    const next = lines.findIndex((line, index) => index > at && pattern.test(line));
    assert.ok(next >= 0, `No ${pattern} after "${lines[at] ?? ''}" in:\n${lines.join('\n')}`);
    at = next;
  }
  return lines;
}

function assertHeard(texts: readonly string[], expected: readonly RegExp[]): void {
  assert.equal(texts.length, expected.length, texts.join('\n'));
  texts.forEach((text, index) => assert.match(text, expected[index] ?? /^$/));
}

async function standsLeftOf(first: Locator, second: Locator): Promise<void> {
  // A row may be redrawn between the two measurements.
  await eventually(async () => {
    const [before, after] = [await extent(first), await extent(second)];
    assert.ok(before.right <= after.left + 1, `${before.right} px is not left of ${after.left} px`);
  });
}

/** Left and right end of a text, in px. */
function extent(place: Locator): Promise<{ readonly left: number; readonly right: number }> {
  return place.evaluate((element) => {
    const range = document.createRange();
    range.selectNodeContents(element);
    const { left, right } = range.getBoundingClientRect();
    return { left, right };
  });
}
