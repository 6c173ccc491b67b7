/** What a person types as a limit. Pure. */
import * as l10n from '@vscode/l10n';
import { goalProblem, LARGEST_GOAL, type FitGoal } from './fit.ts';

export type FitKind = FitGoal['kind'];

const BYTES_PER_GB = 1e9;
/** A megabyte: less than that no size is told in. In GB. */
const LEAST_GB = 0.001;

/** The goal that a text means, or what is wrong with it. Of bytes it is a number of GB. */
export function readGoal(kind: FitKind, text: string): { readonly goal: FitGoal } | { readonly problem: string } {
  if (kind === 'keepBytes') {
    const bytes = Math.round(decimal(text) * BYTES_PER_GB);
    const most = LARGEST_GOAL.keepBytes;
    return bytes >= LEAST_GB * BYTES_PER_GB && bytes <= most
      ? { goal: { kind, bytes } }
      : { problem: l10n.t('Enter a number from {0} to {1}.', LEAST_GB, most / BYTES_PER_GB) };
  }
  const value = whole(text);
  const problem = goalProblem(kind, value);
  if (problem !== undefined) {
    return { problem };
  }
  return { goal: kind === 'keepDays' ? { kind, days: value } : { kind, rows: value } };
}

/** With a point or a comma, as keyboards have it. What may as well be thousands is no number: "1,500" for one person is 1.5 for another. */
function decimal(text: string): number {
  const typed = text.trim();
  const isAmbiguous = /^[1-9]\d{0,2}[.,]\d{3}$/.test(typed);
  return !isAmbiguous && /^\d+(?:[.,]\d+)?$/.test(typed) ? Number(typed.replace(',', '.')) : NaN;
}

/** Thousands may be set apart, as numbers are shown: "1,000,000". */
function whole(text: string): number {
  const typed = text.trim();
  return /^(?:\d+|\d{1,3}(?<sign>[.,'’\s])\d{3}(?:\k<sign>\d{3})*)$/.test(typed)
    ? Number(typed.replaceAll(/\D/g, ''))
    : NaN;
}
