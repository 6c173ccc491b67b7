// Runs suites in the extension host of VS Code in a browser: starts services and its server, opens its workbench, and
// waits for the end of the suites. A process of its own for each window: services have much to do.
import { appendFileSync } from 'node:fs';
import { format } from 'node:util';
import type { Browser } from 'playwright-core';
import { newPerson, openBrowser, readMessagesAsBytes } from './browser.ts';
import { HOST_MARKS, HOST_VARIABLES } from '../environment.ts';
import { startHostServices } from '../services.ts';
import { codeServer, type Engine } from './codeServer.ts';
import { startProcess, type RunningProcess } from './processes.ts';
import { quickTimeArguments } from './quickTime.ts';

/** The only argument, as JSON. */
export type HostWindow = {
  readonly engine: Engine;
  /** Folder of the extension under test. */
  readonly extension: string;
  /** Program whose `run()` runs the suites. */
  readonly program: string;
  /** Folder to open. */
  readonly folder: string;
  readonly userDataDir: string;
  readonly extensionsDir: string;
  /** File for all output of the workbench. */
  readonly logFile: string;
};

/** Ends a host that hangs, long after any run. */
const LIMIT_MS = 40 * 60_000;

const interrupted = new Promise<number>((resolve) => {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => resolve(130));
});

try {
  process.exitCode = await runHost(JSON.parse(process.argv[2] ?? '') as HostWindow);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}

async function runHost(window: HostWindow): Promise<number> {
  const release = await codeServer(window.engine);
  const services = await startHostServices(process.env[HOST_VARIABLES.context] ?? '');
  const server = await startProcess({
    name: `VS Code ${release.version}`,
    command: release.node,
    arguments: [
      ...quickTimeArguments(),
      release.serverMain,
      '--host=127.0.0.1',
      '--port=0',
      '--without-connection-token',
      '--accept-server-license-terms',
      '--telemetry-level=off',
      `--user-data-dir=${window.userDataDir}`,
      `--extensions-dir=${window.extensionsDir}`,
      '--disable-workspace-trust',
      // Makes the workbench load the extension under test from its address, and report the output of the suites.
      '--enable-smoke-test-driver',
    ],
    // Terminals have no profile of the developer's.
    env: { ...process.env, HOME: window.userDataDir },
    ready: /Extension host agent listening on (\d+)/,
  });
  const browser = await openBrowser();
  try {
    return await Promise.race([runSuites(server, browser, window), interrupted, limit()]);
  } finally {
    await Promise.allSettled([browser.close(), server.stop(), services.close()]);
  }
}

/** @returns 0 if the suites' `run()` was fulfilled */
async function runSuites(server: RunningProcess, browser: Browser, window: HostWindow): Promise<number> {
  const authority = `127.0.0.1:${server.match[1]}`;
  const remote = (path: string): string => `vscode-remote://${authority}${path}`;
  const person = await newPerson(browser);
  await readMessagesAsBytes(person);
  const page = await person.newPage();
  const ended = new Promise<number>((resolve, reject) => {
    page.on('crash', () => reject(new Error('The page of the workbench crashed.')));
    void page.exposeFunction('codeAutomationExit', (code: number) => resolve(code));
  });
  await page.exposeFunction('codeAutomationLog', (kind: string, words: unknown[]) => {
    const line = format(...words);
    appendFileSync(window.logFile, `${kind}: ${line}\n`);
    // The workbench prints lines of its own.
    if (Object.values(HOST_MARKS).some((mark) => line.startsWith(`${mark} `))) console.log(line);
  });

  const payload = [
    ['extensionDevelopmentPath', remote(window.extension)],
    ['extensionTestsPath', remote(window.program)],
  ];
  const query = new URLSearchParams({ folder: window.folder, payload: JSON.stringify(payload) });
  await page.goto(`http://${authority}/?${query.toString()}`);
  return ended;
}

async function limit(): Promise<never> {
  await new Promise((resolve) => setTimeout(resolve, LIMIT_MS).unref());
  throw new Error(`The suites did not end within ${LIMIT_MS / 60_000} minutes.`);
}
