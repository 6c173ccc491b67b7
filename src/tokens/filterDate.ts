/** The dates of a filter: days of the person's own time zone, as the tree shows them. */
import { parseLocalTime } from '../ui/localTimeText.ts';

/** When that day begins, where the person is: Unix time in ms; undefined when it is no date as `YYYY-MM-DD`, or none that exists. */
export function startOfDay(text: string): number | undefined {
  return /^\d{4}-\d{2}-\d{2}$/.test(text.trim()) ? parseLocalTime(text) : undefined;
}
