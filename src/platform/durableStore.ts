/**
 * The one way to store what must survive a crash: truncations, batches, sign-outs, removals of connections, and
 * chosen roles.
 *
 * - Each value is a file of its own, on disk before the call ends. VS Code writes its storage some 100 ms after
 *   `update` is fulfilled, and as one value for all keys, so a crash or another window can lose what was
 *   written last.
 * - Windows of one machine share the files. A local and a remote window share nothing but VS Code's storage, so
 *   it has a copy of every value that both must know. Of two versions, the one with the higher revision is
 *   newer.
 * - A claim is a value that is created: of several windows with the same folder, exactly one succeeds. For
 *   windows with another folder, `settle` waits until they can know of it.
 * - A role is never overwritten: each choice is a new value, so that of two simultaneous ones the stricter holds.
 *   The newest revision would hold here, which is why `ConnectionRoleStore` numbers and copies them itself.
 * - VS Code's storage alone has what may be lost with its last 100 ms: the other fields of connections, which one
 *   is in use, created and superseded tokens, added indices, drafts, rows by age, the clipboard's notes, and
 *   capabilities of servers. Sizes of indices are files without copies: a lost one is measured again the next day.
 */
import * as v from 'valibot';
import { sleep } from '../service/http/waiting.ts';
import { parseJson } from '../service/http/json.ts';
import { type Clock, MILLIS_PER_DAY } from '../time.ts';
import type { DurableFolder } from './durableFolder.ts';
import { valueNotKept, type Memento } from './memento.ts';

/** Stored too, since a window with the old value could bring it back. */
const DELETION = v.object({ deletedAt: v.number() });
const VERSION = v.fallback(
  v.object({
    revision: v.fallback(v.number(), 0),
    /** Random ID of the writing window. Undefined from 0.1.0, or where keys are reused. */
    writer: v.fallback(v.optional(v.string()), undefined),
  }),
  { revision: 0, writer: undefined },
);

/** Deletions are kept this long. No window holds an old value longer. */
const DELETION_REMEMBERED_MILLIS = 30 * MILLIS_PER_DAY;

/**
 * Time for a window with another folder to learn of a change, in ms. VS Code writes its storage after 100 ms,
 * and informs other windows 100 ms later. The rest is for slow connections to a remote machine.
 */
export const SETTLING_MILLIS = 1_000;
const MOST_ANNOUNCEMENTS = 3;

interface StoredValueVersion<T> {
  /** Undefined if deleted. */
  readonly value: T | undefined;
  readonly revision: number;
  readonly deletedAt?: number;
  readonly writer: string | undefined;
}

interface DurableStoreOptions<T> {
  readonly folder: DurableFolder;
  /** Has the copies. Undefined for files without copies and revisions. */
  readonly memento: Memento | undefined;
  /** Prefix of the keys and of the file names. */
  readonly prefix: string;
  /** Returns undefined for a damaged value. Gets undefined for an unreadable one. */
  readonly parse: (stored: unknown) => T | undefined;
  readonly clock: Clock;
  /** True for a useless value, which the next write deletes. */
  readonly isStale?: (value: T, now: number) => boolean;
  /** True if keys are never reused. Then no later write undoes a deletion. */
  readonly deletionIsFinal?: boolean;
}

export class DurableStore<T extends object> {
  readonly #options: DurableStoreOptions<T>;
  readonly #writer = crypto.randomUUID();
  #files: ReadonlyMap<string, StoredValueVersion<T>> = new Map();
  /** VS Code returns the same object until the next write. */
  readonly #parsedVersions = new WeakMap<object, StoredValueVersion<T>>();
  /** Written by this window, perhaps after the current reading began. */
  readonly #written = new Map<string, StoredValueVersion<T>>();
  #reading: Promise<void> | undefined;
  /** The reading that begins after the current one. */
  #next: Promise<void> | undefined;
  #isLoaded = false;

  constructor(options: DurableStoreOptions<T>) {
    this.#options = options;
  }

  /**
   * Reads the files once. Before, only the copies are known. Never throws: unreadable values are missing, or as
   * before.
   */
  async load(): Promise<void> {
    if (!this.#isLoaded) {
      await (this.#reading?.catch(() => undefined) ?? this.reload());
    }
  }

  get isLoaded(): boolean {
    return this.#isLoaded;
  }

  /** Reads changes of other windows. Never throws. */
  reload(): Promise<void> {
    return this.readAgain().catch(() => undefined);
  }

  /**
   * Reads the files again. Waits for the current reading first, since that may be too old.
   * @throws what the file system throws. Then everything stays as it was read before.
   */
  readAgain(): Promise<void> {
    this.#next ??= (this.#reading ?? Promise.resolve())
      .catch(() => undefined)
      .then(() => {
        this.#next = undefined;
        this.#reading = this.#readAllFiles().finally(() => (this.#reading = undefined));
        return this.#reading;
      });
    return this.#next;
  }

  /** Returns all values by their keys, without the prefix. */
  all(): ReadonlyMap<string, T> {
    return new Map(
      [...this.#idsOfAllVersions()].flatMap((id) => {
        const value = this.get(id);
        return value === undefined ? [] : [[id, value] as const];
      }),
    );
  }

  get(id: string): T | undefined {
    return this.#newestVersion(id)?.value;
  }

  /** False for an unknown or unreadable value. */
  isDeleted(id: string): boolean {
    return this.#newestVersion(id)?.deletedAt !== undefined;
  }

  /** @throws what the file system throws. The former value stays. */
  async put(id: string, value: T): Promise<void> {
    await this.#removeOldValues();
    if (this.#options.deletionIsFinal === true && this.isDeleted(id)) {
      return;
    }
    await this.#writeVersion(id, { value });
  }

  /**
   * Stores a value under a new key. Of several windows that share the folder, one succeeds.
   * @returns false if the key is taken, even by a deleted value. @throws what the file system throws.
   */
  async create(id: string, value: T): Promise<boolean> {
    await this.#removeOldValues();
    const version = this.#nextVersion(id, { value });
    const isMine =
      this.#newestVersion(id) === undefined &&
      (await this.#options.folder.create(this.#fileName(id), this.#fileTextOf(version)));
    if (isMine) {
      await this.#copyToMemento(id, version);
    }
    return isMine;
  }

  async delete(id: string): Promise<void> {
    await this.#writeVersion(id, { value: undefined, deletedAt: this.#options.clock.now() });
  }

  async #writeVersion(id: string, change: Pick<StoredValueVersion<T>, 'value' | 'deletedAt'>): Promise<void> {
    const version = this.#nextVersion(id, change);
    await this.#options.folder.write(this.#fileName(id), this.#fileTextOf(version));
    await this.#copyToMemento(id, version);
  }

  /**
   * Waits until windows with other folders can know the value that this window wrote last, and reads their values.
   * @returns false if another window wrote the same key meanwhile.
   * @throws ServiceFailure `storage` if VS Code keeps losing it, and `cancelled`.
   */
  async settle(id: string): Promise<boolean> {
    const { clock, memento, prefix } = this.#options;
    const own = this.#written.get(id);
    if (own === undefined || memento === undefined) {
      return false;
    }
    for (let tries = 0; tries < MOST_ANNOUNCEMENTS; tries++) {
      await sleep(SETTLING_MILLIS, undefined, clock);
      await this.reload();
      const shared = this.#copiedVersion(id);
      if (!isSameVersion(this.#newestVersion(id), own) || (shared !== undefined && shared.revision >= own.revision)) {
        return isSameVersion(this.#newestVersion(id), own) && isSameVersion(shared, own);
      }
      // Lost by the write of another window.
      await memento.update(prefix + id, toStoredForm(own));
    }
    throw valueNotKept();
  }

  /** Deletes a value if this window wrote it last, which uses up its key. */
  async deleteIfOwn(id: string): Promise<void> {
    await this.reload();
    if (this.#newestVersion(id)?.writer === this.#writer) {
      await this.delete(id);
    }
  }

  /** Stores a value at least as a copy. @throws what the file system throws if the file can't be written. */
  async putOrCopy(id: string, value: T): Promise<void> {
    try {
      await this.put(id, value);
    } catch (thrown) {
      await this.#copyToMemento(id, this.#nextVersion(id, { value }));
      throw thrown;
    }
  }

  /** Keeps the copy, which may be another folder's. */
  async removeFile(id: string): Promise<void> {
    await this.#options.folder.remove(this.#fileName(id));
    this.#forgetVersion(id);
  }

  #forgetVersion(id: string): void {
    this.#written.delete(id);
    this.#files = new Map([...this.#files].filter(([one]) => one !== id));
  }

  async #copyToMemento(id: string, version: StoredValueVersion<T>): Promise<void> {
    this.#written.set(id, version);
    this.#files = new Map([...this.#files, [id, version]]);
    // A reusable key's deletion could outlive the next value.
    const isKept = version.value !== undefined || this.#options.deletionIsFinal === true;
    await this.#options.memento?.update(this.#options.prefix + id, isKept ? toStoredForm(version) : undefined);
  }

  #nextVersion(id: string, change: Pick<StoredValueVersion<T>, 'value' | 'deletedAt'>): StoredValueVersion<T> {
    const writer = this.#options.deletionIsFinal === true ? this.#writer : undefined;
    return { ...change, revision: (this.#newestVersion(id)?.revision ?? 0) + 1, writer };
  }

  #fileName(id: string): string {
    return `${this.#options.prefix}${id}.json`;
  }

  #fileTextOf(version: StoredValueVersion<T>): string {
    // Only a copy needs a revision to be compared with.
    const isValueAlone = this.#options.memento === undefined && version.value !== undefined;
    return JSON.stringify(isValueAlone ? version.value : toStoredForm(version));
  }

  #newestVersion(id: string): StoredValueVersion<T> | undefined {
    const inFile = this.#files.get(id);
    const inMemento = this.#copiedVersion(id);
    if (this.#options.deletionIsFinal === true) {
      const deletion = [inFile, inMemento].find((one) => one?.deletedAt !== undefined);
      if (deletion !== undefined) {
        return deletion;
      }
    }
    // Written first, the file wins at the same revision.
    return inFile === undefined || (inMemento !== undefined && inMemento.revision > inFile.revision)
      ? inMemento
      : inFile;
  }

  #copiedVersion(id: string): StoredValueVersion<T> | undefined {
    const stored = this.#options.memento?.get<unknown>(this.#options.prefix + id);
    if (typeof stored !== 'object' || stored === null) {
      // 0.1.0 stored removals of connections as plain values.
      return stored === undefined ? undefined : this.#parseVersion(stored);
    }
    const version = this.#parsedVersions.get(stored) ?? this.#parseVersion(stored);
    if (version !== undefined) {
      this.#parsedVersions.set(stored, version);
    }
    return version;
  }

  /** Returns the keys of all values and deletions. */
  #idsOfAllVersions(): ReadonlySet<string> {
    const { memento, prefix } = this.#options;
    const keys = memento?.keys() ?? [];
    const inMemento = keys.flatMap((key) => (key.startsWith(prefix) ? [key.slice(prefix.length)] : []));
    return new Set([...inMemento, ...this.#files.keys()]);
  }

  async #readAllFiles(): Promise<void> {
    const { folder, prefix } = this.#options;
    const texts = await folder.readAll(prefix);
    const known = this.#files;
    const files = new Map(
      [...texts].flatMap(([name, text]) => {
        const id = idInFileName(prefix, name);
        if (id === undefined) {
          return [];
        }
        const version =
          text === undefined ? (known.get(id) ?? this.#parseVersion(undefined)) : this.#parseVersion(parseJson(text));
        return version === undefined ? [] : [[id, version] as const];
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

  /** Stores copied deletions as files: VS Code may lose them. */
  async #adoptDeletions(): Promise<void> {
    for (const [id, { deletedAt }] of this.#options.deletionIsFinal === true ? this.#files : []) {
      const newest = this.#newestVersion(id);
      if (deletedAt === undefined && newest?.deletedAt !== undefined) {
        this.#files = new Map([...this.#files, [id, newest]]);
        await this.#options.folder.write(this.#fileName(id), this.#fileTextOf(newest)).catch(() => undefined);
      }
    }
  }

  #parseVersion(stored: unknown): StoredValueVersion<T> | undefined {
    const { revision, writer } = v.parse(VERSION, stored);
    const deletion = v.safeParse(DELETION, stored);
    if (deletion.success) {
      return { value: undefined, revision, deletedAt: deletion.output.deletedAt, writer };
    }
    const value = this.#options.parse(stored);
    return value === undefined ? undefined : { value, revision, writer };
  }

  /** Removes stale values and old deletions. */
  async #removeOldValues(): Promise<void> {
    const { folder, memento, prefix, clock, isStale } = this.#options;
    const now = clock.now();
    const isRemovable = ({ value, deletedAt }: StoredValueVersion<T>): boolean =>
      deletedAt === undefined
        ? value !== undefined && isStale?.(value, now) === true
        : now - deletedAt > DELETION_REMEMBERED_MILLIS;
    for (const id of this.#idsOfAllVersions()) {
      const newest = this.#newestVersion(id);
      if (newest !== undefined && isRemovable(newest)) {
        await Promise.all([folder.remove(this.#fileName(id)), memento?.update(prefix + id, undefined)]).catch(
          () => undefined,
        );
        this.#forgetVersion(id);
      }
    }
  }
}

function toStoredForm<T extends object>({ value, revision, deletedAt, writer }: StoredValueVersion<T>): object {
  return value === undefined ? { deletedAt, revision, writer } : { ...value, revision, writer };
}

/** Compares the writer too: windows may share a revision. */
function isSameVersion(one: StoredValueVersion<unknown> | undefined, other: StoredValueVersion<unknown>): boolean {
  return one?.revision === other.revision && one.writer === other.writer;
}

function idInFileName(prefix: string, name: string): string | undefined {
  return name.startsWith(prefix) && name.endsWith('.json') ? name.slice(prefix.length, -'.json'.length) : undefined;
}
