/** VS Code's storages as a window gets them. */
import type * as vscode from 'vscode';
import type { Host } from './host.ts';
import type { Machine } from './machine.ts';

/** VS Code writes this long after an update, and tells the other windows. In ms. */
const WRITTEN_AFTER_MILLIS = 100;

/** All values of an extension, which each window keeps a copy of and writes as one. */
export class SharedState {
  #value: Readonly<Record<string, unknown>> = {};
  readonly #copies = new Set<StateCopy>();

  get value(): Readonly<Record<string, unknown>> {
    return this.#value;
  }

  /** Changes what is stored, as another program does while no window is open. */
  rewrite(change: (json: string) => string): void {
    this.#value = JSON.parse(change(JSON.stringify(this.#value))) as Readonly<Record<string, unknown>>;
  }

  openIn(host: Host): StateCopy {
    const copy = new StateCopy(host, this.#value, (value) => {
      this.#value = value;
      host.machine.written.push(JSON.stringify(value));
      this.#copies.forEach((one) => one.replace(value));
    });
    this.#copies.add(copy);
    return copy;
  }
}

export class StateCopy {
  readonly #host: Host;
  readonly #write: (value: Readonly<Record<string, unknown>>) => void;
  #value: Readonly<Record<string, unknown>>;
  #isWaiting = false;

  constructor(
    host: Host,
    value: Readonly<Record<string, unknown>>,
    write: (value: Readonly<Record<string, unknown>>) => void,
  ) {
    this.#host = host;
    this.#value = value;
    this.#write = write;
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

  /** Writes what waits, as when the window closes. */
  async flush(): Promise<void> {
    if (this.#isWaiting) {
      this.#isWaiting = false;
      await this.#host.write(() => Promise.resolve(this.#write(this.#value)));
    }
  }

  /** Another window wrote. */
  replace(value: Readonly<Record<string, unknown>>): void {
    this.#value = value;
  }
}

/** The system's keychain, which all windows share. */
export function secretStorage(machine: Machine, host: Host): vscode.SecretStorage {
  const listeners = new Set<(event: vscode.SecretStorageChangeEvent) => unknown>();
  const tell = (key: string): void => listeners.forEach((listener) => listener({ key }));
  machine.secretListeners.add(tell);
  const changed = (key: string): void => machine.secretListeners.forEach((one) => one(key));
  return {
    get: (key) => host.read(() => Promise.resolve(machine.secrets.get(key))),
    keys: () => host.read(() => Promise.resolve([...machine.secrets.keys()])),
    store: (key, value) =>
      host.write(() => {
        machine.secrets.set(key, value);
        changed(key);
        return Promise.resolve();
      }),
    delete: (key) =>
      host.write(() => {
        machine.secrets.delete(key);
        changed(key);
        return Promise.resolve();
      }),
    onDidChange: (listener) => {
      const whileAlive = (event: vscode.SecretStorageChangeEvent): unknown =>
        host.isAlive ? listener(event) : undefined;
      listeners.add(whileAlive);
      return { dispose: () => void listeners.delete(whileAlive) } as vscode.Disposable;
    },
  };
}
