/** Rows that the user expanded or collapsed, per workspace: VS Code forgets them when a window reloads. */
import type * as vscode from 'vscode';
import * as v from 'valibot';

const PREFIX = 'expandedRows.';
/** By the ID of a row. */
const STATES = v.record(v.string(), v.boolean());

export class ExpandedRows {
  readonly #memory: vscode.Memento;

  constructor(memory: vscode.Memento) {
    this.#memory = memory;
  }

  /** Undefined for a row that was neither expanded nor collapsed. */
  isExpanded(connectionId: string, rowId: string): boolean | undefined {
    return this.#statesOf(connectionId)[rowId];
  }

  async remember(connectionId: string, rowId: string, isExpanded: boolean): Promise<void> {
    const states = this.#statesOf(connectionId);
    if (states[rowId] !== isExpanded) {
      await this.#memory.update(PREFIX + connectionId, { ...states, [rowId]: isExpanded });
    }
  }

  async forgetConnection(connectionId: string): Promise<void> {
    await this.#memory.update(PREFIX + connectionId, undefined);
  }

  #statesOf(connectionId: string): Readonly<Record<string, boolean>> {
    const parsed = v.safeParse(STATES, this.#memory.get(PREFIX + connectionId));
    return parsed.success ? parsed.output : {};
  }
}
