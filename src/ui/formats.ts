/** Formats numbers, sizes and times for a language. For tree, questions and pages. */
import * as l10n from '@vscode/l10n';
import { MILLIS_PER_DAY, MILLIS_PER_HOUR, MILLIS_PER_MINUTE } from '../time.ts';

/** Servers count decimal megabytes (PROTOCOL.md §9.2), so all sizes use decimal units. */
const SIZE_UNITS = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte', 'petabyte'] as const;

type TimeUnit = 'year' | 'month' | 'day' | 'hour' | 'minute' | 'second';

/** Times are Unix time in ms. Invalid times, as from a file, become a dash. */
export interface LocalizedFormats {
  /** `134,517`, with two decimals at most. */
  number(value: number): string;
  /** `99.2%`, from 0 to 100. `<0.1%` and `>99.9%`, since only zero is `0%` and only all is `100%`. */
  percent(value: number): string;
  /** `8.1 GB`, `512 bytes`: at most three digits. */
  size(bytes: number): string;
  /** `+45 MB`, `-3 MB` */
  change(bytes: number): string;
  /** `May 23, 2026` */
  date(millis: number): string;
  /** `May 23, 2026, 2:05 PM` */
  time(millis: number): string;
  /** `2:05 PM`, or `May 23, 2026, 2:05 PM` for another day than `now`. */
  moment(millis: number, now: number): string;
  /** `May 23, 2026, 2:05:09 PM GMT+2` */
  exactTime(millis: number): string;
  /** `2:05:09 PM`, or `May 23, 2026, 2:05:09 PM GMT+2` for another day than `now`. */
  exactMoment(millis: number, now: number): string;
  /** `May 23, 2026, 2:05 PM GMT+2` */
  zonedTime(millis: number): string;
  /** `6 months ago`, `in 3 days`, in the largest unit that fits. */
  distance(millis: number, now: number): string;
  /** `3 mo`: the shortest unambiguous form. */
  duration(count: number, unit: TimeUnit): string;
  /** `62%`, `9.1%`: two digits, or three where two would round to all (`99.6%`). */
  share(value: number): string;
}

const NO_TIME = '—';
/** Range of `Date`, before or after 1970. */
const LONGEST_TIME_MILLIS = 8.64e15;

const known = new Map<string, LocalizedFormats>();

/**
 * Cached, since creating Intl formatters is slow.
 * @param locale VS Code's display language.
 * @param timeZone IANA name. The system's is used if undefined, or if it's newer than this Intl: a page has another one.
 */
export function formatsOf(locale: string, timeZone?: string): LocalizedFormats {
  const key = `${locale} ${timeZone ?? ''}`;
  const formats = known.get(key) ?? createFormats(locale, supportedZone(timeZone));
  known.set(key, formats);
  return formats;
}

function createFormats(locale: string, timeZone: string | undefined): LocalizedFormats {
  const dateTimeFormat = (options: Intl.DateTimeFormatOptions): (() => Intl.DateTimeFormat) =>
    lazilyCreated(() => new Intl.DateTimeFormat(locale, { ...options, timeZone }));
  const number = lazilyCreated(() => new Intl.NumberFormat(locale, { maximumFractionDigits: 2 }));
  const percent = lazilyCreated(() => new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 1 }));
  const wholePercent = lazilyCreated(
    () => new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 0 }),
  );
  const durations = new Map<TimeUnit, Intl.NumberFormat>();
  const relative = lazilyCreated(() => new Intl.RelativeTimeFormat(locale, { numeric: 'always' }));
  const date = dateTimeFormat({ dateStyle: 'medium' });
  const time = dateTimeFormat({ dateStyle: 'medium', timeStyle: 'short' });
  const clock = dateTimeFormat({ timeStyle: 'short' });
  const exactClock = dateTimeFormat({ timeStyle: 'medium' });
  const exactTime = dateTimeFormat({ dateStyle: 'medium', timeStyle: 'long' });
  const zonedTime = dateTimeFormat({
    year: 'numeric',
    month: 'short',
    day: 'numeric',
    hour: 'numeric',
    minute: '2-digit',
    timeZoneName: 'short',
  });
  const isSameDay = (millis: number, now: number): boolean => timeOrDash(millis, date()) === timeOrDash(now, date());
  return {
    number: (value) => number().format(value),
    percent: (value) => partText(value, percent()),
    size: (bytes) => localSizeText(bytes, locale),
    change: (bytes) => localSizeText(bytes, locale, 'exceptZero'),
    date: (millis) => timeOrDash(millis, date()),
    time: (millis) => timeOrDash(millis, time()),
    moment: (millis, now) => timeOrDash(millis, isSameDay(millis, now) ? clock() : time()),
    exactTime: (millis) => timeOrDash(millis, exactTime()),
    exactMoment: (millis, now) => timeOrDash(millis, isSameDay(millis, now) ? exactClock() : exactTime()),
    zonedTime: (millis) => timeOrDash(millis, zonedTime()),
    // Not 'narrow': months and minutes are both "m" in English. Short days are unusual in German ("90 Tg.").
    duration: (count, unit) => {
      const unitDisplay = unit === 'day' ? 'long' : 'short';
      const format = durations.get(unit) ?? new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay });
      durations.set(unit, format);
      // The English form of Intl, "mths", is unusual.
      return format.format(count).replace(/\bmths?$/, 'mo');
    },
    share: (value) => partText(value, (value < 9.95 || value > 99 ? percent : wholePercent)()),
    distance: (millis, now) => {
      if (!isValidTime(millis) || !isValidTime(now)) {
        return NO_TIME;
      }
      const [count, unit] = largestWholeUnit(Math.abs(millis - now));
      return relative().format(millis > now ? count : -count, unit);
    },
  };
}

/** Allows a minute, so a new 30-day token doesn't read "29 days", and a day in months. */
function largestWholeUnit(millis: number): [count: number, unit: TimeUnit] {
  const size = millis + MILLIS_PER_MINUTE;
  if (size >= 365 * MILLIS_PER_DAY) {
    return [Math.floor(size / (365 * MILLIS_PER_DAY)), 'year'];
  }
  if (size >= 90 * MILLIS_PER_DAY) {
    return [Math.floor((size + MILLIS_PER_DAY) / (30 * MILLIS_PER_DAY)), 'month'];
  }
  if (size >= MILLIS_PER_DAY) {
    return [Math.floor(size / MILLIS_PER_DAY), 'day'];
  }
  return size >= MILLIS_PER_HOUR
    ? [Math.floor(size / MILLIS_PER_HOUR), 'hour']
    : [Math.floor(size / MILLIS_PER_MINUTE), 'minute'];
}

function timeOrDash(millis: number, format: Intl.DateTimeFormat): string {
  return isValidTime(millis) ? format.format(millis) : NO_TIME;
}

/** True for a valid date. @param millis Unix time in ms. */
export function isValidTime(millis: number): boolean {
  return Math.abs(millis) <= LONGEST_TIME_MILLIS;
}

/** `2026-05-23 12:05 UTC`, with seconds unless zero, as in logs and requests. @param millis Unix time in ms. */
export function utcTimeText(millis: number): string {
  if (!isValidTime(millis)) {
    return NO_TIME;
  }
  const [date, clock = ''] = new Date(millis).toISOString().split('T');
  return `${date ?? ''} ${clock.replace(/(?::00)?\.000Z$|Z$/, '')} UTC`;
}

/** Percent. A part never becomes nothing or all. */
function partText(value: number, format: Intl.NumberFormat): string {
  if (value > 0 && value < 0.1) {
    return `<${format.format(0.001)}`;
  }
  return value > 99.9 && value < 100 ? `>${format.format(0.999)}` : format.format(value / 100);
}

function localSizeText(bytes: number, locale: string, signDisplay?: 'exceptZero'): string {
  let value = bytes;
  let unit = 0;
  // 999.5 kB would round to "1,000 kB".
  while (Math.abs(value) >= 999.5 && unit < SIZE_UNITS.length - 1) {
    value /= 1_000;
    unit++;
  }
  return new Intl.NumberFormat(locale, {
    style: 'unit',
    unit: SIZE_UNITS[unit] ?? 'byte',
    // The short form of bytes has no plural.
    unitDisplay: unit === 0 ? 'long' : 'short',
    maximumFractionDigits: Math.abs(value) < 10 && unit > 0 ? 1 : 0,
    signDisplay,
  }).format(value);
}

function lazilyCreated<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => (made ??= make());
}

function supportedZone(timeZone: string | undefined): string | undefined {
  try {
    return timeZone === undefined
      ? undefined
      : new Intl.DateTimeFormat(undefined, { timeZone }).resolvedOptions().timeZone;
  } catch {
    return undefined;
  }
}

/** `about 8.1 GB`, for an estimate. */
export function aboutText(figure: string): string {
  return l10n.t('about {0}', figure);
}
