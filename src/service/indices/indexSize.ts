/** One time series index and its size (PROTOCOL.md §9). */
import * as v from 'valibot';
import { shown } from '../tokens/accessToken.ts';

/** One index, as the server names it. */
export interface IndexSize {
  /** Where the server tells none, its entity type and aspect with a slash between them, which no index has in its name. */
  readonly indexName: string;
  /**
   * As the server names them. Undefined when it does not: such an index cannot be truncated from its row. They are never read out of
   * the index's name: a leftover of a reindex has the name of the live index in its own.
   */
  readonly entityType: string | undefined;
  readonly aspect: string | undefined;
  /** It stands for all indices together, as the table of a PostgreSQL back end does. */
  readonly isTotal: boolean;
  /** Of the primary shards; undefined when it is not told. */
  readonly sizeBytes: number | undefined;
}

/** An exabyte: beyond it, it is no size. */
const LARGEST_MB = 1e12;
/** `sizeInMb` of today, `sizeMb` of before: decimal megabytes. */
const BYTES_PER_MB = 1_000_000;
const LONGEST_NAME = 255;
/** What a PostgreSQL back end gives for entity type and aspect (PROTOCOL.md §10). */
const EVERYTHING = '*';

/** Sent back as the listing spells it, so that a name is taken as it is or not at all. */
const NAME = v.fallback(v.nullish(v.pipe(v.string(), v.maxLength(LONGEST_NAME), v.regex(/^[^\s\p{C}]*$/u))), undefined);
const SIZE = v.fallback(
  v.nullish(
    v.pipe(
      v.union([v.number(), v.pipe(v.string(), v.regex(/^\d{1,15}(?:\.\d+)?$/), v.transform(Number))]),
      v.minValue(0),
      v.maxValue(LARGEST_MB),
    ),
  ),
  undefined,
);
const ROW = v.object({
  indexName: v.fallback(v.string(), ''),
  entityName: NAME,
  aspectName: NAME,
  sizeInMb: SIZE,
  sizeMb: SIZE,
});

/** A row of a listing of sizes, or nothing when it names no index. */
export function indexFrom(row: unknown): IndexSize[] {
  const parsed = v.safeParse(ROW, row);
  if (!parsed.success) {
    return [];
  }
  const { entityName, aspectName, sizeInMb, sizeMb } = parsed.output;
  const indexName =
    shown(parsed.output.indexName, LONGEST_NAME) ?? (aspectName ? `${entityName ?? ''}/${aspectName}` : undefined);
  if (indexName === undefined) {
    return [];
  }
  const isTotal = entityName === EVERYTHING && aspectName === EVERYTHING;
  // One of the two is set. Where the other comes along with its default, 0, it says nothing.
  const megabytes = sizeInMb ? sizeInMb : (sizeMb ?? sizeInMb ?? undefined);
  return [
    {
      indexName,
      entityType: oneName(entityName),
      aspect: oneName(aspectName),
      isTotal,
      sizeBytes: megabytes === undefined ? undefined : megabytes * BYTES_PER_MB,
    },
  ];
}

/** An asterisk is the name of no index: sent back, it could reach all of them. */
function oneName(name: string | null | undefined): string | undefined {
  return name === EVERYTHING ? undefined : name || undefined;
}
