/** End of a truncation and its problem, as they are stored and shown. */
import * as v from 'valibot';
import type { ServiceFailure } from '../service/failure/failure.ts';
import { inSentence } from '../ui/foreignText.ts';

/** Problem as the user sees it, with the next step. */
export interface Problem {
  readonly sentence: string;
  readonly next?: string | undefined;
  /** Signing in may solve it. */
  readonly isSignedOut?: true | undefined;
}

/** The sentence, and what to do next. */
export function problemText({ sentence, next }: Problem): string {
  return next === undefined ? sentence : `${sentence} ${next}`;
}

/** Cause of missing rows, which decides the repair. */
export type MissingCause = 'notRefreshed' | 'notCopied' | 'notRefreshedOrCopied' | 'notAvailable';

export type TruncationOutcome =
  | {
      readonly kind: 'finished';
      readonly deleted: number | undefined;
      readonly versionConflicts: number;
      /** Result of counting what searches find. Undefined in old records. */
      readonly readers?: 'clean' | 'rowsLeft' | 'notChecked' | undefined;
      /** Rows up to the cutoff that searches still find. */
      readonly rowsLeft?: number | undefined;
    }
  /** `readers`: all rows to keep were found, so nothing is blocked. */
  | {
      readonly kind: 'failed';
      readonly failing: Problem;
      readonly failures: readonly string[];
      readonly readers?: 'whole' | undefined;
    }
  /** The server doesn't know the task, or can't tell. */
  | {
      readonly kind: 'unknown';
      readonly failing: Problem;
      /** Searches don't find rows to keep, as after a reindex, so nothing may be deleted from the index. */
      readonly hidesRows?: boolean | undefined;
      /** Selects the requests that bring rows back. */
      readonly missing?: MissingCause | 'copiesDisagree' | undefined;
    };

const problemSchema = () => v.object({ sentence: v.string(), next: v.optional(v.string()) });
export const outcomeSchema = () =>
  v.variant('kind', [
    v.object({
      kind: v.literal('finished'),
      deleted: v.optional(v.number()),
      versionConflicts: v.number(),
      readers: v.optional(v.picklist(['clean', 'rowsLeft', 'notChecked'])),
      rowsLeft: v.optional(v.number()),
    }),
    v.object({
      kind: v.literal('failed'),
      failing: problemSchema(),
      failures: v.array(v.string()),
      readers: v.optional(v.literal('whole')),
    }),
    v.object({
      kind: v.literal('unknown'),
      failing: problemSchema(),
      hidesRows: v.optional(v.boolean()),
      missing: v.fallback(
        v.optional(v.picklist(['notRefreshed', 'notCopied', 'notRefreshedOrCopied', 'notAvailable', 'copiesDisagree'])),
        undefined,
      ),
    }),
  ]);

export function isSameOutcome(a: TruncationOutcome | undefined, b: TruncationOutcome | undefined): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

/** Omits details, which belong into the log. */
export function problemOf({ kind, message, next }: ServiceFailure): Problem {
  return { sentence: message, next, isSignedOut: kind === 'signedOut' || undefined };
}

/** Escaped for a page. */
export function problemView({ sentence, next, isSignedOut }: Problem): Problem {
  return { sentence: inSentence(sentence), next: next && inSentence(next), isSignedOut };
}
