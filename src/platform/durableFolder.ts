/**
 * Small files that survive a crash of the window, the extension host or the machine. VS Code's own storage does not: it is written
 * some 100 ms after `Memento.update` says so, and as one value for all keys, so that two windows can undo each other's changes.
 */
import { constants, copyFile, link, lstat, mkdir, open, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';

/** A folder of small texts by name, shared by all windows. */
export interface DurableFolder {
  /** All files, as they are now; undefined: it is there, and cannot be read. @throws what the file system throws for the folder. */
  readAll(): Promise<ReadonlyMap<string, string | undefined>>;
  /** On disk, whole, once it is fulfilled; until then the former text, if there was one, is still there. @throws what the file system throws. */
  write(name: string, text: string): Promise<void>;
  /** The same for a file that isn't there yet. @returns false if it is: of several windows that try at once, one gets true. */
  create(name: string, text: string): Promise<boolean>;
  /** One that is not there is no failure. */
  remove(name: string): Promise<void>;
}

/** Names are made of ids of ours; whatever else lies in the folder is not read. */
const NAME = /^[A-Za-z0-9._-]{1,200}\.json$/;
const TEMPORARY = /\.tmp$/;
/** By each that reads the folder. A process may be allowed no more than a thousand, and what can't be opened seems not to be there. */
const MOST_OPEN = 16;

/** @param path Is made when something is first written. */
export function durableFolder(path: string): DurableFolder {
  return {
    readAll: async () => {
      const names = (await readdir(path).catch(ignoring('ENOENT', []))).filter((name) => NAME.test(name));
      const files: (readonly [string, string | undefined])[] = [];
      while (names.length > 0) {
        const next = names.splice(0, MOST_OPEN);
        // oxlint-disable-next-line no-await-in-loop -- some at a time
        files.push(...(await Promise.all(next.map((name) => readOne(path, name)))).flat());
      }
      return new Map(files);
    },

    write: (name, text) => writeWhole(path, name, text, rename),

    create: async (name, text) => {
      try {
        await writeWhole(path, name, text, linkNew);
        return true;
      } catch (thrown) {
        if (isCode(thrown, 'EEXIST')) {
          return false;
        }
        throw thrown;
      }
    },

    remove: async (name) => {
      assertName(name);
      await rm(join(path, name), { force: true });
    },
  };
}

/** @returns nothing when it was removed since the folder was read. One that cannot be read takes no other along. */
async function readOne(path: string, name: string): Promise<readonly (readonly [string, string | undefined])[]> {
  try {
    return [[name, await readBounded(join(path, name))]];
  } catch (thrown) {
    return isCode(thrown, 'ENOENT') ? [] : [[name, undefined]];
  }
}

/** Larger than any record by far, in bytes. */
const LARGEST_FILE_BYTES = 1024 * 1024;
/** Without these, opening a named pipe waits until something writes to it. Windows has neither. */
const READ_FLAGS = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOFOLLOW ?? 0);

/** @returns undefined for whatever none of our writes can have left there. */
async function readBounded(path: string): Promise<string | undefined> {
  const file = await open(path, READ_FLAGS);
  try {
    const stats = await file.stat();
    return stats.isFile() && stats.size <= LARGEST_FILE_BYTES ? await file.readFile('utf8') : undefined;
  } finally {
    await file.close();
  }
}

/** @param put Gives the whole text its name in one step. */
async function writeWhole(
  path: string,
  name: string,
  text: string,
  put: (temporary: string, file: string) => Promise<void>,
): Promise<void> {
  assertName(name);
  await mkdir(path, { recursive: true, mode: 0o700 });
  await removeLeftovers(path);
  const temporary = join(path, `${name}.${crypto.randomUUID()}.tmp`);
  try {
    await writeThrough(temporary, text);
    await put(temporary, join(path, name));
  } finally {
    await rm(temporary, { force: true }).catch(() => undefined);
  }
  await syncFolder(path);
}

/** @throws RangeError for a name that could lead out of the folder. */
function assertName(name: string): void {
  if (!NAME.test(name)) {
    throw new RangeError('Not the name of a durable file.');
  }
}

/** @throws EEXIST if the file is there. */
async function linkNew(temporary: string, file: string): Promise<void> {
  try {
    await link(temporary, file);
  } catch (thrown) {
    if (isCode(thrown, 'EEXIST')) {
      throw thrown;
    }
    // Some network and container file systems have no hard links.
    await copyFile(temporary, file, constants.COPYFILE_EXCL);
    await syncFile(file);
  }
}

/** A copy is not on disk with what was copied. Windows syncs only what is open for writing. */
async function syncFile(path: string): Promise<void> {
  const file = await open(path, 'r+');
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}

async function writeThrough(path: string, text: string): Promise<void> {
  const file = await open(path, 'wx', 0o600);
  try {
    await file.writeFile(text, 'utf8');
    await file.sync();
  } finally {
    await file.close();
  }
}

/** The rename itself is on disk only with the folder. Windows has no such call, and journals renames. */
async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r').catch(() => undefined);
  await folder?.sync().catch(() => undefined);
  await folder?.close();
}

/** How long a write takes at the very most, in ms: a temporary file that is older was left by a crash. */
const LEFTOVER_MILLIS = 60_000;

/** A temporary file that was left behind was never renamed: nothing was sent for it. */
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

function ignoring<T>(code: string, instead: T): (thrown: unknown) => T {
  return (thrown) => {
    if (isCode(thrown, code)) {
      return instead;
    }
    throw thrown;
  };
}

function isCode(thrown: unknown, code: string): boolean {
  return thrown instanceof Error && 'code' in thrown && thrown.code === code;
}
