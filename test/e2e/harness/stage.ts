import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { after, afterEach } from 'node:test';
import type { BrowserContext, Page } from 'playwright-core';
import {
  newPerson,
  openBrowser,
  readMessagesAsBytes,
  type BrowserOptions,
  type PersonOptions,
} from '../../host/vscode/browser.ts';
import { QUICK_REFRESH_MS, QUICK_TIME_VARIABLE } from '../../host/vscode/quickTime.ts';
import { outFolder } from '../../../tools/paths.ts';
import { startService, type RunningService } from '../../service/main.ts';
import type { ServiceOptions } from '../../service/options.ts';
import { evidence } from './evidence.ts';
import { freshPackage } from './freshPackage.ts';
import type { EndedTest } from './inOrder.ts';
import { RowDatabase } from './rowDatabase.ts';
import { startVSCode, type RunningVSCode, type VSCodeOptions } from './vscode.ts';
import { openWorkbench } from './workbench.ts';

export type StageOptions = {
  readonly service?: ServiceOptions;
  readonly vscode?: VSCodeOptions;
  readonly browser?: BrowserOptions;
  readonly person?: PersonOptions;
};

/**
 * Everything that a test file needs: a service with its database, a VS Code with the packaged extension, a user, a
 * window.
 */
export type Stage = {
  readonly service: RunningService;
  /** Rows of the service, read and written without its knowledge. */
  readonly database: RowDatabase;
  readonly vscode: RunningVSCode;
  readonly person: BrowserContext;
  readonly page: Page;
};

/** VS Code's own extensions without which it looks different. */
export const THEMES: readonly string[] = ['theme-defaults', 'theme-seti'];

/** Number of rows at the start of the service: enough for several batches, and quick to create. */
const ROWS = 20_000;

/** High enough for the whole tree, because VS Code only renders visible rows. */
const WINDOW: PersonOptions = { width: 1280, height: 1100 };

/**
 * Starts everything. It is stopped after the last test of the file. A failing test leaves screenshots of all windows in
 * `out/e2e`, and prints what they show. Call it once, at the top of a file.
 */
export async function openStage(options: StageOptions = {}): Promise<Stage> {
  const undo: (() => Promise<unknown>)[] = [];
  const close = async (): Promise<void> => {
    for (const step of undo.toReversed()) await step();
  };
  const folder = await mkdtemp(join(tmpdir(), 'metadata-service-stage-'));
  undo.push(() => rm(folder, { recursive: true, force: true }));
  try {
    process.env[QUICK_TIME_VARIABLE] = join(folder, 'quick-time');
    // Creates the sample data while VS Code starts.
    const starting = freshPackage().then((vsix) => startVSCode({ vsix, builtIn: THEMES, ...options.vscode }));
    undo.push(() => starting.then((vscode) => vscode.stop()));
    const file = join(folder, 'service.db');
    const service = await startService({
      rows: ROWS,
      refreshIntervalMillis: QUICK_REFRESH_MS,
      ...options.service,
      database: file,
    });
    undo.push(() => service.close());
    const database = new RowDatabase(file);
    undo.push(() => Promise.resolve(database.close()));
    const browser = await openBrowser(options.browser);
    undo.push(() => browser.close());
    const person = await newPerson(browser, { ...WINDOW, ...options.person });
    await readMessagesAsBytes(person);
    const vscode = await starting;
    const page = await openWorkbench(person, vscode);
    // Before that, the palette does not know the extension's commands.
    await page.locator('.part.activitybar').getByRole('tab', { name: 'DataHub' }).waitFor();
    after(close);
    watchTests(person, vscode);
    return { service, database, vscode, person, page };
  } catch (error) {
    await close().catch(() => undefined);
    throw error;
  }
}

function watchTests(person: BrowserContext, vscode: RunningVSCode): void {
  afterEach(async (context) => {
    const test = context as EndedTest;
    if (test.passed) return;
    await screenshots(person, `${basename(test.filePath ?? '', '.test.ts')} ${test.name}`);
    for (const page of person.pages()) process.stderr.write(`${test.name}\n${await evidence(page, vscode)}\n`);
  });
}

async function screenshots(person: BrowserContext, title: string): Promise<void> {
  const folder = join(outFolder, 'e2e');
  await mkdir(folder, { recursive: true });
  const name = title.replaceAll(/[^\w.-]+/g, '-').slice(0, 100);
  await Promise.all(
    person
      .pages()
      .map((page, index) =>
        page.screenshot({ path: join(folder, `${name}${index === 0 ? '' : `-${index + 1}`}.png`) }),
      ),
  );
}
