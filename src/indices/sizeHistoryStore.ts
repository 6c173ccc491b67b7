/** Stores size histories on this machine: one file per connection, read when its sizes are first loaded. */
import { type IndexName, indexNameKey, indexNameOf } from './indexName.ts';
import type { DurableFolder } from '../platform/durableFolder.ts';
import { commonPrecision, type ReportedSize } from '../service/indices/indexSize.ts';
import type { ListedIndex } from './indexList.ts';
import {
  dayOfMillis,
  historyFromStored,
  type IndexGrowth,
  growthFrom,
  type SizeFigure,
  type SizeHistory,
  storedHistory,
  withSizes,
} from './sizeHistory.ts';

/**
 * True for a size that isn't about to change. Others are left out of the history.
 * @param now Unix time in ms.
 */
export type IsSettled = (target: IndexName, size: ReportedSize, now: number) => boolean;

/** Growth of an index; undefined if too little is known. */
export interface KnownGrowth {
  readonly figures: readonly SizeFigure[];
  readonly growth: IndexGrowth | undefined;
}

/**
 * Missing in older files, which took every size for megabytes. Sizes from servers that send kilobytes are 1,000
 * times too large there (PROTOCOL.md §9.2).
 */
const UNITS = 2;

/** Uses its own folder: VS Code reads all of its storage at startup, and the records are read as a whole. */
export class SizeHistoryStore {
  readonly #folder: DurableFolder;
  readonly #histories = new Map<string, SizeHistory>();
  readonly #growths = new Map<string, Map<string, KnownGrowth>>();
  #last: Promise<unknown> = Promise.resolve();

  constructor(folder: DurableFolder) {
    this.#folder = folder;
  }

  /**
   * Records the sizes and keeps figures of other windows. If two windows write at once, one nearly equal figure
   * is lost. Never throws: a history is not worth a failure.
   * @param now Unix time in ms.
   * @param isThere True if the connection still exists. Called just before writing.
   */
  keep(
    server: { readonly id: string; readonly baseUrl: string },
    indices: readonly ListedIndex[],
    now: number,
    isThere: () => boolean,
    isSettled: IsSettled,
  ): Promise<void> {
    return this.#inTurn(async () => {
      const name = historyFileName(server.id);
      const before = (await this.#folder.readAll()).get(name);
      const precision = commonPrecision(indices);
      const stored = parseHistory(before, server.baseUrl);
      const isUsable = stored.units === UNITS || precision !== 'approximate';
      const history = withSizes(
        isUsable ? stored.history : new Map(),
        dayOfMillis(now),
        measuredSizes(indices, (target, size) => isSettled(target, size, now)),
      );
      this.#histories.set(server.id, history);
      this.#growths.delete(server.id);
      // Without a size, the unit of older figures is still unknown.
      const units = precision === undefined ? stored.units : UNITS;
      const text = JSON.stringify({ baseUrl: server.baseUrl, units, sizes: storedHistory(history) });
      if (text !== before && isThere()) {
        await this.#folder.write(name, text);
      }
    }).catch(() => undefined);
  }

  /** Undefined before the sizes were loaded, or if the index is unknown. */
  growthOf(connectionId: string, target: IndexName): KnownGrowth | undefined {
    const key = indexNameKey(target);
    const figures = this.#histories.get(connectionId)?.get(key);
    if (figures === undefined) {
      return undefined;
    }
    const known = this.#growths.get(connectionId) ?? new Map<string, KnownGrowth>();
    this.#growths.set(connectionId, known);
    const growth = known.get(key) ?? { figures, growth: growthFrom(figures) };
    known.set(key, growth);
    return growth;
  }

  /** @throws file system errors. */
  forgetConnection(connectionId: string): Promise<void> {
    return this.#inTurn(async () => {
      this.#histories.delete(connectionId);
      this.#growths.delete(connectionId);
      await this.#folder.remove(historyFileName(connectionId));
    });
  }

  #inTurn(work: () => Promise<void>): Promise<void> {
    const done = this.#last.then(work);
    this.#last = done.catch(() => undefined);
    return done;
  }
}

/** Sizes of named indices, by key. The total is left out. */
function measuredSizes(
  indices: readonly ListedIndex[],
  isSettled: (target: IndexName, size: ReportedSize) => boolean,
): { readonly key: string; readonly bytes: number }[] {
  return indices.flatMap((index) => {
    const { sizeBytes: bytes, precision } = index;
    const name = indexNameOf(index);
    return name === undefined || bytes === undefined || !isSettled(name, { bytes, precision })
      ? []
      : [{ key: indexNameKey(name), bytes }];
  });
}

interface StoredHistory {
  readonly history: SizeHistory;
  readonly units: number | undefined;
}

/** Parses the file. Its history is dropped if it belongs to another server. */
function parseHistory(text: string | undefined, baseUrl: string): StoredHistory {
  const none = { history: new Map(), units: UNITS };
  try {
    const stored = JSON.parse(text ?? '{}') as {
      readonly baseUrl?: unknown;
      readonly units?: unknown;
      readonly sizes?: unknown;
    } | null;
    return stored?.baseUrl === baseUrl
      ? { history: historyFromStored(stored.sizes), units: stored.units === UNITS ? UNITS : undefined }
      : none;
  } catch {
    return none;
  }
}

function historyFileName(connectionId: string): string {
  return `${connectionId}.json`;
}
