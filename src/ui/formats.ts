/**
 * Numbers, sizes and times as a language writes them. Pure: the tree, the questions and the pages write them in one way.
 */
import * as l10n from '@vscode/l10n';
import { MILLIS_PER_DAY, MILLIS_PER_HOUR, MILLIS_PER_MINUTE } from '../time.ts';
import type { ReportedSize, SizePrecision } from '../service/indices/indexSize.ts';

/** The server counts in decimal megabytes (PROTOCOL.md §9.2), so decimal units are used throughout. */
const SIZE_UNITS = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte', 'petabyte'] as const;

export type TimeUnit = 'year' | 'month' | 'day' | 'hour' | 'minute' | 'second';

/** Times are Unix time in ms. One that no calendar has, as a file may hold it, is shown as a dash. */
export interface Formats {
  /** `134,517`, with two decimals at most. */
  number(value: number): string;
  /** From 0 to 100: `99.2%`. A little is `<0.1%`, and nearly all `>99.9%`: only nothing is `0%`, and only all `100%`. */
  percent(value: number): string;
  /** `8.1 GB`, `512 bytes`: three digits at most. */
  size(bytes: number): string;
  /** `+45 MB`, `-3 MB`: by how much a size changes. */
  change(bytes: number): string;
  /** `May 23, 2026` */
  date(millis: number): string;
  /** `May 23, 2026, 2:05 PM` */
  time(millis: number): string;
  /** `2:05 PM`; of another day than today `May 23, 2026, 2:05 PM`. */
  moment(millis: number, now: number): string;
  /** `May 23, 2026, 2:05:09 PM GMT+2` */
  exactTime(millis: number): string;
  /** `2:05:09 PM`; of another day than today `May 23, 2026, 2:05:09 PM GMT+2`. */
  exactMoment(millis: number, now: number): string;
  /** `Saturday, May 23, 2026 at 2:05 PM GMT+2` */
  longTime(millis: number): string;
  /** `Saturday, May 23, 2026 at 2:05:09 PM GMT+2` */
  fullTime(millis: number): string;
  /** `182 days ago`, `in 3 days`: whole days, hours below one day, minutes below one hour. */
  distance(millis: number, now: number): string;
  /** `in 3 months` */
  relative(count: number, unit: TimeUnit): string;
  /** `3 mths`: as short as the language has it without mistaking one unit for another. */
  duration(count: number, unit: TimeUnit): string;
  /** The same in two digits, for one share beside others: `62%`, `9.1%`; in three where two would be all: `99.6%`. */
  share(value: number): string;
  /** The zone's IANA name: `Europe/Berlin`. */
  readonly timeZone: string;
}

const NO_TIME = '—';
/** Before or after 1970: what `Date` can hold. */
const LONGEST_TIME_MILLIS = 8.64e15;

const known = new Map<string, Formats>();

/**
 * Made once for each language and zone: making an Intl formatter is slow.
 * @param locale VS Code's display language; for one that Intl does not know (a pseudo language) the system's is used.
 * @param timeZone IANA name; without it, or where Intl does not know it, the system's.
 */
export function formatsOf(locale: string, timeZone?: string): Formats {
  const key = `${locale} ${timeZone ?? ''}`;
  const formats = known.get(key) ?? createFormats(supportedLocale(locale), supportedZone(timeZone));
  known.set(key, formats);
  return formats;
}

function createFormats(locale: string | undefined, timeZone: string | undefined): Formats {
  const times = (options: Intl.DateTimeFormatOptions): (() => Intl.DateTimeFormat) =>
    once(() => new Intl.DateTimeFormat(locale, { ...options, timeZone }));
  const number = once(() => new Intl.NumberFormat(locale, { maximumFractionDigits: 2 }));
  const percent = once(() => new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 1 }));
  const wholePercent = once(() => new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 0 }));
  const durations = new Map<TimeUnit, Intl.NumberFormat>();
  const relative = once(() => new Intl.RelativeTimeFormat(locale, { numeric: 'always' }));
  const date = times({ dateStyle: 'medium' });
  const time = times({ dateStyle: 'medium', timeStyle: 'short' });
  const clock = times({ timeStyle: 'short' });
  const exactClock = times({ timeStyle: 'medium' });
  const exactTime = times({ dateStyle: 'medium', timeStyle: 'long' });
  const longTime = times({
    weekday: 'long',
    year: 'numeric',
    month: 'long',
    day: 'numeric',
    hour: 'numeric',
    minute: '2-digit',
    timeZoneName: 'short',
  });
  const fullTime = times({ dateStyle: 'full', timeStyle: 'long' });
  const isSameDay = (millis: number, now: number): boolean => timeText(millis, date()) === timeText(now, date());
  const relativeText = (count: number, unit: TimeUnit): string =>
    Number.isFinite(count) ? relative().format(count, unit) : NO_TIME;
  return {
    number: (value) => number().format(value),
    percent: (value) => partText(value, percent()),
    size: (bytes) => localSizeText(bytes, locale),
    change: (bytes) => localSizeText(bytes, locale, 'exceptZero'),
    date: (millis) => timeText(millis, date()),
    time: (millis) => timeText(millis, time()),
    moment: (millis, now) => timeText(millis, isSameDay(millis, now) ? clock() : time()),
    exactTime: (millis) => timeText(millis, exactTime()),
    exactMoment: (millis, now) => timeText(millis, isSameDay(millis, now) ? exactClock() : exactTime()),
    longTime: (millis) => timeText(millis, longTime()),
    fullTime: (millis) => timeText(millis, fullTime()),
    relative: relativeText,
    // Not 'narrow': in English months and minutes are both "m" there.
    duration: (count, unit) => {
      const format =
        durations.get(unit) ?? new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay: 'short' });
      durations.set(unit, format);
      return format.format(count);
    },
    share: (value) => partText(value, (value < 9.95 || value > 99 ? percent : wholePercent)()),
    distance: (millis, now) => {
      const ahead = isTime(millis) ? millis - now : Number.NaN;
      if (Math.abs(ahead) >= MILLIS_PER_DAY) {
        return relativeText(Math.trunc(ahead / MILLIS_PER_DAY), 'day');
      }
      return Math.abs(ahead) >= MILLIS_PER_HOUR
        ? relativeText(Math.trunc(ahead / MILLIS_PER_HOUR), 'hour')
        : relativeText(Math.trunc(ahead / MILLIS_PER_MINUTE), 'minute');
    },
    get timeZone() {
      return longTime().resolvedOptions().timeZone;
    },
  };
}

function timeText(millis: number, format: Intl.DateTimeFormat): string {
  return isTime(millis) ? format.format(millis) : NO_TIME;
}

/** Whether a calendar has it. @param millis Unix time in ms. */
export function isTime(millis: number): boolean {
  return Math.abs(millis) <= LONGEST_TIME_MILLIS;
}

/** In percent: a part of something is shown neither as nothing nor as all of it. */
function partText(value: number, format: Intl.NumberFormat): string {
  if (value > 0 && value < 0.1) {
    return `<${format.format(0.001)}`;
  }
  return value > 99.9 && value < 100 ? `>${format.format(0.999)}` : format.format(value / 100);
}

function localSizeText(bytes: number, locale: string | undefined, signDisplay?: 'exceptZero'): string {
  let value = bytes;
  let unit = 0;
  // 999.5 kB would be rounded to "1,000 kB": it is 1 MB.
  while (Math.abs(value) >= 999.5 && unit < SIZE_UNITS.length - 1) {
    value /= 1_000;
    unit++;
  }
  return new Intl.NumberFormat(locale, {
    style: 'unit',
    unit: SIZE_UNITS[unit] ?? 'byte',
    // The short form of a byte knows no plural.
    unitDisplay: unit === 0 ? 'long' : 'short',
    maximumFractionDigits: Math.abs(value) < 10 && unit > 0 ? 1 : 0,
    signDisplay,
  }).format(value);
}

/** A point in time (Unix time in ms) in UTC, as logs and requests write it: `2026-05-23 12:05 UTC`, with seconds where there are any. */
export function utcTime(millis: number): string {
  if (!isTime(millis)) {
    return NO_TIME;
  }
  const [date, clock = ''] = new Date(millis).toISOString().split('T');
  return `${date ?? ''} ${clock.replace(/(?::00)?\.000Z$|Z$/, '')} UTC`;
}

function once<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => (made ??= make());
}

function supportedLocale(locale: string): string | undefined {
  try {
    return Intl.NumberFormat.supportedLocalesOf(locale)[0];
  } catch {
    return undefined;
  }
}

function supportedZone(timeZone: string | undefined): string | undefined {
  try {
    return new Intl.DateTimeFormat(undefined, { timeZone }).resolvedOptions().timeZone;
  } catch {
    return undefined;
  }
}

/** `8.1 GB`, or `about 8.1 GB` where it may be wrong. Undefined if it isn't known. */
export function reportedSizeText({ bytes, precision }: ReportedSize, formats: Formats): string | undefined {
  return bytes === undefined ? undefined : sizeText(bytes, precision, formats);
}

/** `about 8.1 GB` for an estimate or a figure that may be wrong, else the figure as it is. */
export function aboutText(figure: string, isExact = false): string {
  return isExact ? figure : l10n.t('about {0}', figure);
}

export function sizeText(bytes: number, precision: SizePrecision, { size }: Formats): string {
  return aboutText(size(bytes), precision === 'exact');
}

/** Why sizes are approximate, or missing. */
export function approximateSizesText(): string {
  return l10n.t('Sizes are approximate. This server version reports wrong sizes above 2.1 GB.');
}
