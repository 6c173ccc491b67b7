/** Limits that a cut-off can be fitted to, as a page sends them and as a user types them. Pure. */
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

const count = (largest: number) => v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(largest));

/** A goal as a page sends it. */
export const FIT_GOAL = v.variant('kind', [
  v.strictObject({ kind: v.literal('keepDays'), days: count(LARGEST_GOAL.keepDays) }),
  v.strictObject({ kind: v.literal('keepBytes'), bytes: count(LARGEST_GOAL.keepBytes) }),
  v.strictObject({ kind: v.literal('deleteRows'), rows: count(LARGEST_GOAL.deleteRows) }),
]);

export type FitKind = FitGoal['kind'];

const BYTES_PER_GB = 1e9;
/** In GB. */
const LEAST_GB = 0.01;

/** The goal that a text means, or what is wrong with it. Of bytes it is a number of GB. */
export function readGoal(kind: FitKind, text: string): { readonly goal: FitGoal } | { readonly problem: string } {
  if (kind === 'keepBytes') {
    const bytes = Math.round(decimal(text) * BYTES_PER_GB);
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
  const value = whole(text);
  const problem = goalProblem(kind, value);
  if (problem !== undefined) {
    return { problem };
  }
  return { goal: kind === 'keepDays' ? { kind, days: value } : { kind, rows: value } };
}

/** Whole days, or what is wrong with the text. */
export function readDays(text: string): { readonly days: number } | { readonly problem: string } {
  const days = whole(text);
  const problem = goalProblem('keepDays', days);
  return problem === undefined ? { days } : { problem };
}

/** With a point or a comma, as keyboards have it. Three decimals may as well be thousands: "1,500" for one person is 1.5 for another. */
function decimal(text: string): number {
  const typed = text.trim();
  return /^\d+(?:[.,]\d{1,2})?$/.test(typed) ? Number(typed.replace(',', '.')) : NaN;
}

/** Thousands may be set apart, as numbers are shown: "1,000,000". */
function whole(text: string): number {
  const typed = text.trim();
  return /^(?:\d+|\d{1,3}(?<sign>[.,'’\s])\d{3}(?:\k<sign>\d{3})*)$/.test(typed)
    ? Number(typed.replaceAll(/\D/g, ''))
    : NaN;
}
