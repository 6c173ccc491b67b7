/** How a truncation ended, as it is stored and shown. */
import * as v from 'valibot';
import type { Problem } from './problem.ts';

/** Which rows are missing, and what brings them back. */
export type MissingCause = 'notRefreshed' | 'notCopied' | 'notRefreshedOrCopied' | 'notAvailable';

/** How a truncation ended. */
export type Outcome =
  | {
      readonly kind: 'finished';
      readonly deleted: number | undefined;
      readonly versionConflicts: number;
      /** What readers see. Undefined in records from before readers were counted. */
      readonly readers?: 'clean' | 'rowsLeft' | 'notChecked' | undefined;
      /** Rows dated at or before the cutoff that are still found. */
      readonly rowsLeft?: number | undefined;
    }
  /** `readers`: rows that should stay were counted and are all there, so the index isn't blocked. */
  | {
      readonly kind: 'failed';
      readonly failing: Problem;
      readonly failures: readonly string[];
      readonly readers?: 'whole' | undefined;
    }
  /**
   * The server doesn't know the task any more, or can't tell. `hidesRows`: readers don't find rows that should stay, as after a
   * reindex, so nothing may be deleted from the index. `missing`: which requests bring them back.
   */
  | {
      readonly kind: 'unknown';
      readonly failing: Problem;
      readonly hidesRows?: boolean | undefined;
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

export function isSameOutcome(a: Outcome | undefined, b: Outcome | undefined): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
