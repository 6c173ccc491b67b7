/** The dates of a filter: days of the person's own time zone, as the tree shows them. */
import { parseLocalTime } from '../ui/localTimeText.ts';

/** `YYYY-MM-DD` of a moment, where the person is. */
export function localDate(moment: Date): string {
  return [digits(moment.getFullYear(), 4), digits(moment.getMonth() + 1, 2), digits(moment.getDate(), 2)].join('-');
}

function digits(number: number, length: number): string {
  return String(number).padStart(length, '0');
}

/** When that day begins, where the person is: Unix time in ms; undefined when it is no date as `YYYY-MM-DD`, or none that exists. */
export function startOfDay(text: string): number | undefined {
  return /^\d{4}-\d{2}-\d{2}$/.test(text.trim()) ? parseLocalTime(text) : undefined;
}
