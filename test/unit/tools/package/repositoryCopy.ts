/** A copy of the repository, as another machine may have it: in another folder, with other times and modes of its files. */
import { execFile } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, statSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { outFolder, root } from '../../../../tools/paths.ts';

const SOURCE =
  /^(?:src|tools|media|docs|l10n|esbuild\.config\.mjs|\.vscodeignore|(?:package|tsconfig).*\.json|[A-Z]+(?:\.md)?)$/;
const SOURCES = readdirSync(root).filter((name) => SOURCE.test(name));

type LockEntry = { readonly dev?: boolean; readonly optional?: boolean; readonly integrity?: string };
export const LOCK = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
  readonly packages: Readonly<Record<string, LockEntry>>;
};
const DEPENDENCIES = Object.entries(LOCK.packages)
  .filter(([path, { dev, optional }]) => path !== '' && dev !== true && optional !== true)
  .map(([path]) => path);

/**
 * Copies the repository with the dependencies that a bundle may hold. The folder is inside of this repository, so that
 * the tools find the rest in its `node_modules`.
 */
export function copyRepository(): string {
  mkdirSync(outFolder, { recursive: true });
  const folder = mkdtempSync(join(outFolder, 'copy-'));
  for (const path of [...SOURCES, ...DEPENDENCIES]) cpSync(join(root, path), join(folder, path), { recursive: true });
  return folder;
}

/** Gives all files the same old date, and removes permissions. */
export function age(folder: string): void {
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    const path = join(folder, name);
    if (statSync(path).isFile()) chmodSync(path, 0o600);
    utimesSync(path, 1_000_000_000, 1_000_000_000);
  }
}

export async function runIn(folder: string, args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<string> {
  const { stdout } = await promisify(execFile)(process.execPath, ['--disable-warning=ExperimentalWarning', ...args], {
    cwd: folder,
    env: { ...process.env, SOURCE_DATE_EPOCH: '', ...env },
  });
  return stdout;
}
