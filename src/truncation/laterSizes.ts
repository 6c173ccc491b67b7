/** Reads the sizes again once a truncation has ended, and keeps the first that is lower, and each that is lower still. */
import type { Connection } from '../connections/connection.ts';
import type { IndexList } from '../indices/indexList.ts';
import type { IndexTarget } from '../indices/indexName.ts';
import type { IsSettled } from '../indices/sizeHistoryStore.ts';
import { disposeAll } from '../platform/events.ts';
import type { Disposable, Event } from '../platform/events.ts';
import type { TruncationRecord } from './record.ts';
import { isSettled, withLook, withOldSizeMended } from './sizeLook.ts';
import type { TruncationStore } from './truncationStore.ts';

interface LaterSizesParts {
  readonly indexLists: {
    get(connectionId: string): Pick<IndexList, 'loadedAt' | 'refresh' | 'sizeOf'>;
    readonly onDidChange: Event<string>;
  };
  readonly records: Pick<TruncationStore, 'load' | 'of' | 'reload' | 'save' | 'sentTo'>;
  readonly connection: (id: string) => Pick<Connection, 'baseUrl'> | undefined;
  readonly watch: { readonly onDidChange: Event<TruncationRecord> };
}

export class LaterSizes implements Disposable {
  readonly #parts: LaterSizesParts;
  readonly #subscriptions: readonly Disposable[];
  /** Truncations whose end was seen. */
  readonly #ended = new Set<string>();
  /** When the sizes of a connection were loaded that were looked at last. */
  readonly #lookedAt = new Map<string, number>();
  #last: Promise<unknown> = Promise.resolve();

  constructor(parts: LaterSizesParts) {
    this.#parts = parts;
    this.#subscriptions = [
      parts.watch.onDidChange((record) => this.#end(record)),
      parts.indexLists.onDidChange((connectionId) => this.#look(connectionId)),
    ];
  }

  /** For the indices of a connection. */
  async settled(connectionId: string): Promise<IsSettled> {
    await this.#parts.records.load();
    return (target, size, now) => {
      const record = this.#latest(connectionId, target);
      return record === undefined || isSettled(record, size, now);
    };
  }

  /** Fulfilled once all that was seen is written down. */
  async idle(): Promise<void> {
    await this.#last;
  }

  dispose(): void {
    disposeAll(this.#subscriptions);
  }

  #end({ id, connectionId, ending }: TruncationRecord): void {
    if (ending !== undefined && !this.#ended.has(id)) {
      this.#ended.add(id);
      void this.#parts.indexLists.get(connectionId).refresh();
    }
  }

  #look(connectionId: string): void {
    const { loadedAt } = this.#parts.indexLists.get(connectionId);
    if (loadedAt !== undefined && loadedAt !== this.#lookedAt.get(connectionId)) {
      this.#lookedAt.set(connectionId, loadedAt);
      // If it can't be written down, the next sizes are looked at as well.
      this.#last = this.#last.then(() => this.#keep(connectionId, loadedAt)).catch(() => undefined);
    }
  }

  async #keep(connectionId: string, at: number): Promise<void> {
    const { indexLists, records } = this.#parts;
    await records.load();
    // Most sizes change nothing: only then is the disk read again, for what another window wrote.
    if (this.#changed(connectionId, at, indexLists.get(connectionId)).length > 0) {
      await records.reload();
      for (const record of this.#changed(connectionId, at, indexLists.get(connectionId))) {
        await records.save(record);
      }
    }
  }

  #changed(connectionId: string, at: number, list: Pick<IndexList, 'sizeOf'>): TruncationRecord[] {
    const baseUrl = this.#parts.connection(connectionId)?.baseUrl;
    return this.#parts.records
      .of(connectionId)
      .filter((record) => isSentTo(record, baseUrl))
      .flatMap((record) => {
        const size = list.sizeOf(record.plan);
        const isLatest = this.#latest(connectionId, record.plan)?.id === record.id;
        return withOldSizeMended(record, size) ?? (isLatest ? withLook(record, size, at) : undefined) ?? [];
      });
  }

  /** The last truncation of an index on the server of a connection, whichever connection sent it. */
  #latest(connectionId: string, target: IndexTarget): TruncationRecord | undefined {
    const baseUrl = this.#parts.connection(connectionId)?.baseUrl;
    const sent = baseUrl === undefined ? [] : this.#parts.records.sentTo({ id: connectionId, baseUrl }, target);
    return sent.filter((record) => isSentTo(record, baseUrl)).toSorted((a, b) => b.sentAt - a.sentAt)[0];
  }
}

/** The connection may have been another server's. What 0.1.0 wrote doesn't say. */
function isSentTo(record: TruncationRecord, baseUrl: string | undefined): boolean {
  return record.baseUrl === undefined || record.baseUrl === baseUrl;
}
