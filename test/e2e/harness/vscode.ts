import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { codeServer, type CodeServer } from '../../host/vscode/codeServer.ts';
import { startProcess } from '../../host/vscode/processes.ts';
import { quickTimeArguments } from '../../host/vscode/quickTime.ts';
import { installExtensions } from './installedExtensions.ts';
import { addLanguagePack } from './languagePack.ts';

export type Settings = Readonly<Record<string, unknown>>;

export type VSCodeOptions = {
  /** Packages to install before the start. */
  readonly vsix?: string | readonly string[];
  /** Port on the loopback address. A free one by default. */
  readonly port?: number;
  /** User settings, in addition to calm ones. */
  readonly settings?: Settings;
  /** Keeps workspace trust on: a folder opens in restricted mode until the user trusts it. */
  readonly workspaceTrust?: boolean;
  /** Display language, such as `pt-br`. English by default. VS Code's own texts are always English. */
  readonly language?: string;
  /** Logs everything, for tests that search the log files. */
  readonly traceLog?: boolean;
  /** VS Code's own extensions to start. All of them by default, which are a third of the work of opening a window. */
  readonly builtIn?: readonly string[];
};

/** A VS Code that serves its workbench to browsers, with its own user folder. */
export type RunningVSCode = {
  /** Address without a trailing slash. */
  readonly url: string;
  readonly version: string;
  /** Folder of everything that it writes: user folder, extensions, workspace, logs. Removed by `stop`. */
  readonly home: string;
  /** Settings, storage and logs of its user. */
  readonly userFolder: string;
  /** An empty folder to open. */
  readonly workspace: string;
  /** Last lines of the server's console. */
  output(): string;
  stop(): Promise<void>;
};

/** Nothing opens by itself, asks questions, or calls home. */
const CALM: Settings = {
  'chat.disableAIFeatures': true,
  'extensions.ignoreRecommendations': true,
  'remote.autoForwardPorts': false,
  'telemetry.telemetryLevel': 'off',
  'workbench.colorTheme': 'Dark Modern',
  'workbench.secondarySideBar.defaultVisibility': 'hidden',
  'workbench.startupEditor': 'none',
  'workbench.tips.enabled': false,
};

/**
 * Starts a VS Code on a loopback address.
 *
 * @throws a sentence if the package cannot be installed or the port is in use
 */
export async function startVSCode(options: VSCodeOptions = {}): Promise<RunningVSCode> {
  const release = await codeServer('newest');
  const home = await mkdtemp(join(tmpdir(), 'metadata-service-vscode-'));
  const userFolder = join(home, 'user');
  const workspace = join(home, 'workspace');
  const settingsFile = join(userFolder, 'User', 'settings.json');
  await mkdir(dirname(settingsFile), { recursive: true });
  await mkdir(workspace);
  await writeFile(settingsFile, JSON.stringify({ ...CALM, ...options.settings }, undefined, 2));

  // Its own configuration file, so that the developer's own code-server is neither read nor changed.
  const folders = [
    '--config',
    join(home, 'config.yaml'),
    '--user-data-dir',
    userFolder,
    '--extensions-dir',
    join(home, 'extensions'),
  ];
  await writeFile(join(home, 'config.yaml'), 'auth: none\n');
  const env = { ...withoutOwnVSCode(), XDG_DATA_HOME: join(home, 'data') };
  try {
    await installExtensions(release, [options.vsix ?? []].flat(), join(home, 'extensions'), env);
    if (options.language !== undefined) await addLanguagePack(userFolder, options.language);
    const builtIn = options.builtIn && (await linkBuiltIn(release, options.builtIn, home));
    const server = await startProcess({
      name: `VS Code ${release.version}`,
      command: release.node,
      arguments: [
        ...quickTimeArguments(),
        release.entry,
        ...folders,
        ...argumentsFor(options),
        `--bind-addr=127.0.0.1:${options.port ?? 0}`,
        ...(builtIn === undefined ? [] : ['--builtin-extensions-dir', builtIn]),
      ],
      env,
      ready: /HTTP server listening on (http:\/\/127\.0\.0\.1:\d+)/,
    });
    const [, url = ''] = server.match;
    return {
      url,
      version: release.version,
      home,
      userFolder,
      workspace,
      output: () => server.output(),
      stop: async () => {
        await server.stop();
        await removeFolder(home);
      },
    };
  } catch (error) {
    await removeFolder(home);
    throw error;
  }
}

function argumentsFor(options: VSCodeOptions): string[] {
  return [
    '--auth=none',
    '--disable-telemetry',
    '--disable-update-check',
    '--disable-getting-started-override',
    '--disable-proxy',
    ...(options.workspaceTrust === true ? [] : ['--disable-workspace-trust']),
    ...(options.language === undefined ? [] : ['--locale', options.language]),
    ...(options.traceLog === true ? ['--log', 'trace'] : []),
  ];
}

/** @returns a folder with some built-in extensions of a release */
async function linkBuiltIn(release: CodeServer, names: readonly string[], home: string): Promise<string> {
  const folder = join(home, 'built-in');
  await mkdir(folder);
  for (const name of names) await symlink(join(release.builtInExtensions, name), join(folder, name), 'junction');
  return folder;
}

/** Replaces the settings of a workspace. A window that has it open applies them. */
export async function writeWorkspaceSettings(workspace: string, settings: Settings): Promise<void> {
  const folder = join(workspace, '.vscode');
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'settings.json'), JSON.stringify(settings));
}

function removeFolder(folder: string): Promise<void> {
  // The last process may still write files.
  return rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
}

/** VS Code's own terminal sets variables that would turn code-server into a client of that window. */
function withoutOwnVSCode(): Record<string, string | undefined> {
  const kept = Object.entries(process.env).filter(
    ([name]) => !/^(VSCODE_|CODE_SERVER_|CS_|npm_)|^(PORT|PASSWORD|HASHED_PASSWORD)$/.test(name),
  );
  return Object.fromEntries(kept);
}
