/** The items of a job in the rows of the table. Pure. */
import type { JobItemView } from '../jobProtocol.ts';
import type { OverviewTableRow } from '../protocol.ts';
import { shownIndexName } from './tableRows.ts';

export interface PlacedJobItem {
  readonly item: JobItemView;
  /** Position in the job. */
  readonly place: number;
}

interface JobTableRows {
  readonly rows: readonly OverviewTableRow[];
  /** By the ID of the row. */
  readonly items: ReadonlyMap<string, PlacedJobItem>;
}

/** Finds the row of each item. An item whose index is not listed any more gets a row of its own. */
export function jobTableRows(listed: readonly OverviewTableRow[], job: readonly JobItemView[]): JobTableRows {
  const ids = new Map(
    listed.filter(({ canTruncate }) => canTruncate).map((row) => [keyOf(shownIndexName(row)), row.id]),
  );
  const items = new Map(
    job.map((item, place) => [ids.get(keyOf(item.name)) ?? unlistedId(item), { item, place }] as const),
  );
  const unlisted = job.filter(({ name }) => !ids.has(keyOf(name))).map(unlistedRow);
  return { rows: [...listed, ...unlisted], items };
}

/** Search clusters use lower case. */
function keyOf(name: string): string {
  return name.toLowerCase();
}

function unlistedId({ name }: JobItemView): string {
  return `unlisted ${name}`;
}

function unlistedRow(item: JobItemView): OverviewTableRow {
  return {
    id: unlistedId(item),
    entityType: undefined,
    aspect: undefined,
    indexName: item.name,
    bytes: undefined,
    note: undefined,
    canTruncate: false,
    purpose: undefined,
    onlyAlone: undefined,
    growth: undefined,
    limit: undefined,
    counted: undefined,
    truncation: undefined,
  };
}
