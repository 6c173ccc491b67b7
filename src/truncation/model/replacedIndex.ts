/** What the truncations that were sent tell of an index that a reindex replaced. Pure. */
import type { Replaced } from '../../indices/replacedIndices.ts';
import { blockOf } from './record.ts';
import type { TruncationRecord } from './record.ts';

/** How far the server's clock may be from the one here, in ms: a reindex and the index it made are told to belong together by time. */
const CLOCKS_APART_MILLIS = 30 * 60_000;

/**
 * Whether all rows of a replaced index that should stay are known to be in the one that took its place: a reindex that was sent from
 * here made that one, and finished. Of what others reindexed, or of what can't be told apart, nothing is known, so it's false.
 *
 * @param sent Truncations of this index that were sent to this server, or may have been.
 * @param baseUrl Of this server.
 */
export function isCopied(
  { createdAt, times, isCurrentUntimed }: Replaced,
  sent: readonly TruncationRecord[],
  baseUrl: string,
): boolean {
  const next = times.find((time) => time > createdAt);
  // An index that one of them made may have been removed since, so that the one listed next isn't the one that took its place.
  const from = createdAt - CLOCKS_APART_MILLIS;
  const until = (next ?? Infinity) + CLOCKS_APART_MILLIS;
  if (sent.some((record) => mayHaveLeftRows(record) && record.sentAt >= from && record.sentAt <= until)) {
    return false;
  }
  const finished = sent.filter((record) => isFinishedReindexOn(baseUrl, record));
  const madeBy = ({ sentAt }: TruncationRecord): readonly number[] =>
    times.filter((time) => Math.abs(time - sentAt) <= CLOCKS_APART_MILLIS);
  // The index that readers see has no time in its name: it was made by a reindex that made none of the others, after all of them.
  const isCurrentOurs =
    isCurrentUntimed &&
    finished.some((record) => madeBy(record).length === 0 && times.every((time) => time < record.sentAt));
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

/** Where it was sent has to be certain: a connection may have been another server's, and 0.1.0 didn't write down which. */
function isFinishedReindexOn(baseUrl: string, record: TruncationRecord): boolean {
  return record.baseUrl === baseUrl && record.report.strategy === 'reindex' && record.ending?.kind === 'finished';
}

/** Whether it may be a reindex that moved readers to a new index without all rows that should stay. */
function mayHaveLeftRows(record: TruncationRecord): boolean {
  const { ending, report } = record;
  return blockOf(record) !== undefined || (report.strategy !== 'deleteByQuery' && ending?.kind !== 'finished');
}
