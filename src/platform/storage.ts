/** VS Code's storage, for what may be lost: a crash or another window can lose what was written last. */

/** The used part of VS Code's `globalState` and `workspaceState`. */
export interface Memento {
  keys(): readonly string[];
  get<T>(key: string): T | undefined;
  /** Undefined deletes the key. Fulfilled before anything is on disk. */
  update(key: string, value: unknown): Thenable<void>;
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
