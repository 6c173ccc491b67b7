/** What a person types as a limit. Pure. */
import * as l10n from '@vscode/l10n';
import { language } from '../language.ts';
import { formatsOf } from '../ui/formats.ts';
import { goalProblem, LARGEST_GOAL, type FitGoal } from './fit.ts';

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
