/** One time series index and its size (spec §4.3; facts §5.2, §6). */
import * as v from 'valibot';
import { shown } from './accessToken.ts';

/** One index, as the server names it. */
export interface IndexSize {
  readonly indexName: string;
  /** Undefined when it is neither told nor readable from the index's name: such an index cannot be truncated from here. */
  readonly entityType: string | undefined;
  readonly aspect: string | undefined;
  /** Of the primary shards; undefined when it is not told. */
  readonly sizeBytes: number | undefined;
}

/** An exabyte: beyond it, it is no size. */
const LARGEST_MB = 1e12;
/** `sizeInMb` of today, `sizeMb` of before: decimal megabytes. */
const BYTES_PER_MB = 1_000_000;
const LONGEST_NAME = 255;

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
const ROW = v.object({ indexName: v.fallback(v.string(), ''), entityName: NAME, aspectName: NAME, sizeInMb: SIZE, sizeMb: SIZE });

/** A row of a listing of sizes, or nothing when it names no index. */
export function indexFrom(row: unknown): IndexSize[] {
  const parsed = v.safeParse(ROW, row);
  if (!parsed.success) {
    return [];
  }
  const { entityName, aspectName, sizeInMb, sizeMb } = parsed.output;
  const indexName = shown(parsed.output.indexName, LONGEST_NAME) ?? (aspectName ? `${entityName ?? ''}_${aspectName}` : undefined);
  if (indexName === undefined) {
    return [];
  }
  const derived = namesFromIndex(indexName);
  // One of the two is set. Where the other comes along with its default, 0, it says nothing.
  const megabytes = sizeInMb ? sizeInMb : (sizeMb ?? sizeInMb ?? undefined);
  return [
    {
      indexName,
      entityType: entityName || derived?.entityType,
      aspect: aspectName || derived?.aspect,
      sizeBytes: megabytes === undefined ? undefined : megabytes * BYTES_PER_MB,
    },
  ];
}

/** `<prefix_><entity>_<aspect>aspect_v1<_millis>`: the millis stand in the physical name after a reindex. */
export function namesFromIndex(indexName: string): { readonly entityType: string; readonly aspect: string } | undefined {
  const match = /(?:^|_)([a-z][a-z0-9]*)_([a-z][a-z0-9]*)aspect_v1(?:_\d+)?$/.exec(indexName);
  return match?.[1] === undefined || match[2] === undefined ? undefined : { entityType: match[1], aspect: match[2] };
}
