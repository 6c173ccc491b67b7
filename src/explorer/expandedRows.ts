/** Rows that the user expanded or collapsed, per workspace: VS Code forgets them when a window reloads. */
import * as v from 'valibot';
import { parsedAs } from '../json.ts';
import { Storage, type Memento } from '../platform/storage.ts';

/** By the ID of a row. */
const STATES = v.record(v.string(), v.boolean());

export class ExpandedRows {
  readonly #states: Storage<Readonly<Record<string, boolean>>>;

  constructor(workspace: Memento) {
    this.#states = new Storage(workspace, 'expandedRows.', (stored) => parsedAs(STATES, stored));
  }

  /** Undefined for a row that was neither expanded nor collapsed. */
  isExpanded(connectionId: string, rowId: string): boolean | undefined {
    return this.#statesOf(connectionId)[rowId];
  }

  async remember(connectionId: string, rowId: string, isExpanded: boolean): Promise<void> {
    const states = this.#statesOf(connectionId);
    if (states[rowId] !== isExpanded) {
      await this.#states.set(connectionId, { ...states, [rowId]: isExpanded });
    }
  }

  async forgetConnection(connectionId: string): Promise<void> {
    await this.#states.set(connectionId, undefined);
  }

  #statesOf(connectionId: string): Readonly<Record<string, boolean>> {
    return this.#states.get(connectionId) ?? {};
  }
}
