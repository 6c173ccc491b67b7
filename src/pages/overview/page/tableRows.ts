/** Filters and orders the rows of the table, and ticks them. Pure. */
import * as v from 'valibot';
import { MAX_ITEMS } from '../../../truncation/jobState.ts';
import { parsedAs } from '../../../json.ts';
import type { OverviewTableRow } from '../protocol.ts';

const SORT_KEYS = ['name', 'size', 'growth', 'truncation'] as const;
export type SortKey = (typeof SORT_KEYS)[number];

export interface TableSorting {
  readonly by: SortKey;
  readonly descending: boolean;
}

/** Largest first. */
const USUAL_SORTING: TableSorting = { by: 'size', descending: true };

const SORTING = v.object({ by: v.picklist(SORT_KEYS), descending: v.boolean() });

/** Parses the stored order, or returns the usual one. */
export function parseSorting(kept: unknown): TableSorting {
  return parsedAs(SORTING, kept) ?? USUAL_SORTING;
}

/** Starts with the largest number or the first name. Choosing the same column again reverses it. */
export function toggleSorting(by: SortKey, { by: before, descending }: TableSorting): TableSorting {
  return { by, descending: by === before ? !descending : by !== 'name' };
}

/** Rows that contain every word, in any order. */
export function filterTableRows(rows: readonly OverviewTableRow[], filter: string): readonly OverviewTableRow[] {
  const words = filter
    .toLowerCase()
    .split(/[\s/]+/)
    .filter((word) => word !== '');
  return words.length === 0
    ? rows
    : rows.filter((row) => {
        const text = `${row.entityType ?? ''} ${row.aspect ?? ''} ${row.indexName}`.toLowerCase();
        return words.every((word) => text.includes(word));
      });
}

/** In both directions, unknown values come last, and rows that can't be truncated after them. */
export function sortTableRows(
  rows: readonly OverviewTableRow[],
  { by, descending }: TableSorting,
): readonly OverviewTableRow[] {
  const sign = descending ? -1 : 1;
  const compare = new Intl.Collator(undefined, { numeric: true }).compare;
  const keyed = rows.map((row) => ({
    row,
    name: shownIndexName(row),
    value: by === 'name' ? undefined : VALUES[by](row),
  }));
  keyed.sort(
    (a, b) =>
      Number(b.row.canTruncate) - Number(a.row.canTruncate) ||
      (by === 'name'
        ? sign * compare(a.name, b.name)
        : Number(a.value === undefined) - Number(b.value === undefined) || sign * ((a.value ?? 0) - (b.value ?? 0))) ||
      compare(a.name, b.name),
  );
  return keyed.map(({ row }) => row);
}

export function shownIndexName({ entityType, aspect, indexName }: OverviewTableRow): string {
  return entityType === undefined || aspect === undefined ? indexName : `${entityType}/${aspect}`;
}

const VALUES: Readonly<Record<Exclude<SortKey, 'name'>, (row: OverviewTableRow) => number | undefined>> = {
  size: ({ bytes }) => bytes,
  growth: ({ growth }) => growth?.bytes,
  truncation: ({ truncation }) => truncation?.sentAt,
};

/** True if an index can be part of a job. */
export function canSelectRow({ canTruncate, onlyAlone }: OverviewTableRow): boolean {
  return canTruncate && onlyAlone === undefined;
}

/** Adds or removes IDs in order, up to the limit. */
export function toggleSelection(
  before: readonly string[],
  ids: readonly string[],
  isTicked: boolean,
): readonly string[] {
  const others = before.filter((id) => !ids.includes(id));
  return isTicked ? [...new Set([...before, ...ids])].slice(0, MAX_ITEMS) : others;
}
