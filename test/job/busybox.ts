import { execFile } from 'node:child_process';
import { access, constants, copyFile, mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join, resolve } from 'node:path';
import { env } from 'node:process';
import { promisify } from 'node:util';
import { fillOnce } from '../host/vscode/install.ts';

const run = promisify(execFile);

/** Debian's package with one static program: it runs on any Linux of the same processor. */
const PACKAGE = 'busybox-static';

let finding: Promise<string | null> | undefined;

/**
 * Path of busybox: the one that the environment variable BUSYBOX names, or on the PATH, or Debian's, installed once
 * into the cache folder. Null where there is none, as without apt.
 */
export function findBusybox(): Promise<string | null> {
  finding ??= find();
  return finding;
}

async function find(): Promise<string | null> {
  if (env['BUSYBOX']) return resolve(env['BUSYBOX']);
  return (await findProgram('busybox')) ?? (await installBusybox().catch(() => null));
}

/** Path of a program in a folder of the PATH. */
export async function findProgram(name: string): Promise<string | null> {
  const places = (env['PATH'] ?? '').split(delimiter).filter((folder) => folder !== '');
  for (const folder of places) {
    const path = resolve(folder, name);
    const isThere = await access(path, constants.X_OK).then(
      () => true,
      () => false,
    );
    if (isThere) return path;
  }
  return null;
}

/** @throws without apt, its network or the package */
async function installBusybox(): Promise<string> {
  const folder = await fillOnce(`busybox-${process.platform}-${process.arch}`, async (partial) => {
    const scratch = await mkdtemp(join(tmpdir(), 'busybox-'));
    try {
      await copyFile(join(await unpackedPackage(scratch), 'bin', 'busybox'), join(partial, 'busybox'));
    } finally {
      await rm(scratch, { recursive: true, force: true });
    }
  });
  return join(folder, 'busybox');
}

/** Downloads with lists of its own: those of the machine may be missing, old, or only for root to change. */
async function unpackedPackage(scratch: string): Promise<string> {
  const [lists, cache, unpacked] = ['lists', 'cache', 'unpacked'].map((name) => join(scratch, name)) as [
    string,
    string,
    string,
  ];
  await mkdir(join(lists, 'partial'), { recursive: true });
  await mkdir(join(cache, 'archives', 'partial'), { recursive: true });
  const settings = [
    `Dir::State::lists=${lists}`,
    `Dir::Cache=${cache}`,
    'Debug::NoLocking=1',
    'Acquire::Languages=none',
    'Acquire::Retries=1',
    'Acquire::http::Timeout=20',
    'APT::Sandbox::User=root',
  ].flatMap((setting) => ['-o', setting]);
  await run('apt-get', [...settings, 'update'], { cwd: scratch });
  await run('apt-get', [...settings, 'download', PACKAGE], { cwd: scratch });
  const archive = (await readdir(scratch)).find((name) => name.endsWith('.deb')) ?? '';
  await run('dpkg-deb', ['-x', archive, unpacked], { cwd: scratch });
  return unpacked;
}
