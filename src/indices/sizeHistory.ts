/** Growth of indices since they last fell: two sizes of each, in one file per connection. */
import * as v from 'valibot';
import { parsedAs } from '../json.ts';
import { MILLIS_PER_DAY } from '../time.ts';
import { type IndexName, indexNameKey, indexNameOf } from './indexName.ts';
import { FileStore } from '../platform/fileStore.ts';
import type { Folder } from '../platform/folder.ts';
import type { ListedIndex } from './indexList.ts';

const WHOLE = v.pipe(v.number(), v.safeInteger(), v.minValue(0));
/** Size of an index in bytes on two days, which are counted from January 1, 1970, UTC. */
const SIZES = v.object({ firstDay: WHOLE, firstBytes: WHOLE, lastDay: WHOLE, lastBytes: WHOLE });
const STORED = v.object({ baseUrl: v.string(), sizes: v.record(v.string(), SIZES) });

type IndexSizes = Readonly<v.InferOutput<typeof SIZES>>;
type SizeHistory = v.InferOutput<typeof STORED>;

/** By `indexNameKey`. */
type SizesByIndex = SizeHistory['sizes'];

interface Server {
  /** Of the connection. */
  readonly id: string;
  readonly baseUrl: string;
}

/** Only the largest: growth of the others doesn't matter. */
const MOST_TRACKED = 200;

/** Merging segments shrinks an index a little. A larger fall is a truncation. */
const FALL = 0.05;

export interface IndexSizeGrowth {
  /** Negative if the index shrank, by less than `FALL`. */
  readonly bytes: number;
  /** At least 1. */
  readonly days: number;
}

/** Adds the size of a day, in place of an earlier one of that day. Starts over after a fall: deleted rows are no growth. */
function withSize(before: IndexSizes | undefined, day: number, bytes: number): IndexSizes {
  const continues = before !== undefined && before.firstDay < day && bytes >= before.lastBytes * (1 - FALL);
  const { firstDay, firstBytes } = continues ? before : { firstDay: day, firstBytes: bytes };
  return { firstDay, firstBytes, lastDay: day, lastBytes: bytes };
}

/** Adds the sizes of a day. Two sizes of one index are added up. */
function withDailySizes(sizes: SizesByIndex, day: number, indices: readonly ListedIndex[]): SizesByIndex {
  const today = new Map<string, number>();
  for (const index of indices) {
    const name = indexNameOf(index);
    if (name !== undefined && index.sizeBytes !== undefined) {
      const key = indexNameKey(name);
      today.set(key, (today.get(key) ?? 0) + Math.round(index.sizeBytes));
    }
  }
  const before = new Map(Object.entries(sizes));
  const measured = [...today].map(([key, bytes]) => [key, withSize(before.get(key), day, bytes)] as const);
  const all = [...new Map([...before, ...measured])];
  return Object.fromEntries(all.toSorted(([, a], [, b]) => b.lastBytes - a.lastBytes).slice(0, MOST_TRACKED));
}

/** Files of their own: VS Code reads all of its storage at startup. */
export class SizeHistoryStore {
  readonly #files: FileStore<SizeHistory>;

  constructor(folder: Folder) {
    this.#files = new FileStore(folder, (stored) => parsedAs(STORED, stored));
  }

  /**
   * Records the sizes and keeps those of other windows. Never throws: a history is not worth a failure.
   * @param now Unix time in ms.
   * @param isThere True if the connection still exists. Called just before writing.
   */
  async recordSizes(
    { id, baseUrl }: Server,
    indices: readonly ListedIndex[],
    now: number,
    isThere: () => boolean,
  ): Promise<void> {
    const record = (stored: SizeHistory | undefined): SizeHistory | undefined => {
      const before = stored?.baseUrl === baseUrl ? stored.sizes : {};
      const sizes = withDailySizes(before, Math.floor(now / MILLIS_PER_DAY), indices);
      return isThere() ? { baseUrl, sizes } : undefined;
    };
    await this.#files.change(id, record).catch(() => undefined);
  }

  /** Undefined if too little is known. */
  growthOfIndex({ id, baseUrl }: Server, target: IndexName): IndexSizeGrowth | undefined {
    const stored = this.#files.get(id);
    const sizes = stored?.baseUrl === baseUrl ? stored.sizes[indexNameKey(target)] : undefined;
    return sizes === undefined || sizes.lastDay <= sizes.firstDay
      ? undefined
      : { bytes: sizes.lastBytes - sizes.firstBytes, days: sizes.lastDay - sizes.firstDay };
  }

  /** @throws file system errors. */
  async forgetConnection(connectionId: string): Promise<void> {
    await this.#files.remove(connectionId);
  }
}
