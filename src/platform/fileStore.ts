/**
 * Values of one kind, a file each: connections, roles, truncations, batches, remembered tokens, added indices.
 *
 * - A value is on disk before the call ends, and read again on focus and before it is changed: the file is the truth,
 *   and what is in memory is what was read last.
 * - A file says its version. One that can't be read, or that a later version of the extension wrote, is `unreadable`, and
 *   each kind says what that forbids. That of a later version is never rewritten.
 */
import * as l10n from '@vscode/l10n';
import { ServiceFailure } from '../service/failure/failure.ts';
import { parseJson } from '../service/http/json.ts';
import type { Folder } from './folder.ts';

/** Of all files. */
const VERSION = 1;
const ENDING = '.json';

/** `later`: of a later version of the extension. */
export type UnreadableFile = 'damaged' | 'later';

export class FileStore<T extends object> {
  readonly #folder: Folder;
  readonly #parse: (stored: unknown) => T | undefined;
  #values: ReadonlyMap<string, T | UnreadableFile> = new Map();
  #isLoaded = false;
  /** The last of what is done one after the other. */
  #last: Promise<unknown> = Promise.resolve();
  /** A reading that hasn't begun. */
  #next: Promise<void> | undefined;

  /** @param parse Returns undefined for what this version can't have written. */
  constructor(folder: Folder, parse: (stored: unknown) => T | undefined) {
    this.#folder = folder;
    this.#parse = parse;
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
    this.#next ??= this.#inTurn(() => {
      this.#next = undefined;
      return this.#readFiles();
    });
    return this.#next;
  }

  /** By ID. */
  all(): ReadonlyMap<string, T> {
    return new Map(
      [...this.#values].flatMap(([id, value]) => (typeof value === 'string' ? [] : [[id, value] as const])),
    );
  }

  /** By ID. */
  unreadable(): ReadonlyMap<string, UnreadableFile> {
    return new Map(
      [...this.#values].flatMap(([id, value]) => (typeof value === 'string' ? [[id, value] as const] : [])),
    );
  }

  get(id: string): T | undefined {
    const value = this.#values.get(id);
    return typeof value === 'string' ? undefined : value;
  }

  /** @returns false if there is one, of any window. @throws what the file system throws. */
  create(id: string, value: T): Promise<boolean> {
    return this.#inTurn(async () => {
      const isMine = await this.#folder.create(fileName(id), fileText(value));
      if (isMine) {
        this.#know(id, value);
      }
      return isMine;
    });
  }

  /**
   * Replaces a value.
   * @returns false if another window removed it. @throws ServiceFailure `storage` for a file of a later version, and
   * what the file system throws.
   */
  put(id: string, value: T): Promise<boolean> {
    return this.#inTurn(async () => {
      if (this.#values.get(id) === 'later') {
        throw writtenByLaterVersion();
      }
      const isThere = await this.#folder.put(fileName(id), fileText(value));
      this.#know(id, isThere ? value : undefined);
      return isThere;
    });
  }

  /**
   * Changes a value in one turn, so that no other change of this window gets lost.
   * @param change Gets what any window stored last, undefined if there is nothing, and returns what to store. Undefined
   * changes nothing.
   * @returns what was stored. @throws as `put` does.
   */
  change(id: string, change: (current: T | undefined) => T | undefined): Promise<T | undefined> {
    return this.#inTurn(async () => {
      await this.#readFiles();
      const current = this.#values.get(id);
      const changed = change(this.get(id));
      if (changed === undefined) {
        return undefined;
      }
      if (current === 'later') {
        throw writtenByLaterVersion();
      }
      const isWritten =
        current === undefined
          ? await this.#folder.create(fileName(id), fileText(changed))
          : await this.#folder.put(fileName(id), fileText(changed));
      if (isWritten) {
        this.#know(id, changed);
      }
      return isWritten ? changed : undefined;
    });
  }

  /** @returns false if there is none: another window removed it. @throws what the file system throws. */
  remove(id: string): Promise<boolean> {
    return this.#inTurn(async () => {
      const isRemoved = await this.#folder.remove(fileName(id));
      this.#know(id, undefined);
      return isRemoved;
    });
  }

  /** So that no reading that began before a write replaces what was written. */
  #inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    const done = this.#last.then(work);
    this.#last = done.catch(() => undefined);
    return done;
  }

  #know(id: string, value: T | undefined): void {
    const values = new Map(this.#values);
    if (value === undefined) {
      values.delete(id);
    } else {
      values.set(id, value);
    }
    this.#values = values;
  }

  async #readFiles(): Promise<void> {
    const texts = await this.#folder.readAll();
    this.#values = new Map([...texts].map(([name, text]) => [name.slice(0, -ENDING.length), this.#read(text)]));
    this.#isLoaded = true;
  }

  #read(text: string | undefined): T | UnreadableFile {
    const stored = text === undefined ? undefined : parseJson(text);
    if (typeof stored !== 'object' || stored === null || !('v' in stored) || typeof stored.v !== 'number') {
      return 'damaged';
    }
    if (stored.v !== VERSION) {
      return stored.v > VERSION ? 'later' : 'damaged';
    }
    return this.#parse(stored) ?? 'damaged';
  }
}

/** Failure of a change to what only a later version of the extension understands. */
function writtenByLaterVersion(): ServiceFailure {
  return new ServiceFailure(
    'storage',
    l10n.t('A later version of this extension saved this, so nothing was changed.'),
    {
      next: l10n.t('Update the extension.'),
    },
  );
}

function fileName(id: string): string {
  return id + ENDING;
}

function fileText(value: object): string {
  return JSON.stringify({ ...value, v: VERSION });
}
