// Many tokens, some of them urgent: found, replaced, and revoked when nothing uses them any more.
import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, suite, test } from 'node:test';
import { Collection, placesWithPieces } from './harness/canary.ts';
import { eventually } from './harness/conditions.ts';
import { answerModal, clipboardText, modal } from './harness/dialogs.ts';
import { acceptQuickInput, pick, quickInput, quickPickRow } from './harness/quickInput.ts';
import { watchEverything } from './harness/seen.ts';
import { openStage } from './harness/stage.ts';
import { inOrder } from './harness/inOrder.ts';
import { allPlaces, browserStores, placesWith } from './harness/traces.ts';
import {
  chooseFromRow,
  collapseRow,
  expandRow,
  pressRow,
  pressRowIcon,
  refreshTree,
  treeIsQuiet,
  treeRow,
} from './harness/tree.ts';
import { lookAway } from './harness/windows.ts';
import { openViewContainer, reloadWorkbench } from './harness/workbench.ts';
import { addConnection, connectionRow, describeConnection, saveForm } from './steps/connections.ts';
import { tokenIsAccepted } from './steps/service.ts';
import { revokeToken } from './steps/tokens.ts';

// High enough for all rows, since only visible ones are rendered.
const { service, page, vscode, person } = await openStage({
  service: { tokens: 120 },
  person: { width: 1280, height: 3300 },
});
// Outside of what is searched, since a program writes the token there.
const outside = await mkdtemp(join(tmpdir(), 'printed-'));
after(() => rm(outside, { recursive: true, force: true }));
const DAY = 86_400_000;
const CONNECTION = 'Production';
/** The token that the user signs in with, as copied from DataHub's web pages. */
const pasted = service.issueToken({ name: 'from the web', createdAt: Date.now() - DAY, expiresAt: Date.now() + DAY });

/** Name of the token that is rotated. */
const NAME = 'img resizer';
const issued = service.issueToken({
  name: NAME,
  createdAt: Date.now() - 85 * DAY,
  expiresAt: Date.now() + 5 * DAY,
});
const superseded = treeRow(page, new RegExp(`^${NAME}, .*superseded`));

const LONG_NAME = 'airflow production ingestion and lineage';
service.issueToken({ name: LONG_NAME, createdAt: Date.now() - 5 * DAY, expiresAt: Date.now() + 2.5 * DAY });

suite('a user finds the urgent tokens among many and replaces one', () => {
  inOrder();

  test('sees all tokens by urgency, with expired ones folded away', async () => {
    await addConnection(page, { address: service.url, token: pasted.token, name: CONNECTION });
    await showAllTokens();
    await expandRow(page, /^Access tokens/);
    await treeRow(
      page,
      new RegExp(`^Access tokens all · ${service.tokens().length}, \\d+ expires? within 30 days(?:,|$)`),
    ).waitFor();
    const now = Date.now();
    const [soonest] = service
      .tokens()
      .filter(({ expiresAt }) => expiresAt !== null && expiresAt > now)
      .toSorted((one, other) => Number(one.expiresAt) - Number(other.expiresAt));
    await eventually(async () =>
      assert.match((await tokenRows().first().getAttribute('aria-label')) ?? '', new RegExp(`^${soonest?.name}, `)),
    );
    const expired = service.tokens().filter(({ expiresAt }) => expiresAt !== null && expiresAt <= now).length;
    const folded = treeRow(page, new RegExp(`^${expired} expired(?:,|$)`));
    assert.equal(await folded.getAttribute('aria-expanded'), 'false');
    assert.equal(await treeRow(page, /, expired /).count(), 0);
  });

  test("sees a long name whole in VS Code's narrow side bar, and when the token ends", async () => {
    const { width } = (await page.locator('.part.sidebar').boundingBox()) ?? {};
    assert.equal(width, 300);
    const { label, description } = await treeRow(page, new RegExp(`^${LONG_NAME}, expires in 2 days`)).evaluate(
      (row) => ({
        label: row.querySelector('.label-name')?.textContent,
        description: row.querySelector('.label-description')?.textContent,
      }),
    );
    assert.deepEqual([label, description], [LONG_NAME, 'in 2 days']);
  });

  test('rotates a token in one step, and keeps both with Enter', async () => {
    await chooseFromRow(page, new RegExp(`^${NAME}`), 'Rotate Access Token...');
    await quickInput(page).getByText(`"${NAME}" · 3 months (90 days)`).waitFor();
    await pick(page, 'Create Replacement');
    await answerModal(page, 'Copy Token');
    await modal(page).getByText(`Revoke the old token "${NAME}" on `).waitFor();
    await modal(page).getByRole('button', { name: 'Keep Both for Now' }).and(page.locator(':focus')).waitFor();
    await page.keyboard.press('Enter');
    await modal(page).waitFor({ state: 'hidden' });
    for (const token of [issued.token, await clipboardText(page)])
      assert.equal(await tokenIsAccepted(service.frontUrl, token), true);
  });

  test('finds the tree as it was after a reload, with what is superseded; nothing is loaded before it is shown', async () => {
    await superseded.waitFor();
    const [chart, dataset] = [/^chart, chartUsageStatistics,/, /^dataset \d/];
    await expandRow(page, /^Time series indices/);
    await treeRow(page, chart).waitFor();
    await collapseRow(page, dataset);
    await openViewContainer(page, 'Explorer');
    await eventually(async () => {
      const stores = await browserStores(page);
      for (const state of ['/indices":true', '/dataset":false']) assert.notDeepEqual(placesWith(stores, state), []);
      assert.doesNotMatch(placesWith(stores, 'metadataService').join('\n'), /activeviewletid$/m);
    });
    service.clearRequests();
    await reloadWorkbench(page);
    await page.locator('.part.sidebar .title-label', { hasText: 'Explorer' }).waitFor();
    assert.deepEqual(service.requests, []);

    await openViewContainer(page, 'DataHub');
    await superseded.waitFor();
    assert.equal(await treeRow(page, new RegExp(`^${NAME}`)).count(), 2);
    await treeRow(page, chart).waitFor();
    await treeIsQuiet(page);
    assert.equal(await treeRow(page, dataset).getAttribute('aria-expanded'), 'false');
    await collapseRow(page, /^Time series indices/);
  });

  test('revokes the old one when nothing uses it any more, and sees which one that is', async () => {
    const asked = await revokeToken(page, new RegExp(`^${NAME}, .*superseded`));
    assert.match(asked, new RegExp(`Revoke the access token "${NAME}" on ".+"\\?`));
    const created = new Intl.DateTimeFormat('en', { dateStyle: 'medium' }).format(issued.record.createdAt);
    assert.ok(asked.includes(`Created ${created}`) && !asked.includes(issued.record.id), asked);
    await superseded.waitFor({ state: 'detached' });
    await treeRow(page, new RegExp(`^${NAME}, expires in \\d+ months`)).waitFor();
    await eventually(async () => assert.equal(await tokenIsAccepted(service.frontUrl, issued.token), false));
  });

  test('revokes three at once, after which the menu of every other token is whole', async () => {
    const names = ['one', 'two', 'three'].map((number) => `nobody needs ${number}`);
    for (const name of names) {
      service.issueToken({ name, createdAt: Date.now() - DAY, expiresAt: Date.now() + 60 * DAY });
    }
    const [first, ...others] = names.map((name) => treeRow(page, new RegExp(`^${name}, `)));
    assert.ok(first !== undefined);
    await refreshTree(page, first);
    await treeIsQuiet(page);
    await first.click();
    for (const other of others) await other.click({ modifiers: ['ControlOrMeta'] });
    await eventually(async () => assert.equal(await page.locator('.part.sidebar [aria-selected="true"]').count(), 3));
    await chooseFromRow(page, new RegExp(`^${names[0]}, `), 'Revoke Access Token');
    await answerModal(page, 'Revoke 3 Tokens');
    await eventually(() => assert.ok(!service.tokens().some(({ name }) => names.includes(name ?? ''))));
    await first.waitFor({ state: 'detached' });
    await chooseFromRow(page, new RegExp(`^${NAME}, `), 'Copy Access Token ID');
    await page.locator('.statusbar-item', { hasText: `ID of "${NAME}" copied` }).waitFor();
  });

  test('opens a terminal with a new token, which works until it closes, and is in nothing that VS Code keeps or shows', async () => {
    const seen = await watchEverything(person);
    const collection = new Collection();
    const search = async (): Promise<void> => {
      // A window that loses the focus writes its state.
      await lookAway(page);
      collection.add(await allPlaces(vscode, page));
    };
    const printed = join(outside, 'token');
    await chooseFromRow(page, /^Access tokens/, 'Open Terminal with Access Token...');
    await answerModal(page, 'New Token for One Hour');
    await page.locator('.terminal-wrapper.active').click();
    await page.keyboard.type(`printenv DATAHUB_GMS_TOKEN > ${printed}\n`);
    const token = await eventually(async () => {
      const text = (await readFile(printed, 'utf8')).trim();
      assert.match(text, /^eyJ/);
      return text;
    });
    assert.ok(await tokenIsAccepted(service.url, token));
    const row = treeRow(page, /^vscode term/);
    await row.waitFor();
    await search();
    await page.keyboard.type('exit\n');
    await eventually(async () => assert.ok(!(await tokenIsAccepted(service.url, token))));
    await row.waitFor({ state: 'detached' });
    await search();
    const shown = (await seen.texts()).map((text) => ({
      where: 'shown',
      content: Buffer.from(text).toString('latin1'),
    }));
    const all = [...collection.places, ...shown];
    const found = placesWith(all, 'vscode term');
    assert.ok(found.includes('page') && found.includes('shown'), found.join('\n'));
    assert.deepEqual(placesWithPieces(all, [token]), []);
  });

  test('with very many tokens, sees first what ends within 30 days, and loads the others', async () => {
    for (let number = 0; number < 1_500; number += 1) {
      service.issueToken({
        name: `one of many ${number}`,
        createdAt: Date.now() - DAY,
        expiresAt: Date.now() + 200 * DAY,
      });
    }
    const total = service.tokens().length.toLocaleString('en');
    const some = treeRow(
      page,
      new RegExp(`^Access tokens all · [\\d,]+ of ${total} · expiring within 30 days first(?:,|$)`),
    );
    await showAllTokens();
    await refreshTree(page, some);
    await eventually(async () =>
      assert.match((await tokenRows().first().getAttribute('aria-label')) ?? '', /, expires in \d+ (?:minutes|hours?)/),
    );
    await tokenRows().first().click();
    await page.keyboard.press('Escape');
    await page.keyboard.press('End');
    await treeRow(page, /^Load [\d,]+ More/).waitFor();
    await pressRow(page, /^Load /, treeRow(page, new RegExp(`^Access tokens all · ${total}(?:,|$)`)));
  });

  test('finds another connection selected that was added while another view was shown', async () => {
    await openViewContainer(page, 'Explorer');
    await describeConnection(page, { address: service.url, token: pasted.token, name: 'Zweite' });
    await saveForm(page);
    await connectionRow(page, 'Zweite').and(page.locator('[aria-selected="true"]')).waitFor();
  });
});

async function showAllTokens(): Promise<void> {
  const row = quickPickRow(page, 'All access tokens');
  await pressRowIcon(page, /^Access tokens/, 'Filter Access Tokens', row);
  if ((await row.getAttribute('aria-checked')) !== 'true') await row.click();
  await row.and(page.locator('[aria-checked="true"]')).waitFor();
  await acceptQuickInput(page);
}

function tokenRows(): ReturnType<typeof treeRow> {
  return treeRow(page, /, (never expires|expires in|expired)/).and(page.locator('[aria-level="3"]'));
}
