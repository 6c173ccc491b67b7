/** Small files that survive a crash of the window, the extension host or the machine. All windows share them. */
import { constants, copyFile, link, lstat, mkdir, open, readdir, readFile, rename, rm, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { MILLIS_PER_SECOND } from '../time.ts';

export interface Folder {
  /**
   * Reads all files. Undefined for one that can't be read.
   * @throws what the file system throws for the folder.
   */
  readAll(): Promise<ReadonlyMap<string, string | undefined>>;
  /** Writes a new file as a whole. @returns true for exactly one of several windows. */
  create(name: string, text: string): Promise<boolean>;
  /**
   * Replaces a file as a whole. It is on disk once fulfilled.
   * @returns false if there is none: another window removed it. One that is removed at that moment may come back.
   */
  put(name: string, text: string): Promise<boolean>;
  /**
   * Adds a line to a file. It begins with a newline, so that a line that a crash tore spoils only itself.
   * @param line Without a newline. @throws ENOENT if there is no such file.
   */
  append(name: string, line: string): Promise<void>;
  /** @returns true for the one window that removed it. */
  remove(name: string): Promise<boolean>;
}

/** One for each kind of value. */
export type Folders = (kind: 'connections' | 'roles' | 'jobs' | 'tokens' | 'addedIndices' | 'sizes') => Folder;

export function foldersIn(path: string): Folders {
  return (kind) => folderAt(join(path, kind));
}

/** Names consist of our own IDs. Other files are ignored. */
const NAME = /^[A-Za-z0-9._-]{1,200}\.json$/;
/** Files open at once. Beyond a system's limit, such as 256, files would look unreadable. */
const MOST_OPEN = 32;

/** @param path Made by the first write. */
export function folderAt(path: string): Folder {
  let isKnown = false;
  return {
    readAll: async () => {
      // One that was there is gone with its disk, not with its files.
      const found = await (isKnown ? readdir(path) : readdir(path).catch(ignoringErrorCode('ENOENT', undefined)));
      isKnown = found !== undefined;
      const names = (found ?? []).filter((name) => NAME.test(name));
      const files: (readonly [string, string | undefined])[] = [];
      while (names.length > 0) {
        const next = names.splice(0, MOST_OPEN);
        files.push(...(await Promise.all(next.map((name) => readNamedFile(path, name)))).flat());
      }
      return new Map(files);
    },

    create: (name, text) =>
      writeWholeFile(path, name, text, (temporary, file) =>
        linkNewFile(temporary, file).then(() => true, ignoringErrorCode('EEXIST', false)),
      ),

    put: (name, text) =>
      writeWholeFile(path, name, text, async (temporary, file) => {
        const isThere = await lstat(file).then(() => true, ignoringErrorCode('ENOENT', false));
        if (isThere) {
          await renamePatiently(temporary, file);
        }
        return isThere;
      }),

    append: async (name, line) => appendLine(join(path, checkedName(name)), line),

    remove: async (name) => {
      const isRemoved = await unlink(join(path, checkedName(name))).then(
        () => true,
        ignoringErrorCode('ENOENT', false),
      );
      await syncFolderToDisk(path);
      return isRemoved;
    },
  };
}

/** @returns an empty list if the file was removed meanwhile. */
async function readNamedFile(path: string, name: string): Promise<readonly (readonly [string, string | undefined])[]> {
  try {
    return [[name, await readFile(join(path, name), 'utf8')]];
  } catch (thrown) {
    return hasErrorCode(thrown, 'ENOENT') ? [] : [[name, undefined]];
  }
}

/** @param move Moves the temporary file in one step. */
async function writeWholeFile(
  path: string,
  name: string,
  text: string,
  move: (temporary: string, file: string) => Promise<boolean>,
): Promise<boolean> {
  const file = join(path, checkedName(name));
  await mkdir(path, { recursive: true, mode: 0o700 });
  const temporary = join(path, `${name}.${crypto.randomUUID()}.tmp`);
  let isWritten: boolean;
  try {
    await writeAndSync(temporary, text);
    isWritten = await move(temporary, file);
  } finally {
    await rm(temporary, { force: true }).catch(() => undefined);
  }
  await syncFolderToDisk(path);
  return isWritten;
}

/** @throws RangeError for a name that could leave the folder. */
function checkedName(name: string): string {
  if (!NAME.test(name)) {
    throw new RangeError('Not the name of a file of ours.');
  }
  return name;
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

/** On Windows, another window or a virus scanner that reads the file refuses its replacement for a moment, in ms. */
const LONGEST_REFUSAL_MILLIS = MILLIS_PER_SECOND;
const REFUSAL_PAUSE_MILLIS = 20;

async function renamePatiently(temporary: string, file: string): Promise<void> {
  const start = performance.now();
  for (;;) {
    try {
      return await rename(temporary, file);
    } catch (thrown) {
      const isRefused = ['EPERM', 'EACCES', 'EBUSY'].some((code) => hasErrorCode(thrown, code));
      if (process.platform !== 'win32' || !isRefused || performance.now() - start > LONGEST_REFUSAL_MILLIS) {
        throw thrown;
      }
      await pause(REFUSAL_PAUSE_MILLIS);
    }
  }
}

async function appendLine(path: string, line: string): Promise<void> {
  // Without O_CREAT, so that nothing comes back that was removed.
  const file = await open(path, constants.O_WRONLY | constants.O_APPEND);
  try {
    // One write, since lines of other windows may come in between two.
    await file.writeFile(`\n${line}`);
    await file.sync();
  } finally {
    await file.close();
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

function ignoringErrorCode<T>(code: string, instead: T): (thrown: unknown) => T {
  return (thrown) => {
    if (hasErrorCode(thrown, code)) {
      return instead;
    }
    throw thrown;
  };
}

export function hasErrorCode(thrown: unknown, code: string): boolean {
  return thrown instanceof Error && 'code' in thrown && thrown.code === code;
}
