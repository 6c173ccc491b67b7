/** VS Code's storages as a window gets them. */
import type * as vscode from 'vscode';
import type { Host } from './host.ts';
import type { Machine } from './machine.ts';

/** VS Code writes this long after an update, and tells the other windows. In ms. */
const WRITTEN_AFTER_MILLIS = 100;

type Values = Readonly<Record<string, unknown>>;

/** All values of an extension, which each window keeps a copy of and writes as one. */
export class SharedState {
  /** What is written. */
  value: Values = {};
  readonly copies = new Set<StateCopy>();

  openIn(host: Host): StateCopy {
    return new StateCopy(host, this);
  }
}

/** A memento of one window. */
class StateCopy {
  readonly #host: Host;
  readonly #shared: SharedState;
  #value: Values;
  #isWaiting = false;

  constructor(host: Host, shared: SharedState) {
    this.#host = host;
    this.#shared = shared;
    this.#value = shared.value;
    shared.copies.add(this);
  }

  keys(): readonly string[] {
    return Object.keys(this.#value);
  }

  get(key: string, otherwise?: unknown): unknown {
    return this.#value[key] ?? otherwise;
  }

  update(key: string, value: unknown): Promise<void> {
    const { [key]: _, ...others } = this.#value;
    this.#value = value === undefined ? others : { ...others, [key]: structuredClone(value) };
    if (!this.#isWaiting) {
      this.#isWaiting = true;
      this.#host.after(WRITTEN_AFTER_MILLIS, () => void this.flush());
    }
    return this.#host.read(() => Promise.resolve());
  }

  /** Writes what waits, as when the window closes, and tells the other windows. */
  async flush(): Promise<void> {
    if (this.#isWaiting) {
      this.#isWaiting = false;
      await this.#host.write(() => {
        this.#shared.value = this.#value;
        this.#host.machine.written.push(JSON.stringify(this.#value));
        this.#shared.copies.forEach((copy) => (copy.#value = this.#value));
        return Promise.resolve();
      });
    }
  }
}

/** The system's keychain, which all windows share. */
export function secretStorage(machine: Machine, host: Host): vscode.SecretStorage {
  const listeners = new Set<(event: vscode.SecretStorageChangeEvent) => unknown>();
  const tell = (key: string): void => listeners.forEach((listener) => listener({ key }));
  machine.secretListeners.add(tell);
  const change = (key: string, work: () => unknown): Promise<void> =>
    host.write(() => {
      work();
      machine.secretListeners.forEach((one) => one(key));
      return Promise.resolve();
    });
  return {
    get: (key) => host.read(() => Promise.resolve(machine.secrets.get(key))),
    keys: () => host.read(() => Promise.resolve([...machine.secrets.keys()])),
    store: (key, value) => change(key, () => machine.secrets.set(key, value)),
    delete: (key) => change(key, () => machine.secrets.delete(key)),
    onDidChange: (listener) => {
      const whileAlive = (event: vscode.SecretStorageChangeEvent): unknown =>
        host.isAlive ? listener(event) : undefined;
      listeners.add(whileAlive);
      return { dispose: () => void listeners.delete(whileAlive) } as vscode.Disposable;
    },
  };
}
