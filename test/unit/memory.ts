/** A memento as VS Code keeps one: values are stored as JSON, and undefined deletes a key. */
export class Memory {
  readonly #stored = new Map<string, string>();

  keys(): readonly string[] {
    return [...this.#stored.keys()];
  }

  get<T>(key: string): T | undefined;
  get<T>(key: string, otherwise: T): T;
  get<T>(key: string, otherwise?: T): T | undefined {
    const stored = this.#stored.get(key);
    return stored === undefined ? otherwise : (JSON.parse(stored) as T);
  }

  update(key: string, value: unknown): Promise<void> {
    if (value === undefined) {
      this.#stored.delete(key);
    } else {
      this.#stored.set(key, JSON.stringify(value));
    }
    return Promise.resolve();
  }

  /** Everything stored, as text. */
  get text(): string {
    return JSON.stringify([...this.#stored]);
  }
}
