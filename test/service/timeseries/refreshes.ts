import type { Random } from '../random.ts';
import type { TimeIndex, TimeIndices } from './indices.ts';

/** The cluster's own interval, for an index that has none. */
const defaultIntervalMillis = 1000;

/**
 * An index without its own interval is refreshed only while it is searched. After this time, a search refreshes it
 * first.
 */
const idleMillis = 30_000;

/**
 * Writes and deletions that each copy of an index shows: those before its last refresh. Computed on demand, without
 * timers.
 */
export class TimeRefreshes {
  readonly #indices: TimeIndices;
  readonly #now: () => number;
  readonly #random: Random;
  readonly #searchedAt = new Map<string, number>();

  constructor(indices: TimeIndices, now: () => number, random: Random) {
    this.#indices = indices;
    this.#now = now;
    this.#random = random;
  }

  /**
   * Searches one copy, chosen by the cluster.
   * @returns the moment whose state it sees
   */
  search(index: TimeIndex): number {
    const copy = Math.floor(this.#random() * index.refreshedAt.length);
    const now = this.#now();
    const upTo = this.#shownAt(index, copy, now);
    this.#searchedAt.set(key(index, copy), now);
    if (upTo === now) {
      this.#indices.setRefreshedAt(index, index.refreshedAt.with(copy, now));
    }
    return upTo;
  }

  /** Same as a search of the primary, but without its effect on refreshes. */
  peek(index: TimeIndex): number {
    return this.#shownAt(index, 0, this.#now());
  }

  /** Moment before which every copy shows all deletions. */
  seenByAll(index: TimeIndex): number {
    const now = this.#now();
    return Math.min(...index.refreshedAt.map((_, copy) => this.#shownAt(index, copy, now)));
  }

  /** Refreshes every copy. */
  refresh(index: TimeIndex): void {
    const now = this.#now();
    this.#indices.setRefreshedAt(
      index,
      index.refreshedAt.map(() => now),
    );
  }

  /** Changing the interval refreshes every copy at once. */
  setInterval(index: TimeIndex, millis: number | null): void {
    if (millis !== index.refreshIntervalMillis) {
      this.#indices.setRefreshInterval(index, millis);
      this.refresh(index);
    }
  }

  /** A new replica shows the index's whole current content. */
  setReplicas(index: TimeIndex, replicas: number): void {
    const now = this.#now();
    this.#indices.setRefreshedAt(
      index,
      Array.from({ length: replicas + 1 }, (_, copy) => index.refreshedAt[copy] ?? now),
    );
  }

  #shownAt(index: TimeIndex, copy: number, now: number): number {
    const { refreshIntervalMillis: interval, refreshedAt } = index;
    const last = refreshedAt[copy] ?? 0;
    if (interval === -1) {
      return last;
    }
    const searchedAt = this.#searchedAt.get(key(index, copy)) ?? 0;
    if (interval === null && now - searchedAt > idleMillis) {
      return now;
    }
    // Nodes refresh their copies at different moments. A changed interval starts at the change.
    const every = interval ?? defaultIntervalMillis;
    const first = last + (every * copy) / refreshedAt.length;
    return now < first ? last : first + Math.floor((now - first) / every) * every;
  }
}

function key(index: TimeIndex, copy: number): string {
  return `${index.id}:${copy}`;
}
