/** The cutoff as the user says it. */
import * as l10n from '@vscode/l10n';
import { language } from '../language.ts';
import { MILLIS_PER_DAY, MILLIS_PER_HOUR, MILLIS_PER_MINUTE } from '../time.ts';
import { formatsOf } from '../ui/formats.ts';
import { parseWholeNumber } from '../ui/typedValues.ts';

/** Ways to say it: an age, a date, or a limit that the rows by age turn into one. */
export const CUTOFF_KINDS = ['days', 'dateTime', 'keepBytes', 'deleteRows'] as const;

export type CutoffKind = (typeof CUTOFF_KINDS)[number];

/** Texts as typed, for each way to say it, so that changing it back and forth loses nothing. */
export interface CutoffInput {
  readonly kind: CutoffKind;
  readonly days: string;
  /** Texts of date and time inputs, in the user's time zone. */
  readonly date: string;
  readonly time: string;
  readonly gigabytes: string;
  readonly rows: string;
}

/** Proposed for most indices (see proposedCutoff.ts). */
export const USUAL_DAYS = 90;

/** A century: the largest age. */
export const MOST_DAYS = 36_500;

/** End of the year 9999, the last that every program can write. */
const LAST_MILLIS = 253_402_300_799_999;

/** Undefined for a valid cutoff. A caution is no problem. */
export function cutoffProblem(endTimeMillis: number | undefined): string | undefined {
  // A field refuses other dates itself.
  return Number.isSafeInteger(endTimeMillis) && Number(endTimeMillis) > 0 && Number(endTimeMillis) <= LAST_MILLIS
    ? undefined
    : l10n.t('Enter the cutoff date and time.');
}

/** Reads whole days, or their problem. */
export function readDays(text: string): { readonly days: number } | { readonly problem: string } {
  const days = parseWholeNumber(text);
  const problem = wholeNumberProblem(days, MOST_DAYS);
  return problem === undefined ? { days } : { problem };
}

/** The problem of a whole number; undefined if it is valid. */
export function wholeNumberProblem(value: number, largest: number): string | undefined {
  return Number.isInteger(value) && value >= 1 && value <= largest
    ? undefined
    : l10n.t('Enter a whole number from 1 to {0}.', formatsOf(language()).number(largest));
}

/** The cutoff "older than `days` days", rounded down to the minute. Takes and returns Unix time in ms, UTC. */
export function cutoffDaysBefore(days: number, now: number): number {
  return Math.floor((now - days * MILLIS_PER_DAY) / MILLIS_PER_MINUTE) * MILLIS_PER_MINUTE;
}

/** An age stays the same for so long after it was chosen. */
const SAME_AGE_MILLIS = MILLIS_PER_HOUR;

/**
 * The age that another truncation with this cutoff starts from, in whole days. Rather older than the cutoff, since that
 * deletes less: younger by the time since an age was chosen, an hour at most, and never younger than a date. Takes Unix
 * times in ms.
 */
export function daysBetween(endTimeMillis: number, now: number, kind: CutoffKind = 'days'): number {
  // Cutoffs are whole minutes, so that less than one more is no day more.
  const countedFrom =
    kind === 'dateTime' ? Math.floor(now / MILLIS_PER_MINUTE) * MILLIS_PER_MINUTE : now - SAME_AGE_MILLIS;
  const days = Math.ceil((countedFrom - endTimeMillis) / MILLIS_PER_DAY);
  return inRange(days);
}

/** The age of a cutoff in words: the nearest number of whole days. Takes Unix times in ms. */
export function nearestDays(endTimeMillis: number, now: number): number {
  return inRange(Math.round((now - endTimeMillis) / MILLIS_PER_DAY));
}

function inRange(days: number): number {
  return Math.min(MOST_DAYS, Math.max(1, days));
}

export function cutoffInDays(days: number | string): CutoffInput {
  return { kind: 'days', days: String(days), date: '', time: '', gigabytes: '', rows: '' };
}
