/** VS Code's storage, for what may be lost: a crash or another window can lose what was written last. */

/** The used part of VS Code's `globalState` and `workspaceState`. */
export interface Memento {
  keys(): readonly string[];
  get<T>(key: string): T | undefined;
  /** Undefined deletes the key. Fulfilled before anything is on disk. */
  update(key: string, value: unknown): Thenable<void>;
}

/**
 * Writes one value after the other. VS Code sends each write of the global state back to the window it came from, and
 * a write that comes back replaces all values: also one that was set meanwhile, before it is written.
 */
export class QueuedMemento implements Memento {
  readonly #memento: Memento;
  /** Values that aren't written yet, the newest of each key. */
  readonly #waiting = new Map<string, { readonly value: unknown }>();
  #lastWrite: Promise<void> = Promise.resolve();

  constructor(memento: Memento) {
    this.#memento = memento;
  }

  keys(): readonly string[] {
    const waiting = [...this.#waiting].filter(([, { value }]) => value !== undefined).map(([key]) => key);
    const others = this.#memento.keys().filter((key) => !this.#waiting.has(key));
    return [...others, ...waiting];
  }

  get<T>(key: string): T | undefined {
    const waiting = this.#waiting.get(key);
    return waiting === undefined ? this.#memento.get<T>(key) : (waiting.value as T | undefined);
  }

  async update(key: string, value: unknown): Promise<void> {
    const waiting = { value };
    this.#waiting.set(key, waiting);
    const written = this.#lastWrite.then(() => this.#memento.update(key, value));
    this.#lastWrite = written.catch(() => undefined);
    try {
      await written;
    } finally {
      if (this.#waiting.get(key) === waiting) {
        this.#waiting.delete(key);
      }
    }
  }
}

/** Values of one kind in VS Code's storage, by connection or another ID. */
export class Storage<T> {
  readonly #memento: Memento;
  readonly #prefix: string;
  readonly #parse: (stored: unknown) => T | undefined;

  /** @param parse Returns undefined for what is damaged or missing. */
  constructor(memento: Memento, prefix: string, parse: (stored: unknown) => T | undefined) {
    this.#memento = memento;
    this.#prefix = prefix;
    this.#parse = parse;
  }

  /** Of all values, also damaged ones. */
  ids(): readonly string[] {
    const keys = this.#memento.keys().filter((key) => key.startsWith(this.#prefix));
    return keys.map((key) => key.slice(this.#prefix.length));
  }

  get(id: string): T | undefined {
    return this.#parse(this.#memento.get<unknown>(this.#prefix + id));
  }

  /** @param value Undefined deletes it. */
  async set(id: string, value: T | undefined): Promise<void> {
    await this.#memento.update(this.#prefix + id, value);
  }
}
