/** The time series indices of one connection: those that the server lists and those that a person added. */
import { LoadableList } from '../connections/loadableList.ts';
import { toServiceFailure } from '../service/failure/failure.ts';
import {
  type IndexSize,
  commonPrecision,
  type ReportedSize,
  type SizePrecision,
} from '../service/indices/indexSize.ts';
import type { IndexListing } from '../service/indices/indices.ts';
import { type IndexName, indexNameKey, indexNameOf, indexNameText } from './indexName.ts';

export interface ListedIndex extends IndexSize {
  /** Added by hand, where the server lists no indices. */
  readonly isAdded: boolean;
}

export type IndexOrder = 'size' | 'name';

/** What the server answered when it was asked for its indices. */
interface Listing extends IndexListing {
  readonly indices: readonly ListedIndex[];
  /** The server has no such listing. */
  readonly isUnsupported: boolean;
}

const NO_LISTING: Listing = { indices: [], leftOut: 0, isUnsupported: true };

export class IndexList extends LoadableList<Listing> {
  readonly #sizes: (signal: AbortSignal) => Promise<IndexListing>;
  readonly #added: () => readonly IndexName[];

  /** @param added What a person added; read each time, since another window may have changed it. */
  constructor(
    sizes: (signal: AbortSignal) => Promise<IndexListing>,
    added: () => readonly IndexName[],
    changed: () => void,
  ) {
    super(changed);
    this.#sizes = sizes;
    this.#added = added;
  }

  /** The server has no listing: indices are added by hand. */
  get isUnsupported(): boolean {
    return this.listing?.isUnsupported ?? false;
  }

  /** Which indices there are has to be said by hand: the server lists none, or only what all of them take together. */
  get needsNames(): boolean {
    return this.isUnsupported || this.hasTotalsOnly;
  }

  /** The server lists only what all indices take together, as one does that keeps them in PostgreSQL. */
  get hasTotalsOnly(): boolean {
    return this.#listed.length > 0 && this.#listed.every(({ isTotal }) => isTotal);
  }

  /** How many more indices the server lists than are shown. */
  get leftOut(): number {
    return this.listing?.leftOut ?? 0;
  }

  get indices(): readonly ListedIndex[] {
    const listed = new Set(this.#listed.flatMap((index) => keyOf(index) ?? []));
    const added = this.#added().filter((name) => !listed.has(indexNameKey(name)));
    return [...this.#listed, ...added.map(asAdded)];
  }

  /** The size of one index by what a truncation calls it; without bytes where the server lists it under no such names. */
  sizeOf(target: IndexName): ReportedSize {
    return { bytes: totalBytes(this.#named(target).map(({ sizeBytes }) => sizeBytes)), precision: this.precision };
  }

  /** Its name on the search cluster, where the server reports one. */
  physicalName(target: IndexName): string | undefined {
    return this.#named(target).find(({ indexName }) => !indexName.includes('/'))?.indexName;
  }

  /** A server that gets one size wrong may get any of them wrong. */
  get precision(): SizePrecision {
    return commonPrecision(this.#listed) ?? 'exact';
  }

  protected async read(signal: AbortSignal): Promise<Listing> {
    try {
      const { indices, leftOut } = await this.#sizes(signal);
      return { indices: asListed(indices), leftOut, isUnsupported: false };
    } catch (thrown) {
      if (toServiceFailure(thrown).kind === 'unsupported') {
        return NO_LISTING;
      }
      throw thrown;
    }
  }

  #named(target: IndexName): readonly ListedIndex[] {
    return this.#listed.filter((index) => keyOf(index) === indexNameKey(target));
  }

  get #listed(): readonly ListedIndex[] {
    return this.listing?.indices ?? [];
  }
}

/**
 * Each index by an ID of its own. A server may list a name twice, or names that differ only in what is never shown. No name has a line
 * break in it, so that what is added behind one makes the ID of no other.
 */
export function byId(indices: readonly ListedIndex[]): ReadonlyMap<string, ListedIndex> {
  const seen = new Map<string, number>();
  return new Map(
    indices.map((index) => {
      const before = seen.get(index.indexName) ?? 0;
      seen.set(index.indexName, before + 1);
      return [before === 0 ? index.indexName : `${index.indexName}\n${before}`, index];
    }),
  );
}

/** Indices by entity type, groups and members in order; those that cannot be named come last, under undefined. */
export function groupByEntityType(
  indices: readonly ListedIndex[],
  order: IndexOrder,
): Map<string | undefined, readonly ListedIndex[]> {
  const groups = new Map<string | undefined, ListedIndex[]>();
  for (const index of indices) {
    const group = groups.get(index.entityType);
    if (group === undefined) {
      groups.set(index.entityType, [index]);
    } else {
      group.push(index);
    }
  }
  const bytes = (members: readonly ListedIndex[]): number =>
    members.reduce((sum, { sizeBytes }) => sum + (sizeBytes ?? 0), 0);
  const sorted = [...groups].toSorted(([a, as], [b, bs]) => {
    if (a === undefined || b === undefined) {
      return Number(a === undefined) - Number(b === undefined);
    }
    return (order === 'size' ? bytes(bs) - bytes(as) : 0) || byName(a, b);
  });
  return new Map(
    sorted.map(([entityType, members]) => [
      entityType,
      members.toSorted(
        (a, b) =>
          (order === 'size' ? (b.sizeBytes ?? -1) - (a.sizeBytes ?? -1) : 0) ||
          byName(a.aspect ?? a.indexName, b.aspect ?? b.indexName),
      ),
    ]),
  );
}

/** The sum of what is known; undefined when nothing is. */
export function totalBytes(sizes: readonly (number | undefined)[]): number | undefined {
  const known = sizes.filter((size) => size !== undefined);
  return known.length === 0 ? undefined : known.reduce((sum, size) => sum + size, 0);
}

function byName(a: string | undefined, b: string | undefined): number {
  return (a ?? '').localeCompare(b ?? '');
}

function asListed(indices: readonly IndexSize[]): ListedIndex[] {
  return indices.map(({ indexName, entityType, aspect, sizeBytes, precision, isTotal }) => ({
    indexName,
    entityType,
    aspect,
    sizeBytes,
    precision,
    isTotal,
    isAdded: false,
  }));
}

function asAdded({ entityType, aspect }: IndexName): ListedIndex {
  return {
    indexName: indexNameText({ entityType, aspect }),
    entityType,
    aspect,
    sizeBytes: undefined,
    precision: 'exact',
    isTotal: false,
    isAdded: true,
  };
}

function keyOf(index: ListedIndex): string | undefined {
  const name = indexNameOf(index);
  return name && indexNameKey(name);
}
