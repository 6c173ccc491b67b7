/** Limits that a cutoff can be fitted to, as pages send them and users type them. Pure. */
import * as l10n from '@vscode/l10n';
import * as v from 'valibot';
import { language } from '../language.ts';
import { MILLIS_PER_DAY, MILLIS_PER_MINUTE } from '../time.ts';
import { formatsOf, parseWholeNumber } from '../ui/formats.ts';

export type FitGoal =
  /** Keeps at most so many bytes, assuming rows of equal size. */
  | { readonly kind: 'keepBytes'; readonly bytes: number }
  /** Deletes at most so many rows. */
  | { readonly kind: 'deleteRows'; readonly rows: number };

/** A petabyte, and more rows than an index holds. The smallest goal is 1. */
const LARGEST_GOAL = { keepBytes: 1e15, deleteRows: 1e12 } as const;

/** A century: the largest age of a cutoff. */
export const MOST_DAYS = 36_500;

/** The problem of a whole number; undefined if it is valid. */
function wholeNumberProblem(value: number, largest: number): string | undefined {
  return Number.isInteger(value) && value >= 1 && value <= largest
    ? undefined
    : l10n.t('Enter a whole number from 1 to {0}.', formatsOf(language()).number(largest));
}

const goalNumber = (largest: number) => v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(largest));

/** Schema of a goal that a page sends. */
export const FIT_GOAL = v.variant('kind', [
  v.strictObject({ kind: v.literal('keepBytes'), bytes: goalNumber(LARGEST_GOAL.keepBytes) }),
  v.strictObject({ kind: v.literal('deleteRows'), rows: goalNumber(LARGEST_GOAL.deleteRows) }),
]);

export type FitKind = FitGoal['kind'];

export function isSameGoal(a: FitGoal, b: FitGoal): boolean {
  const limitOf = (goal: FitGoal): number => (goal.kind === 'keepBytes' ? goal.bytes : goal.rows);
  return a.kind === b.kind && limitOf(a) === limitOf(b);
}

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
  const rows = parseWholeNumber(text);
  const problem = wholeNumberProblem(rows, LARGEST_GOAL.deleteRows);
  return problem === undefined ? { goal: { kind, rows } } : { problem };
}

/** Reads whole days, or their problem. */
export function readDays(text: string): { readonly days: number } | { readonly problem: string } {
  const days = parseWholeNumber(text);
  const problem = wholeNumberProblem(days, MOST_DAYS);
  return problem === undefined ? { days } : { problem };
}

/** The cutoff "older than `days` days", rounded down to the minute. Takes and returns Unix time in ms, UTC. */
export function cutoffDaysBefore(days: number, now: number): number {
  return Math.floor((now - days * MILLIS_PER_DAY) / MILLIS_PER_MINUTE) * MILLIS_PER_MINUTE;
}

/** Accepts a point or a comma. Rejects three decimals, since "1,500" may mean 1500 or 1.5. */
function parseDecimal(text: string): number {
  const typed = text.trim();
  return /^\d+(?:[.,]\d{1,2})?$/.test(typed) ? Number(typed.replace(',', '.')) : NaN;
}
