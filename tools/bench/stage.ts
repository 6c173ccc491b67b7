import { readFileSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { BrowserContext, Page } from 'playwright-core';
import { freshPackage } from '../../test/e2e/harness/freshPackage.ts';
import { startVSCode, type RunningVSCode } from '../../test/e2e/harness/vscode.ts';
import { openWorkbench } from '../../test/e2e/harness/workbench.ts';
import { addConnection } from '../../test/e2e/steps/connections.ts';
import { newPerson, openBrowser } from '../../test/host/vscode/browser.ts';
import { startService } from '../../test/service/main.ts';
import { outFolder, root } from '../paths.ts';
import { buildBenchExtensions } from './extensions.ts';
import { watchFields } from './firstField.ts';

/** A VS Code with our package, the extensions to compare with, and a user with a connection to a service. */
export interface BenchStage {
  /** The measured package, and the ID of the extension in it. */
  readonly product: string;
  readonly productId: string;
  /** VS Code's version. */
  readonly version: string;
  /** Opens a window, waits until it is idle, and closes it after the work. */
  inColdWindow<T>(work: (window: ColdWindow) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

/** A fresh window that has not activated our extension yet. */
export interface ColdWindow {
  readonly page: Page;
  /** The empty folder that only this window has open. */
  readonly folder: string;
}

/** High enough for a whole page of tokens and the indices below it. */
const WINDOW = { width: 1280, height: 1600 };

/** VS Code writes the storage of an extension to the disk a moment later. */
const FLUSHED_MS = 1_000;

export async function openBenchStage(): Promise<BenchStage> {
  const undo: (() => Promise<unknown>)[] = [];
  const close = async (): Promise<void> => {
    for (const step of undo.toReversed()) await step();
  };
  try {
    return { ...(await openStage(undo)), close };
  } catch (error) {
    await close().catch(() => undefined);
    throw error;
  }
}

/** @param undo gets what ends each part that was started */
async function openStage(undo: (() => Promise<unknown>)[]): Promise<Omit<BenchStage, 'close'>> {
  const product = await freshPackage();
  const vsix = [product, ...(await buildBenchExtensions())];
  const service = await startService({ rows: 20_000, tokens: 200 });
  undo.push(() => service.close());
  const { url, users } = service;
  const { urn: actor, token } = users.admin;
  // With these the compared extension reaches the service.
  const settings = { 'benchPlain.url': url, 'benchPlain.token': token, 'benchPlain.owner': actor };
  const vscode = await startVSCode({ vsix, settings });
  undo.push(() => vscode.stop());
  const browser = await openBrowser();
  undo.push(() => browser.close());
  const person = await newPerson(browser, WINDOW);
  await watchFields(person);
  await inColdWindow(person, vscode, async ({ page }) => {
    await addConnection(page, { address: url, token, name: 'Bench' });
    await pause(FLUSHED_MS);
  });
  const { publisher, name } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as Record<string, string>;
  return {
    product,
    productId: `${publisher}.${name}`,
    version: vscode.version,
    inColdWindow: (work) => inColdWindow(person, vscode, work),
  };
}

async function inColdWindow<T>(
  person: BrowserContext,
  vscode: RunningVSCode,
  work: (window: ColdWindow) => Promise<T>,
): Promise<T> {
  const folder = await mkdtemp(join(dirname(vscode.workspace), 'cold-'));
  const page = await openWorkbench(person, vscode, folder);
  try {
    await page.evaluate(untilAtRest);
    return await work({ page, folder });
  } catch (error) {
    await page.screenshot({ path: join(outFolder, 'bench-failure.png') });
    throw error;
  } finally {
    // Leaving the page ends the session. Otherwise the server keeps its extension host for a reconnection.
    await page.goto('about:blank');
    await page.close();
  }
}

/** Runs in the page. Resolves once its timers fire on time, or after a limit on a machine that is never idle. */
async function untilAtRest(): Promise<void> {
  const [tickMs, lateMs, ticksNeeded, limitMs] = [50, 15, 40, 15_000];
  const end = performance.now() + limitMs;
  let ticks = 0;
  while (ticks < ticksNeeded && performance.now() < end) {
    const before = performance.now();
    await new Promise((resolve) => setTimeout(resolve, tickMs));
    ticks = performance.now() - before - tickMs > lateMs ? 0 : ticks + 1;
  }
}
