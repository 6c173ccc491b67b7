// The wizard in all states, as it looks and as a screen reader reads it: axe, contrasts, narrow windows, and approved
// pictures (`npm run pictures:approve`) with the tree; Chromium's accessibility tree and what is announced. In a light
// theme and one with high contrast, and in each theme where most controls are shown.
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { accessibilityTree } from './harness/accessibilityTree.ts';
import { runningAnimations } from './harness/animations.ts';
import { eventually, eventuallyEqual } from './harness/conditions.ts';
import { faintControls } from './harness/contrast.ts';
import { leaveAlone } from './harness/frozen.ts';
import { assertReadable, type Look } from './harness/readable.ts';
import { whyIncomparable } from './harness/approvedPictures.ts';
import { openStage } from './harness/stage.ts';
import { inOrder } from './harness/inOrder.ts';
import { THEMES } from './harness/themes.ts';
import { clippedTreeRows, expandRow, treeIsQuiet } from './harness/tree.ts';
import { webviewPage } from './harness/webview.ts';
import { addConnection } from './steps/connections.ts';
import {
  chooseDate,
  chooseDays,
  confirmDeletion,
  deleteButton,
  finished,
  openWizard,
  rowsByAgeCounted,
  unfoldDetails,
} from './steps/wizard.ts';

const DAY_MS = 86_400_000;
/** High enough for most of the page, and wide enough for the tree beside its full column, in px. */
const WINDOW = { width: 1140, height: 1200 };
/** Wide enough for the side bar to open at its full width, in px. */
const WIDE = 1280;

const stage = await openStage({
  // Without random rows and tokens, so that pictures are the same each time.
  service: { rows: 0, tokens: 0 },
  browser: { ownFonts: true },
  person: { ...WINDOW, width: WIDE, timeZone: 'UTC' },
});
const { service, database, page } = stage;
await page.setViewportSize(WINDOW);
const wizard = webviewPage(page);
const cancel = wizard.getByRole('button', { name: 'Cancel' });
const incomparable = await whyIncomparable();

const differences: string[] = [];
/** Places of the title in each state. */
const titles = new Set<string>();
/** Rows of the tree wider than the side bar. */
const tooLong: string[] = [];
/** Every text of the live region. */
const heard: string[] = [];
await page.context().exposeFunction('hear', (text: string) => heard.push(text));

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
    await addConnection(page, { address: service.frontUrl, token: service.adminToken, name: 'Production' });
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

  test('the form is read in order, each field with its name, its state and its help', async () => {
    // The page counts rows when it opens, and announces it.
    await rowsByAgeCounted(wizard);
    await wizard.getByRole('status').evaluate((region) => {
      const { hear } = globalThis as unknown as { hear(text: string): void };
      const observer = new MutationObserver(() => hear(region.textContent));
      observer.observe(region, { subtree: true, childList: true, characterData: true });
    });
    await chooseDays(wizard, 365);
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
      /^DisclosureTriangle "Advanced"$/,
      /^status "" live=polite$/,
    );
    await toggle('Advanced');
    await look('editing', { pictures: { ...pictureOf('editing'), tree: '.part.sidebar' } });
  });

  test('a problem is read with its field, which has the focus', async () => {
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
    await look('problems', { themes: THEMES });
  });

  test('the rows by age are a handle that says what it would delete', async () => {
    await wizard.locator('#batchSize').fill('');
    await chooseDays(wizard, 365);
    await toggle('Advanced');
    heard.length = 0;
    await wizard.getByRole('button', { name: 'Count Again' }).click();
    await wizard.getByRole('status').filter({ hasText: 'Rows by age are shown.' }).waitFor();
    await wizard.getByRole('button', { name: 'Count Again' }).and(wizard.locator(':focus')).waitFor();
    await eventuallyHeard([/^Waiting for the server…$/, /^Rows by age are shown\.$/]);
    await reads(/^combobox "Delete rows older than"/, /^heading "Rows by age" level=2$/, /^slider "Cutoff"/);
    // Chromium only gives scripts the number of a slider.
    assert.match(
      (await wizard.getByRole('slider', { name: 'Cutoff' }).getAttribute('aria-valuetext')) ?? '',
      /^\w+ \d+, \d{4}: (about )?[\d,]+ of [\d,]+ rows \(about [\d.]+ \w+\)$/,
    );
    await look('ages', { pictures: pictureOf('ages') });
  });

  test('a failed dry run', async () => {
    service.faults.add({ fault: { kind: 'status', status: 403 }, match: 'truncateTimeseriesAspect' });
    await wizard.locator('#primary').click();
    await wizard.locator('#failure-heading').waitFor();
    await look('failure');
  });

  test('nothing can be changed while the server is asked, and nothing moves for users without motion', async () => {
    service.faults.add({ fault: { kind: 'latency', millis: 3_600_000 }, match: 'truncateTimeseriesAspect' });
    await wizard.locator('#primary').click();
    await cancel.waitFor();
    // Chromium doesn't report this state of a combobox.
    await wizard.locator('#days[readonly]').waitFor();
    await wizard.locator('#batchSize[readonly]').waitFor({ state: 'attached' });
    await reads(/^button "Cancel"/, /^progressbar "Waiting for the server…"/);
    await eventuallyEqual(() => runningAnimations(wizard), []);
    await page.emulateMedia({ reducedMotion: 'no-preference' });
    await eventually(async () => assert.notDeepEqual(await runningAnimations(wizard), []));
    await page.emulateMedia({ reducedMotion: 'reduce' });
    await eventuallyEqual(() => runningAnimations(wizard), []);
    await cancel.click();
    await cancel.waitFor({ state: 'detached' });
  });

  test('the report has the focus and is announced once', async () => {
    heard.length = 0;
    await wizard.locator('#primary').click();
    await wizard.locator('#report-heading:focus').waitFor();
    await reads(
      /^heading "Delete [\d,]+ of [\d,]+ rows\?" focused=true level=2$/,
      /^term "Rows to delete"$/,
      /^StaticText "[\d,]+"$/,
      /^StaticText ".*Deleted rows can't be recovered\."$/,
      /^button "Delete [\d,]+ Rows…"$/,
      /^button "Back"$/,
      /^DisclosureTriangle "Details"/,
    );
    await eventuallyHeard([/^Waiting for the server…$/, /^Delete [\d,]+ of [\d,]+ rows\?/]);
    await unfoldDetails(wizard);
    await look('report', { pictures: pictureOf('report') });
  });

  test('the running task has the focus, and is read with its progress', async () => {
    heard.length = 0;
    service.pacing.held = true;
    await deleteButton(wizard).click();
    await confirmDeletion(page, 'dataset/datasetprofile');
    await wizard.locator('#outcome-heading:focus').waitFor();
    await reads(
      /^heading ".+" focused=true level=2$/,
      /^progressbar "Task progress"/,
      /^button "Close"$/,
      /^button "Check Now"$/,
    );
    // Nothing is deleted yet. The bar works without motion too.
    const bar = wizard.getByRole('progressbar', { name: 'Task progress' }).locator('.indicator');
    await eventuallyEqual(() => bar.evaluate((indicator) => indicator.clientWidth), 0);
    // Leaving the page is no step of the truncation.
    assert.equal(await wizard.locator('#primary').getAttribute('class'), 'secondary');
    await wizard.getByText(/^Running for .*\. It can't be stopped from here\.$/).waitFor();
    // Checks that run by themselves are not announced.
    const isOfCheck = (text: string): boolean => / Last (?:checked|counted): /.test(text);
    assert.ok(!heard.some(isOfCheck), heard.join('\n'));
    await wizard.getByRole('button', { name: 'Check Now' }).click();
    await eventually(() => assert.ok(heard.some(isOfCheck), heard.join('\n')));
    await look('running');
  });

  test('the end is announced, and is read in place of the progress', async () => {
    service.pacing.held = false;
    await finished(wizard);
    await eventuallyHeard([
      /^Waiting for your confirmation/,
      /^Waiting for the server…$/,
      /^Running on the server…$/,
      /^Running on the server… Last (?:checked|counted): /,
      /^[\d,]+ rows deleted\./,
    ]);
    const lines = await reads(
      /^heading ".+"/,
      /^StaticText "[\d,]+ rows deleted · still .+"$/,
      // Looking at the running task has moved the focus there.
      /^button "Close" focused=true$/,
      /^button "New Truncation"$/,
    );
    assert.ok(!lines.some((line) => line.startsWith('progressbar')), lines.join('\n'));
    await look('finished', { pictures: pictureOf('finished') });
  });
});

test('its title does not move by a pixel from state to state', () => assert.equal(titles.size, 1, [...titles].join()));
test(
  'the tree has room for all that its rows say, except beside the longest names, which are whole',
  { skip: incomparable ?? false },
  () => {
    assert.deepEqual(tooLong, [
      'dataJob, datahubIngestionCheckpoint, 208 bytes',
      'dataJob, datahubIngestionRunSummary, 208 bytes',
      'dashboard, dashboardUsageStatistics, 208 bytes',
      'dataProcessInstance, dataProcessInstanceRunEvent, 208 bytes',
      'document, documentUsageStatistics, 208 bytes',
      // Its name alone is wider than the side bar.
      'prod_dataset_datasetprofileaspect_v1, 208 bytes · may belong to another installation',
    ]);
  },
);
test('the wizard and the tree look like the approved pictures', { skip: incomparable ?? false }, () =>
  assert.deepEqual(differences, []),
);

async function look(state: string, options?: Look): Promise<void> {
  titles.add(JSON.stringify(await wizard.locator('h1').boundingBox()));
  const alsoInTheme = () => faintControls(wizard);
  differences.push(...(await assertReadable(stage, state, { ...options, alsoInTheme })));
}

function pictureOf(state: string): Readonly<Record<string, string>> {
  return { [`wizard-${state}`]: 'iframe.webview.ready' };
}

async function toggle(folded: string): Promise<void> {
  await wizard.locator('summary', { hasText: folded }).click();
}

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

/** Asserts what was announced, which arrives a moment after it is shown. */
async function eventuallyHeard(expected: readonly RegExp[]): Promise<void> {
  await eventually(() => {
    assert.equal(heard.length, expected.length, heard.join('\n'));
    heard.forEach((text, index) => assert.match(text, expected[index] ?? /^$/));
  });
}
