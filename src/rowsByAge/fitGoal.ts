/** Limits that a cutoff can be fitted to, as pages send them and users type them. Pure. */
import * as l10n from '@vscode/l10n';
import * as v from 'valibot';
import { language } from '../language.ts';
import { formatsOf } from '../ui/formats.ts';

export type FitGoal =
  | { readonly kind: 'keepDays'; readonly days: number }
  /** Keeps at most so many bytes, assuming rows of equal size. */
  | { readonly kind: 'keepBytes'; readonly bytes: number }
  /** Deletes at most so many rows. */
  | { readonly kind: 'deleteRows'; readonly rows: number };

/** The largest number of each kind: a century, a petabyte, and more rows than an index holds. The smallest is 1. */
export const LARGEST_GOAL = { keepDays: 36_500, keepBytes: 1e15, deleteRows: 1e12 } as const;

/** The problem of a number of days, bytes or rows; undefined if it is valid. */
export function goalProblem(kind: FitGoal['kind'], value: number): string | undefined {
  return Number.isInteger(value) && value >= 1 && value <= LARGEST_GOAL[kind]
    ? undefined
    : l10n.t('Enter a whole number from 1 to {0}.', formatsOf(language()).number(LARGEST_GOAL[kind]));
}

const goalNumber = (largest: number) => v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(largest));

/** Schema of a goal that a page sends. */
export const FIT_GOAL = v.variant('kind', [
  v.strictObject({ kind: v.literal('keepDays'), days: goalNumber(LARGEST_GOAL.keepDays) }),
  v.strictObject({ kind: v.literal('keepBytes'), bytes: goalNumber(LARGEST_GOAL.keepBytes) }),
  v.strictObject({ kind: v.literal('deleteRows'), rows: goalNumber(LARGEST_GOAL.deleteRows) }),
]);

export type FitKind = FitGoal['kind'];

const BYTES_PER_GB = 1e9;
/** In GB. */
const LEAST_GB = 0.01;

/** Reads a goal, or its problem. Bytes are typed in GB. */
export function readGoal(kind: FitKind, text: string): { readonly goal: FitGoal } | { readonly problem: string } {
  if (kind === 'keepBytes') {
    const bytes = Math.round(parseDecimal(text) * BYTES_PER_GB);
    const most = LARGEST_GOAL.keepBytes;
    const { number } = formatsOf(language());
    return bytes >= LEAST_GB * BYTES_PER_GB && bytes <= most
      ? { goal: { kind, bytes } }
      : {
          problem: l10n.t(
            'Enter a number from {0} to {1}, with two decimals at most.',
            number(LEAST_GB),
            number(most / BYTES_PER_GB),
          ),
        };
  }
  const value = parseWholeNumber(text);
  const problem = goalProblem(kind, value);
  if (problem !== undefined) {
    return { problem };
  }
  return { goal: kind === 'keepDays' ? { kind, days: value } : { kind, rows: value } };
}

/** Reads whole days, or their problem. */
export function readDays(text: string): { readonly days: number } | { readonly problem: string } {
  const days = parseWholeNumber(text);
  const problem = goalProblem('keepDays', days);
  return problem === undefined ? { days } : { problem };
}

/** Accepts a point or a comma. Rejects three decimals, since "1,500" may mean 1500 or 1.5. */
function parseDecimal(text: string): number {
  const typed = text.trim();
  return /^\d+(?:[.,]\d{1,2})?$/.test(typed) ? Number(typed.replace(',', '.')) : NaN;
}

/** Accepts grouped thousands, as numbers are shown: "1,000,000". */
function parseWholeNumber(text: string): number {
  const typed = text.trim();
  return /^(?:\d+|\d{1,3}(?<sign>[.,'’\s])\d{3}(?:\k<sign>\d{3})*)$/.test(typed)
    ? Number(typed.replaceAll(/\D/g, ''))
    : NaN;
}
