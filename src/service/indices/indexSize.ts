/** One time series index and its size (PROTOCOL.md §9). */
import * as v from 'valibot';
import { containsToken } from '../failure/redaction.ts';
import { showableText } from '../tokens/accessToken.ts';

/** One index, as the server names it. */
export interface IndexSize {
  /** Where the server tells none, its entity type and aspect with a slash between them, which no index has in its name. */
  readonly indexName: string;
  /**
   * As the server names them. Undefined when it does not: such an index cannot be truncated from its row. They are never read out of
   * the index's name: that of another installation on the same cluster has the same words in it.
   */
  readonly entityType: string | undefined;
  readonly aspect: string | undefined;
  /** It stands for all indices together, as the table of a PostgreSQL back end does. */
  readonly isTotal: boolean;
  /** Of the primary shards. Undefined if the server doesn't report it, or can't because it is too large. */
  readonly sizeBytes: number | undefined;
  readonly precision: SizePrecision;
}

/** `approximate`: reported by an older server, which is wrong about any index above 2.1 GB (PROTOCOL.md §9.2). */
export type SizePrecision = 'exact' | 'approximate';

/** The size of one index. */
export interface ReportedSize {
  /** Undefined if it isn't known. */
  readonly bytes: number | undefined;
  readonly precision: SizePrecision;
}

/** Where a listing comes from: its `sizeMb` means kilobytes in one and megabytes in the other. */
export type SizeSource = 'restli' | 'openapi';

/** Anything beyond an exabyte is no size. */
const LARGEST_BYTES = 1e18;
const BYTES_PER_KB = 1_000;
const BYTES_PER_MB = 1_000_000;
const LONGEST_NAME = 255;
/** What a PostgreSQL back end gives for entity type and aspect (PROTOCOL.md §10). */
const EVERYTHING = '*';

/** Sent back as the listing spells it, so that a name is taken as it is or not at all: not at all where it holds a token. */
const NAME = v.fallback(
  v.nullish(
    v.pipe(
      v.string(),
      v.maxLength(LONGEST_NAME),
      v.regex(/^[^\s\p{C}]*$/u),
      v.check((name) => !containsToken(name)),
    ),
  ),
  undefined,
);
const SIZE = v.fallback(
  v.nullish(
    v.union([
      v.pipe(v.number(), v.finite()),
      v.pipe(v.string(), v.regex(/^-?\d{1,15}(?:\.\d+)?$/), v.transform(Number)),
    ]),
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
export function parseIndexRow(row: unknown, source: SizeSource): IndexSize[] {
  const parsed = v.safeParse(ROW, row);
  if (!parsed.success) {
    return [];
  }
  const { entityName, aspectName } = parsed.output;
  const indexName =
    showableText(parsed.output.indexName, LONGEST_NAME) ??
    (aspectName ? `${entityName ?? ''}/${aspectName}` : undefined);
  if (indexName === undefined) {
    return [];
  }
  const isTotal = entityName === EVERYTHING && aspectName === EVERYTHING;
  return [
    {
      indexName,
      entityType: singleName(entityName),
      aspect: singleName(aspectName),
      isTotal,
      ...sizeOfRow(parsed.output, source),
    },
  ];
}

/** A size to calculate with; undefined if it isn't known or may be wrong. */
export function exactBytes({ bytes, precision }: ReportedSize): number | undefined {
  return precision === 'exact' ? bytes : undefined;
}

/** Of all sizes together; undefined if there are none. */
export function commonPrecision(
  indices: readonly Pick<IndexSize, 'sizeBytes' | 'precision'>[],
): SizePrecision | undefined {
  if (indices.some(({ precision }) => precision === 'approximate')) {
    return 'approximate';
  }
  return indices.some(({ sizeBytes }) => sizeBytes !== undefined) ? 'exact' : undefined;
}

/** One of the two fields is set. If the other comes along with its default, 0, it says nothing. */
function sizeOfRow(
  { sizeInMb, sizeMb }: Pick<v.InferOutput<typeof ROW>, 'sizeInMb' | 'sizeMb'>,
  source: SizeSource,
): Pick<IndexSize, 'sizeBytes' | 'precision'> {
  if (sizeInMb || sizeMb === undefined || sizeMb === null || (sizeMb === 0 && sizeInMb === 0)) {
    return { sizeBytes: validBytes(sizeInMb, BYTES_PER_MB), precision: 'exact' };
  }
  return source === 'openapi'
    ? { sizeBytes: validBytes(sizeMb, BYTES_PER_MB), precision: 'exact' }
    : { sizeBytes: validBytes(sizeMb, BYTES_PER_KB), precision: 'approximate' };
}

function validBytes(size: number | null | undefined, bytesPerUnit: number): number | undefined {
  const bytes = (size ?? -1) * bytesPerUnit;
  return bytes >= 0 && bytes <= LARGEST_BYTES ? bytes : undefined;
}

/** An asterisk is the name of no index: sent back, it could reach all of them. */
function singleName(name: string | null | undefined): string | undefined {
  return name === EVERYTHING ? undefined : name || undefined;
}
