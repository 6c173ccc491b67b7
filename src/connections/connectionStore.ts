/** Which connections there are (globalState, shared by all windows) and which one is in use (this workspace). */
import * as vscode from 'vscode';
import { parseConnection } from './connection.ts';
import type { Connection } from './connection.ts';

/** One key a connection: two windows that write at once do not undo each other. */
const KEY = 'connection.';
const IN_USE = 'connectionInUse';

export class ConnectionStore implements vscode.Disposable {
  readonly #shared: vscode.Memento;
  readonly #workspace: vscode.Memento;
  readonly #changed = new vscode.EventEmitter<void>();
  /** Connections were added, changed or removed, or another one is in use. */
  readonly onDidChange = this.#changed.event;
  #seen = '';

  constructor(shared: vscode.Memento, workspace: vscode.Memento) {
    this.#shared = shared;
    this.#workspace = workspace;
    this.#seen = this.#fingerprint();
  }

  /** All, by name. */
  all(): readonly Connection[] {
    return this.#shared
      .keys()
      .filter((key) => key.startsWith(KEY))
      .flatMap((key) => parseConnection(this.#shared.get(key)) ?? [])
      .toSorted((a, b) => a.name.localeCompare(b.name) || a.createdAt - b.createdAt);
  }

  get(id: string): Connection | undefined {
    return parseConnection(this.#shared.get(KEY + id));
  }

  /** The one that was chosen last here, else the first. */
  inUse(): Connection | undefined {
    const id = this.#workspace.get<unknown>(IN_USE);
    return (typeof id === 'string' ? this.get(id) : undefined) ?? this.all()[0];
  }

  async use(id: string): Promise<void> {
    await this.#workspace.update(IN_USE, id);
    this.#changed.fire();
  }

  async save(connection: Connection): Promise<void> {
    await this.#shared.update(KEY + connection.id, connection);
    this.#announce();
  }

  async remove(id: string): Promise<void> {
    await this.#shared.update(KEY + id, undefined);
    this.#announce();
  }

  /** Another window may have changed what is stored: VS Code keeps the values in step but says nothing. */
  lookAgain(): void {
    if (this.#fingerprint() !== this.#seen) {
      this.#announce();
    }
  }

  dispose(): void {
    this.#changed.dispose();
  }

  #announce(): void {
    this.#seen = this.#fingerprint();
    this.#changed.fire();
  }

  #fingerprint(): string {
    return JSON.stringify(this.all());
  }
}
