import { existsSync } from 'node:fs';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { installOnce, npm } from './install.ts';

/** Oldest and newest VS Code promised by `engines.vscode`. */
export type Engine = 'oldest' | 'newest';

/** code-server 4.N.P is VS Code 1.N.P. */
const RELEASES: Record<Engine, string> = { oldest: '4.105.1', newest: '4.139.1' };

/** An installed code-server: VS Code's workbench and extension host, served to a browser. */
export type CodeServer = {
  /** The Node.js that this release needs. */
  readonly node: string;
  /**
   * code-server itself: keeps secrets across reloads, and installs packages. The oldest engine's needs native
   * modules.
   */
  readonly entry: string;
  /** The server of VS Code inside: runs an extension under test with its suites, and keeps secrets in memory only. */
  readonly serverMain: string;
  /** Folder of VS Code's own extensions. */
  readonly builtInExtensions: string;
  /** VS Code's version, such as `1.139.1`. */
  readonly version: string;
};

/** Installs the code-server of an engine on first use. */
export async function codeServer(engine: Engine): Promise<CodeServer> {
  const release = RELEASES[engine];
  const folder = await installOnce(fileURLToPath(new URL(release, import.meta.url)), (partial) =>
    finishInstall(partial, engine),
  );
  const packageFolder = join(folder, 'node_modules', 'code-server');
  return {
    node: (await bundledNode(folder)) ?? process.execPath,
    entry: join(packageFolder, 'out', 'node', 'entry.js'),
    serverMain: join(packageFolder, 'lib', 'vscode', 'out', 'server-main.js'),
    builtInExtensions: join(packageFolder, 'lib', 'vscode', 'extensions'),
    version: release.replace(/^4/, '1'),
  };
}

/**
 * The release's own postinstall requires building native modules, none of which are needed. This does its other
 * steps, without the TypeScript of the built-in extensions, which nothing uses.
 */
async function finishInstall(folder: string, engine: Engine): Promise<void> {
  const vscode = join(folder, 'node_modules', 'code-server', 'lib', 'vscode');
  await useWatcherFromRegistry(vscode);
  // Its lock file was made without peer dependencies.
  await npm(vscode, ['ci', '--omit=dev', '--legacy-peer-deps']);
  if (engine === 'newest') await buildFileLogging(vscode);
}

/**
 * 1.105.1 pins `@parcel/watcher` to a Git archive. Its release 2.5.1 has the same JavaScript, and npm installs it
 * from the registry. Everything else stays as locked by the release.
 */
async function useWatcherFromRegistry(vscode: string): Promise<void> {
  const name = '@parcel/watcher';
  const manifestFile = join(vscode, 'package.json');
  const lockFile = join(vscode, 'npm-shrinkwrap.json');
  const manifest = JSON.parse(await readFile(manifestFile, 'utf8')) as Manifest;
  if (!manifest.dependencies?.[name]?.includes('#')) return;
  const lock = JSON.parse(await readFile(lockFile, 'utf8')) as {
    packages: Record<string, Manifest & { version?: string }>;
  };
  const version = '2.5.1';
  manifest.dependencies[name] = version;
  Object.assign(lock.packages['']?.dependencies ?? {}, { [name]: version });
  const { resolved: _resolved, integrity: _integrity, ...entry } = lock.packages[`node_modules/${name}`] ?? {};
  lock.packages[`node_modules/${name}`] = { ...entry, version };
  await writeFile(manifestFile, JSON.stringify(manifest, undefined, 2));
  await writeFile(lockFile, JSON.stringify(lock, undefined, 2));
}

type Manifest = { dependencies?: Record<string, string>; resolved?: string; integrity?: string };

/**
 * Without this native module the server logs to its console instead of files, which is acceptable without a compiler.
 * The headers come with the running Node.js, so nothing is downloaded.
 */
async function buildFileLogging(vscode: string): Promise<void> {
  const module = join(vscode, 'node_modules', '@vscode', 'spdlog');
  try {
    const nodedir = join(process.execPath, '..', '..');
    await npm(vscode, ['rebuild', '@vscode/spdlog', '--ignore-scripts=false'], {
      npm_config_nodedir: nodedir,
      // Optimised compilation takes twice as long, for short logs.
      CXXFLAGS: '-O0',
      npm_config_jobs: 'max',
    });
  } catch {
    // An incomplete build would be worse than none: the server takes any file there for the module.
    await rm(join(module, 'build'), { recursive: true, force: true });
  }
}

async function bundledNode(folder: string): Promise<string | undefined> {
  const { optionalDependencies } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as {
    optionalDependencies?: Record<string, string>;
  };
  const executable = process.platform === 'win32' ? 'node.exe' : 'node';
  return Object.keys(optionalDependencies ?? {})
    .map((name) => join(folder, 'node_modules', name, 'bin', executable))
    .find((path) => existsSync(path));
}
