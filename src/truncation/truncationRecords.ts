/**
 * Every truncation that was sent, written down before it is sent (globalState): a window that is closed or crashes a moment
 * later must not lose what it started.
 */
import * as vscode from 'vscode';
import { parseRecord } from './truncationRecord.ts';
import type { TruncationRecord } from './truncationRecord.ts';

export class TruncationRecords implements vscode.Disposable {
  readonly #memory: vscode.Memento;
  readonly #changed = new vscode.EventEmitter<string>();
  /** The id of a connection whose truncations are to be shown anew. */
  readonly onDidChange = this.#changed.event;

  constructor(memory: vscode.Memento) {
    this.#memory = memory;
  }

  /** The latest first. */
  of(connectionId: string): readonly TruncationRecord[] {
    const prefix = key(connectionId, '');
    return this.#memory
      .keys()
      .flatMap((one) => (one.startsWith(prefix) ? (parseRecord(this.#memory.get(one)) ?? []) : []))
      .toSorted((a, b) => b.sentAt - a.sentAt);
  }

  get(connectionId: string, id: string): TruncationRecord | undefined {
    return parseRecord(this.#memory.get(key(connectionId, id)));
  }

  async save(record: TruncationRecord): Promise<void> {
    await this.#memory.update(key(record.connectionId, record.id), record);
    this.#changed.fire(record.connectionId);
  }

  async forget(record: Pick<TruncationRecord, 'connectionId' | 'id'>): Promise<void> {
    await this.#memory.update(key(record.connectionId, record.id), undefined);
    this.#changed.fire(record.connectionId);
  }

  async forgetConnection(connectionId: string): Promise<void> {
    await Promise.all(this.of(connectionId).map((record) => this.forget(record)));
  }

  dispose(): void {
    this.#changed.dispose();
  }
}

function key(connectionId: string, id: string): string {
  return `truncation.${connectionId}.${id}`;
}
