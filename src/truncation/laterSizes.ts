/** Reads the sizes again once a truncation has ended, and keeps the first that is lower, and each that is lower still. */
import type { Connection } from '../connections/connection.ts';
import type { IndexList } from '../indices/indexList.ts';
import type { IndexName } from '../indices/indexName.ts';
import type { IsSettled } from '../indices/sizeHistoryStore.ts';
import { exactBytes, type ReportedSize } from '../service/indices/indexSize.ts';
import { MILLIS_PER_DAY } from '../time.ts';
import { type Disposable, disposeAll, type Event } from '../platform/events.ts';
import { endOf, type TruncationRecord } from './record.ts';
import type { TruncationStore } from './truncationStore.ts';

/** Older versions took a kilobyte for a megabyte (PROTOCOL.md §9.2). */
const OLD_FACTOR = 1_000;

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
  #latest(connectionId: string, target: IndexName): TruncationRecord | undefined {
    const baseUrl = this.#parts.connection(connectionId)?.baseUrl;
    const sent = baseUrl === undefined ? [] : this.#parts.records.sentTo({ id: connectionId, baseUrl }, target);
    return sent.filter((record) => isSentTo(record, baseUrl)).toSorted((a, b) => b.sentAt - a.sentAt)[0];
  }
}

/** The connection may have been another server's. What 0.1.0 wrote doesn't say. */
function isSentTo(record: TruncationRecord, baseUrl: string | undefined): boolean {
  return record.baseUrl === undefined || record.baseUrl === baseUrl;
}

/**
 * True once the size of an index says how large it is: it is lower than before its last truncation, or a day has passed.
 * @param now Unix time in ms.
 */
export function isSettled(record: TruncationRecord, size: ReportedSize, now: number): boolean {
  const age = now - (endOf(record) ?? record.endedAt ?? record.sentAt);
  // The clock may have been set back since.
  return age >= MILLIS_PER_DAY || age < 0 || (record.ending !== undefined && isLower(record, size));
}

/**
 * The record with a size that was read after the end, if it is lower than any before.
 * @param at When it was read: Unix time in ms.
 */
export function withLook(record: TruncationRecord, size: ReportedSize, at: number): TruncationRecord | undefined {
  const bytes = exactBytes(size);
  const { ending, endedAt, report, laterSize } = record;
  // A reindex lets go of the old index, which keeps its space: the size of the new one says nothing about that.
  const isTelling =
    ending?.kind === 'finished' && report.strategy !== 'reindex' && endedAt !== undefined && at > endedAt;
  return isTelling && bytes !== undefined && isLower(record, size) && bytes < (laterSize?.bytes ?? Infinity)
    ? { ...record, laterSize: { bytes, at } }
    : undefined;
}

/** The record with the size that its server meant, if an older version wrote it down 1,000 times too large. */
export function withOldSizeMended(record: TruncationRecord, { precision }: ReportedSize): TruncationRecord | undefined {
  return precision === 'approximate' && record.sizeBefore !== undefined && record.sizePrecision === undefined
    ? { ...record, sizeBefore: record.sizeBefore / OLD_FACTOR, sizePrecision: 'approximate' }
    : undefined;
}

/** Sizes that may be wrong can't be compared. Records of older versions don't say whether theirs is. */
function isLower({ sizeBefore, sizePrecision }: TruncationRecord, size: ReportedSize): boolean {
  const bytes = exactBytes(size);
  return sizePrecision === 'exact' && sizeBefore !== undefined && bytes !== undefined && bytes < sizeBefore;
}
