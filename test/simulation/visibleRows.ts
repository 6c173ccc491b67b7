/** What each copy of an index shows to readers, held against what a truncation was to leave there. */
import type { TruncationRecord } from '../../src/truncation/model/record.ts';
import type { Deed, Server } from './server.ts';

/** How many of these rows some copy still shows. */
export function rowsSeen(server: Server, { plan }: Pick<Deed, 'plan'>, rows: ReadonlySet<number>): number {
  const copies = copiesOf(server, plan);
  return [...rows].filter((row) => copies.some((ids) => ids.has(row))).length;
}

/**
 * How many rows that a deed was to leave some copy doesn't show. Rows dated after the clock of the window were not counted one by
 * one, and what a later truncation was to delete is not missed.
 */
export function rowsHidden(server: Server, deed: Deed, { baseline }: Pick<TruncationRecord, 'baseline'>): number {
  const copies = copiesOf(server, deed.plan);
  const later = server.deeds
    .slice(server.deeds.indexOf(deed) + 1)
    .filter(({ plan }) => plan.aspect === deed.plan.aspect);
  return deed.staying.filter(
    ({ id, at }) =>
      at <= (baseline?.countedUpTo ?? 0) &&
      !later.some(({ going }) => going.has(id)) &&
      copies.some((ids) => !ids.has(id)),
  ).length;
}

function copiesOf(server: Server, plan: Deed['plan']): readonly ReadonlySet<number>[] {
  return server.seenOf(plan).map((rows) => new Set(rows.map(({ id }) => id)));
}
