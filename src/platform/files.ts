/** Values of one kind, a file each, as this window read them last. All windows share them. */
import { parseJson } from '../service/http/json.ts';
import type { Folder } from './folder.ts';

/** Of all files. */
export const VERSION = 1;
const ENDING = '.json';

/** `later`: of a later version of the extension. */
export type UnreadableFile = 'damaged' | 'later';

interface ReadFile<T> {
  readonly text: string | undefined;
  readonly value: T | UnreadableFile;
}

/**
 * - A value is on disk before a call ends, and read again on focus and before it is changed: the file is the truth, and
 *   what is in memory is what was read last.
 * - A file says its version. One that can't be read, or that a later version of the extension wrote, is `unreadable`, and
 *   each kind says what that forbids. That of a later version is never rewritten.
 */
export abstract class Files<T extends object> {
  protected readonly folder: Folder;
  #files: ReadonlyMap<string, ReadFile<T>> = new Map();
  #isLoaded = false;
  /** The last of what is done one after the other. */
  #last: Promise<unknown> = Promise.resolve();
  /** A reading that hasn't begun. */
  #next: Promise<void> | undefined;

  constructor(folder: Folder) {
    this.folder = folder;
  }

  get isLoaded(): boolean {
    return this.#isLoaded;
  }

  /** Reads the files once. @throws what the file system throws for the folder. */
  async load(): Promise<void> {
    if (!this.#isLoaded) {
      await this.reload();
    }
  }

  /** Reads the files again. @throws what the file system throws for the folder. Then everything stays as it was. */
  reload(): Promise<void> {
    // One that has begun may be too old.
    this.#next ??= this.inTurn(() => {
      this.#next = undefined;
      return this.readFiles();
    });
    return this.#next;
  }

  /** By ID. */
  all(): ReadonlyMap<string, T> {
    return new Map(
      [...this.#files].flatMap(([id, { value }]) => (typeof value === 'string' ? [] : [[id, value] as const])),
    );
  }

  /** By ID. */
  unreadable(): ReadonlyMap<string, UnreadableFile> {
    return new Map(
      [...this.#files].flatMap(([id, { value }]) => (typeof value === 'string' ? [[id, value] as const] : [])),
    );
  }

  get(id: string): T | undefined {
    const value = this.known(id);
    return typeof value === 'string' ? undefined : value;
  }

  /** @returns false if there is none: another window removed it. @throws what the file system throws. */
  remove(id: string): Promise<boolean> {
    return this.inTurn(async () => {
      const isRemoved = await this.folder.remove(fileName(id));
      this.know(id, undefined);
      return isRemoved;
    });
  }

  /** @returns what the text of a file says. */
  protected abstract parseText(id: string, text: string): T | UnreadableFile;

  protected known(id: string): T | UnreadableFile | undefined {
    return this.#files.get(id)?.value;
  }

  protected textOf(id: string): string | undefined {
    return this.#files.get(id)?.text;
  }

  /** So that no reading that began before a write replaces what was written. */
  protected inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    const done = this.#last.then(work);
    this.#last = done.catch(() => undefined);
    return done;
  }

  /** Takes over what was written. @param text Undefined if there is no file. */
  protected know(id: string, text: string | undefined): void {
    const files = new Map(this.#files);
    if (text === undefined) {
      files.delete(id);
    } else {
      files.set(id, this.#read(id, text));
    }
    this.#files = files;
  }

  protected async readFiles(): Promise<void> {
    const texts = await this.folder.readAll();
    this.#files = new Map(
      [...texts].map(([name, text]) => {
        const id = name.slice(0, -ENDING.length);
        return [id, this.#read(id, text)];
      }),
    );
    this.#isLoaded = true;
  }

  #read(id: string, text: string | undefined): ReadFile<T> {
    const before = this.#files.get(id);
    return before !== undefined && before.text === text
      ? before
      : { text, value: text === undefined ? 'damaged' : this.parseText(id, text) };
  }
}

export function fileName(id: string): string {
  return id + ENDING;
}

/** @returns the object with a version that this extension writes, or why there is none. */
export function versionedObject(text: string): object | UnreadableFile {
  const stored = parseJson(text);
  if (typeof stored !== 'object' || stored === null || !('v' in stored) || typeof stored.v !== 'number') {
    return 'damaged';
  }
  return stored.v === VERSION ? stored : stored.v > VERSION ? 'later' : 'damaged';
}
