/** One time series index and its size (PROTOCOL.md §9). */
import * as v from 'valibot';
import { containsToken } from '../failure/redaction.ts';
import { showableText } from '../tokens/accessToken.ts';

/** One index, as the server names it. */
export interface IndexSize {
  /** If the server omits it: entity type and aspect with a slash, which no index name contains. */
  readonly indexName: string;
  /**
   * As the server names them. If undefined, the index can't be truncated from its row.
   * Never parsed from the index name: that of another installation on the same cluster has the same words in it.
   */
  readonly entityType: string | undefined;
  readonly aspect: string | undefined;
  /** True for a row that stands for all indices, as the table of a PostgreSQL back end does. */
  readonly isTotal: boolean;
  /** Size of the primary shards. Undefined if the server doesn't report it. */
  readonly sizeBytes: number | undefined;
}

/** More than an exabyte is no size. */
const LARGEST_BYTES = 1e18;
const BYTES_PER_MB = 1_000_000;
const LONGEST_NAME = 255;
/** Entity type and aspect of a PostgreSQL back end (PROTOCOL.md §10). */
const EVERYTHING = '*';

/** Sent back exactly as listed. A name that holds a token is dropped. */
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
const ROW = v.object({
  indexName: v.fallback(v.string(), ''),
  entityName: NAME,
  aspectName: NAME,
  /** Versions of 2023 only send `sizeMb`, which is wrong about any index above 2.1 GB (PROTOCOL.md §9.2). */
  sizeInMb: v.fallback(v.number(), -1),
});

/** Reads a row of a listing; empty if it names no index. */
export function parseIndexRow(row: unknown): IndexSize[] {
  const parsed = v.safeParse(ROW, row);
  if (!parsed.success) {
    return [];
  }
  const { entityName, aspectName, sizeInMb } = parsed.output;
  const bytes = sizeInMb * BYTES_PER_MB;
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
      entityType: singleIndexName(entityName),
      aspect: singleIndexName(aspectName),
      isTotal,
      sizeBytes: bytes >= 0 && bytes <= LARGEST_BYTES ? bytes : undefined,
    },
  ];
}

/** An asterisk names no index. Sent back, it could reach all of them. */
function singleIndexName(name: string | null | undefined): string | undefined {
  return name === EVERYTHING ? undefined : name || undefined;
}
