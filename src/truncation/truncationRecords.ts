/**
 * Every truncation that was sent, written down before it is sent (globalState): a window that is closed or crashes a moment
 * later must not lose what it started.
 */
import * as vscode from 'vscode';
import { onWindowFocus } from '../ui/windowFocus.ts';
import { parseRecord } from './truncationRecord.ts';
import type { TruncationRecord } from './truncationRecord.ts';

const PREFIX = 'truncation.';
/** Ended ones beyond these are forgotten, the oldest first: a list that only grows is read by nobody. */
const MOST_ENDED = 20;

export class TruncationRecords implements vscode.Disposable {
  readonly #memory: vscode.Memento;
  readonly #changed = new vscode.EventEmitter<string>();
  /** The id of a connection whose truncations are to be shown anew. */
  readonly onDidChange = this.#changed.event;
  readonly #focus: vscode.Disposable;
  #seen = '';

  constructor(memory: vscode.Memento) {
    this.#memory = memory;
    this.#seen = this.#fingerprint();
    // Another window may have sent or ended one: VS Code keeps the values in step but says nothing.
    this.#focus = onWindowFocus(() => this.#lookAgain());
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
    const ended = this.of(record.connectionId).filter(({ ending }) => ending !== undefined);
    await Promise.all(ended.slice(MOST_ENDED).map(({ connectionId, id }) => this.#memory.update(key(connectionId, id), undefined)));
    this.#announce(record.connectionId);
  }

  async forget(record: Pick<TruncationRecord, 'connectionId' | 'id'>): Promise<void> {
    await this.#memory.update(key(record.connectionId, record.id), undefined);
    this.#announce(record.connectionId);
  }

  async forgetConnection(connectionId: string): Promise<void> {
    await Promise.all(this.of(connectionId).map((record) => this.forget(record)));
  }

  dispose(): void {
    this.#focus.dispose();
    this.#changed.dispose();
  }

  #announce(connectionId: string): void {
    this.#seen = this.#fingerprint();
    this.#changed.fire(connectionId);
  }

  #lookAgain(): void {
    if (this.#fingerprint() === this.#seen) {
      return;
    }
    const connectionIds = new Set(this.#keys().map((one) => one.split('.')[1] ?? ''));
    for (const connectionId of connectionIds) {
      this.#announce(connectionId);
    }
  }

  #keys(): string[] {
    return this.#memory.keys().filter((one) => one.startsWith(PREFIX));
  }

  #fingerprint(): string {
    return JSON.stringify(this.#keys().map((one) => [one, this.#memory.get(one)]));
  }
}

function key(connectionId: string, id: string): string {
  return `${PREFIX}${connectionId}.${id}`;
}
