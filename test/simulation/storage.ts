/** The storage of VS Code and the disk, with the ways in which they lose values. */
import type { SecretStorage } from '../../src/connections/credentialStore.ts';
import type { DurableFolder } from '../../src/platform/durableFolder.ts';
import { Emitter } from '../../src/platform/events.ts';
import type { Random } from './random.ts';

/** A window. Promises it awaits never settle once it is dead. */
export interface Host {
  readonly isAlive: () => boolean;
  /** Calls `run` after this many ms while the window is alive. */
  readonly later: (millis: number, run: () => void) => void;
  /** One-way latency between the extension and the workbench, in ms. Higher for a remote machine. */
  readonly latency: number;
}

/** Share of slow writes, as in a network home directory, and their longest delay in ms. */
const SLOW_WRITES = 0.01;
const SLOWEST_WRITE_MILLIS = 40 * 60_000;
/**
 * Share of slow reads from the disk and the keychain. Their longest delay exceeds the limit of a request, so that
 * some are given up.
 */
const SLOW_READS = 0.03;
export const SLOWEST_READ_MILLIS = 3 * 60_000;

/** Folder of durable files. Once `write` has resolved, the file is there, even after a crash. */
export class SharedFolder {
  readonly #random: Random;
  readonly #changed: (name: string, text: string | undefined) => void;
  readonly files = new Map<string, string>();

  /** @param changed called with the new content of a file; undefined: it was deleted */
  constructor(random: Random, changed: (name: string, text: string | undefined) => void) {
    this.#random = random;
    this.#changed = changed;
  }

  openIn(host: Host, failureRate: () => number): DurableFolder {
    const reach = async (slow: number, slowest: number): Promise<void> => {
      await (failureRate() > 0 && this.#random.chance(slow)
        ? late(host, this.#random, slowest)
        : soon(host, this.#random));
      if (this.#random.chance(failureRate())) {
        throw new Error('No space is left.');
      }
    };
    const put = async (name: string, text: string): Promise<void> => {
      this.files.set(name, text);
      this.#changed(name, text);
      // On disk. The window that wrote it learns so a moment later, or dies before.
      await soon(host, this.#random);
    };
    return {
      readAll: async () => {
        await reach(SLOW_READS, SLOWEST_READ_MILLIS);
        return new Map(this.files);
      },
      write: async (name, text) => {
        await reach(SLOW_WRITES, SLOWEST_WRITE_MILLIS);
        await put(name, text);
      },
      create: async (name, text) => {
        await reach(SLOW_WRITES, SLOWEST_WRITE_MILLIS);
        const isNew = !this.files.has(name);
        await (isNew ? put(name, text) : soon(host, this.#random));
        return isNew;
      },
      remove: async (name) => {
        await soon(host, this.#random);
        this.files.delete(name);
        this.#changed(name, undefined);
      },
    };
  }
}

/** Secret storage of the machine. In a browser, no window is notified about changes by another one. */
export class SharedSecrets {
  readonly #random: Random;
  readonly #informsOthers: boolean;
  readonly #windows = new Set<{ readonly host: Host; readonly changed: Emitter<{ key: string }> }>();
  readonly values = new Map<string, string>();

  constructor(random: Random, informsOthers: boolean) {
    this.#random = random;
    this.#informsOthers = informsOthers;
  }

  openIn(host: Host, failureRate: () => number): SecretStorage {
    const changed = new Emitter<{ key: string }>();
    const mine = { host, changed };
    this.#windows.add(mine);
    const act = async <T>(work: () => T): Promise<T> => {
      await (failureRate() > 0 && this.#random.chance(SLOW_READS)
        ? late(host, this.#random, SLOWEST_READ_MILLIS)
        : soon(host, this.#random));
      if (this.#random.chance(failureRate())) {
        throw new Error('The keychain is locked.');
      }
      return work();
    };
    const tell = (key: string): void => {
      for (const window of this.#windows) {
        if (window === mine || this.#informsOthers) {
          window.host.later(this.#random.whole(1, 30), () => window.changed.fire({ key }));
        }
      }
    };
    return {
      get: (key) => act(() => this.values.get(key)),
      store: (key, value) => act(() => void (this.values.set(key, value), tell(key))),
      delete: (key) => act(() => void (this.values.delete(key), tell(key))),
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
