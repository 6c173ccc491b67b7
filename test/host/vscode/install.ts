import { createHash } from 'node:crypto';
import { cp, mkdir, mkdtemp, readFile, readdir, rename, rm } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { basename, join } from 'node:path';
import { runNpm } from '../../../tools/npm.ts';
import { cacheFolder } from '../../../tools/paths.ts';

/**
 * Installs a locked package once, below the cache folder, and returns its folder. The name includes a digest of the
 * lock file, so another version of that gets another folder.
 *
 * @param definition folder with `package.json` and `package-lock.json`
 * @param finish steps inside the temporary folder after `npm ci`
 */
export async function installOnce(definition: string, finish: (folder: string) => Promise<void>): Promise<string> {
  const lock = await readFile(join(definition, 'package-lock.json'));
  const { name } = JSON.parse(await readFile(join(definition, 'package.json'), 'utf8')) as { name: string };
  return fillOnce(`${name}-${process.platform}-${process.arch}-${digestOf(lock)}`, async (folder) => {
    console.log(`Installing ${name} into ${basename(cacheFolder)}, once…`);
    await cp(join(definition, 'package.json'), join(folder, 'package.json'));
    await cp(join(definition, 'package-lock.json'), join(folder, 'package-lock.json'));
    await npm(folder, ['ci']);
    await finish(folder);
  });
}

/**
 * Creates a folder below the cache folder unless it exists, and returns its path.
 *
 * It is filled in a temporary folder and renamed when complete, so that an interrupted installation leaves nothing
 * that looks complete, and two at the same time cannot disturb each other.
 */
export async function fillOnce(name: string, fill: (folder: string) => Promise<void>): Promise<string> {
  const folder = join(cacheFolder, name);
  if (existsSync(folder)) return folder;

  await mkdir(cacheFolder, { recursive: true });
  await removeAbandoned();
  const partial = await mkdtemp(join(cacheFolder, `partial-${process.pid}-`));
  try {
    await fill(partial);
    await rename(partial, folder).catch((error: unknown) => {
      // Another process was faster, with the same content.
      if (!existsSync(folder)) throw error;
    });
  } finally {
    await rm(partial, { recursive: true, force: true });
  }
  return folder;
}

/** Eight digits that differ if any of the contents does. */
export function digestOf(...contents: readonly Buffer[]): string {
  const hash = createHash('sha256');
  for (const content of contents) hash.update(content);
  return hash.digest('hex').slice(0, 8);
}

/** Removes temporary folders of processes that have ended. */
async function removeAbandoned(): Promise<void> {
  for (const name of await readdir(cacheFolder)) {
    const pid = /^partial-(\d+)-/.exec(name)?.[1];
    if (pid !== undefined && !isAlive(Number(pid))) await rm(join(cacheFolder, name), { recursive: true, force: true });
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

/**
 * Runs npm in a folder, on the Node.js that runs this.
 *
 * @throws with npm's own words if it fails
 */
export async function npm(
  folder: string,
  npmArguments: readonly string[],
  environment: Record<string, string> = {},
): Promise<void> {
  const options = ['--ignore-scripts', '--engine-strict=false', '--audit=false', '--fund=false', '--loglevel=error'];
  const { status, stdout, stderr } = await runNpm(folder, [...options, ...npmArguments], environment);
  if (status !== 0)
    throw new Error(`npm ${npmArguments.join(' ')} failed in ${folder}:\n${`${stdout}${stderr}`.slice(0, 2000)}`);
}
