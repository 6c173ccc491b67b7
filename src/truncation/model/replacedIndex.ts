/** What the truncations that were sent tell of an index that a reindex replaced. Pure. */
import type { Replaced } from '../../indices/replacedIndices.ts';
import type { TruncationRecord } from './record.ts';

/** How far the server's clock may be from the one here, in ms: a reindex and the index it made are told to belong together by time. */
const CLOCKS_APART_MILLIS = 30 * 60_000;

/**
 * Whether all rows of a replaced index that should stay are known to be in the one that took its place: a reindex that was sent from
 * here made that one, and finished. Of what others reindexed, or of what can't be told apart, nothing is known, so it's false.
 *
 * @param sent Truncations of this index on this server.
 */
export function isCopied({ createdAt, times, isCurrentUntimed }: Replaced, sent: readonly TruncationRecord[]): boolean {
  const finished = sent.filter(({ report, ending }) => report.strategy === 'reindex' && ending?.kind === 'finished');
  const madeBy = ({ sentAt }: TruncationRecord): readonly number[] =>
    times.filter((time) => Math.abs(time - sentAt) <= CLOCKS_APART_MILLIS);
  // The index that readers see has no time in its name: it was made by a reindex that made none of the others, after all of them.
  const isCurrentOurs =
    isCurrentUntimed &&
    finished.some((record) => madeBy(record).length === 0 && times.every((time) => time < record.sentAt));
  const next = times.find((time) => time > createdAt);
  if (next === undefined) {
    return isCurrentOurs;
  }
  // While it isn't known when that one was made, a reindex near another may have made either.
  return (
    (isCurrentOurs || !isCurrentUntimed) &&
    finished.some((record) => {
      const made = madeBy(record);
      return made.length === 1 && made[0] === next;
    })
  );
}
