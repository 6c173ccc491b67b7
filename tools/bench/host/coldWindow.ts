import { mkdtemp } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { BrowserContext, Page } from 'playwright-core';
import type { RunningVSCode } from '../../../test/e2e/harness/vscode.ts';
import { openWorkbench } from '../../../test/e2e/harness/workbench.ts';
import { outFolder } from '../../paths.ts';

/** A fresh window that has not activated our extension yet. */
export interface ColdWindow {
  readonly page: Page;
  /** The empty folder that only this window has open. */
  readonly folder: string;
}

/** Opens a window, waits until it is idle, and closes it after the work. */
export async function inColdWindow<T>(
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

export interface Turns<T> {
  readonly ours: readonly T[];
  readonly beside: readonly T[];
}

/**
 * Measures two things in turns, each first in every other turn, so that both run on the same machine.
 * A first turn is not counted, because caches fill in it.
 */
export async function inTurns<T>(rounds: number, ours: () => Promise<T>, beside: () => Promise<T>): Promise<Turns<T>> {
  const found = { ours: [] as T[], beside: [] as T[] };
  const measures = [async () => void found.ours.push(await ours()), async () => void found.beside.push(await beside())];
  for (let round = 0; round <= rounds; round += 1) {
    for (const measure of round % 2 === 0 ? measures : measures.toReversed()) await measure();
    if (round === 0) found.ours.length = found.beside.length = 0;
  }
  return found;
}
