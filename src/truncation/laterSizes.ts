/**
 * Reads index sizes again after a truncation has ended, and stores each new minimum. Sizes say little until
 * files are merged.
 */
import type { Connection } from '../connections/connection.ts';
import type { IndexList } from '../indices/indexList.ts';
import type { IndexName } from '../indices/indexName.ts';
import type { SettledSizeCheck } from '../indices/sizeHistory.ts';
import { exactBytes, type ReportedIndexSize } from '../service/indices/indexSize.ts';
import { MILLIS_PER_DAY } from '../time.ts';
import { type Disposable, disposeAll, type Event } from '../platform/events.ts';
import { taskEndTime, type TruncationRecord } from './record.ts';
import type { TruncationStore } from './truncationStore.ts';

interface LaterSizesParts {
  readonly indexLists: {
    get(connectionId: string): Pick<IndexList, 'loadedAt' | 'refresh' | 'reportedSizeOf'>;
    readonly onDidChange: Event<string>;
  };
  readonly records: Pick<TruncationStore, 'load' | 'of' | 'reload' | 'saveCounted' | 'sentTo'>;
  readonly connection: (id: string) => Pick<Connection, 'baseUrl'> | undefined;
  readonly watch: { readonly onDidChange: Event<TruncationRecord> };
}

export class LaterSizes implements Disposable {
  readonly #parts: LaterSizesParts;
  readonly #subscriptions: readonly Disposable[];
  /** IDs of truncations whose end was seen. */
  readonly #ended = new Set<string>();
  /** Load time of the last processed sizes, by connection. */
  readonly #lookedAt = new Map<string, number>();
  #last: Promise<unknown> = Promise.resolve();

  constructor(parts: LaterSizesParts) {
    this.#parts = parts;
    this.#subscriptions = [
      parts.watch.onDidChange((record) => this.#refreshAfterEnd(record)),
      parts.indexLists.onDidChange((connectionId) => this.#processSizes(connectionId)),
    ];
  }

  /** For the indices of one connection. */
  async settled(connectionId: string): Promise<SettledSizeCheck> {
    await this.#parts.records.load();
    return (target, size, now) => {
      const record = this.#latestTruncation(connectionId, target);
      return record === undefined || isSizeSettled(record, size, now);
    };
  }

  /** Resolves once all sizes are stored. */
  async idle(): Promise<void> {
    await this.#last;
  }

  dispose(): void {
    disposeAll(this.#subscriptions);
  }

  #refreshAfterEnd({ id, connectionId, ending }: TruncationRecord): void {
    if (ending !== undefined && !this.#ended.has(id)) {
      this.#ended.add(id);
      void this.#parts.indexLists.get(connectionId).refresh();
    }
  }

  #processSizes(connectionId: string): void {
    const { loadedAt } = this.#parts.indexLists.get(connectionId);
    if (loadedAt !== undefined && loadedAt !== this.#lookedAt.get(connectionId)) {
      this.#lookedAt.set(connectionId, loadedAt);
      // A failure must not stop the next sizes.
      this.#last = this.#last.then(() => this.#storeSizes(connectionId, loadedAt)).catch(() => undefined);
    }
  }

  async #storeSizes(connectionId: string, at: number): Promise<void> {
    const { indexLists, records } = this.#parts;
    await records.load();
    // Another window may have written. Most sizes change nothing.
    if (this.#changedRecords(connectionId, at, indexLists.get(connectionId)).length > 0) {
      await records.reload();
      for (const record of this.#changedRecords(connectionId, at, indexLists.get(connectionId))) {
        await records.saveCounted(record);
      }
    }
  }

  #changedRecords(connectionId: string, at: number, list: Pick<IndexList, 'reportedSizeOf'>): TruncationRecord[] {
    const baseUrl = this.#parts.connection(connectionId)?.baseUrl;
    return this.#parts.records
      .of(connectionId)
      .filter((record) => isSentTo(record, baseUrl))
      .flatMap((record) => {
        const size = list.reportedSizeOf(record.plan);
        const isLatest = this.#latestTruncation(connectionId, record.plan)?.id === record.id;
        return (isLatest ? withLaterSize(record, size, at) : undefined) ?? [];
      });
  }

  /** Last truncation of an index, whichever connection sent it. */
  #latestTruncation(connectionId: string, target: IndexName): TruncationRecord | undefined {
    const baseUrl = this.#parts.connection(connectionId)?.baseUrl;
    const sent = baseUrl === undefined ? [] : this.#parts.records.sentTo({ id: connectionId, baseUrl }, target);
    return sent.filter((record) => isSentTo(record, baseUrl)).toSorted((a, b) => b.sentAt - a.sentAt)[0];
  }
}

/** Records of 0.1.0 have no address. */
function isSentTo(record: TruncationRecord, baseUrl: string | undefined): boolean {
  return record.baseUrl === undefined || record.baseUrl === baseUrl;
}

/**
 * True once the size of an index is reliable: it is lower than before its last truncation, or a day has passed.
 * @param now Unix time in ms.
 */
export function isSizeSettled(record: TruncationRecord, size: ReportedIndexSize, now: number): boolean {
  const age = now - (taskEndTime(record) ?? record.endedAt ?? record.sentAt);
  // A negative age means that the clock was set back.
  return age >= MILLIS_PER_DAY || age < 0 || (record.ending !== undefined && isLower(record, size));
}

/**
 * Adds a size that was read after the end, if it is lower than any before.
 * @param at Time of reading. Unix time in ms.
 */
export function withLaterSize(
  record: TruncationRecord,
  size: ReportedIndexSize,
  at: number,
): TruncationRecord | undefined {
  const bytes = exactBytes(size);
  const { ending, endedAt, report, laterSize } = record;
  // After a reindex the old index keeps its space, so the size of the new one says nothing.
  const isTelling =
    ending?.kind === 'finished' && report.strategy !== 'reindex' && endedAt !== undefined && at > endedAt;
  return isTelling && bytes !== undefined && isLower(record, size) && bytes < (laterSize?.bytes ?? Infinity)
    ? { ...record, laterSize: { bytes, at } }
    : undefined;
}

/** Compares exact sizes only. */
function isLower({ sizeBefore, sizePrecision }: TruncationRecord, size: ReportedIndexSize): boolean {
  const bytes = exactBytes(size);
  return sizePrecision === 'exact' && sizeBefore !== undefined && bytes !== undefined && bytes < sizeBefore;
}
