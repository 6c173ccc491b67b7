/** Converts between Unix times and the browser's local time. */
import { MILLIS_PER_MINUTE } from '../../../time.ts';

/** Texts of date and time inputs, for example `2026-05-23` and `14:05`. Seconds and milliseconds only if not zero. */
export interface LocalDateTimeText {
  readonly date: string;
  readonly time: string;
}

/** Unix time in ms, read from a local date and time. */
interface LocalTimeReading {
  readonly millis: number;
  /** `skipped`: clocks skip that time, so `millis` is as far after the change. `repeated`: the first of two is used. */
  readonly dstShift?: 'skipped' | 'repeated';
}

/** Shifts of daylight saving time in use: mostly an hour, half on Lord Howe Island, two at Troll station. */
const CLOCK_SHIFTS = [30, 60, 120].map((minutes) => minutes * MILLIS_PER_MINUTE);

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

/** Reads both inputs. @returns undefined while they are incomplete. */
export function readLocalText(text: LocalDateTimeText): LocalTimeReading | undefined {
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
  if (Number.isNaN(millis)) {
    return undefined;
  }
  const canonical = toLocalText(millis);
  if (canonical.date !== text.date || canonical.time.slice(0, 5) !== text.time.slice(0, 5)) {
    return { millis, dstShift: 'skipped' };
  }
  const comesAgain = CLOCK_SHIFTS.some((shift) => {
    const later = toLocalText(millis + shift);
    return later.date === canonical.date && later.time === canonical.time;
  });
  return comesAgain ? { millis, dstShift: 'repeated' } : { millis };
}
