/** When a token counts as expiring soon: everywhere the same. */
import { MILLIS_PER_DAY } from '../../time.ts';

const LAST_PART = 0.1;
const LONGEST_MILLIS = 7 * MILLIS_PER_DAY;

/**
 * A token expires soon in the last tenth of its life, and at most seven days before its end.
 * @param lifeMillis From creation to expiry, in ms; undefined if unknown.
 * @returns how long before its end that begins, in ms.
 */
export function soonMillis(lifeMillis: number | undefined): number {
  return lifeMillis === undefined ? LONGEST_MILLIS : Math.min(lifeMillis * LAST_PART, LONGEST_MILLIS);
}
