/** The disk and the secret storage, with the ways in which they are slow, fail, and lose values. */
import type { SecretStorage } from '../../src/connections/credentialStore.ts';
import { Emitter } from '../../src/platform/events.ts';
import type { Folder, Folders } from '../../src/platform/folder.ts';
import type { Random } from './random.ts';

/** A window. Promises it awaits never settle once it is dead. */
export interface Host {
  readonly id: number;
  readonly isAlive: () => boolean;
  /** Calls `run` after this many ms while the window is alive. */
  readonly later: (millis: number, run: () => void) => void;
}

/** Share of slow writes, as in a network home directory, and their longest delay in ms. */
const SLOW_WRITES = 0.01;
const SLOWEST_WRITE_MILLIS = 40 * 60_000;
/**
 * Share of slow reads from the disk and the keychain. Their longest delay exceeds the limit of a request, so that
 * some are given up.
 */
const SLOW_READS = 0.03;
const SLOWEST_READ_MILLIS = 3 * 60_000;
/** Share of files that can't be read, of the readings that fail. */
const UNREADABLE_FILES = 0.2;

export type FileKind = Parameters<Folders>[0];

/** The files of all windows. What was written is there, even after a crash. */
export class Disk {
  readonly #random: Random;
  readonly #changed: (kind: FileKind, name: string, text: string | undefined, window: number) => void;
  readonly #folders = new Map<FileKind, Map<string, string>>();

  /** @param changed Called with the new content of a file, undefined if it was removed, and the window's ID. */
  constructor(
    random: Random,
    changed: (kind: FileKind, name: string, text: string | undefined, window: number) => void,
  ) {
    this.#random = random;
    this.#changed = changed;
  }

  openIn(host: Host, failureRate: () => number): Folders {
    return (kind) => this.#folder(kind, host, failureRate);
  }

  #folder(kind: FileKind, host: Host, failureRate: () => number): Folder {
    const random = this.#random;
    const files = this.#filesOf(kind);
    const reach = async (slow: number, slowest: number): Promise<void> => {
      const hangs = failureRate() > 0 && random.chance(slow);
      await (hangs ? late(host, random, slowest) : soon(host, random));
      if (random.chance(failureRate())) {
        throw new Error('No space is left.');
      }
    };
    /** The window that changes a file learns so a moment later, or dies before. */
    const change = async (name: string, text: string | undefined): Promise<void> => {
      if (text === undefined) {
        files.delete(name);
      } else {
        files.set(name, text);
      }
      this.#changed(kind, name, text, host.id);
      await soon(host, random);
    };
    const changeIf = async (isThere: boolean, name: string, text: string | undefined): Promise<boolean> => {
      const mayChange = files.has(name) === isThere;
      await (mayChange ? change(name, text) : soon(host, random));
      return mayChange;
    };
    return {
      readAll: async () => {
        await reach(SLOW_READS, SLOWEST_READ_MILLIS);
        const read = (text: string): string | undefined =>
          failureRate() > 0 && random.chance(failureRate() * UNREADABLE_FILES) ? undefined : text;
        return new Map([...files].map(([name, text]) => [name, read(text)]));
      },
      create: async (name, text) => {
        await reach(SLOW_WRITES, SLOWEST_WRITE_MILLIS);
        return changeIf(false, name, text);
      },
      put: async (name, text) => {
        await reach(SLOW_WRITES, SLOWEST_WRITE_MILLIS);
        // On a real disk, a removal within microseconds isn't noticed.
        return changeIf(true, name, text);
      },
      append: async (name, line) => {
        await reach(SLOW_WRITES, SLOWEST_WRITE_MILLIS);
        const before = files.get(name);
        if (before === undefined) {
          throw Object.assign(new Error('There is no such file.'), { code: 'ENOENT' });
        }
        await change(name, `${before}\n${line}`);
      },
      remove: async (name) => {
        await reach(SLOW_WRITES, SLOWEST_WRITE_MILLIS);
        return changeIf(true, name, undefined);
      },
    };
  }

  #filesOf(kind: FileKind): Map<string, string> {
    const files = this.#folders.get(kind) ?? new Map<string, string>();
    this.#folders.set(kind, files);
    return files;
  }
}

/** Secret storage of VS Code, which its windows share. */
export class SharedSecrets {
  readonly #random: Random;
  readonly #windows = new Set<{ readonly host: Host; readonly changed: Emitter<{ key: string }> }>();
  #values: ReadonlyMap<string, string> = new Map();

  constructor(random: Random) {
    this.#random = random;
  }

  openIn(host: Host, failureRate: () => number): SecretStorage {
    const random = this.#random;
    const changed = new Emitter<{ key: string }>();
    this.#windows.add({ host, changed });
    const act = async <T>(work: () => T): Promise<T> => {
      await (failureRate() > 0 && random.chance(SLOW_READS)
        ? late(host, random, SLOWEST_READ_MILLIS)
        : soon(host, random));
      if (random.chance(failureRate())) {
        throw new Error('The keychain is locked.');
      }
      return work();
    };
    const change = (key: string, value: string | undefined): void => {
      const values = new Map(this.#values);
      if (value === undefined) {
        values.delete(key);
      } else {
        values.set(key, value);
      }
      this.#values = values;
      for (const window of this.#windows) {
        window.host.later(random.whole(1, 30), () => window.changed.fire({ key }));
      }
    };
    return {
      get: (key) => act(() => this.#values.get(key)),
      store: (key, value) => act(() => change(key, value)),
      delete: (key) => act(() => change(key, undefined)),
      onDidChange: changed.event as SecretStorage['onDidChange'],
    };
  }
}

/** Resolves after a moment, or never in a dead window. */
export function soon(host: Host, random: Random): Promise<void> {
  return new Promise((resolve) => host.later(random.whole(0, 6), resolve));
}

function late(host: Host, random: Random, slowest: number): Promise<void> {
  return new Promise((resolve) => host.later(random.whole(0, slowest), resolve));
}
