/**
 * Values that must survive a crash and other windows: each stands in a file of its own and in VS Code's storage, and either
 * counts. The file is safe the moment it is written; the storage follows the person where the folder cannot, such as from one
 * remote machine to another. Of two versions the one with the higher revision is the newer.
 */
import * as v from 'valibot';
import type { DurableFolder } from './durableFolder.ts';
import type { Clock } from '../service/clock.ts';
import { sleep } from '../service/http/retry.ts';
import { parseJson } from '../service/json.ts';
import { MILLIS_PER_DAY } from '../time.ts';
import type { Memento } from './memento.ts';
import { notKept } from './memento.ts';

/** A deletion is written down too, or a window that still has the old value in mind would bring it back. */
const DELETION = v.object({ deletedAt: v.number() });
const VERSION = v.object({
  revision: v.fallback(v.number(), 0),
  /** Random, of the window that wrote it. Undefined: written before this was kept, or where keys are used again. */
  writer: v.fallback(v.optional(v.string()), undefined),
});
const UNKNOWN_VERSION = { revision: 0, writer: undefined };

/** A deletion is remembered for so long: no window holds on to an old value longer. */
const DELETION_REMEMBERED_MILLIS = 30 * MILLIS_PER_DAY;

/**
 * Time in ms for a window in another folder to learn of a change. VS Code writes its storage after 100 ms and passes a change on to
 * other windows 100 ms later; the rest is for a slow connection to a remote machine.
 */
export const SETTLING_MILLIS = 1_000;
const MOST_ANNOUNCEMENTS = 3;

interface Version<T> {
  /** Undefined: deleted. */
  readonly value: T | undefined;
  readonly revision: number;
  readonly deletedAt?: number;
  readonly writer: string | undefined;
}

interface DurableStoreParts<T> {
  readonly folder: DurableFolder;
  readonly memento: Memento;
  /** Of the keys in the storage, and of the names of the files. */
  readonly prefix: string;
  /** What was stored, or undefined when it is damaged. */
  readonly parse: (stored: unknown) => T | undefined;
  readonly clock: Clock;
  /** Whether a value is of no use any more: it is deleted when another one is stored. */
  readonly isStale?: (value: T, now: number) => boolean;
  /** True where no key is used twice: a deletion then counts whatever a window in another folder writes later. */
  readonly deletionIsFinal?: boolean;
}

export class DurableStore<T extends object> {
  readonly #parts: DurableStoreParts<T>;
  readonly #writer = crypto.randomUUID();
  #files: ReadonlyMap<string, Version<T>> = new Map();
  /** What VS Code's storage gives is the same object until it is written anew: it is parsed once. */
  readonly #parsed = new WeakMap<object, Version<T>>();
  /** What this window wrote: a reading that began before is older. */
  readonly #written = new Map<string, Version<T>>();
  #reading: Promise<void> | undefined;
  /** The reading that begins when the one under way is over. */
  #next: Promise<void> | undefined;
  #isLoaded = false;

  constructor(parts: DurableStoreParts<T>) {
    this.#parts = parts;
  }

  /** Reads the files, once. Before that only what is in VS Code's storage is known. Never throws: what cannot be read is not there, or as it was known before. */
  async load(): Promise<void> {
    if (!this.#isLoaded) {
      await (this.#reading ?? this.reload());
    }
  }

  get isLoaded(): boolean {
    return this.#isLoaded;
  }

  /** Reads the files again: another window may have written some. A reading that is under way may have begun before it did. */
  reload(): Promise<void> {
    this.#next ??= (this.#reading ?? Promise.resolve()).then(() => {
      this.#next = undefined;
      this.#reading = this.#read().finally(() => (this.#reading = undefined));
      return this.#reading;
    });
    return this.#next;
  }

  /** Every value by its key, without the prefix. */
  all(): ReadonlyMap<string, T> {
    return new Map(
      [...this.#ids()].flatMap((id) => {
        const value = this.get(id);
        return value === undefined ? [] : [[id, value] as const];
      }),
    );
  }

  get(id: string): T | undefined {
    return this.#newest(id)?.value;
  }

  /** Whether the value is known to have been deleted. False if it was never stored or can't be read. */
  isDeleted(id: string): boolean {
    return this.#newest(id)?.deletedAt !== undefined;
  }

  /** @throws what the file system throws: then nothing was stored, or only what was there before. */
  async put(id: string, value: T): Promise<void> {
    await this.#prune();
    if (this.#parts.deletionIsFinal === true && this.isDeleted(id)) {
      return;
    }
    await this.#write(id, { value });
  }

  /**
   * Stores a value under a key that was never used. Of several windows that share the folder and try at once, one succeeds.
   * @returns false if the key is taken, also by a value that was deleted since. @throws what the file system throws.
   */
  async create(id: string, value: T): Promise<boolean> {
    await this.#prune();
    const version = this.#nextVersion(id, { value });
    const isMine =
      this.#newest(id) === undefined &&
      (await this.#parts.folder.create(this.#fileName(id), JSON.stringify(toStored(version))));
    if (isMine) {
      await this.#announce(id, version);
    }
    return isMine;
  }

  async delete(id: string): Promise<void> {
    await this.#write(id, { value: undefined, deletedAt: this.#parts.clock.now() });
  }

  async #write(id: string, change: Pick<Version<T>, 'value' | 'deletedAt'>): Promise<void> {
    const version = this.#nextVersion(id, change);
    await this.#parts.folder.write(this.#fileName(id), JSON.stringify(toStored(version)));
    await this.#announce(id, version);
  }

  /**
   * Waits until windows in other folders have had the time to learn of what this window wrote last, and reads what they wrote.
   * @returns false if another window wrote the same value meanwhile.
   * @throws ServiceFailure `storage` if VS Code keeps losing it, and `cancelled`.
   */
  async settle(id: string): Promise<boolean> {
    const { clock, memento, prefix } = this.#parts;
    const mine = this.#written.get(id);
    if (mine === undefined) {
      return false;
    }
    for (let tries = 0; tries < MOST_ANNOUNCEMENTS; tries++) {
      // oxlint-disable-next-line no-await-in-loop -- each try is judged before the next
      await sleep(SETTLING_MILLIS, undefined, clock);
      // oxlint-disable-next-line no-await-in-loop
      await this.reload();
      const shared = this.#inMemento(id);
      if (!isSame(this.#newest(id), mine) || (shared !== undefined && shared.revision >= mine.revision)) {
        return isSame(this.#newest(id), mine) && isSame(shared, mine);
      }
      // Another window wrote its whole storage over ours.
      // oxlint-disable-next-line no-await-in-loop
      await memento.update(prefix + id, toStored(mine));
    }
    throw notKept();
  }

  /**
   * Deletes a value if this window wrote it last.
   * @returns whether the key can't be used any more; false if it never was, or is another window's.
   */
  async deleteOwn(id: string): Promise<boolean> {
    await this.reload();
    const isOwn = this.#newest(id)?.writer === this.#writer;
    if (isOwn) {
      await this.delete(id);
    }
    return isOwn;
  }

  /** Stores a value in VS Code's storage at least. @throws what the file system throws if the file could not be written. */
  async keep(id: string, value: T): Promise<void> {
    try {
      await this.put(id, value);
    } catch (thrown) {
      await this.#announce(id, this.#nextVersion(id, { value }));
      throw thrown;
    }
  }

  /** Takes back a value that this window created, and leaves what a window in another folder stored under the same key. */
  async withdraw(id: string): Promise<void> {
    await this.#parts.folder.remove(this.#fileName(id));
    this.#forget(id);
  }

  #forget(id: string): void {
    this.#written.delete(id);
    this.#files = new Map([...this.#files].filter(([one]) => one !== id));
  }

  async #announce(id: string, version: Version<T>): Promise<void> {
    this.#written.set(id, version);
    this.#files = new Map([...this.#files, [id, version]]);
    // Where a key may be used again, a deletion in VS Code's storage would outlive what is stored next in another folder.
    const isKept = version.value !== undefined || this.#parts.deletionIsFinal === true;
    await this.#parts.memento.update(this.#parts.prefix + id, isKept ? toStored(version) : undefined);
  }

  #nextVersion(id: string, change: Pick<Version<T>, 'value' | 'deletedAt'>): Version<T> {
    const writer = this.#parts.deletionIsFinal === true ? this.#writer : undefined;
    return { ...change, revision: (this.#newest(id)?.revision ?? 0) + 1, writer };
  }

  #fileName(id: string): string {
    return `${this.#parts.prefix}${id}.json`;
  }

  #newest(id: string): Version<T> | undefined {
    const inFile = this.#files.get(id);
    const inMemento = this.#inMemento(id);
    if (this.#parts.deletionIsFinal === true) {
      const deletion = [inFile, inMemento].find((one) => one?.deletedAt !== undefined);
      if (deletion !== undefined) {
        return deletion;
      }
    }
    // The file is written first, so of two alike it is the file that was meant.
    return inFile === undefined || (inMemento !== undefined && inMemento.revision > inFile.revision)
      ? inMemento
      : inFile;
  }

  #inMemento(id: string): Version<T> | undefined {
    const stored = this.#parts.memento.get<unknown>(this.#parts.prefix + id);
    if (typeof stored !== 'object' || stored === null) {
      // 0.1.0 wrote removals of connections as plain values.
      return stored === undefined ? undefined : this.#fromStored(stored);
    }
    const version = this.#parsed.get(stored) ?? this.#fromStored(stored);
    if (version !== undefined) {
      this.#parsed.set(stored, version);
    }
    return version;
  }

  /** Of everything that is stored, deletions included. */
  #ids(): ReadonlySet<string> {
    const { memento, prefix } = this.#parts;
    const inMemento = memento.keys().flatMap((key) => (key.startsWith(prefix) ? [key.slice(prefix.length)] : []));
    return new Set([...inMemento, ...this.#files.keys()]);
  }

  async #read(): Promise<void> {
    const { folder, prefix } = this.#parts;
    const texts = await folder.readAll().catch(() => undefined);
    if (texts === undefined) {
      // What was known stays known, and the next one tries again.
      return;
    }
    const known = this.#files;
    const files = new Map(
      [...texts].flatMap(([name, text]) => {
        const id = idOf(prefix, name);
        const version =
          id === undefined ? undefined : text === undefined ? known.get(id) : this.#fromStored(parseJson(text));
        return id === undefined || version === undefined ? [] : [[id, version] as const];
      }),
    );
    for (const [id, written] of this.#written) {
      if (written.revision > (files.get(id)?.revision ?? -1)) {
        files.set(id, written);
      }
    }
    this.#files = files;
    this.#isLoaded = true;
    await this.#adoptDeletions();
  }

  /** Writes deletions of other machines into this folder: VS Code's storage alone may lose them again. */
  async #adoptDeletions(): Promise<void> {
    for (const [id, { deletedAt }] of this.#parts.deletionIsFinal === true ? this.#files : []) {
      const newest = this.#newest(id);
      if (deletedAt === undefined && newest?.deletedAt !== undefined) {
        this.#files = new Map([...this.#files, [id, newest]]);
        // oxlint-disable-next-line no-await-in-loop -- seldom more than one
        await this.#parts.folder.write(this.#fileName(id), JSON.stringify(toStored(newest))).catch(() => undefined);
      }
    }
  }

  #fromStored(stored: unknown): Version<T> | undefined {
    const parsed = v.safeParse(VERSION, stored);
    const version = { ...UNKNOWN_VERSION, ...(parsed.success ? parsed.output : {}) };
    const deletion = v.safeParse(DELETION, stored);
    if (deletion.success) {
      return { ...version, value: undefined, deletedAt: deletion.output.deletedAt };
    }
    const value = this.#parts.parse(stored);
    return value === undefined ? undefined : { ...version, value };
  }

  /** Takes away what is of no use any more, and deletions of long ago. */
  async #prune(): Promise<void> {
    const { folder, memento, prefix, clock, isStale } = this.#parts;
    const now = clock.now();
    const isOver = ({ value, deletedAt }: Version<T>): boolean =>
      deletedAt === undefined
        ? value !== undefined && isStale?.(value, now) === true
        : now - deletedAt > DELETION_REMEMBERED_MILLIS;
    for (const id of this.#ids()) {
      const newest = this.#newest(id);
      if (newest !== undefined && isOver(newest)) {
        // oxlint-disable-next-line no-await-in-loop -- seldom more than one
        await Promise.all([folder.remove(this.#fileName(id)), memento.update(prefix + id, undefined)]).catch(
          () => undefined,
        );
        this.#forget(id);
      }
    }
  }
}

function toStored<T extends object>({ value, revision, deletedAt, writer }: Version<T>): object {
  return value === undefined ? { deletedAt, revision, writer } : { ...value, revision, writer };
}

/** Compares the writer too, since two windows may give the same revision. */
function isSame(one: Version<unknown> | undefined, other: Version<unknown>): boolean {
  return one?.revision === other.revision && one.writer === other.writer;
}

function idOf(prefix: string, name: string): string | undefined {
  return name.startsWith(prefix) && name.endsWith('.json') ? name.slice(prefix.length, -'.json'.length) : undefined;
}
