/** The items of a batch in the rows of the table. Pure. */
import type { BatchItemView } from '../../batch/protocol.ts';
import type { OverviewTableRow } from '../protocol.ts';
import { shownIndexName } from './tableRows.ts';

export interface PlacedBatchItem {
  readonly item: BatchItemView;
  /** Position in the batch. */
  readonly place: number;
}

interface BatchTableRows {
  readonly rows: readonly OverviewTableRow[];
  /** By the ID of the row. */
  readonly items: ReadonlyMap<string, PlacedBatchItem>;
}

/** Finds the row of each item. An item whose index is not listed any more gets a row of its own. */
export function batchTableRows(listed: readonly OverviewTableRow[], batch: readonly BatchItemView[]): BatchTableRows {
  const ids = new Map(
    listed.filter(({ canTruncate }) => canTruncate).map((row) => [keyOf(shownIndexName(row)), row.id]),
  );
  const items = new Map(
    batch.map((item, place) => [ids.get(keyOf(item.name)) ?? unlistedId(item), { item, place }] as const),
  );
  const unlisted = batch.filter(({ name }) => !ids.has(keyOf(name))).map(unlistedRow);
  return { rows: [...listed, ...unlisted], items };
}

/** Search clusters use lower case. */
function keyOf(name: string): string {
  return name.toLowerCase();
}

function unlistedId({ name }: BatchItemView): string {
  return `unlisted ${name}`;
}

function unlistedRow(item: BatchItemView): OverviewTableRow {
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
