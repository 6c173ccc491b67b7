/** Converts between Unix times and the browser's local time. */
/** Texts of date and time inputs, for example `2026-05-23` and `14:05`. Seconds and milliseconds only if not zero. */
export interface LocalDateTimeText {
  readonly date: string;
  readonly time: string;
}

/** Earlier years are still being typed, digit by digit. */
const FIRST_YEAR = 1900;

/** Texts for both inputs. @param millis Unix time in ms. */
export function toLocalText(millis: number): LocalDateTimeText {
  const at = new Date(millis);
  const date = `${padNumber(at.getFullYear(), 4)}-${padNumber(at.getMonth() + 1)}-${padNumber(at.getDate())}`;
  const seconds =
    at.getMilliseconds() > 0
      ? `:${padNumber(at.getSeconds())}.${padNumber(at.getMilliseconds(), 3)}`
      : `:${padNumber(at.getSeconds())}`;
  const time = `${padNumber(at.getHours())}:${padNumber(at.getMinutes())}`;
  return { date, time: seconds === ':00' ? time : time + seconds };
}

function padNumber(value: number, length = 2): string {
  return String(value).padStart(length, '0');
}

/**
 * Reads both inputs as Unix time in ms. Of a time that occurs twice when clocks go back, the first; one that clocks skip
 * is as far after the change. @returns undefined while they are incomplete.
 */
export function readLocalText(text: LocalDateTimeText): number | undefined {
  const date = /^(\d{4,6})-(\d{2})-(\d{2})$/.exec(text.date);
  const time = /^(\d{2}):(\d{2})(?::(\d{2})(?:\.(\d{1,3}))?)?$/.exec(text.time);
  if (date === null || time === null || Number(date[1]) < FIRST_YEAR) {
    return undefined;
  }
  const millis = new Date(
    Number(date[1]),
    Number(date[2]) - 1,
    Number(date[3]),
    Number(time[1]),
    Number(time[2]),
    Number(time[3] ?? 0),
    Number((time[4] ?? '').padEnd(3, '0')),
  ).getTime();
  return Number.isNaN(millis) ? undefined : millis;
}
