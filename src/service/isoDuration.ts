/** Lengths of time in ISO 8601 (`P45D`), as servers read them: each part in a length of its own, whatever the calendar says. */

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** A year is 365 days and a month 30: so the servers count, and so they compare what is asked for with what they allow. */
const PARTS = [365 * DAY, 30 * DAY, 7 * DAY, DAY, HOUR, MINUTE, SECOND] as const;
const ISO_LENGTH =
  /^P(?!$)(?:(\d{1,5})Y)?(?:(\d{1,5})M)?(?:(\d{1,5})W)?(?:(\d{1,5})D)?(?:T(?!$)(?:(\d{1,5})H)?(?:(\d{1,6})M)?(?:(\d{1,8}(?:\.\d{1,9})?)S)?)?$/;

/** 273 years: what is longer is a typing mistake, and soon no date that can be shown. */
const LONGEST = 99_999 * DAY;

/** The length of an ISO 8601 duration in ms; undefined when it is none, no time at all, or longer than anybody means. */
export function isoMillis(iso: string): number | undefined {
  const match = ISO_LENGTH.exec(iso.trim().toUpperCase());
  if (match === null) {
    return undefined;
  }
  const millis = Math.round(PARTS.reduce((sum, part, index) => sum + Number(match[index + 1] ?? 0) * part, 0));
  return millis > 0 && millis <= LONGEST ? millis : undefined;
}

/** A length in ms as days, hours, minutes and seconds: what every server that takes ISO 8601 understands alike. */
export function isoOf(millis: number): string {
  const days = Math.floor(millis / DAY);
  const hours = Math.floor((millis % DAY) / HOUR);
  const minutes = Math.floor((millis % HOUR) / MINUTE);
  const seconds = (millis % MINUTE) / SECOND;
  const time = [hours > 0 ? `${hours}H` : '', minutes > 0 ? `${minutes}M` : '', seconds > 0 ? `${seconds}S` : ''].join(
    '',
  );
  return `P${days > 0 ? `${days}D` : ''}${time === '' ? '' : `T${time}`}`;
}
