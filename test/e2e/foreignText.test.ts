// Names of other people, in the real workbench: none of them becomes a link or an icon, and each is still recognised.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Locator } from 'playwright-core';
import { answerModal, clearNotifications, modal, notification } from './harness/dialogs.ts';
import { acceptQuickInput, fillQuickInput, pick, quickInput, quickPickRow, runCommand } from './harness/quickInput.ts';
import { openStage } from './harness/stage.ts';
import { story } from './harness/story.ts';
import { chooseFromRow, expandRow, rowHover, treeRow } from './harness/tree.ts';
import { addConnection } from './steps/connections.ts';

const { service, page } = await openStage();
/** A colleague's token, which an administrator lists. */
const TOKEN = '[Renew](command:workbench.action.toggleZenMode) $(key)';
const IN_MESSAGE = '[Renew] (command:workbench.action.toggleZenMode) $ (key)';
const IN_LABEL = '[Renew](command:workbench.action.toggleZenMode) $ (key)';
const CONNECTION = '[Main](command:workbench.action.toggleZenMode) $(flame)';
const NAMED = /Renew/;

// It expires last, and so stands first in a list to pick from, which draws only what is in view.
service.issueToken({ name: TOKEN, createdAt: Date.now() - 60_000, expiresAt: Date.now() + 400 * 86_400_000 });

const { step, tell } = story();
test('names of other people are shown as text', tell);

step('the tree and the status bar show the names as text', async () => {
  await addConnection(page, {
    address: service.frontUrl,
    actor: 'admin',
    token: service.adminToken,
    name: CONNECTION,
  });
  const connection = treeRow(page, /^\[Main\]/);
  await expandRow(page, /^Access tokens/);
  const token = treeRow(page, /^\[Renew\]/);
  for (const [row, name] of [
    [connection, CONNECTION],
    [token, TOKEN],
  ] as const) {
    const label = row.locator('.label-name');
    await hasText(label, name);
    await drawsNothing(label);
  }

  const item = page.locator('.statusbar-item', { hasText: '[Main]' }).first();
  await hasText(item, CONNECTION.replace('$(', '$ ('));
  assert.deepEqual(await iconsIn(item), ['codicon-server-environment'], 'only ours');
});

step('a tooltip has no link to a command and no icon', async () => {
  const hover = await rowHover(page, /^\[Renew\]/);
  // Markdown keeps a space only as one that does not break.
  const shown = (await hover.innerText()).replaceAll('\u00A0', ' ');
  assert.ok(shown.includes(TOKEN), shown);
  assert.deepEqual(await iconsIn(hover), []);
  assert.equal(await hover.locator('[href*="command"], [data-href*="command"]').count(), 0);
  await page.keyboard.press('Escape');
});

step('a quick pick draws no icon of a name, also where a search divides it', async () => {
  await runCommand(page, 'Metadata Service (DataHub): Copy Access Token ID');
  const label = quickPickRow(page, NAMED).locator('.quick-input-list-label .label-name');
  await hasText(label, IN_LABEL);
  await drawsNothing(label);
  for (const search of ['(key', '$', 'ey']) {
    await fillQuickInput(page, search);
    await label.locator('.highlight').first().waitFor();
    await hasText(label, IN_LABEL);
    await drawsNothing(label);
  }
  await acceptQuickInput(page);
  const done = page.locator('.statusbar-item', { hasText: 'copied' });
  await hasText(done, `ID of "${IN_LABEL}" copied`);
  assert.deepEqual(await iconsIn(done), ['codicon-check']);
});

step('the title of an input box shows the name as text', async () => {
  await runCommand(page, 'Metadata Service (DataHub): Sign In with an Access Token...');
  const title = quickInput(page).locator('.quick-input-title');
  await hasText(title, `Sign In to "${CONNECTION}" (1/2)`);
  await drawsNothing(title);
  await page.keyboard.press('Escape');
  await quickInput(page).waitFor({ state: 'hidden' });
});

step('a message has no link', async () => {
  await runCommand(page, 'Metadata Service (DataHub): Copy Access Token');
  await pick(page, /\[Renew\]/);
  await saysWithoutLink(notification(page, 'Copied the ID of'), IN_MESSAGE);
  await clearNotifications(page);
});

step('nor has a failure with the words of the server, nor the question before', async () => {
  const body = JSON.stringify({ message: `not you: ${TOKEN}` });
  service.faults.add({
    fault: { kind: 'status', status: 400, body, contentType: 'application/json' },
    match: 'revokeAccessToken',
  });
  await chooseFromRow(page, /^\[Renew\]/, 'Revoke Access Token');
  await drawsNothing(modal(page).locator('.dialog-message-container'));
  assert.ok((await answerModal(page, 'Revoke')).startsWith(`Revoke the access token "${TOKEN}"?`));
  await saysWithoutLink(
    notification(page, "wasn't revoked"),
    `"${IN_MESSAGE}" wasn't revoked`,
    `not you: ${IN_MESSAGE}`,
  );
  await clearNotifications(page);
});

step('nor has the title of a progress, in its notification or in the status bar', async () => {
  await revokeSlowly(/^\[Renew\]/);
  await saysWithoutLink(notification(page, 'Revoking'), `Revoking "${IN_MESSAGE}"…`);
  await notification(page, 'Revoking').waitFor({ state: 'detached' });

  // Who does not want to be disturbed sees it in the status bar, which draws icons.
  service.issueToken({ name: `2 ${TOKEN}`, createdAt: Date.now() - 60_000, expiresAt: null });
  await runCommand(page, 'Notifications: Toggle Do Not Disturb Mode');
  await runCommand(page, 'Metadata Service (DataHub): Refresh');
  await revokeSlowly(/^2 \[Renew\]/);
  const item = page.locator('.statusbar-item', { hasText: 'Revoking' }).first();
  await hasText(item, `Revoking "2 ${IN_MESSAGE}"…`);
  // VS Code's own, which turns.
  assert.deepEqual(
    (await iconsIn(item)).filter(
      (icon) => !['codicon-modifier-spin', 'codicon-loading', 'codicon-sync'].includes(icon),
    ),
    [],
  );
  await item.waitFor({ state: 'detached' });
});

async function revokeSlowly(row: RegExp): Promise<void> {
  service.faults.add({ fault: { kind: 'latency', millis: 6_000 }, match: 'revokeAccessToken' });
  await chooseFromRow(page, row, 'Revoke Access Token');
  await answerModal(page, 'Revoke');
}

async function saysWithoutLink(toast: Locator, ...parts: readonly string[]): Promise<void> {
  const message = toast.locator('.notification-list-item-message');
  await message.waitFor();
  const text = await message.innerText();
  for (const part of parts) assert.ok(text.includes(part), text);
  await drawsNothing(message);
}

/** Waits for the whole text, in which VS Code writes some blanks as unbreakable. */
async function hasText(place: Locator, text: string): Promise<void> {
  const escaped = text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`).replaceAll(' ', String.raw`\s`);
  await place
    .filter({ hasText: new RegExp(String.raw`^\s*${escaped}\s*$`) })
    .first()
    .waitFor();
}

/** Neither a link nor an icon in it. */
async function drawsNothing(place: Locator): Promise<void> {
  assert.equal(await place.first().locator('a[href], a[role="button"]').count(), 0, 'a link');
  assert.deepEqual(await iconsIn(place.first()), [], 'an icon');
}

/** The classes that say which icons are drawn in a place. */
async function iconsIn(place: Locator): Promise<string[]> {
  const found = await place
    .first()
    .locator('.codicon')
    .evaluateAll((icons) => icons.flatMap((icon) => [...icon.classList]));
  return found.filter((name) => name.startsWith('codicon-'));
}
