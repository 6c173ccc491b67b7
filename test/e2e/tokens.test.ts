// Many tokens, some of them urgent: found, replaced, and revoked when nothing uses them any more.
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { eventually } from './harness/conditions.ts';
import { answerModal, clipboardText, modal } from './harness/dialogs.ts';
import { check, pick, quickInput, quickInputAsking, quickPickRow } from './harness/quickInput.ts';
import { openStage } from './harness/stage.ts';
import { inOrder } from './harness/inOrder.ts';
import { browserStores, placesWith } from './harness/traces.ts';
import {
  chooseFromRow,
  collapseRow,
  expandRow,
  pressRow,
  pressRowIcon,
  rowMenu,
  treeIsQuiet,
  treeRow,
} from './harness/tree.ts';
import { openViewContainer, reloadWorkbench } from './harness/workbench.ts';
import { addConnection, answerStep } from './steps/connections.ts';
import { tokenIsAccepted } from './steps/service.ts';
import { createToken, revokeToken } from './steps/tokens.ts';

// High enough for all rows, since only visible ones are rendered.
const { service, page } = await openStage({ service: { tokens: 120 }, person: { width: 1280, height: 3300 } });
const { admin } = service.users;
const DAY = 86_400_000;

/** Name of the token that is rotated. */
const NAME = 'img resizer';
const issued = service.issueToken({
  name: NAME,
  createdAt: Date.now() - 85 * DAY,
  expiresAt: Date.now() + 5 * DAY,
});

const LONG_NAME = 'airflow production ingestion and lineage';
service.issueToken({ name: LONG_NAME, createdAt: Date.now() - 5 * DAY, expiresAt: Date.now() + 2.5 * DAY });

suite('a user finds the urgent tokens among many and replaces one', () => {
  inOrder();

  test('sees all tokens by urgency, with expired ones folded away', async () => {
    await addConnection(page, { address: service.frontUrl, actor: 'admin', token: admin.token, name: 'Production' });
    await filterBy(['All access tokens', true]);
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
    await expandRow(page, new RegExp(`^${expired} expired(?:,|$)`));
    await treeRow(page, /, expired /)
      .first()
      .waitFor();
    await collapseRow(page, new RegExp(`^${expired} expired(?:,|$)`));
  });

  test('adds a filter to those that are set, and clears them by an icon', async () => {
    const all = treeRow(page, new RegExp(`^Access tokens all · ${service.tokens().length}(?:,|$)`));
    await filterBy(['Expires within 30 days', true]);
    await treeRow(page, /^Access tokens expires within 30 days, all · \d+(?:,|$)/).waitFor();
    // Of two that contradict each other, the later one stays.
    await filterBy(['Never expires', true], ['Expires within 30 days', false]);
    const never = service.tokens().filter(({ expiresAt }) => expiresAt === null).length;
    await treeRow(page, new RegExp(`^Access tokens never expires, all · ${never}(?:,|$)`)).waitFor();
    await pressRowIcon(page, /^Access tokens/, 'Clear Access Token Filters', all);
  });

  test('clears the filters if nothing matches', async () => {
    await filterBy(['Name…', true]);
    await answerStep(page, 'Part of the name. Some servers distinguish upper and lower case.', 'no such name');
    await treeRow(page, 'No matching access tokens').waitFor();
    await pressRow(page, 'Clear Filters', treeRow(page, /^Access tokens all · \d/));
    await filterBy(['All access tokens', false]);
    await treeRow(page, /^Access tokens \d+(?:,|$)/).waitFor();
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

  test('can copy a token as often as needed, with an icon as long as its value is held', async () => {
    const own = tokenRows();
    await own.first().hover();
    assert.equal(await own.first().getByRole('button', { name: 'Copy Access Token' }).count(), 0);
    const entries = (await rowMenu(page, new RegExp(`^${NAME}`))).flat();
    await page.keyboard.press('Escape');
    assert.ok(entries.includes('Copy Access Token ID') && !entries.includes('Copy Access Token'), entries.join(', '));

    await createToken(page, { name: 'held', duration: '1 hour' });
    await answerModal(page, 'Close');
    await pressRowIcon(page, /^held/, 'Copy Access Token', modal(page));
    await answerModal(page, 'Copy Token');
    await page.locator('.statusbar-item', { hasText: 'Access token copied' }).waitFor();
    assert.equal(await tokenIsAccepted(service.frontUrl, await clipboardText(page)), true);
    await treeIsQuiet(page);
    await treeRow(page, /^held/).hover();
    await treeRow(page, /^held/).getByRole('button', { name: 'Copy Access Token' }).waitFor();
    await chooseFromRow(page, /^held/, 'Copy Access Token');
    await answerModal(page, 'Copy Token');
    await eventually(async () =>
      assert.equal(await tokenIsAccepted(service.frontUrl, await clipboardText(page)), true),
    );
    await chooseFromRow(page, /^held/, 'Copy Access Token ID');
    const id = service.tokens().find(({ name }) => name === 'held')?.id;
    await eventually(async () => assert.equal(await clipboardText(page), id));
  });

  test('rotates a token in one step, and keeps both with Enter', async () => {
    await chooseFromRow(page, new RegExp(`^${NAME}`), 'Rotate Access Token...');
    await quickInput(page).getByText('same name · 3 months (90 days)').waitFor();
    await quickInputAsking(
      page,
      `Create a replacement for "${NAME}", created ${dateOf(issued.record.createdAt)}`,
    ).waitFor();
    await pick(page, 'Create Replacement');
    await answerModal(page, 'Copy Token');
    await modal(page).getByText(`Revoke the old token "${NAME}" on `).waitFor();
    await modal(page).getByRole('button', { name: 'Keep Both for Now' }).and(page.locator(':focus')).waitFor();
    await page.keyboard.press('Enter');
    await modal(page).waitFor({ state: 'hidden' });
    for (const token of [issued.token, await clipboardText(page)])
      assert.equal(await tokenIsAccepted(service.frontUrl, token), true);
  });

  test('sees which one is superseded, even after a reload', async () => {
    const superseded = treeRow(page, new RegExp(`^${NAME}, .*superseded`));
    await superseded.waitFor();
    assert.equal(await treeRow(page, new RegExp(`^${NAME}`)).count(), 2);
    await reloadWorkbench(page);
    await superseded.waitFor();
    assert.equal(await superseded.count(), 1);
  });

  test('finds the tree as it was after a reload, and nothing is loaded before it is shown', async () => {
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
    await treeRow(page, new RegExp(`^${NAME}, .*superseded`)).waitFor();
    await treeRow(page, chart).waitFor();
    await treeIsQuiet(page);
    assert.equal(await treeRow(page, dataset).getAttribute('aria-expanded'), 'false');
    await collapseRow(page, /^Time series indices/);
  });

  test('revokes the old one when nothing uses it any more, and sees which one that is', async () => {
    const asked = await revokeToken(page, new RegExp(`^${NAME}, .*superseded`));
    assert.match(asked, new RegExp(`Revoke the access token "${NAME}" on ".+"\\?`));
    assert.ok(asked.includes(`Created ${dateOf(issued.record.createdAt)}`) && !asked.includes(issued.record.id), asked);
    await treeRow(page, new RegExp(`^${NAME}, .*superseded`)).waitFor({ state: 'detached' });
    await treeRow(page, new RegExp(`^${NAME}, expires in \\d+ months`)).waitFor();
    await eventually(async () => assert.equal(await tokenIsAccepted(service.frontUrl, issued.token), false));
  });
});

suite('a user of a server with very many tokens', () => {
  inOrder();

  test('sees first what ends within 30 days, and loads the others page by page', async () => {
    for (let number = 0; number < 1_500; number += 1) {
      service.issueToken({
        name: `one of many ${number}`,
        createdAt: Date.now() - DAY,
        expiresAt: Date.now() + 200 * DAY,
      });
    }
    const total = service.tokens().length;
    await filterBy(['All access tokens', true]);
    await treeRow(
      page,
      new RegExp(`^Access tokens all · [\\d,]+ of ${grouped(total)} · expiring within 30 days first(?:,|$)`),
    ).waitFor();
    await eventually(async () =>
      assert.match((await tokenRows().first().getAttribute('aria-label')) ?? '', /, expires in \d+ (?:minutes|hours?)/),
    );
    await tokenRows().first().click();
    await page.keyboard.press('Escape');
    await page.keyboard.press('End');
    await treeRow(page, /^Load [\d,]+ More/).waitFor();
    await pressRow(page, /^Load /, treeRow(page, new RegExp(`^Access tokens all · ${grouped(total)}(?:,|$)`)));
  });
});

async function filterBy(...rows: readonly (readonly [label: string, checked: boolean])[]): Promise<void> {
  await pressRowIcon(page, /^Access tokens/, 'Filter Access Tokens', quickPickRow(page, 'Name…'));
  await check(page, ...rows);
}

/** Rows of tokens, whatever their names. */
function tokenRows(): ReturnType<typeof treeRow> {
  return treeRow(page, /, (never expires|expires in|expired)/).and(page.locator('[aria-level="3"]'));
}

function grouped(count: number): string {
  return new Intl.NumberFormat('en').format(count);
}

function dateOf(millis: number): string {
  return new Intl.DateTimeFormat('en', { dateStyle: 'medium' }).format(millis);
}
