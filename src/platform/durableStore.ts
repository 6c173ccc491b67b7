/**
 * Values that must survive a crash and other windows: each stands in a file of its own and in VS Code's storage, and either
 * counts. The file is safe the moment it is written; the storage follows the person where the folder cannot, such as from one
 * remote machine to another. Of two versions the one with the higher revision is the newer.
 */
import * as v from 'valibot';
import type { DurableFolder } from './durableFolder.ts';
import { parseJson } from '../service/json.ts';
import { MILLIS_PER_DAY } from '../time.ts';
import type { Memento } from './memento.ts';

/** A deletion is written down too, or a window that still has the old value in mind would bring it back. */
const DELETION = v.object({ deletedAt: v.number() });
const REVISION = v.object({ revision: v.fallback(v.number(), 0) });

/** A deletion is remembered for so long: no window holds on to an old value longer. */
const DELETION_REMEMBERED_MILLIS = 30 * MILLIS_PER_DAY;

interface Version<T> {
  /** Undefined: deleted. */
  readonly value: T | undefined;
  readonly revision: number;
  readonly deletedAt?: number;
}

interface DurableStoreParts<T> {
  readonly folder: DurableFolder;
  readonly memento: Memento;
  /** Of the keys in the storage, and of the names of the files. */
  readonly prefix: string;
  /** What was stored, or undefined when it is damaged. */
  readonly parse: (stored: unknown) => T | undefined;
  /** Unix time in ms. */
  readonly now: () => number;
  /** Whether a value is of no use any more: it is deleted when another one is stored. */
  readonly isStale?: (value: T, now: number) => boolean;
}

export class DurableStore<T extends object> {
  readonly #parts: DurableStoreParts<T>;
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
    const ids = new Set([...this.#mementoIds(), ...this.#files.keys()]);
    return new Map(
      [...ids].flatMap((id) => {
        const value = this.get(id);
        return value === undefined ? [] : [[id, value] as const];
      }),
    );
  }

  get(id: string): T | undefined {
    return this.#newest(id)?.value;
  }

  /** @throws what the file system throws: then nothing was stored, or only what was there before. */
  async put(id: string, value: T): Promise<void> {
    await this.#prune();
    await this.#write(id, { value, revision: this.#nextRevision(id) }, value);
  }

  async delete(id: string): Promise<void> {
    await this.#write(
      id,
      { value: undefined, revision: this.#nextRevision(id), deletedAt: this.#parts.now() },
      undefined,
    );
  }

  /** @param inMemento What stands in VS Code's storage from now on; undefined: nothing. */
  async #write(id: string, version: Version<T>, inMemento: T | undefined): Promise<void> {
    const { folder, memento, prefix } = this.#parts;
    await folder.write(fileName(prefix, id), JSON.stringify(toStored(version)));
    this.#written.set(id, version);
    this.#files = new Map([...this.#files, [id, version]]);
    await memento.update(prefix + id, inMemento === undefined ? undefined : toStored(version));
  }

  #nextRevision(id: string): number {
    return (this.#newest(id)?.revision ?? 0) + 1;
  }

  #newest(id: string): Version<T> | undefined {
    const inFile = this.#files.get(id);
    const inMemento = this.#inMemento(id);
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

  #mementoIds(): string[] {
    const { memento, prefix } = this.#parts;
    return memento.keys().flatMap((key) => (key.startsWith(prefix) ? [key.slice(prefix.length)] : []));
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
  }

  #fromStored(stored: unknown): Version<T> | undefined {
    const { revision } = v.is(REVISION, stored) ? v.parse(REVISION, stored) : { revision: 0 };
    const deletion = v.safeParse(DELETION, stored);
    if (deletion.success) {
      return { value: undefined, revision, deletedAt: deletion.output.deletedAt };
    }
    const value = this.#parts.parse(stored);
    return value === undefined ? undefined : { value, revision };
  }

  /** Takes away what is of no use any more, and deletions of long ago. */
  async #prune(): Promise<void> {
    const { folder, memento, prefix, now } = this.#parts;
    const stale = [...this.all()].filter(([, value]) => this.#parts.isStale?.(value, now()) ?? false).map(([id]) => id);
    const forgotten = [...this.#files].flatMap(([id, { deletedAt }]) =>
      deletedAt !== undefined && now() - deletedAt > DELETION_REMEMBERED_MILLIS ? [id] : [],
    );
    for (const id of [...stale, ...forgotten.filter((one) => memento.get(prefix + one) === undefined)]) {
      // oxlint-disable-next-line no-await-in-loop -- seldom more than one
      await Promise.all([folder.remove(fileName(prefix, id)), memento.update(prefix + id, undefined)]).catch(
        () => undefined,
      );
      this.#written.delete(id);
      this.#files = new Map([...this.#files].filter(([one]) => one !== id));
    }
  }
}

function toStored<T extends object>({ value, revision, deletedAt }: Version<T>): object {
  return value === undefined ? { deletedAt, revision } : { ...value, revision };
}

function fileName(prefix: string, id: string): string {
  return `${prefix}${id}.json`;
}

function idOf(prefix: string, name: string): string | undefined {
  return name.startsWith(prefix) && name.endsWith('.json') ? name.slice(prefix.length, -'.json'.length) : undefined;
}
