/** What each copy of an index shows to readers, held against what a truncation was to leave there. */
import type { TruncationRecord } from '../../src/truncation/model/record.ts';
import type { Row } from './searchIndex.ts';
import type { Deed, Server } from './server.ts';

/** How many of these rows some copy still shows. */
export function rowsSeen(server: Server, { plan }: Pick<Deed, 'plan'>, rows: ReadonlySet<number>): number {
  const copies = server.seenOf(plan).map(idsOf);
  return [...rows].filter((row) => copies.some((ids) => ids.has(row))).length;
}

/**
 * How many rows that a deed was to leave are missing in a copy, as far as counts can tell: a row with such a date that was written
 * later stands in for one that is missing. Rows dated after the clock of the window were not counted one by one, and what a later
 * truncation was to delete is not missed.
 * @param countedAgo How long ago they were counted, in ms.
 */
export function rowsHidden(
  server: Server,
  deed: Deed,
  { baseline }: Pick<TruncationRecord, 'baseline'>,
  countedAgo: number,
): number {
  const isCounted = ({ at }: Row): boolean => at > deed.plan.endTimeMillis && at <= (baseline?.countedUpTo ?? 0);
  const later = server.deeds
    .slice(server.deeds.indexOf(deed) + 1)
    .filter(({ plan }) => plan.aspect === deed.plan.aspect);
  const kept = deed.staying.filter((row) => isCounted(row) && !later.some(({ going }) => going.has(row.id)));
  return Math.max(
    ...server
      .seenOf(deed.plan, countedAgo)
      .map((rows) => kept.length - Math.min(kept.length, rows.filter(isCounted).length)),
  );
}

function idsOf(rows: readonly Row[]): ReadonlySet<number> {
  return new Set(rows.map(({ id }) => id));
}
