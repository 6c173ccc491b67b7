/** Size histories on this machine: one file a connection, which is read when its sizes are first loaded. */
import { type IndexName, indexNameKey, indexNameOf } from './indexName.ts';
import type { DurableFolder } from '../platform/durableFolder.ts';
import { commonPrecision, type ReportedSize } from '../service/indices/indexSize.ts';
import type { ListedIndex } from './indexList.ts';
import {
  dayOf,
  fromStored,
  type Growth,
  growthFrom,
  type SizeFigure,
  type SizeHistory,
  toStored,
  withSizes,
} from './sizeHistory.ts';

/**
 * True for a size that says how large an index is. Others are left out of the history.
 * @param now Unix time in ms.
 */
export type IsSettled = (target: IndexName, size: ReportedSize, now: number) => boolean;

/** How an index grew: undefined where too little is known. */
export interface KnownGrowth {
  readonly figures: readonly SizeFigure[];
  readonly growth: Growth | undefined;
}

/**
 * Absent in files of older versions, which took every size for megabytes: those of a server that sends kilobytes are 1,000 times too
 * large (PROTOCOL.md §9.2).
 */
const UNITS = 2;

/** In a folder of its own, since VS Code reads all of its storage whenever it starts, and the records are read as a whole too. */
export class SizeHistoryStore {
  readonly #folder: DurableFolder;
  readonly #histories = new Map<string, SizeHistory>();
  readonly #growths = new Map<string, Map<string, KnownGrowth>>();
  #last: Promise<unknown> = Promise.resolve();

  constructor(folder: DurableFolder) {
    this.#folder = folder;
  }

  /**
   * Writes a look at the sizes down. What another window wrote meanwhile is kept; of two that write at the very same time one loses
   * its figure, which is nearly the other's. Never throws: a history is not worth a failure.
   *
   * @param now Unix time in ms.
   * @param isThere Whether the connection is still there, asked just before it is written.
   */
  keep(
    server: { readonly id: string; readonly baseUrl: string },
    indices: readonly ListedIndex[],
    now: number,
    isThere: () => boolean,
    isSettled: IsSettled,
  ): Promise<void> {
    return this.#inTurn(async () => {
      const name = fileName(server.id);
      const before = (await this.#folder.readAll()).get(name);
      const precision = commonPrecision(indices);
      const stored = storedIn(before, server.baseUrl);
      const isUsable = stored.units === UNITS || precision !== 'approximate';
      const history = withSizes(
        isUsable ? stored.history : new Map(),
        dayOf(now),
        measured(indices, (target, size) => isSettled(target, size, now)),
      );
      this.#histories.set(server.id, history);
      this.#growths.delete(server.id);
      // Without a size, it isn't known yet what the older ones were.
      const units = precision === undefined ? stored.units : UNITS;
      const text = JSON.stringify({ baseUrl: server.baseUrl, units, sizes: toStored(history) });
      if (text !== before && isThere()) {
        await this.#folder.write(name, text);
      }
    }).catch(() => undefined);
  }

  /** Undefined before its sizes were loaded, and where nothing is known of the index. */
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

  /** @throws what the file system throws. */
  forgetConnection(connectionId: string): Promise<void> {
    return this.#inTurn(async () => {
      this.#histories.delete(connectionId);
      this.#growths.delete(connectionId);
      await this.#folder.remove(fileName(connectionId));
    });
  }

  #inTurn(work: () => Promise<void>): Promise<void> {
    const done = this.#last.then(work);
    this.#last = done.catch(() => undefined);
    return done;
  }
}

/** The sizes by name; what all indices take together is no index. */
function measured(
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

/** The history in a file, where it is one of this server: the connection may have been another's. */
function storedIn(text: string | undefined, baseUrl: string): StoredHistory {
  const none = { history: new Map(), units: UNITS };
  try {
    const stored = JSON.parse(text ?? '{}') as {
      readonly baseUrl?: unknown;
      readonly units?: unknown;
      readonly sizes?: unknown;
    } | null;
    return stored?.baseUrl === baseUrl
      ? { history: fromStored(stored.sizes), units: stored.units === UNITS ? UNITS : undefined }
      : none;
  } catch {
    return none;
  }
}

function fileName(connectionId: string): string {
  return `${connectionId}.json`;
}
