// npm run screenshots: takes the pictures under media/ from the running product. Each set of them has a server, a VS
// Code and a window of its own.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { expandRow, treeRow } from '../../test/e2e/harness/tree.ts';
import { startVSCode, type Settings } from '../../test/e2e/harness/vscode.ts';
import { openWorkbench } from '../../test/e2e/harness/workbench.ts';
import { addConnection } from '../../test/e2e/steps/connections.ts';
import { newPerson, openBrowser, type PersonOptions } from '../../test/host/vscode/browser.ts';
import { startService, type RunningService } from '../../test/service/main.ts';
import { buildPackage } from '../package/build.ts';
import { root } from '../paths.ts';
import { USUAL_PORTS, usualPort } from '../start/ports.ts';
import { MILLIS_PER_DAY } from '../../src/time.ts';
import { animatedGif } from './gif.ts';
import { areaOf } from './screenArea.ts';
import { takeStills } from './stills.ts';
import { BATCH_MILLIS, filmStory } from './story.ts';

/** Wide enough for a page at its full width beside the names in the tree, and high enough for the tree. */
const STILL_WINDOW = { width: 1280, height: 860, sideBar: 400 };
/** As wide as GitHub and the marketplaces show a picture, and sharp on screens of a higher resolution too. */
const STORY_WINDOW = { width: 850, height: 610, scale: 1.5, sideBar: 325 };

/** Access tokens of the pictures, with the days until they expire. */
const TOKENS = [
  ['airflow production', 300.5],
  ['notebook', null],
  ['dbt laptop', 83.5],
  ['looker export', 21.5],
  ['data quality', 2.5],
] as const;

/** Hides everything except the extension, and what VS Code shows of an element that the pointer rests on. */
const SETTINGS: Settings = {
  'window.commandCenter': false,
  'window.menuBarVisibility': 'hidden',
  'workbench.hover.delay': 60_000,
  'workbench.layoutControl.enabled': false,
  'workbench.navigationControl.enabled': false,
};

const parts: (() => Promise<unknown>)[] = [];
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
  process.on(signal, () => void stop().finally(() => process.exit(1)));
try {
  await takeAll();
} catch (error) {
  console.error(error);
  process.exitCode = 1;
} finally {
  await stop();
}

async function stop(): Promise<void> {
  for (const stopPart of parts.splice(0).toReversed()) await stopPart();
}

async function takeAll(): Promise<void> {
  const { file } = await buildPackage();
  const { page, service } = await openWindow(file, STORY_WINDOW);
  await save('story.gif', animatedGif(await filmStory(page, service)));
  await stop();
  await takeStills((await openWindow(file, STILL_WINDOW)).page, save);
}

/** A window with the tree of one connection unfolded, and a server whose tasks go slowly. */
async function openWindow(
  vsix: string,
  { sideBar, ...size }: PersonOptions & { readonly sideBar: number },
): Promise<{ readonly page: Page; readonly service: RunningService }> {
  const frontPort = await usualPort(USUAL_PORTS.front);
  const service = await startService({ profile: 'next', frontPort, tokens: 0, batchDelayMillis: BATCH_MILLIS });
  parts.push(() => service.close());
  const { urn, token } = service.users.admin;
  for (const [name, days] of TOKENS) {
    const expiresAt = days === null ? null : Date.now() + days * MILLIS_PER_DAY;
    service.issueToken({ name, expiresAt, actorUrn: urn, ownerUrn: urn });
  }
  const vscode = await startVSCode({ vsix, settings: SETTINGS });
  parts.push(() => vscode.stop());
  const browser = await openBrowser({ ownFonts: true });
  parts.push(() => browser.close());
  const page = await openWorkbench(await newPerson(browser, { ...size, timeZone: 'UTC' }), vscode);
  await addConnection(page, { address: service.frontUrl, token, name: 'Staging' });
  await widenSideBar(page, sideBar);
  await expandRow(page, 'Access tokens');
  await expandRow(page, 'Time series indices');
  await treeRow(page, /^dataset, datasetProfile/).waitFor();
  // A press outside the tree removes the frame of the row that was opened last.
  await page.locator('.part.editor').click();
  // Says for a few seconds what was done last.
  await page.locator('.statusbar-item', { hasText: /added$/ }).waitFor({ state: 'detached' });
  return { page, service };
}

/** Drags the border of the side bar, because no setting has its width. */
async function widenSideBar(page: Page, width: number): Promise<void> {
  const box = await areaOf(page.locator('.part.sidebar'));
  const [edge, middle] = [box.x + box.width, box.y + box.height / 2];
  await page.mouse.move(edge, middle);
  await page.mouse.down();
  await page.mouse.move(box.x + width, middle, { steps: 5 });
  await page.mouse.up();
}

async function save(name: string, picture: Buffer): Promise<void> {
  await writeFile(join(root, 'media', name), picture);
  console.log(`media/${name}: ${picture.length.toLocaleString('en')} bytes`);
}
