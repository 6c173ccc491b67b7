// What the wizard's page could do if something else than our script ran in it: no more than the wizard's own buttons.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { notification } from './harness/dialogs.ts';
import { quickInput } from './harness/quickInput.ts';
import { openStage } from './harness/stage.ts';
import { story } from './harness/story.ts';
import { expandRow } from './harness/tree.ts';
import { webviewPage } from './harness/webview.ts';
import { addConnection } from './steps/connections.ts';
import { executeRequests } from './steps/service.ts';
import { chooseDays, deleteButton, dryRun, openWizard } from './steps/wizard.ts';

const { service, vscode, page } = await openStage();
const { admin } = service.users;

/** What any script in the page can do: VS Code's own function for messages is in the frame around it. */
async function post(message: unknown): Promise<void> {
  const frame = page.frameLocator('iframe.webview.ready').locator('html');
  await frame.evaluate((_, one) => {
    const send = (globalThis as unknown as Record<string, (channel: string, data: object) => void>)[
      '__vscode_post_message__'
    ];
    send?.('onmessage', { message: one });
  }, message);
}

/** How a style sheet of the extension's own folder, or another file of the machine, is loaded: `load` or `error`. */
function loads(path: string | undefined): Promise<string> {
  return webviewPage(page)
    .locator('html')
    .evaluate((_, other) => {
      const own = document.querySelector<HTMLLinkElement>('link[rel=stylesheet]')?.href ?? '';
      const link = document.createElement('link');
      link.rel = 'stylesheet';
      link.href = other === undefined ? own : own.replace(new URL(own).pathname, other);
      return new Promise<string>((resolve) => {
        for (const type of ['load', 'error']) link.addEventListener(type, () => resolve(type));
        document.head.append(link);
      });
    }, path);
}

const { step, tell } = story();
test('a script in the page can do no more than the buttons of the wizard', tell);

step('opens', async () => {
  await addConnection(page, { address: service.frontUrl, actor: 'admin', token: admin.token, name: 'Page' });
  await expandRow(page, /^Time series indices/);
  await chooseDays(await openWizard(page, /^datajob, datahubingestioncheckpoint,/), 180);
});

step('loads nothing but what was made for it', async () => {
  const outside = join(vscode.workspace, 'outside.css');
  await writeFile(outside, 'body { color: red }');
  assert.equal(await loads(undefined), 'load', 'its own style sheet');
  assert.equal(await loads(outside), 'error');
});

step('runs no command by a link', async () => {
  await webviewPage(page)
    .locator('body')
    .evaluate((body) => {
      const link = document.createElement('a');
      // One whose effect stays: what it opens could be closed by the next click.
      link.href = 'command:workbench.action.closeSidebar';
      link.textContent = 'A link to a command';
      body.append(link);
    });
  await webviewPage(page).getByText('A link to a command').click();
  // What the page sends later is answered later: a command would have run by then.
  await dryRun(webviewPage(page));
  assert.equal(await page.locator('.part.sidebar').isVisible(), true);
});

step('is not listened to where it sends anything but its own messages', async () => {
  const draft = {
    entityType: 'datajob',
    aspect: 'datahubingestioncheckpoint',
    batchSize: '1',
    timeoutSeconds: '',
    strategy: 'server',
    cautionAccepted: true,
  };
  const messages: unknown[] = [
    null,
    'execute',
    ['execute'],
    {},
    { type: 'execute', plan: { entityType: 'dataset', aspect: 'datasetprofile', endTimeMillis: Date.now() } },
    { type: 'execute', confirmed: true },
    { type: 'edit' },
    { type: 'edit', draft: null },
    { type: 'edit', draft: { ...draft, batchSize: 7 } },
    { type: 'edit', draft: { ...draft, entityType: { length: 1 } } },
    { type: 'ready', timeZone: 7 },
    { type: 'command', command: 'workbench.action.reloadWindow' },
    { type: 'confirmed', plan: {} },
  ];
  for (const message of messages) await post(message);
  await deleteButton(webviewPage(page)).waitFor();
  await chooseDays(webviewPage(page), 365);
  // What was sent before was answered before: a question, a failure or another plan would be there by now.
  await dryRun(webviewPage(page));
  assert.equal(await quickInput(page).isVisible(), false);
  assert.equal(await notification(page, /./).count(), 0);
  assert.deepEqual(executeRequests(service), []);
});

step('is listened to where it sends one of its own', async () => {
  await post({ type: 'execute' });
  await quickInput(page).waitFor();
});
