/** Small files that survive a crash of the window, the extension host or the machine. */
import { constants, copyFile, link, lstat, mkdir, open, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { MILLIS_PER_DAY } from '../time.ts';

/** Small texts by name, shared by all windows. */
export interface DurableFolder {
  /**
   * Reads all files whose names begin with `prefix`. Undefined for one that can't be read.
   * @throws what the file system throws for the folder.
   */
  readAll(prefix?: string): Promise<ReadonlyMap<string, string | undefined>>;
  /** Replaces a file as a whole. It is on disk once fulfilled. @throws what the file system throws. */
  write(name: string, text: string): Promise<void>;
  /** Writes a new file. @returns true for exactly one of several windows. */
  create(name: string, text: string): Promise<boolean>;
  /** Removes a file, if there is one. */
  remove(name: string): Promise<void>;
}

/** Names consist of our own IDs. Other files are ignored. */
const NAME = /^[A-Za-z0-9._-]{1,200}\.json$/;
const TEMPORARY = /\.tmp$/;
/** Files open at once. Beyond the limit, files look unreadable. */
const MOST_OPEN = 16;

/** @param path Made by the first write. */
export function durableFolder(path: string): DurableFolder {
  return {
    readAll: async (prefix = '') => {
      const names = (await readdir(path).catch(ignoringErrorCode('ENOENT', []))).filter(
        (name) => name.startsWith(prefix) && NAME.test(name),
      );
      const files: (readonly [string, string | undefined])[] = [];
      while (names.length > 0) {
        const next = names.splice(0, MOST_OPEN);
        files.push(...(await Promise.all(next.map((name) => readNamedFile(path, name)))).flat());
      }
      return new Map(files);
    },

    write: (name, text) => writeWholeFile(path, name, text, rename),

    create: async (name, text) => {
      try {
        await writeWholeFile(path, name, text, linkNewFile);
        return true;
      } catch (thrown) {
        if (hasErrorCode(thrown, 'EEXIST')) {
          return false;
        }
        throw thrown;
      }
    },

    remove: async (name) => {
      assertFileName(name);
      await rm(join(path, name), { force: true });
    },
  };
}

/** @returns an empty list if the file was removed meanwhile. */
async function readNamedFile(path: string, name: string): Promise<readonly (readonly [string, string | undefined])[]> {
  try {
    return [[name, await readBounded(join(path, name))]];
  } catch (thrown) {
    return hasErrorCode(thrown, 'ENOENT') ? [] : [[name, undefined]];
  }
}

/** Much larger than any record, in bytes. */
const LARGEST_FILE_BYTES = 1024 * 1024;
/** Opening a named pipe must not wait. Windows has neither flag. */
const READ_FLAGS = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOFOLLOW ?? 0);

/** @returns undefined for anything that our writes can't leave. */
async function readBounded(path: string): Promise<string | undefined> {
  const file = await open(path, READ_FLAGS);
  try {
    const stats = await file.stat();
    return stats.isFile() && stats.size <= LARGEST_FILE_BYTES ? await file.readFile('utf8') : undefined;
  } finally {
    await file.close();
  }
}

/** @param put Moves the temporary file in one step. */
async function writeWholeFile(
  path: string,
  name: string,
  text: string,
  put: (temporary: string, file: string) => Promise<void>,
): Promise<void> {
  assertFileName(name);
  await mkdir(path, { recursive: true, mode: 0o700 });
  await removeLeftovers(path);
  const temporary = join(path, `${name}.${crypto.randomUUID()}.tmp`);
  try {
    await writeAndSync(temporary, text);
    await put(temporary, join(path, name));
  } finally {
    await rm(temporary, { force: true }).catch(() => undefined);
  }
  await syncFolderToDisk(path);
}

/** @throws RangeError for a name that could leave the folder. */
function assertFileName(name: string): void {
  if (!NAME.test(name)) {
    throw new RangeError('Not the name of a durable file.');
  }
}

/** @throws EEXIST if the file is there. */
async function linkNewFile(temporary: string, file: string): Promise<void> {
  try {
    await link(temporary, file);
  } catch (thrown) {
    if (hasErrorCode(thrown, 'EEXIST')) {
      throw thrown;
    }
    // Some network and container file systems have no hard links.
    await copyFile(temporary, file, constants.COPYFILE_EXCL);
    await syncFileToDisk(file);
  }
}

/** Opens for writing, since Windows syncs only such files. */
async function syncFileToDisk(path: string): Promise<void> {
  const file = await open(path, 'r+');
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}

async function writeAndSync(path: string, text: string): Promise<void> {
  const file = await open(path, 'wx', 0o600);
  try {
    await file.writeFile(text, 'utf8');
    await file.sync();
  } finally {
    await file.close();
  }
}

/** Writes a rename to disk. Windows has no such call, but journals renames. */
async function syncFolderToDisk(path: string): Promise<void> {
  const folder = await open(path, 'r').catch(() => undefined);
  await folder?.sync().catch(() => undefined);
  await folder?.close();
}

/** An older temporary file was left by a crash. Long enough for a machine that sleeps during a write, in ms. */
const LEFTOVER_MILLIS = MILLIS_PER_DAY;

/** Removes leftovers of a crash. Nothing was sent for them. */
async function removeLeftovers(path: string): Promise<void> {
  const names = await readdir(path).catch(() => []);
  await Promise.all(names.filter((name) => TEMPORARY.test(name)).map((name) => removeIfOld(join(path, name))));
}

async function removeIfOld(path: string): Promise<void> {
  const leftover = await lstat(path).catch(() => undefined);
  if (leftover !== undefined && Date.now() - leftover.mtimeMs > LEFTOVER_MILLIS) {
    await rm(path, { force: true }).catch(() => undefined);
  }
}

function ignoringErrorCode<T>(code: string, instead: T): (thrown: unknown) => T {
  return (thrown) => {
    if (hasErrorCode(thrown, code)) {
      return instead;
    }
    throw thrown;
  };
}

function hasErrorCode(thrown: unknown, code: string): boolean {
  return thrown instanceof Error && 'code' in thrown && thrown.code === code;
}
