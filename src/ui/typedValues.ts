/** Dates and numbers as the user types them. */
import { MILLIS_PER_MINUTE } from '../time.ts';

/** `YYYY-MM-DD` in local time. */
export function localDateText(moment: Date): string {
  const asUtc = moment.getTime() - moment.getTimezoneOffset() * MILLIS_PER_MINUTE;
  return new Date(asUtc).toISOString().slice(0, 10);
}

/** Local start of a `YYYY-MM-DD` day, as Unix time in ms; undefined if invalid. */
export function startOfLocalDay(text: string): number | undefined {
  const match = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text.trim());
  if (match === null) {
    return undefined;
  }
  const [year, month, day] = match.slice(1).map(Number) as [number, number, number];
  // Date rolls over (31 February becomes 3 March) and reads year 26 as 1926. Both are mistakes here.
  const plain = new Date(Date.UTC(year, month - 1, day));
  return plain.getUTCFullYear() === year && plain.getUTCDate() === day
    ? new Date(year, month - 1, day).getTime()
    : undefined;
}

/** Accepts grouped thousands, as numbers are shown: "1,000,000". @returns NaN for anything else */
export function parseWholeNumber(text: string): number {
  const typed = text.trim();
  return /^(?:\d+|\d{1,3}(?<sign>[.,'’\s])\d{3}(?:\k<sign>\d{3})*)$/.test(typed)
    ? Number(typed.replaceAll(/\D/g, ''))
    : NaN;
}
