/** One time series index of a server: the rows that are stored, and those that searches find. */
import type { Random } from './random.ts';
import type { Timeline } from './timeline.ts';

export interface Row {
  /** No two indices of a server share one. */
  readonly id: number;
  /** Unix time in ms. */
  readonly at: number;
}

/** Rows are spread over so many shards. */
const SHARDS = 3;
/** An answer may be under way for so long after its search, in ms. */
const ANSWER_MILLIS = 200;

/** Rows that searches miss while all copies of a shard are gone. `since` is in ms since the beginning. */
interface LostShard {
  readonly shard: number;
  readonly since: number;
}

export class SearchIndex {
  readonly #timeline: Timeline;
  readonly #random: Random;
  /** Delay until each copy shows a change, in ms. */
  readonly #refreshMillis: readonly number[];
  /** Counts the indices that were put in its place: each reindex makes a new one. */
  #generation = 0;
  #rows: readonly Row[] = [];
  /** By copy: the primary, and a replica on some servers. */
  #seen: readonly (readonly Row[])[];
  /** A reindex switched refreshing off, until an administrator switches it on. */
  #isNeverRefreshed = false;
  #lost: LostShard | undefined;
  #searches = 0;

  constructor(timeline: Timeline, random: Random, refreshMillis: readonly number[]) {
    this.#timeline = timeline;
    this.#random = random;
    this.#refreshMillis = refreshMillis;
    this.#seen = refreshMillis.map(() => []);
  }

  /** Those that are stored. */
  get rows(): readonly Row[] {
    return this.#rows;
  }

  /**
   * Those that each copy shows.
   * @param countedAgo A shard that went away since so many ms ago plays no part: it was counted before.
   */
  seen(countedAgo?: number): readonly (readonly Row[])[] {
    const lost = this.#lost;
    const wasThere = countedAgo !== undefined && (lost?.since ?? 0) > this.#timeline.now - countedAgo - ANSWER_MILLIS;
    return lost === undefined || wasThere
      ? this.#seen
      : this.#seen.map((rows) => rows.filter(({ id }) => id % SHARDS !== lost.shard));
  }

  /**
   * Rows that one search finds. The copies answer in turn, but now and then one answers twice. A copy that answers nearly every search
   * isn't modelled: no count can tell then that the other one differs.
   */
  search(): readonly Row[] {
    if (!this.#random.chance(0.03)) {
      this.#searches++;
    }
    const copies = this.seen();
    return copies[this.#searches % copies.length] ?? [];
  }

  /** Readers see the change once each copy has refreshed. */
  change(change: (rows: readonly Row[]) => readonly Row[]): void {
    this.#rows = change(this.#rows);
    this.#refreshMillis.forEach((millis, copy) => this.#refreshAfter(millis, copy));
  }

  /** These were there long before: every copy shows them. */
  fill(rows: readonly Row[]): void {
    this.#rows = rows;
    this.#seen = this.#seen.map(() => rows);
  }

  /** An administrator switches refreshing on again: each copy follows in its own time. */
  refreshAgain(): void {
    this.#isNeverRefreshed = false;
    this.#seen.forEach((_, copy) => this.#refreshAfter(this.#random.whole(0, 240_000), copy));
  }

  /**
   * A reindex moves readers to a new, empty index.
   * @returns what copies rows to it: once another reindex has moved readers on, no one sees them.
   */
  replace(isNeverRefreshed: boolean): (rows: readonly Row[]) => void {
    this.#rows = [];
    this.#seen = this.#seen.map(() => []);
    this.#isNeverRefreshed = isNeverRefreshed;
    const generation = ++this.#generation;
    return (copied) => {
      if (generation === this.#generation) {
        this.change((rows) => [...rows, ...copied]);
      }
    };
  }

  /** All copies of a shard go away for a while, with the rows that they hold. */
  loseShard(millis: number): void {
    const lost = { shard: this.#random.whole(0, SHARDS - 1), since: this.#timeline.now };
    this.#lost = lost;
    this.#timeline.after(millis, () => (this.#lost = this.#lost === lost ? undefined : this.#lost));
  }

  #refreshAfter(millis: number, copy: number): void {
    const generation = this.#generation;
    const refresh = (): void => {
      if (this.#generation === generation && !this.#isNeverRefreshed) {
        this.#seen = this.#seen.with(copy, this.#rows);
      }
    };
    if (millis === 0) {
      refresh();
    } else {
      this.#timeline.after(millis, refresh);
    }
  }
}
