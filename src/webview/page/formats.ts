/** Numbers and times as the person's language writes them. */

const MILLIS_PER_MINUTE = 60_000;
const MILLIS_PER_HOUR = 3_600_000;
const MILLIS_PER_DAY = 86_400_000;

export interface Formats {
  /** `134,517` */
  count(value: number): string;
  /** From 0 to 100: `99.2%`. */
  percent(value: number): string;
  /** Unix time in ms as a local time that names its zone: `Saturday, May 23, 2026 at 2:05 PM GMT+2`. */
  longTime(millis: number): string;
  /** The same, short: `May 23, 2026, 2:05:09 PM GMT+2`. */
  shortTime(millis: number): string;
  /** `182 days ago`, `in 3 days`: whole days, hours below one day, minutes below one hour. */
  distance(millis: number, now: number): string;
  /** The zone's IANA name: `Europe/Berlin`. */
  readonly timeZone: string;
}

/**
 * Built once: making an Intl formatter is slow.
 * @param locale VS Code's display language; one that Intl does not know (a pseudo language) falls back to the browser's.
 */
export function createFormats(locale: string): Formats {
  const language = supportedLocale(locale);
  const count = new Intl.NumberFormat(language);
  const percent = new Intl.NumberFormat(language, { style: 'percent', maximumFractionDigits: 2 });
  const clock = { hour: 'numeric', minute: '2-digit', timeZoneName: 'short' } as const;
  const longTime = new Intl.DateTimeFormat(language, { weekday: 'long', year: 'numeric', month: 'long', day: 'numeric', ...clock });
  const shortTime = new Intl.DateTimeFormat(language, { year: 'numeric', month: 'short', day: 'numeric', second: '2-digit', ...clock });
  const relative = new Intl.RelativeTimeFormat(language, { numeric: 'always' });
  return {
    count: (value) => count.format(value),
    percent: (value) => percent.format(value / 100),
    longTime: (millis) => longTime.format(millis),
    shortTime: (millis) => shortTime.format(millis),
    distance: (millis, now) => {
      const ahead = millis - now;
      if (Math.abs(ahead) >= MILLIS_PER_DAY) {
        return relative.format(Math.trunc(ahead / MILLIS_PER_DAY), 'day');
      }
      return Math.abs(ahead) >= MILLIS_PER_HOUR
        ? relative.format(Math.trunc(ahead / MILLIS_PER_HOUR), 'hour')
        : relative.format(Math.trunc(ahead / MILLIS_PER_MINUTE), 'minute');
    },
    timeZone: longTime.resolvedOptions().timeZone,
  };
}

/** A point in time (Unix time in ms) in UTC, as logs and requests write it: `2026-05-23 12:05 UTC`, with seconds where there are any. */
export function utcTime(millis: number): string {
  const [date, clock = ''] = new Date(millis).toISOString().split('T');
  return `${date ?? ''} ${clock.replace(/(?::00)?\.000Z$|Z$/, '')} UTC`;
}

/** A word with its placeholders `{0}`, `{1}` … filled. */
export function fill(word: string, ...values: string[]): string {
  return word.replace(/\{(\d+)\}/g, (placeholder, index: string) => values[Number(index)] ?? placeholder);
}

function supportedLocale(locale: string): string | undefined {
  try {
    return Intl.NumberFormat.supportedLocalesOf(locale)[0];
  } catch {
    return undefined;
  }
}
