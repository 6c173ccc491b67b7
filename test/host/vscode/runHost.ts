// Runs suites in the extension host of VS Code in a browser: starts services and its server, opens its workbench, and
// waits for the end of the suites. A process of its own for each window: services have much to do.
import { appendFileSync } from 'node:fs';
import { format } from 'node:util';
import type { Browser } from 'playwright-core';
import { newPerson, openBrowser, readMessagesAsBytes } from './browser.ts';
import { HOST_MARKS, HOST_VARIABLES } from '../environment.ts';
import { startHostServices } from '../services.ts';
import { codeServer, type Engine } from './codeServer.ts';
import { hostArguments, type HostArguments } from './hostArguments.ts';
import { startProcess, type RunningProcess } from './processes.ts';
import { quickTimeArguments } from './quickTime.ts';

/** Selects the release, `oldest` or `newest`, because the command line is VS Code's own. */
const ENGINE_VARIABLE = 'VSCODE_HOST_ENGINE';

/** File for all output of the workbench. */
const LOG_VARIABLE = 'VSCODE_HOST_LOG';

/** Ends a host that hangs, long after any run. */
const LIMIT_MS = 40 * 60_000;

const interrupted = new Promise<number>((resolve) => {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => resolve(130));
});

try {
  process.exitCode = await runHost(hostArguments(process.argv.slice(2)));
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}

async function runHost(options: HostArguments): Promise<number> {
  const engine: Engine = process.env[ENGINE_VARIABLE] === 'oldest' ? 'oldest' : 'newest';
  const release = await codeServer(engine);
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
      `--user-data-dir=${options.userDataDir}`,
      `--extensions-dir=${options.extensionsDir}`,
      '--disable-workspace-trust',
      // Makes the workbench load the extension under test from its address, and report the output of the suites.
      '--enable-smoke-test-driver',
    ],
    // Terminals have no profile of the developer's.
    env: { ...process.env, HOME: options.userDataDir },
    ready: /Extension host agent listening on (\d+)/,
  });
  const browser = await openBrowser();
  try {
    return await Promise.race([runSuites(server, browser, options), interrupted, limit()]);
  } finally {
    await Promise.allSettled([browser.close(), server.stop(), services.close()]);
  }
}

/** @returns 0 if the suites' `run()` was fulfilled */
async function runSuites(server: RunningProcess, browser: Browser, options: HostArguments): Promise<number> {
  const authority = `127.0.0.1:${server.match[1]}`;
  const remote = (path: string): string => `vscode-remote://${authority}${path}`;
  const logFile = process.env[LOG_VARIABLE];
  const person = await newPerson(browser);
  await readMessagesAsBytes(person);
  const page = await person.newPage();
  const ended = new Promise<number>((resolve, reject) => {
    page.on('crash', () => reject(new Error('The page of the workbench crashed.')));
    void page.exposeFunction('codeAutomationExit', (code: number) => resolve(code));
  });
  await page.exposeFunction('codeAutomationLog', (kind: string, words: unknown[]) => {
    const line = format(...words);
    if (logFile !== undefined) appendFileSync(logFile, `${kind}: ${line}\n`);
    // The workbench prints lines of its own.
    if (Object.values(HOST_MARKS).some((mark) => line.startsWith(`${mark} `))) console.log(line);
  });

  const payload = [
    ...options.extensionDevelopmentPaths.map((path) => ['extensionDevelopmentPath', remote(path)]),
    ['extensionTestsPath', remote(options.extensionTestsPath)],
  ];
  const opened: Record<string, string> = options.folder === undefined ? { ew: 'true' } : { folder: options.folder };
  const query = new URLSearchParams({ ...opened, payload: JSON.stringify(payload) });
  await page.goto(`http://${authority}/?${query.toString()}`);
  return ended;
}

async function limit(): Promise<never> {
  await new Promise((resolve) => setTimeout(resolve, LIMIT_MS).unref());
  throw new Error(`The suites did not end within ${LIMIT_MS / 60_000} minutes.`);
}
