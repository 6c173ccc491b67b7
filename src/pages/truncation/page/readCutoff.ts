/** Reads the cutoff that the user typed: an age, a local date and time, or a limit that the rows by age are read for. */
import * as l10n from '@vscode/l10n';
import { language } from '../../../language.ts';
import { countRowsUpTo, type AgeHistogram, type RowsByAgeState } from '../../../rowsByAge/ageHistogram.ts';
import { MILLIS_PER_DAY } from '../../../time.ts';
import {
  cutoffDaysBefore,
  MOST_DAYS,
  readDays,
  wholeNumberProblem,
  type CutoffInput,
  type CutoffKind,
} from '../../../truncation/cutoff.ts';
import { formatsOf } from '../../../ui/formats.ts';
import { localDateText, parseWholeNumber } from '../../../ui/typedValues.ts';
import type { TruncationPageView } from '../protocol.ts';

export interface CutoffReading {
  /** Unix time in ms. Undefined while it is incomplete or invalid. */
  readonly endTimeMillis: number | undefined;
  /** Why a text can't be read. Undefined also for one that is empty. */
  readonly problem?: string;
}

type CountedIndex = Pick<TruncationPageView, 'rowsByAge' | 'indexBytes'>;

/** @param now Unix time in ms. */
export function readCutoff(input: CutoffInput, index: CountedIndex, now: number): CutoffReading {
  switch (input.kind) {
    case 'days': {
      const read = readDays(input.days);
      return 'days' in read
        ? { endTimeMillis: cutoffDaysBefore(read.days, now) }
        : { endTimeMillis: undefined, problem: read.problem };
    }
    case 'dateTime':
      return { endTimeMillis: readLocalText(input) };
    case 'keepBytes':
      return readLimitedCutoff('keepBytes', input.gigabytes, index, now);
    case 'deleteRows':
      return readLimitedCutoff('deleteRows', input.rows, index, now);
  }
}

function readLimitedCutoff(
  kind: 'keepBytes' | 'deleteRows',
  text: string,
  index: CountedIndex,
  now: number,
): CutoffReading {
  const read = readLimit(kind, text);
  if ('problem' in read) {
    return { endTimeMillis: undefined, problem: read.problem };
  }
  const { rowsByAge, indexBytes = 0 } = index;
  const offered = offeredKinds(index, now);
  if (rowsByAge === undefined || !offered.includes(kind)) {
    const problem =
      index.indexBytes === undefined && offered.includes('deleteRows')
        ? l10n.t("The exact size of the index isn't known. Enter an age or a date.")
        : l10n.t('Count the rows by age first.');
    return { endTimeMillis: undefined, problem };
  }
  const found = cutoffForLimit(read.limit, rowsByAge, indexBytes, now);
  return 'problem' in found ? { endTimeMillis: undefined, ...found } : found;
}

/** Limits are read from the rows by age. Their share of today's size is known for a day. */
export function offeredKinds(index: CountedIndex, now: number): readonly CutoffKind[] {
  const counted = countedRows(index);
  const isRecent = counted !== undefined && now - counted.at < MILLIS_PER_DAY;
  return [
    'days',
    'dateTime',
    ...(isRecent && index.indexBytes !== undefined ? (['keepBytes'] as const) : []),
    ...(counted !== undefined ? (['deleteRows'] as const) : []),
  ];
}

/** Fewer counts show hardly more than the total. */
const FEWEST_SAMPLES = 3;

/** @returns undefined before the counts show where the rows are. */
export function countedRows({ rowsByAge }: Pick<CountedIndex, 'rowsByAge'>): RowsByAgeState | undefined {
  return rowsByAge !== undefined && rowsByAge.total > 0 && rowsByAge.samples.length >= FEWEST_SAMPLES
    ? rowsByAge
    : undefined;
}

/** Says a cutoff in another way, as it was typed there before. A date starts at the present cutoff. */
export function withKind(kind: CutoffKind, input: CutoffInput, { endTimeMillis }: CutoffReading): CutoffInput {
  return { ...input, kind, ...(kind === 'dateTime' && endTimeMillis !== undefined && toLocalText(endTimeMillis)) };
}

/** Earlier years are still being typed, digit by digit. */
const FIRST_YEAR = 1900;

/** Local texts for both inputs, for example `2026-05-23` and `14:05`. @param millis Unix time in ms. */
function toLocalText(millis: number): Pick<CutoffInput, 'date' | 'time'> {
  const at = new Date(millis);
  return { date: localDateText(at), time: at.toTimeString().slice(0, 5) };
}

/**
 * Reads both inputs as Unix time in ms. Of a time that occurs twice when clocks go back, the first; one that clocks skip
 * is as far after the change. @returns undefined while they are incomplete, and for a year of more than four digits.
 */
function readLocalText({ date, time }: Pick<CutoffInput, 'date' | 'time'>): number | undefined {
  const at = new Date(`${date}T${time}`);
  return at.getFullYear() >= FIRST_YEAR ? at.getTime() : undefined;
}

type Limit =
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
function readLimit(kind: Limit['kind'], text: string): { readonly limit: Limit } | { readonly problem: string } {
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
function cutoffForLimit(
  limit: Limit,
  histogram: Pick<AgeHistogram, 'samples' | 'total'>,
  bytes: number,
  now: number,
): { readonly endTimeMillis: number } | { readonly problem: string } {
  const { total } = histogram;
  const rowsOlderThan = (days: number): number => countRowsUpTo(histogram, cutoffDaysBefore(days, now));
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
