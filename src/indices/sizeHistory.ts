/** Growth of indices since they last fell: two sizes of each, in one file per connection. */
import * as v from 'valibot';
import { MILLIS_PER_DAY } from '../time.ts';
import { type IndexName, indexNameKey, indexNameOf } from './indexName.ts';
import type { Folder } from '../platform/folder.ts';
import { parseJson } from '../service/http/json.ts';
import type { ListedIndex } from './indexList.ts';

const WHOLE = v.pipe(v.number(), v.safeInteger(), v.minValue(0));
/** Size of an index in bytes on two days, which are counted from January 1, 1970, UTC. */
const SIZES = v.object({ firstDay: WHOLE, firstBytes: WHOLE, lastDay: WHOLE, lastBytes: WHOLE });
const STORED = v.object({ baseUrl: v.string(), sizes: v.record(v.string(), SIZES) });

type IndexSizes = Readonly<v.InferOutput<typeof SIZES>>;

/** By `indexNameKey`. */
type SizeHistory = ReadonlyMap<string, IndexSizes>;

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
function withDailySizes(history: SizeHistory, day: number, indices: readonly ListedIndex[]): SizeHistory {
  const today = new Map<string, number>();
  for (const index of indices) {
    const name = indexNameOf(index);
    if (name !== undefined && index.sizeBytes !== undefined) {
      const key = indexNameKey(name);
      today.set(key, (today.get(key) ?? 0) + Math.round(index.sizeBytes));
    }
  }
  const measured = [...today].map(([key, bytes]) => [key, withSize(history.get(key), day, bytes)] as const);
  const all = [...new Map([...history, ...measured])];
  return new Map(all.toSorted(([, a], [, b]) => b.lastBytes - a.lastBytes).slice(0, MOST_TRACKED));
}

/** Uses its own folder: VS Code reads all of its storage at startup. */
export class SizeHistoryStore {
  readonly #folder: Folder;
  readonly #histories = new Map<string, SizeHistory>();
  #last: Promise<unknown> = Promise.resolve();

  constructor(folder: Folder) {
    this.#folder = folder;
  }

  /**
   * Records the sizes and keeps those of other windows. If two windows write at once, one nearly equal size is
   * lost. Never throws: a history is not worth a failure.
   * @param now Unix time in ms.
   * @param isThere True if the connection still exists. Called just before writing.
   */
  recordSizes(
    server: { readonly id: string; readonly baseUrl: string },
    indices: readonly ListedIndex[],
    now: number,
    isThere: () => boolean,
  ): Promise<void> {
    return this.#afterEarlierWork(async () => {
      const name = historyFileName(server.id);
      const before = (await this.#folder.readAll()).get(name);
      const stored = parseHistory(before, server.baseUrl);
      const history = withDailySizes(stored, Math.floor(now / MILLIS_PER_DAY), indices);
      this.#histories.set(server.id, history);
      const text = JSON.stringify({ baseUrl: server.baseUrl, sizes: Object.fromEntries(history) });
      if (text !== before && isThere() && !(await this.#folder.put(name, text))) {
        await this.#folder.create(name, text);
      }
    }).catch(() => undefined);
  }

  /** Undefined if too little is known. */
  growthOfIndex(connectionId: string, target: IndexName): IndexSizeGrowth | undefined {
    const sizes = this.#histories.get(connectionId)?.get(indexNameKey(target));
    return sizes === undefined || sizes.lastDay <= sizes.firstDay
      ? undefined
      : { bytes: sizes.lastBytes - sizes.firstBytes, days: sizes.lastDay - sizes.firstDay };
  }

  /** @throws file system errors. */
  forgetConnection(connectionId: string): Promise<void> {
    return this.#afterEarlierWork(async () => {
      this.#histories.delete(connectionId);
      await this.#folder.remove(historyFileName(connectionId));
    });
  }

  #afterEarlierWork(work: () => Promise<void>): Promise<void> {
    const done = this.#last.then(work);
    this.#last = done.catch(() => undefined);
    return done;
  }
}

/** Empty if the file is damaged, or of another server. */
function parseHistory(text: string | undefined, baseUrl: string): SizeHistory {
  const stored = v.safeParse(STORED, parseJson(text ?? ''));
  return new Map(stored.success && stored.output.baseUrl === baseUrl ? Object.entries(stored.output.sizes) : []);
}

function historyFileName(connectionId: string): string {
  return `${connectionId}.json`;
}
