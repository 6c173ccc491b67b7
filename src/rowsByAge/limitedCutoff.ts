/** Limits on what a cutoff keeps or deletes, and the cutoff that meets one. Pure. */
import * as l10n from '@vscode/l10n';
import { language } from '../language.ts';
import { cutoffDaysBefore, MOST_DAYS, wholeNumberProblem } from '../truncation/cutoff.ts';
import { formatsOf } from '../ui/formats.ts';
import { parseWholeNumber } from '../ui/typedValues.ts';
import { countRowsUpTo, type AgeHistogram } from './ageHistogram.ts';

export type Limit =
  /** Keeps at most so many bytes, assuming rows of equal size. */
  | { readonly kind: 'keepBytes'; readonly bytes: number }
  /** Deletes at most so many rows. */
  | { readonly kind: 'deleteRows'; readonly rows: number };

const BYTES_PER_GB = 1e9;
/** In GB. */
const LEAST_GB = 0.01;
/** A petabyte. */
const MOST_BYTES = 1e15;
/** More rows than an index holds. */
const MOST_ROWS = 1e12;

/** Reads a limit, or its problem. Bytes are typed in GB. */
export function readLimit(kind: Limit['kind'], text: string): { readonly limit: Limit } | { readonly problem: string } {
  if (kind === 'deleteRows') {
    const rows = parseWholeNumber(text);
    const problem = wholeNumberProblem(rows, MOST_ROWS);
    return problem === undefined ? { limit: { kind, rows } } : { problem };
  }
  const bytes = Math.round(parseDecimal(text) * BYTES_PER_GB);
  const { number } = formatsOf(language());
  return bytes >= LEAST_GB * BYTES_PER_GB && bytes <= MOST_BYTES
    ? { limit: { kind, bytes } }
    : {
        problem: l10n.t(
          'Enter a number from {0} to {1}, with two decimals at most.',
          number(LEAST_GB),
          number(MOST_BYTES / BYTES_PER_GB),
        ),
      };
}

/** Accepts a point or a comma. Rejects three decimals, since "1,500" may mean 1500 or 1.5. */
function parseDecimal(text: string): number {
  const typed = text.trim();
  return /^\d+(?:[.,]\d{1,2})?$/.test(typed) ? Number(typed.replace(',', '.')) : NaN;
}

/**
 * The cutoff in whole days that comes closest to a limit, as the rows by age have it: an estimate, which the dry run
 * checks. Never within the last day.
 * @param bytes Size of the index, for a limit of bytes.
 * @param now Unix time in ms.
 */
export function cutoffForLimit(
  limit: Limit,
  histogram: Pick<AgeHistogram, 'samples' | 'total'>,
  bytes: number,
  now: number,
): { readonly endTimeMillis: number } | { readonly problem: string } {
  const { total } = histogram;
  const rowsOlderThan = (days: number): number => countRowsUpTo(histogram, cutoffDaysBefore(days, now)).rows;
  if (limit.kind === 'keepBytes' ? bytes <= limit.bytes : rowsOlderThan(1) <= limit.rows) {
    return { problem: l10n.t("The rows don't exceed your limit.") };
  }
  const days =
    limit.kind === 'keepBytes'
      ? oldestAge((age) => (total - rowsOlderThan(age)) * bytes <= limit.bytes * total)
      : oldestAge((age) => rowsOlderThan(age) > limit.rows) + 1;
  return days === 0 || rowsOlderThan(days) === 0
    ? { problem: l10n.t('No cutoff in whole days meets your limit.') }
    : { endTimeMillis: cutoffDaysBefore(days, now) };
}

/** The largest age in days up to which `holds`; 0 if it never does. */
function oldestAge(holds: (days: number) => boolean): number {
  let [known, unknown] = [0, MOST_DAYS];
  while (known < unknown) {
    const middle = Math.ceil((known + unknown) / 2);
    if (holds(middle)) {
      known = middle;
    } else {
      unknown = middle - 1;
    }
  }
  return known;
}
