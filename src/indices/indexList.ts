/** Time series indices of a connection: listed by the server, or added by the user. */
import * as l10n from '@vscode/l10n';
import { LoadableList } from '../connections/loadableList.ts';
import { toServiceFailure } from '../service/failure/failure.ts';
import type { IndexSize } from '../service/indices/indexSize.ts';
import { type IndexName, indexNameKey, indexNameOf, indexNameText } from './indexName.ts';

export interface ListedIndex extends IndexSize {
  /** Added by hand. */
  readonly isAdded: boolean;
}

export type IndexListOrder = 'size' | 'name';

/** The server's answer. */
interface ReportedIndices {
  readonly indices: readonly ListedIndex[];
  /** The server has no such endpoint. */
  readonly isUnsupported: boolean;
}

const NO_LISTING: ReportedIndices = { indices: [], isUnsupported: true };

export class IndexList extends LoadableList<ReportedIndices> {
  readonly #sizes: (signal: AbortSignal) => Promise<readonly IndexSize[]>;
  readonly #added: () => readonly IndexName[];

  /** @param added Indices that the user added. Read each time, since another window may change them. */
  constructor(
    sizes: (signal: AbortSignal) => Promise<readonly IndexSize[]>,
    added: () => readonly IndexName[],
    changed: () => void,
  ) {
    super(changed);
    this.#sizes = sizes;
    this.#added = added;
  }

  /** The server can't list indices; the user adds them by name. */
  get isUnsupported(): boolean {
    return this.listing?.isUnsupported ?? false;
  }

  /** The user has to add names: the server lists nothing, or only a total. */
  get needsIndexNames(): boolean {
    return this.isUnsupported || this.hasTotalsOnly;
  }

  /** The server lists only a total, as with PostgreSQL. */
  get hasTotalsOnly(): boolean {
    return this.#listed.length > 0 && this.#listed.every(({ isTotal }) => isTotal);
  }

  get indices(): readonly ListedIndex[] {
    const listed = new Set(this.#listed.flatMap((index) => listedIndexKey(index) ?? []));
    const added = this.#added().filter((name) => !listed.has(indexNameKey(name)));
    return [...this.#listed, ...added.map(asAddedIndex)];
  }

  /** Bytes of an index by its name; undefined if the server doesn't report them. */
  sizeBytesOf(target: IndexName): number | undefined {
    return totalKnownBytes(this.#listedUnderName(target).map(({ sizeBytes }) => sizeBytes));
  }

  /** Name on the search cluster, if reported. */
  physicalName(target: IndexName): string | undefined {
    return this.#listedUnderName(target).find(({ indexName }) => !indexName.includes('/'))?.indexName;
  }

  protected async readListing(signal: AbortSignal): Promise<ReportedIndices> {
    try {
      return { indices: (await this.#sizes(signal)).map(asListedIndex), isUnsupported: false };
    } catch (thrown) {
      if (toServiceFailure(thrown).kind === 'unsupported') {
        return NO_LISTING;
      }
      throw thrown;
    }
  }

  #listedUnderName(target: IndexName): readonly ListedIndex[] {
    return this.#listed.filter((index) => listedIndexKey(index) === indexNameKey(target));
  }

  get #listed(): readonly ListedIndex[] {
    return this.listing?.indices ?? [];
  }
}

/** True if its name isn't one that this server gives: another installation may use the same search cluster. */
export function isForeignIndex(index: IndexSize): boolean {
  return !index.isTotal && indexNameOf(index) === undefined;
}

/** Shown beside the name. */
export function shortForeignIndexText(): string {
  return l10n.t('may belong to another installation');
}

export function foreignIndexText(): string {
  return l10n.t("May belong to another installation: its name doesn't match those of this server's indices.");
}

/** Why the list is empty or incomplete. Undefined if it isn't, or before it is loaded. */
export function listHint(
  list: Pick<IndexList, 'isLoaded' | 'isUnsupported' | 'needsIndexNames' | 'indices'>,
): string | undefined {
  if (!list.isLoaded) {
    return undefined;
  }
  if (list.needsIndexNames) {
    return list.isUnsupported ? l10n.t("This server doesn't list its indices. Add them by name.") : totalOnlyText();
  }
  return list.indices.length === 0 ? l10n.t('This server has no time series indices yet.') : undefined;
}

export function totalOnlyText(): string {
  return l10n.t('This server only reports a total. Add indices by name.');
}

/** By their names, in order. Of two with one name, only the first. */
export function indicesById(indices: readonly ListedIndex[]): ReadonlyMap<string, ListedIndex> {
  const found = new Map<string, ListedIndex>();
  for (const index of indices) {
    if (!found.has(index.indexName)) {
      found.set(index.indexName, index);
    }
  }
  return found;
}

/** Groups by entity type in lower case, since an added index may be spelled otherwise. In order; unnamed indices come last, under undefined. */
export function groupByEntityType(
  indices: readonly ListedIndex[],
  order: IndexListOrder,
): Map<string | undefined, readonly ListedIndex[]> {
  const groups = Map.groupBy(indices, ({ entityType }) => entityType?.toLowerCase());
  const knownGroupBytes = (members: readonly ListedIndex[]): number =>
    members.reduce((sum, { sizeBytes }) => sum + (sizeBytes ?? 0), 0);
  const sorted = [...groups].toSorted(([a, as], [b, bs]) => {
    if (a === undefined || b === undefined) {
      return Number(a === undefined) - Number(b === undefined);
    }
    return (order === 'size' ? knownGroupBytes(bs) - knownGroupBytes(as) : 0) || compareNames(a, b);
  });
  return new Map(
    sorted.map(([entityType, members]) => [
      entityType,
      members.toSorted(
        (a, b) =>
          (order === 'size' ? (b.sizeBytes ?? -1) - (a.sizeBytes ?? -1) : 0) ||
          compareNames(a.aspect ?? a.indexName, b.aspect ?? b.indexName),
      ),
    ]),
  );
}

/** Sum of known sizes; undefined if none is known. */
export function totalKnownBytes(sizes: readonly (number | undefined)[]): number | undefined {
  const known = sizes.filter((size) => size !== undefined);
  return known.length === 0 ? undefined : known.reduce((sum, size) => sum + size, 0);
}

function compareNames(a: string | undefined, b: string | undefined): number {
  return (a ?? '').localeCompare(b ?? '');
}

function asListedIndex(index: IndexSize): ListedIndex {
  return { ...index, isAdded: false };
}

/** An index that the server doesn't list. */
export function asAddedIndex({ entityType, aspect }: IndexName): ListedIndex {
  return {
    indexName: indexNameText({ entityType, aspect }),
    entityType,
    aspect,
    sizeBytes: undefined,
    isTotal: false,
    isAdded: true,
  };
}

function listedIndexKey(index: ListedIndex): string | undefined {
  const name = indexNameOf(index);
  return name && indexNameKey(name);
}
