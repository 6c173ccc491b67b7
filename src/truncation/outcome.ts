/** End of a truncation, as it is stored: facts, which texts/endingTexts.ts puts into words. */
import * as v from 'valibot';

/** How a truncation stands, for its icon in lists and its box on a page. */
export type TruncationMark = 'running' | 'done' | 'warning' | 'unknown' | 'failed';

/** Requests that an administrator can send to the search cluster. */
export type ClusterRequestKind = 'repair' | 'cancel' | 'merge';

/** End as it is stored. */
export const outcomeSchema = () =>
  v.variant('kind', [
    v.object({
      kind: v.literal('finished'),
      deleted: v.optional(v.number()),
      versionConflicts: v.number(),
      /** Result of counting what searches find. */
      readers: v.picklist(['clean', 'rowsLeft', 'notChecked']),
      /** Rows up to the cutoff that searches still find. */
      rowsLeft: v.optional(v.number()),
    }),
    v.object({
      kind: v.literal('failed'),
      /** `endedEarly`: by the task alone, since the rows couldn't be counted. */
      reason: v.picklist(['stopped', 'neverBegan', 'writesRefused', 'endedEarly']),
      /** Rows up to the cutoff that searches still find, of one that stopped. */
      rowsLeft: v.optional(v.number()),
      /** Set if all rows to keep were found, so nothing is blocked. */
      readers: v.optional(v.literal('whole')),
    }),
    /** The server doesn't know the task, or can't tell. */
    v.object({
      kind: v.literal('unknown'),
      /**
       * - `lost`, `lostInTime`: no response, or not before the time limit.
       * - `rowsHidden`: a reindex failed after searches were pointed at its index.
       * - `missing`: searches don't find rows to keep, for the cause in `missing`.
       * - `superseded`: not counted, since a later truncation of the index was sent.
       */
      reason: v.fallback(
        v.picklist(['lost', 'lostInTime', 'rowsHidden', 'missing', 'notCounted', 'superseded']),
        'missing',
      ),
      /** The server's error in place of a response. */
      answer: v.optional(v.object({ status: v.number(), serverText: v.optional(v.string()) })),
      /** Rows in the last count, as far as the texts need them. */
      found: v.optional(v.object({ kept: v.number(), toDelete: v.optional(v.number()) })),
      /** Searches don't find rows to keep, as after a reindex, so nothing may be deleted from the index. */
      hidesRows: v.optional(v.boolean()),
      /** Selects the requests that bring rows back. */
      missing: v.fallback(
        v.optional(v.picklist(['notRefreshed', 'notCopied', 'notRefreshedOrCopied', 'notAvailable', 'copiesDisagree'])),
        undefined,
      ),
    }),
  ]);

export type TruncationOutcome = v.InferOutput<ReturnType<typeof outcomeSchema>>;

export type FinishedOutcome = Extract<TruncationOutcome, { kind: 'finished' }>;
export type UnknownOutcome = Extract<TruncationOutcome, { kind: 'unknown' }>;

/** Why rows to keep aren't found, which decides the repair. */
export type MissingCause = Exclude<NonNullable<UnknownOutcome['missing']>, 'copiesDisagree'>;

export function isSameOutcome(a: TruncationOutcome | undefined, b: TruncationOutcome | undefined): boolean {
  return JSON.stringify(a, sortedKeys) === JSON.stringify(b, sortedKeys);
}

/** One that was read from its file has its keys in another order. */
function sortedKeys(_key: string, value: unknown): unknown {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)))
    : value;
}
