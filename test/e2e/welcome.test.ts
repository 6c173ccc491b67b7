// The first pages that VS Code shows of an extension: its own page and its walkthrough.
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { Frame } from 'playwright-core';
import { eventually } from './harness/conditions.ts';
import { inOrder } from './harness/inOrder.ts';
import { pick, runCommand } from './harness/quickInput.ts';
import { openStage } from './harness/stage.ts';
import { addConnection } from './steps/connections.ts';

const { service, page } = await openStage();

/** @throws while no frame shows the README */
async function readmeOnPage(): Promise<{ readonly frame: Frame; readonly titles: readonly string[] }> {
  for (const frame of page.frames()) {
    const titles = await frame.locator('h1, h2').allInnerTexts();
    if (titles.includes('First Minutes')) return { frame, titles };
  }
  return assert.fail('no frame shows the README');
}

suite('VS Code introduces the extension', () => {
  inOrder();

  test('on its page: what it is comes first, and nothing is broken', async () => {
    await runCommand(page, 'Extensions: Show Installed Extensions');
    await page.locator('.extension-list-item').filter({ hasText: 'Metadata Service' }).first().click();
    const readme = await eventually(readmeOnPage);
    assert.deepEqual(readme.titles.slice(1, 5), ["Why It's Safe", 'Install', 'First Minutes', 'Commands']);
    assert.equal(await readme.frame.locator('img').count(), 0, 'VS Code shows only pictures from the web');
  });

  test('in its walkthrough, with the first step done if there was a connection already', async () => {
    await addConnection(page, { address: service.url, actor: 'admin', token: service.adminToken, name: 'Local' });
    await runCommand(page, 'Welcome: Open Walkthrough...');
    await pick(page, /Metadata Service/);
    const steps = page.locator('.gettingStartedContainer .getting-started-step');
    await steps.filter({ hasText: 'Connect to your server' }).locator('.codicon.complete').waitFor();
    assert.equal(await steps.locator('.codicon.complete').count(), 1, 'the others are to be done');
  });
});
