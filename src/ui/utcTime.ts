/** Times as logs and requests have them. */
import { isValidTime, NO_TIME } from './formats.ts';

/** `2026-05-23 12:05 UTC`, with seconds unless zero, as in logs and requests. @param millis Unix time in ms. */
export function utcTimeText(millis: number): string {
  if (!isValidTime(millis)) {
    return NO_TIME;
  }
  const [date, clock = ''] = new Date(millis).toISOString().split('T');
  return `${date ?? ''} ${clock.replace(/(?::00)?\.000Z$|Z$/, '')} UTC`;
}
