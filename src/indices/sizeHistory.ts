/** Index sizes over time: one figure per day and index, within limits, in one file per connection. */
import { MILLIS_PER_DAY } from '../time.ts';
import { type IndexName, indexNameKey, indexNameOf } from './indexName.ts';
import type { Folder } from '../platform/folder.ts';
import { parseJson } from '../service/http/json.ts';
import type { ListedIndex } from './indexList.ts';

/** By `indexNameKey`; figures in ascending order of days. */
type IndexSizeHistory = ReadonlyMap<string, readonly DailySizeFigure[]>;

/** Size of an index, as just reported. */
interface MeasuredIndexSize {
  readonly key: string;
  readonly bytes: number;
}

/** Two months of daily sizes, or more than a year of weekly ones. */
const MOST_FIGURES = 60;
/** Only the largest: growth of the others doesn't matter. */
const MOST_TRACKED = 200;
const LONGEST_DAYS = 400;

/** @param millis Unix time in ms. */
function dayOfMillis(millis: number): number {
  return Math.floor(millis / MILLIS_PER_DAY);
}

/** Adds the sizes of a day, replacing earlier ones of that day. Two sizes of one index are added up. */
function withDailySizes(
  history: IndexSizeHistory,
  day: number,
  measured: readonly MeasuredIndexSize[],
): IndexSizeHistory {
  const today = new Map<string, number>();
  for (const { key, bytes } of measured) {
    today.set(key, (today.get(key) ?? 0) + bytes);
  }
  const keys = new Set([...history.keys(), ...today.keys()]);
  const kept = [...keys].flatMap((key) => {
    const bytes = today.get(key);
    const before = (history.get(key) ?? []).filter((figure) => Math.abs(day - figure.day) < LONGEST_DAYS);
    // The clock may have been set back.
    const figures =
      bytes === undefined
        ? before
        : [...before.filter((figure) => figure.day < day), { day, bytes: Math.round(bytes) }].slice(-MOST_FIGURES);
    return figures.length === 0 ? [] : [[key, figures] as const];
  });
  return new Map(kept.toSorted(([, a], [, b]) => lastKnownBytes(b) - lastKnownBytes(a)).slice(0, MOST_TRACKED));
}

/** Pairs of day and bytes, to save space. */
function storedHistory(history: IndexSizeHistory): unknown {
  return Object.fromEntries([...history].map(([key, figures]) => [key, figures.map(({ day, bytes }) => [day, bytes])]));
}

/** Parses a stored history, leaving out damaged parts. */
function historyFromStored(stored: unknown): IndexSizeHistory {
  if (typeof stored !== 'object' || stored === null || Array.isArray(stored)) {
    return new Map();
  }
  const indices = Object.entries(stored as Record<string, unknown>).slice(0, MOST_TRACKED);
  return new Map(
    indices.flatMap(([key, pairs]) => {
      const figures = Array.isArray(pairs) ? figuresFrom(pairs) : [];
      return figures.length === 0 ? [] : [[key, figures] as const];
    }),
  );
}

function figuresFrom(pairs: readonly unknown[]): DailySizeFigure[] {
  const figures = new Map<number, DailySizeFigure>();
  for (const pair of pairs) {
    const [day, bytes] = Array.isArray(pair) ? (pair as readonly unknown[]) : [];
    if (isWholeNumber(day) && isWholeNumber(bytes)) {
      figures.set(day, { day, bytes });
    }
  }
  return [...figures.values()].toSorted((a, b) => a.day - b.day).slice(-MOST_FIGURES);
}

function isWholeNumber(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

function lastKnownBytes(figures: readonly DailySizeFigure[]): number {
  return figures.at(-1)?.bytes ?? 0;
}

/** Size of an index on a day. */
interface DailySizeFigure {
  /** Days since January 1, 1970, UTC. */
  readonly day: number;
  readonly bytes: number;
}

export interface IndexSizeGrowth {
  /** Negative if the index shrank, by less than `FALL`. */
  readonly bytes: number;
  /** At least 1. */
  readonly days: number;
}

/** Merging segments shrinks an index a little. A larger fall is a truncation. */
const FALL = 0.05;

/**
 * Compares the first and last figure since the last fall: deleted rows are no growth.
 * @param figures In ascending order.
 * @returns undefined if fewer than two figures are left.
 */
function growthSinceFall(figures: readonly DailySizeFigure[]): IndexSizeGrowth | undefined {
  const first = figures.findLast(({ bytes }, at) => bytes < (figures[at - 1]?.bytes ?? Infinity) * (1 - FALL));
  const last = figures.at(-1);
  return first === undefined || last === undefined || last.day <= first.day
    ? undefined
    : { bytes: last.bytes - first.bytes, days: last.day - first.day };
}

/** Uses its own folder: VS Code reads all of its storage at startup. */
export class SizeHistoryStore {
  readonly #folder: Folder;
  readonly #histories = new Map<string, IndexSizeHistory>();
  #last: Promise<unknown> = Promise.resolve();

  constructor(folder: Folder) {
    this.#folder = folder;
  }

  /**
   * Records the sizes and keeps figures of other windows. If two windows write at once, one nearly equal figure
   * is lost. Never throws: a history is not worth a failure.
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
      const history = withDailySizes(stored, dayOfMillis(now), measuredSizes(indices));
      this.#histories.set(server.id, history);
      const text = JSON.stringify({ baseUrl: server.baseUrl, sizes: storedHistory(history) });
      if (text !== before && isThere() && !(await this.#folder.put(name, text))) {
        await this.#folder.create(name, text);
      }
    }).catch(() => undefined);
  }

  /** Undefined if too little is known. */
  growthOfIndex(connectionId: string, target: IndexName): IndexSizeGrowth | undefined {
    return growthSinceFall(this.#histories.get(connectionId)?.get(indexNameKey(target)) ?? []);
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

/** Sizes of named indices, by key. The total is left out. */
function measuredSizes(indices: readonly ListedIndex[]): readonly MeasuredIndexSize[] {
  return indices.flatMap((index) => {
    const { sizeBytes: bytes } = index;
    const name = indexNameOf(index);
    return name === undefined || bytes === undefined ? [] : [{ key: indexNameKey(name), bytes }];
  });
}

/** Parses the file. Its history is dropped if it belongs to another server. */
function parseHistory(text: string | undefined, baseUrl: string): IndexSizeHistory {
  const stored = parseJson(text ?? '{}') as { readonly baseUrl?: unknown; readonly sizes?: unknown } | null | undefined;
  return stored?.baseUrl === baseUrl ? historyFromStored(stored.sizes) : new Map();
}

function historyFileName(connectionId: string): string {
  return `${connectionId}.json`;
}
