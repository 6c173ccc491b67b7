import { setTimeout as pause } from 'node:timers/promises';
import type { BrowserContext } from 'playwright-core';
import { freshPackage } from '../../../test/e2e/harness/freshPackage.ts';
import { startVSCode, type RunningVSCode } from '../../../test/e2e/harness/vscode.ts';
import { addConnection } from '../../../test/e2e/steps/connections.ts';
import { newPerson, openBrowser } from '../../../test/host/vscode/browser.ts';
import { startService, type RunningService } from '../../../test/service/main.ts';
import type { ServiceOptions } from '../../../test/service/options.ts';
import { buildBenchExtensions } from './benchExtensions.ts';
import { inColdWindow, type ColdWindow } from './coldWindow.ts';
import { watchFields } from './usablePage.ts';

/** A VS Code with our package, the extensions to compare with, and a user with a connection to a service. */
export interface BenchStage {
  /** The measured package. */
  readonly product: string;
  readonly service: RunningService;
  /** VS Code's version. */
  readonly version: string;
  inColdWindow<T>(work: (window: ColdWindow) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

/** High enough for a whole page of tokens and the indices below it. */
const WINDOW = { width: 1280, height: 1600 };

/** VS Code writes the storage of an extension to the disk a moment later. */
const FLUSHED_MS = 1_000;

export async function openBenchStage(rows: ServiceOptions = { rows: 20_000, tokens: 200 }): Promise<BenchStage> {
  const undo: (() => Promise<unknown>)[] = [];
  const close = async (): Promise<void> => {
    for (const step of undo.toReversed()) await step();
  };
  try {
    const product = await freshPackage();
    const vsix = [product, ...(await buildBenchExtensions())];
    const service = await startService(rows);
    undo.push(() => service.close());
    const vscode = await startVSCode({ vsix, settings: plainSettings(service) });
    undo.push(() => vscode.stop());
    const browser = await openBrowser();
    undo.push(() => browser.close());
    const person = await newPerson(browser, WINDOW);
    await watchFields(person);
    await connect(person, vscode, service);
    return {
      product,
      service,
      version: vscode.version,
      inColdWindow: (work) => inColdWindow(person, vscode, work),
      close,
    };
  } catch (error) {
    await close().catch(() => undefined);
    throw error;
  }
}

/** Settings with which the compared extension reaches the service. */
function plainSettings({ url, users: { admin } }: RunningService): Record<string, string> {
  return { 'benchPlain.url': url, 'benchPlain.token': admin.token, 'benchPlain.owner': admin.urn };
}

function connect(
  person: BrowserContext,
  vscode: RunningVSCode,
  { url, users: { admin } }: RunningService,
): Promise<void> {
  return inColdWindow(person, vscode, async ({ page }) => {
    await addConnection(page, { address: url, actor: admin.urn, token: admin.token, name: 'Bench' });
    await pause(FLUSHED_MS);
  });
}
