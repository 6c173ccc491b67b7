/**
 * End of a truncation, as it is stored: facts, which texts/endingTexts.ts puts into words. And problems, as they are
 * shown.
 */
import * as v from 'valibot';
import type { ServiceFailure } from '../service/failure/failure.ts';
import { inSentence } from '../ui/foreignText.ts';

/** Problem as the user sees it, with the next step. */
export interface Problem {
  readonly sentence: string;
  readonly next?: string | undefined;
  /** Signing in may solve it. */
  readonly isSignedOut?: true | undefined;
  /** Its index can be truncated alone. */
  readonly mustBeAlone?: true | undefined;
}

/** The sentence, and what to do next. */
export function problemText({ sentence, next }: Problem): string {
  return next === undefined ? sentence : `${sentence} ${next}`;
}

/** Requests that an administrator can send to the search cluster. */
export type ClusterRequestKind = 'repair' | 'cancel' | 'merge';

/** Cause of missing rows, which decides the repair. */
export type MissingCause = 'notRefreshed' | 'notCopied' | 'notRefreshedOrCopied' | 'notAvailable';

export type TruncationOutcome =
  | {
      readonly kind: 'finished';
      readonly deleted: number | undefined;
      readonly versionConflicts: number;
      /** Result of counting what searches find. */
      readonly readers: 'clean' | 'rowsLeft' | 'notChecked';
      /** Rows up to the cutoff that searches still find. */
      readonly rowsLeft?: number | undefined;
    }
  /** `readers`: all rows to keep were found, so nothing is blocked. */
  | {
      readonly kind: 'failed';
      readonly reason: FailedReason;
      /** Rows up to the cutoff that searches still find, of one that stopped. */
      readonly rowsLeft?: number | undefined;
      readonly failures: readonly string[];
      readonly readers?: 'whole' | undefined;
    }
  /** The server refused the request. Never stored. */
  | {
      readonly kind: 'failed';
      readonly reason: 'refused';
      readonly failing: Problem;
      readonly failures: readonly string[];
      readonly readers?: undefined;
    }
  /** The server doesn't know the task, or can't tell. */
  | {
      readonly kind: 'unknown';
      readonly reason: UnknownReason;
      /** The server's error in place of a response. */
      readonly answer?: { readonly status: number; readonly serverText?: string | undefined } | undefined;
      /** Rows in the last count, as far as the texts need them. */
      readonly found?: { readonly kept: number; readonly toDelete?: number | undefined } | undefined;
      /** Searches don't find rows to keep, as after a reindex, so nothing may be deleted from the index. */
      readonly hidesRows?: boolean | undefined;
      /** Selects the requests that bring rows back. */
      readonly missing?: MissingCause | 'copiesDisagree' | undefined;
    };

export type UnknownOutcome = Extract<TruncationOutcome, { readonly kind: 'unknown' }>;

const FAILED_REASONS = ['stopped', 'neverBegan', 'writesRefused', 'endedEarly'] as const;
/** `endedEarly`: by the task alone, since the rows couldn't be counted. */
type FailedReason = (typeof FAILED_REASONS)[number];

const UNKNOWN_REASONS = ['lost', 'lostInTime', 'rowsHidden', 'missing', 'notCounted', 'superseded'] as const;
/**
 * - `lost`, `lostInTime`: no response, or not before the time limit.
 * - `rowsHidden`: a reindex failed after searches were pointed at its index.
 * - `missing`: searches don't find rows to keep, for the cause in `missing`.
 * - `superseded`: not counted, since a later truncation of the index was sent.
 */
type UnknownReason = (typeof UNKNOWN_REASONS)[number];

export const outcomeSchema = () =>
  v.variant('kind', [
    v.object({
      kind: v.literal('finished'),
      deleted: v.optional(v.number()),
      versionConflicts: v.number(),
      readers: v.picklist(['clean', 'rowsLeft', 'notChecked']),
      rowsLeft: v.optional(v.number()),
    }),
    v.object({
      kind: v.literal('failed'),
      reason: v.picklist(FAILED_REASONS),
      rowsLeft: v.optional(v.number()),
      failures: v.array(v.string()),
      readers: v.optional(v.literal('whole')),
    }),
    v.object({
      kind: v.literal('unknown'),
      reason: v.fallback(v.picklist(UNKNOWN_REASONS), 'missing'),
      answer: v.optional(v.object({ status: v.number(), serverText: v.optional(v.string()) })),
      found: v.optional(v.object({ kept: v.number(), toDelete: v.optional(v.number()) })),
      hidesRows: v.optional(v.boolean()),
      missing: v.fallback(
        v.optional(v.picklist(['notRefreshed', 'notCopied', 'notRefreshedOrCopied', 'notAvailable', 'copiesDisagree'])),
        undefined,
      ),
    }),
  ]);

/** True if another deletion had deleted the rows: this one met only version conflicts, and none is left. */
export function hasDeletedElsewhere(ending: TruncationOutcome | undefined): boolean {
  return (
    ending?.kind === 'finished' && ending.readers === 'clean' && ending.deleted === 0 && ending.versionConflicts > 0
  );
}

export function isSameOutcome(a: TruncationOutcome | undefined, b: TruncationOutcome | undefined): boolean {
  return JSON.stringify(a, sortedKeys) === JSON.stringify(b, sortedKeys);
}

/** One that was read from its file has its keys in another order. */
function sortedKeys(_key: string, value: unknown): unknown {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)))
    : value;
}

/** Omits details, which belong into the log. */
export function problemOf({ kind, message, next }: ServiceFailure): Problem {
  return { sentence: message, next, isSignedOut: kind === 'signedOut' || undefined };
}

/** Escaped for a page. */
export function problemView({ sentence, next, isSignedOut }: Problem): Problem {
  return { sentence: inSentence(sentence), next: next && inSentence(next), isSignedOut };
}
