/** What a cut-off can be fitted to. Pure; how it is found is in `fitSearch.ts`. */
import * as l10n from '@vscode/l10n';
import * as v from 'valibot';
import { language } from '../language.ts';
import { formatsOf } from '../ui/formats.ts';

export type FitGoal =
  | { readonly kind: 'keepDays'; readonly days: number }
  /** At most so many bytes stay, as far as rows are of equal size. */
  | { readonly kind: 'keepBytes'; readonly bytes: number }
  /** At most so many rows go. */
  | { readonly kind: 'deleteRows'; readonly rows: number };

/** The largest number of each kind; the smallest is 1. A century, an exabyte, and more rows than an index takes. */
export const LARGEST_GOAL = { keepDays: 36_500, keepBytes: 1e15, deleteRows: 1e12 } as const;

/** Why a number is no goal of that kind (days, bytes or rows), or undefined when it is one. */
export function goalProblem(kind: FitGoal['kind'], value: number): string | undefined {
  return Number.isInteger(value) && value >= 1 && value <= LARGEST_GOAL[kind]
    ? undefined
    : l10n.t('Enter a whole number from 1 to {0}.', formatsOf(language()).number(LARGEST_GOAL[kind]));
}

/**
 * Whether a dry run exceeds a limit: too many rows go, or too much stays, as far as rows are of equal size.
 * @param rows Undefined: the server didn't tell.
 * @param bytes Of the index; undefined: not known.
 */
export function exceeds(
  goal: FitGoal,
  rows: { readonly toDelete: number; readonly total: number } | undefined,
  bytes: number | undefined,
): boolean {
  switch (goal.kind) {
    case 'keepDays':
      return false;
    case 'deleteRows':
      return rows !== undefined && rows.toDelete > goal.rows;
    case 'keepBytes':
      return (
        rows !== undefined && bytes !== undefined && (rows.total - rows.toDelete) * bytes > goal.bytes * rows.total
      );
  }
}

const count = (largest: number) => v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(largest));

/** A goal as a page sends it. */
export const FIT_GOAL = v.variant('kind', [
  v.strictObject({ kind: v.literal('keepDays'), days: count(LARGEST_GOAL.keepDays) }),
  v.strictObject({ kind: v.literal('keepBytes'), bytes: count(LARGEST_GOAL.keepBytes) }),
  v.strictObject({ kind: v.literal('deleteRows'), rows: count(LARGEST_GOAL.deleteRows) }),
]);
