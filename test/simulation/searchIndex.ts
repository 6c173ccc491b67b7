/** One time series index of a server: the stored rows, and those that searches find. */
import type { Random } from './random.ts';
import type { Timeline } from './timeline.ts';

export interface Row {
  /** Unique among the indices of a server. */
  readonly id: number;
  /** Unix time in ms. */
  readonly at: number;
}

/** Number of shards over which rows are spread. */
const SHARDS = 3;
/** Longest time a response travels after its search, in ms. */
const ANSWER_MILLIS = 200;

/** Rows that searches miss while all copies of a shard are lost. `since` is in ms since the start. */
interface LostShard {
  readonly shard: number;
  readonly since: number;
}

export class SearchIndex {
  readonly #timeline: Timeline;
  readonly #random: Random;
  /** Delay until each copy shows a change, in ms. */
  readonly #refreshMillis: readonly number[];
  /** Number of replacements: each reindex creates a new index. */
  #generation = 0;
  #rows: readonly Row[] = [];
  /** Visible rows of each copy: the primary, and a replica on some servers. */
  #seen: readonly (readonly Row[])[];
  /** Refreshing is off after a reindex until an administrator acts. */
  #isNeverRefreshed = false;
  #lost: LostShard | undefined;
  /** The shard that came back last. `until` is in ms since the start. */
  #returned: (LostShard & { readonly until: number }) | undefined;
  #searches = 0;

  constructor(timeline: Timeline, random: Random, refreshMillis: readonly number[]) {
    this.#timeline = timeline;
    this.#random = random;
    this.#refreshMillis = refreshMillis;
    this.#seen = refreshMillis.map(() => []);
  }

  /** Stored rows. */
  get rows(): readonly Row[] {
    return this.#rows;
  }

  /**
   * Rows that each copy shows.
   * @param countedAgo age of the count in ms; a shard lost later does not matter, because it was counted before
   */
  seen(countedAgo?: number): readonly (readonly Row[])[] {
    const lost = this.#lost;
    const wasThere = countedAgo !== undefined && (lost?.since ?? 0) > this.#timeline.now - countedAgo - ANSWER_MILLIS;
    return lost === undefined || wasThere
      ? this.#seen
      : this.#seen.map((rows) => rows.filter(({ id }) => id % SHARDS !== lost.shard));
  }

  /**
   * Rows that each copy shows now and showed to a count: without those of a shard that came back in between.
   * @param countedAgo age of the count, in ms
   */
  seenSince(countedAgo: number): readonly (readonly Row[])[] {
    const returned = this.#returned;
    const countedAt = this.#timeline.now - countedAgo;
    return returned === undefined || countedAt < returned.since || countedAt - ANSWER_MILLIS > returned.until
      ? this.seen()
      : this.seen().map((rows) => rows.filter(({ id }) => id % SHARDS !== returned.shard));
  }

  /**
   * Rows that one search finds. The copies take turns, but sometimes one answers twice in a row. A copy that answers
   * nearly every search isn't simulated, because no count could show that the other one differs.
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

  /** Adds rows that were there long before, so that every copy shows them. */
  fill(rows: readonly Row[]): void {
    this.#rows = rows;
    this.#seen = this.#seen.map(() => rows);
  }

  /** An administrator turns refreshing on again. Each copy follows in its own time. */
  refreshAgain(): void {
    this.#isNeverRefreshed = false;
    this.#seen.forEach((_, copy) => this.#refreshAfter(this.#random.whole(0, 240_000), copy));
  }

  /**
   * A reindex moves readers to a new, empty index.
   * @returns a function that copies rows to it; after another reindex, readers do not see them
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

  /** Loses all copies of a shard with their rows temporarily. */
  loseShard(millis: number): void {
    const lost = { shard: this.#random.whole(0, SHARDS - 1), since: this.#timeline.now };
    this.#lost = lost;
    this.#timeline.after(millis, () => {
      if (this.#lost === lost) {
        this.#lost = undefined;
        this.#returned = { ...lost, until: this.#timeline.now };
      }
    });
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
