// The main job with the keyboard alone.
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { Locator } from 'playwright-core';
import { inQuickTime } from '../host/vscode/quickTime.ts';
import { actUntil, eventually, type Effect } from './harness/conditions.ts';
import { modal } from './harness/dialogs.ts';
import { focusedElement } from './harness/focus.ts';
import { arrowTo, typeAnswer, typeCommand, typeCommandThatAsks } from './harness/keyboard.ts';
import {
  acceptQuickInput,
  cancelQuickInput,
  fillQuickInput,
  listCommands,
  pressUntil,
  quickInput,
  quickInputMessage,
  quickInputStep,
  quickInputTitle,
  quickPickRow,
  runCommand,
} from './harness/quickInput.ts';
import { openStage } from './harness/stage.ts';
import { inOrder } from './harness/inOrder.ts';
import { treeIsQuiet, treeRow } from './harness/tree.ts';
import { webviewPage } from './harness/webview.ts';
import { chooseRole, connectionRow } from './steps/connections.ts';
import { assertRows, cutoffOf, executeRequests } from './steps/service.ts';
import { questionOf } from './steps/wizard.ts';

const { service, database, page } = await openStage();
const { admin } = service.users;

suite('a user does the main job without a pointer', () => {
  inOrder();

  test('adds a connection for production: only what its address suggests is selected', async () => {
    const address = quickPickRow(page, /Type or paste the address/);
    await typeCommandThatAsks(page, 'DataHub: Add Connection...', address);
    await page.keyboard.type(service.frontUrl);
    await quickPickRow(page, new RegExp(service.frontUrl)).and(page.locator('.focused')).waitFor();
    await page.keyboard.press('Enter');
    await quickInputMessage(page)
      .filter({ hasText: /Access token/ })
      .waitFor();
    await typeAnswer(page, admin.token);
    const saving = quickPickRow(page, 'Save Connection').and(page.locator('.focused'));
    await saving.waitFor();
    const name = quickPickRow(page, /^\s*Name: /);
    await arrowTo(page, () => hasFocusClass(name));
    await page.keyboard.press('Enter');
    await quickInputMessage(page)
      .filter({ hasText: /A name for this connection/ })
      .waitFor();
    await typeAnswer(page, 'By key');
    await saving.waitFor();
    const role = quickPickRow(page, 'Role: Development');
    await arrowTo(page, () => hasFocusClass(role));
    await page.keyboard.press('Enter');
    await quickPickRow(page, 'Development').and(page.locator('.focused')).waitFor();
    const production = quickPickRow(page, 'Production');
    await arrowTo(page, () => hasFocusClass(production));
    await page.keyboard.press('Enter');
    await quickPickRow(page, 'Role: Production').waitFor();
    await quickPickRow(page, 'Save Connection').and(page.locator('.focused')).waitFor();
    await page.keyboard.press('Enter');
    await modal(page).getByRole('button', { name: 'Use Plain HTTP' }).and(page.locator(':focus')).waitFor();
    await page.keyboard.press('Enter');
    await page.locator('.statusbar-item', { hasText: 'Connection "By key" added' }).waitFor();
    const added = connectionRow(page, 'By key').filter({ hasText: 'production' });
    await added.and(page.locator('.focused')).waitFor();
    await focusedView.waitFor();
    await page.keyboard.press('ArrowDown');
    await treeRow(page, /^Access tokens/)
      .and(page.locator('.focused'))
      .waitFor();
    await page.locator('.statusbar-item.warning-kind', { hasText: 'By key · production' }).waitFor();
  });

  test('walks through the tree', async () => {
    await pressOn(treeRow(page, /^Access tokens \d+/), 'ArrowRight', treeRow(page, /never expires/));
    const tokensAreFolded = async (): Promise<boolean> =>
      !(await treeRow(page, /never expires/)
        .first()
        .isVisible());
    await pressOn(treeRow(page, /^Access tokens \d+/), 'ArrowLeft', tokensAreFolded);
    await pressOn(treeRow(page, /^Time series indices \d+ MB/), 'ArrowRight', treeRow(page, /^dataset, operation,/));
  });

  test('creates a token and copies it', async () => {
    const asked = quickInputMessage(page).filter({ hasText: /Name this token so/ });
    await typeCommandThatAsks(page, 'DataHub: Create Access Token...', asked);
    await typeAnswer(page, 'typed');
    await quickPickRow(page, 'Create Access Token').and(page.locator('.focused')).waitFor();
    // A list that was filled late ignores the first keys.
    await pressUntil(page, 'Enter', modal(page));
    await modal(page).getByRole('button', { name: 'Copy Token' }).and(page.locator(':focus')).waitFor();
    await page.keyboard.press('Enter');
    await page.locator('.statusbar-item', { hasText: 'Access token copied' }).waitFor();
    assert.ok(service.tokens().some(({ name }) => name === 'typed'));
  });

  test('revokes it from the palette, where several may be chosen', async () => {
    const tokens = quickInputTitle(page, 'Revoke Access Tokens');
    await typeCommandThatAsks(page, 'DataHub: Revoke Access Token', tokens);
    await page.keyboard.type('typed');
    const row = quickPickRow(page, 'typed');
    await row.waitFor();
    await arrowTo(page, () => hasFocusClass(row));
    await page.keyboard.press('Space');
    await quickInput(page).getByText('1 Selected').waitFor();
    await page.keyboard.press('Enter');
    await modal(page).getByRole('button', { name: 'Revoke' }).and(page.locator(':focus')).waitFor();
    await page.keyboard.press('Enter');
    await eventually(() => assert.ok(!service.tokens().some(({ name }) => name === 'typed')));
  });

  test("opens the wizard from an index's menu at its first field, from which Tab goes on in reading order", async () => {
    await goToView();
    await treeIsQuiet(page);
    await chooseFromMenuByKey(treeRow(page, /^dataset, operation,/), 'Truncate Index...');
    const wizard = webviewPage(page);
    await wizard.getByRole('heading', { level: 1, name: /^Truncate / }).waitFor();
    await wizard.locator('header').getByText('Production', { exact: true }).waitFor();

    const days = wizard.getByRole('combobox', { name: 'Delete rows older than' }).and(wizard.locator(':focus'));
    await days.waitFor();
    for (const stop of [
      wizard.getByRole('combobox', { name: 'Set the cutoff by' }),
      wizard.getByRole('button', { name: 'Dry Run' }),
    ]) {
      await page.keyboard.press('Tab');
      await stop.and(wizard.locator(':focus')).waitFor();
    }
    await page.keyboard.press('Shift+Tab');
    await page.keyboard.press('Shift+Tab');
    await days.waitFor();
  });

  test('chooses a cutoff, runs the dry run and lands on its report', async () => {
    const wizard = webviewPage(page);
    // A key may be lost while VS Code returns the focus to the page.
    await actUntil(
      async () => {
        await page.keyboard.press('Control+A');
        await page.keyboard.type('180');
      },
      async () => (await wizard.locator('#days').inputValue()) === '180',
    );
    await arrowTo(page, () => isFocused(wizard.getByRole('button', { name: /^Dry Run/ })), 'Tab');
    await page.keyboard.press('Enter');
    const total = database.rows('dataset', 'operation').length.toLocaleString('en');
    await wizard
      .locator('#report-heading:focus')
      .filter({ hasText: new RegExp(`^Delete [\\d,]+ of ${total} rows\\?$`) })
      .waitFor();
    await wizard
      .getByRole('status')
      .filter({ hasText: /^Delete [\d,]+ of [\d,]+ rows\? Strategy/ })
      .waitFor();
  });

  test('goes back to the plan, with all that was entered, and to its report again', async () => {
    const wizard = webviewPage(page);
    await arrowTo(page, () => isFocused(wizard.getByRole('button', { name: 'Back', exact: true })), 'Tab');
    await page.keyboard.press('Enter');
    await wizard.locator('#days:focus').waitFor();
    assert.equal(await wizard.locator('#days').inputValue(), '180');
    assert.equal(await wizard.locator('#report-heading').count(), 0);
    await page.keyboard.press('Enter');
    await wizard.locator('#report-heading:focus').waitFor();
  });

  test('executes, and is notified that the task has finished', async () => {
    const wizard = webviewPage(page);
    const before = database.rows('dataset', 'operation');
    await arrowTo(page, () => isFocused(wizard.getByRole('button', { name: /^Delete .* Rows/ })), 'Tab');
    await page.keyboard.press('Enter');
    assert.match(await questionOf(page, 'dataset/operation'), /Type "By key dataset\/operation"\./);
    assert.equal(await wizard.getByRole('button', { name: 'Back', exact: true }).count(), 0, 'it is being decided');
    await typeAnswer(page, 'By key dataset/operation');
    await inQuickTime(() =>
      wizard
        .getByRole('status')
        .filter({ hasText: /[\d,]+ rows deleted\./ })
        .waitFor(),
    );
    const cutoff = cutoffOf(executeRequests(service)[0]);
    const kept = before.filter(({ timestampMillis }) => timestampMillis > cutoff);
    assertRows(database.rows('dataset', 'operation'), kept, 'what is newer than the cutoff is left');
  });
});

test('the palette has no command that a read-only connection would refuse', async () => {
  await chooseRole(page, 'By key', 'Read-only');
  await page.locator('.statusbar-item', { hasText: 'By key · read-only' }).waitFor();
  await listCommands(page, 'DataHub: C', 'DataHub: Copy Access Token');
  assert.equal(await quickPickRow(page, 'DataHub: Create Access Token...').count(), 0);
  await cancelQuickInput(page);
});

// Only the workbench shows in which order the choices appear and which one is selected.
for (const isShown of [true, false]) {
  const when = isShown ? 'once it is offered' : 'at once';
  test(`Enter on the address of a page chooses that of the service, ${when}`, async () => {
    await runCommand(page, 'DataHub: Add Connection...');
    await quickInputStep(page, 'Add Connection');
    await fillQuickInput(page, `${service.frontUrl}/settings/tokens`);
    if (isShown) await quickPickRow(page, service.frontUrl).waitFor();
    await acceptQuickInput(page);
    await quickInputMessage(page)
      .filter({ hasText: /Access token/ })
      .waitFor();
    await quickInput(page).locator('.codicon-quick-input-back').click();
    await quickPickRow(page, service.frontUrl).waitFor();
    assert.equal(await quickInput(page).locator('.quick-input-box input').inputValue(), service.frontUrl);
    await cancelQuickInput(page);
  });
}

const focusedView = page.locator('.part.sidebar').and(page.locator(':focus-within'));

async function goToView(): Promise<void> {
  await typeCommand(page, 'DataHub: Focus on DataHub View', focusedView);
}

async function chooseFromMenuByKey(row: Locator, name: string): Promise<void> {
  const entry = page.locator('.context-view').getByRole('menuitem', { name, exact: true });
  await pressOn(row, 'Shift+F10', entry);
  await arrowTo(page, () =>
    entry.evaluate((element) => element.contains(document.activeElement) || element === document.activeElement),
  );
  await page.keyboard.press('Enter');
}

/** Moves down in the tree from its top until a row has the focus. */
async function goTo(row: Locator): Promise<void> {
  await row.waitFor();
  // If VS Code replaces the focused row, the focus is lost.
  if (!(await focusedView.isVisible())) await goToView();
  await page.keyboard.press('Home');
  await arrowTo(page, () => hasFocusClass(row));
}

/** Presses a key on a row of the tree, again if VS Code lost it while drawing that row. */
async function pressOn(row: Locator, key: string, effect: Effect): Promise<void> {
  await actUntil(
    async () => {
      await goTo(row);
      await page.keyboard.press(key);
    },
    effect,
    async () => `${key} changed nothing. The focus is in ${await focusedElement(page)}`,
  );
}

function hasFocusClass(row: Locator): Promise<boolean> {
  return row.evaluate((element) => element.classList.contains('focused'));
}

function isFocused(element: Locator): Promise<boolean> {
  return element.evaluate((found) => found === document.activeElement);
}
