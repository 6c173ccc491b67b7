// Untrusted content changes nothing and runs nothing: a workspace in restricted mode, a script in the wizard's page, and
// the names of a connection and of a token.
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { Locator } from 'playwright-core';
import { escaped } from '../../tools/escaped.ts';
import { answerModal, modal, notification } from './harness/dialogs.ts';
import { cancelQuickInput, fillQuickInput, quickPickRow, runCommand } from './harness/quickInput.ts';
import { openStage } from './harness/stage.ts';
import { inOrder } from './harness/inOrder.ts';
import { chooseFromRow, collapseRow, expandRow, rowHover, treeRow } from './harness/tree.ts';
import { webviewPage } from './harness/webview.ts';
import { addConnection } from './steps/connections.ts';
import { chooseDays, dryRun, openWizard } from './steps/wizard.ts';

const { service, page } = await openStage({
  vscode: {
    workspaceTrust: true,
    settings: { 'security.workspace.trust.startupPrompt': 'never' },
  },
});
const { admin } = service.users;

/** Name of a token that another user may have chosen. */
const TOKEN = '[Renew](command:workbench.action.toggleZenMode) $(key)';
const IN_MESSAGE = '[Renew] (command:workbench.action.toggleZenMode) $ (key)';
const IN_LABEL = '[Renew](command:workbench.action.toggleZenMode) $ (key)';
const CONNECTION = '[Main](command:workbench.action.toggleZenMode) $(flame)';

// Expires first, so it is the first in a list that only renders visible rows.
service.issueToken({ name: TOKEN, createdAt: Date.now() - 60_000, expiresAt: Date.now() + 600_000 });

await page.locator('.statusbar-item', { hasText: 'Restricted Mode' }).waitFor();
await addConnection(page, { address: service.frontUrl, token: admin.token, name: CONNECTION });

suite('a script in the wizard’s page can do no more than its buttons', () => {
  inOrder();

  test('opens', async () => {
    await expandRow(page, /^Time series indices/);
    await chooseDays(await openWizard(page, /^dataJob, datahubIngestionRunSummary,/), 180);
  });

  test('loads nothing, and runs no other script', async () =>
    assert.deepEqual(await refusedParts(), ['img-src', 'script-src-elem', 'style-src-elem']));

  test('runs no command by a link', async () => {
    await webviewPage(page)
      .locator('body')
      .evaluate((body) => {
        const link = document.createElement('a');
        // A command with a lasting effect, because the next click could close anything that it opens.
        link.href = 'command:workbench.action.closeSidebar';
        link.textContent = 'A link to a command';
        // Below the bar at the bottom it couldn't be clicked.
        body.querySelector('main > .where')?.append(link);
      });
    await webviewPage(page).getByText('A link to a command').click();
    // Later messages are answered later, so a command would have run by then.
    await dryRun(webviewPage(page));
    assert.equal(await page.locator('.part.sidebar').isVisible(), true);
  });
});

suite('names from other users are shown as text, and stay recognisable', () => {
  inOrder();

  test('the tree and the status bar show the names as text', async () => {
    await collapseRow(page, /^Time series indices/);
    await expandRow(page, /^Access tokens/);
    const connection = treeRow(page, /^\[Main\]/).locator('.label-name');
    await hasText(connection, CONNECTION);
    await drawsNothing(connection);
    const token = treeRow(page, /^\[Renew\]\(command:workbench\.action\.toggleZenMode\) \$\(key\)/).locator(
      '.label-name',
    );
    await hasText(token, TOKEN);
    await drawsNothing(token);

    const item = page
      .locator('.statusbar-item', { hasText: '[Main]' })
      .filter({ has: page.locator('.codicon-server-environment') });
    await hasText(item, CONNECTION.replace('$(', '$ ('));
    assert.deepEqual(await iconsIn(item), ['codicon-server-environment'], 'only ours');
  });

  test('a tooltip has no link to a command and no icon', async () => {
    const hover = await rowHover(page, /^\[Renew\]/);
    // Markdown turns spaces into non-breaking ones.
    const shown = (await hover.innerText()).replaceAll('\u00A0', ' ');
    assert.ok(shown.includes(TOKEN), shown);
    assert.deepEqual(await iconsIn(hover), []);
    assert.equal(await hover.locator('[href*="command"], [data-href*="command"]').count(), 0);
    await page.keyboard.press('Escape');
  });

  test('a quick pick shows no icon from a name, even if a search splits it', async () => {
    await runCommand(page, 'DataHub: Revoke Access Token');
    const label = quickPickRow(page, /Renew/).locator('.quick-input-list-label .label-name');
    await hasText(label, IN_LABEL);
    await drawsNothing(label);
    await fillQuickInput(page, '(key');
    await label.locator('.highlight').first().waitFor();
    await hasText(label, IN_LABEL);
    await drawsNothing(label);
    await cancelQuickInput(page);
  });

  test('a failure with the words of the server and the question before it have no link', async () => {
    const body = JSON.stringify({ message: `not you: ${TOKEN}` });
    service.faults.add({
      fault: { kind: 'status', status: 400, body, contentType: 'application/json' },
      match: 'revokeAccessToken',
    });
    await chooseFromRow(page, /^\[Renew\]/, 'Revoke Access Token');
    await drawsNothing(modal(page).locator('.dialog-message-container'));
    assert.ok((await answerModal(page, 'Revoke')).startsWith(`Revoke the access token "${TOKEN}" on `));
    const told = notification(page, "wasn't revoked").locator('.notification-list-item-message');
    const text = await told.innerText();
    for (const part of [`"${IN_MESSAGE}" wasn't revoked`, `not you: ${IN_MESSAGE}`]) {
      assert.ok(text.includes(part), text);
    }
    await drawsNothing(told);
  });
});

/** Adds a style sheet, a picture and a script to the page. Returns those that its policy refuses. */
function refusedParts(): Promise<string[]> {
  return webviewPage(page)
    .locator('html')
    .evaluate(async () => {
      const style = Object.assign(document.createElement('link'), { rel: 'stylesheet', href: '/any.css' });
      const picture = Object.assign(document.createElement('img'), { src: '/any.png' });
      const script = Object.assign(document.createElement('script'), { textContent: 'document.body.remove()' });
      const refused: string[] = [];
      for (const part of [style, picture, script]) {
        await new Promise<void>((resolve) => {
          const hear = ({ effectiveDirective }: SecurityPolicyViolationEvent): void => {
            refused.push(effectiveDirective);
            resolve();
          };
          document.addEventListener('securitypolicyviolation', hear, { once: true });
          document.body.append(part);
        });
      }
      return refused.toSorted();
    });
}

/** Waits for the whole text, in which VS Code makes some spaces non-breaking. */
async function hasText(place: Locator, text: string): Promise<void> {
  const pattern = escaped(text).replaceAll(' ', String.raw`\s`);
  await place
    .filter({ hasText: new RegExp(String.raw`^\s*${pattern}\s*$`) })
    .first()
    .waitFor();
}

/** Asserts that a place has no link and no icon. */
async function drawsNothing(place: Locator): Promise<void> {
  assert.equal(await place.first().locator('a[href], a[role="button"]').count(), 0, 'a link');
  assert.deepEqual(await iconsIn(place.first()), [], 'an icon');
}

/** Classes of the icons that are drawn in a place. */
async function iconsIn(place: Locator): Promise<string[]> {
  const found = await place
    .first()
    .locator('.codicon')
    .evaluateAll((icons) => icons.flatMap((icon) => [...icon.classList]));
  return found.filter((name) => name.startsWith('codicon-'));
}
