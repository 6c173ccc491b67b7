import { spawn } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { runTests } from '@vscode/test-electron';
import { outFolder, root } from '../../tools/paths.ts';
import type { PartProgress } from '../../tools/run/progress.ts';
import { addTallies, failedSuite, type Tally } from '../../tools/run/tally.ts';
import { bundleSuites, suiteFile, suiteNames } from './bundle.ts';
import { HOST_MARKS, HOST_VARIABLES } from './environment.ts';
import type { HostResults } from './results.ts';
import { startHostServices } from './services.ts';
import { QUICK_TIME_VARIABLE } from './vscode/quickTime.ts';
import type { Engine } from './vscode/codeServer.ts';
import type { HostWindow } from './vscode/runHost.ts';

/** Host of the suites: the repository's VS Code in the browser, or a downloaded desktop one. */
export type Host = { readonly kind: 'browser' | 'desktop'; readonly engine: Engine };

type HostRunOptions = {
  /** Name of suites, or else an expression that the full title of a test must match. */
  readonly only?: string | undefined;
  readonly progress: PartProgress;
  readonly signal?: AbortSignal;
};

const DESKTOP_VERSIONS: Record<Engine, string> = { oldest: '1.105.1', newest: 'stable' };
const browserHost = fileURLToPath(new URL('vscode/runHost.ts', import.meta.url));

/** Windows that run at the same time, on a host that allows it. Each waits most of the time. */
const WINDOWS = 2;

/** Runs the suites in extension hosts, in several windows where the host allows it. */
export async function runHostSuites(host: Host, options: HostRunOptions): Promise<Tally> {
  const program = await bundleSuites();
  const home = await mkdtemp(join(tmpdir(), 'metadata-service-host-'));
  try {
    const windows = suiteWindows(host, options.only);
    const tallies = await Promise.all(windows.map((window) => runWindow({ host, program, home, options, window })));
    return tallies.length > 0 ? addTallies(tallies) : failedSuite('extension host', 'There is no suite.');
  } finally {
    await rm(home, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  }
}

/** The suites of one window, with services, a profile and a log of its own. */
type SuiteWindow = {
  readonly name: string;
  readonly suites: readonly string[];
  /** Expression that the full title of a test must match. */
  readonly grep?: string | undefined;
};

function suiteWindows(host: Host, only: string | undefined): SuiteWindow[] {
  const named = suiteNames().filter((name) => only !== undefined && name.includes(only));
  const suites = named.length > 0 ? named : suiteNames();
  // A desktop VS Code is one program for all its windows.
  const count = only === undefined && host.kind === 'browser' ? WINDOWS : 1;
  return dealt(suites, count).map((hand, index) => ({
    name: `suites${index === 0 ? '' : `-${index + 1}`}`,
    suites: hand,
    grep: named.length > 0 ? undefined : only,
  }));
}

/** Deals suites so that each hand takes about as long: a longer file takes longer. */
function dealt(suites: readonly string[], count: number): string[][] {
  const hands = Array.from({ length: Math.min(count, suites.length) }, () => ({ suites: [] as string[], bytes: 0 }));
  const sizes = suites.map((suite) => ({ suite, bytes: statSync(suiteFile(suite)).size }));
  for (const { suite, bytes } of sizes.toSorted((a, b) => b.bytes - a.bytes)) {
    const [hand] = hands.toSorted((a, b) => a.bytes - b.bytes);
    hand?.suites.push(suite);
    if (hand) hand.bytes += bytes;
  }
  return hands.map((hand) => hand.suites.toSorted());
}

type WindowRun = {
  readonly host: Host;
  readonly program: string;
  readonly home: string;
  readonly options: HostRunOptions;
  readonly window: SuiteWindow;
};

async function runWindow({ host, program, home, options, window }: WindowRun): Promise<Tally> {
  const { progress } = options;
  const { name, suites, grep } = window;
  const profile = join(home, name);
  const workspace = join(profile, 'workspace');
  const resultsFile = join(profile, 'results.json');
  const logFile = join(outFolder, `host-${host.engine}-${name}.log`);
  await mkdir(workspace, { recursive: true });
  await mkdir(outFolder, { recursive: true });
  await rm(logFile, { force: true });
  await writeUserSettings(join(profile, 'user'));
  const contextFile = join(profile, 'context.json');
  let ending = 'It ended without saying why.';
  const userDataDir = join(profile, 'user');
  const extensionsDir = join(profile, 'extensions');
  const environment = {
    [HOST_VARIABLES.context]: contextFile,
    [HOST_VARIABLES.results]: resultsFile,
    [HOST_VARIABLES.suites]: suites.join(),
    // A user's own, which a terminal keeps.
    NO_PROXY: 'exempt.test',
    ...(grep === undefined ? {} : { [HOST_VARIABLES.grep]: grep }),
  };
  try {
    if (host.kind === 'browser') {
      await runInBrowser(
        { engine: host.engine, extension: root, program, folder: workspace, userDataDir, extensionsDir, logFile },
        { ...environment, [QUICK_TIME_VARIABLE]: join(profile, 'quick-time') },
        options,
      );
    } else {
      const services = await startHostServices(contextFile);
      await runTests({
        version: DESKTOP_VERSIONS[host.engine],
        extensionDevelopmentPath: root,
        extensionTestsPath: program,
        launchArgs: [workspace, `--user-data-dir=${userDataDir}`, `--extensions-dir=${extensionsDir}`],
        extensionTestsEnv: environment,
      }).finally(services.close);
    }
  } catch (error) {
    ending = error instanceof Error ? error.message : String(error);
  }
  if (!existsSync(resultsFile)) return failedSuite(`extension host, ${name}`, `No results were written. ${ending}`);
  const { vscode, passed, skipped, failures } = JSON.parse(await readFile(resultsFile, 'utf8')) as HostResults;
  progress.print(`  VS Code ${vscode}, ${name}: ${passed} passed, ${failures.length} failed`);
  if (passed + skipped + failures.length === 0 && grep === undefined)
    return failedSuite(`extension host, ${name}`, 'No test ran.');
  return { passed, skipped, failures };
}

/**
 * Runs the repository's VS Code in the browser in a process of its own, and reads a line for each test.
 *
 * @throws if a test failed, or if it ended before the last test
 */
async function runInBrowser(
  window: HostWindow,
  environment: Record<string, string>,
  { progress, signal }: HostRunOptions,
): Promise<void> {
  const child = spawn(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', browserHost, JSON.stringify(window)],
    {
      env: { ...process.env, ...environment },
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  const interrupt = (): void => void child.kill('SIGINT');
  signal?.addEventListener('abort', interrupt);
  const lines = createInterface({ input: child.stdout });
  lines.on('line', (line) => {
    const [mark, rest = ''] = [line[0], line.slice(2)];
    if (mark === HOST_MARKS.count) progress.expect(Number(rest));
    else if (mark === HOST_MARKS.passed || mark === HOST_MARKS.skipped) progress.advance(false);
    else if (mark === HOST_MARKS.failed) {
      progress.print(`  ${line}`);
      progress.advance(true);
    } else progress.print(`  ${line}`);
  });
  const code = await new Promise<number | null>((resolve, reject) => child.on('error', reject).on('close', resolve));
  signal?.removeEventListener('abort', interrupt);
  if (code !== 0) throw new Error(`VS Code ended with ${String(code)}.`);
}

/** Nothing opens by itself or asks questions. */
async function writeUserSettings(userFolder: string): Promise<void> {
  await mkdir(join(userFolder, 'User'), { recursive: true });
  const settings = {
    'chat.disableAIFeatures': true,
    'extensions.ignoreRecommendations': true,
    'telemetry.telemetryLevel': 'off',
    'workbench.startupEditor': 'none',
  };
  await writeFile(join(userFolder, 'User', 'settings.json'), JSON.stringify(settings));
}
