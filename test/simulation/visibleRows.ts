/** Rows that each copy of an index shows, compared with those that a truncation should keep. */
import type { TruncationRecord } from '../../src/truncation/sentTruncation.ts';
import type { Row } from './searchIndex.ts';
import type { ServerDeletion, ReceivedPlan, Server } from './server.ts';

/**
 * Number of these rows that a copy still shows, without those that the last count could not find.
 * @param countedAgo age of the last count, in ms
 */
export function rowsSeen(
  server: Server,
  { plan }: Pick<ServerDeletion, 'plan'>,
  rows: ReadonlySet<number>,
  countedAgo: number,
): number {
  const copies = server.seenSince(plan, countedAgo).map(idsOf);
  return [...rows].filter((row) => copies.some((ids) => ids.has(row))).length;
}

/**
 * Number of rows that a deletion should keep and a copy lacks, as far as counts can show: a row of the same period
 * that was written later makes up for a missing one. Rows dated after the window's clock were not counted one by one,
 * and rows that a later truncation deletes are not missing.
 * @param counted rows at the count before sending
 * @param countedAgo age of the last count, in ms
 */
export function rowsHidden(
  server: Server,
  deletion: ServerDeletion,
  { baseline }: Pick<TruncationRecord, 'baseline'>,
  counted: CountedRows,
  countedAgo: number,
): number {
  const isCounted = ({ at }: Row): boolean => at > deletion.plan.endTimeMillis && at <= (baseline?.countedUpTo ?? 0);
  const later = server.deletions
    .slice(server.deletions.indexOf(deletion) + 1)
    .filter(({ plan }) => plan.aspect === deletion.plan.aspect);
  const kept = deletion.staying.filter(
    (row) => counted.ids.has(row.id) && isCounted(row) && !later.some(({ going }) => going.has(row.id)),
  );
  const expected = kept.length - counted.lowered;
  return Math.max(
    0,
    ...server.seenOf(deletion.plan, countedAgo).map((rows) => expected - rows.filter(isCounted).length),
  );
}

/** Rows that every copy showed during the count before sending. */
export interface CountedRows {
  readonly ids: ReadonlySet<number>;
  /** Rows to delete that appeared between the two counts. Each reduces the expected number of kept rows by one. */
  readonly lowered: number;
}

/** Rows of each index visible to each window's dry runs. */
export class RowCounts {
  readonly #lastTwo = new Map<string, readonly (readonly Row[])[]>();

  /** A dry run reaches a server. */
  count(window: number, server: Server, plan: ReceivedPlan): void {
    const key = countKey(window, server, plan);
    this.#lastTwo.set(key, [...(this.#lastTwo.get(key) ?? []), rowsInAll(server, plan)].slice(-2));
  }

  /** Counts all rows up to now, then the rows to delete. */
  before(window: number, server: Server, plan: ReceivedPlan): CountedRows {
    const [first = [], last = first] = this.#lastTwo.get(countKey(window, server, plan)) ?? [];
    const before = idsOf(first);
    const ids = new Set(last.filter(({ id }) => before.has(id)).map(({ id }) => id));
    return { ids, lowered: last.filter(({ id, at }) => at <= plan.endTimeMillis && !before.has(id)).length };
  }
}

function countKey(window: number, { baseUrl }: Server, { aspect }: ReceivedPlan): string {
  return `${window} ${baseUrl} ${aspect}`;
}

/** Rows that all copies of an index show. */
function rowsInAll(server: Server, plan: ReceivedPlan): readonly Row[] {
  const [one = [], ...others] = server.seenOf(plan);
  const ids = others.map(idsOf);
  return one.filter(({ id }) => ids.every((other) => other.has(id)));
}

function idsOf(rows: readonly Row[]): ReadonlySet<number> {
  return new Set(rows.map(({ id }) => id));
}
