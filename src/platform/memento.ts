/** The part of VS Code's storage that is used (`globalState`, `workspaceState`). */
export interface Memento {
  keys(): readonly string[];
  get<T>(key: string): T | undefined;
  /** Undefined takes the key away. Fulfilled before anything is on disk. */
  update(key: string, value: unknown): Thenable<void>;
}
