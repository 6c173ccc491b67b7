/** Which connections there are (globalState, shared by all windows) and which one is in use (this workspace). */
import * as vscode from 'vscode';
import { parseConnection } from './connection.ts';
import type { Connection } from './connection.ts';

/** One key a connection: two windows that write at once do not undo each other. */
const KEY = 'connection.';
/** Marks a removal that was said yes to, until nothing of the connection is left. */
const REMOVING = 'removing.';
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
      .filter((key) => key.startsWith(KEY) && !this.#isBeingRemoved(key.slice(KEY.length)))
      .flatMap((key) => parseConnection(this.#shared.get(key)) ?? [])
      .toSorted((a, b) => a.name.localeCompare(b.name) || a.createdAt - b.createdAt);
  }

  get(id: string): Connection | undefined {
    return this.#isBeingRemoved(id) ? undefined : parseConnection(this.#shared.get(KEY + id));
  }

  /** The one that was chosen last here, else the oldest: one that is added, here or in another window, takes no place by its name. */
  inUse(): Connection | undefined {
    const id = this.#workspace.get<unknown>(IN_USE);
    return (typeof id === 'string' ? this.get(id) : undefined) ?? this.all().toSorted((a, b) => a.createdAt - b.createdAt)[0];
  }

  async use(id: string): Promise<void> {
    await this.#workspace.update(IN_USE, id);
    this.#changed.fire();
  }

  async save(connection: Connection): Promise<void> {
    await this.#shared.update(KEY + connection.id, connection);
    this.#announce();
  }

  /** From now on the connection is not there any more, even should this window close before the rest of it is deleted. */
  async beginRemoval(id: string): Promise<void> {
    await this.#shared.update(REMOVING + id, true);
  }

  /** Ids of connections whose removal began and did not end: cut short, or under way in another window. */
  removing(): readonly string[] {
    return this.#shared.keys().flatMap((key) => (key.startsWith(REMOVING) ? [key.slice(REMOVING.length)] : []));
  }

  /** @param keep The removal failed: the connection is there again. */
  async endRemoval(id: string, keep: boolean): Promise<void> {
    if (!keep) {
      await this.#shared.update(KEY + id, undefined);
    }
    await this.#shared.update(REMOVING + id, undefined);
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

  #isBeingRemoved(id: string): boolean {
    return this.#shared.get(REMOVING + id) === true;
  }

  #announce(): void {
    this.#seen = this.#fingerprint();
    this.#changed.fire();
  }

  #fingerprint(): string {
    return JSON.stringify(this.all());
  }
}
