/** Selects the rows of a long table to draw: visible ones, some around them, and the focused one. Pure. */

/** Rows from `first` to `end`, exclusive. */
export interface VisibleRowRange {
  readonly first: number;
  readonly end: number;
}

/** A row by its position, or a gap for a number of rows that aren't drawn. */
type DrawnTableItem = { readonly row: number } | { readonly gap: number };

/** Extra rows above and below the visible ones, so that scrolling shows no gaps. */
const AROUND = 12;

/**
 * @param top Distance of the first row above the viewport in px; negative if it is below its top.
 * @param height Height of the viewport in px. @param rowHeight In px.
 */
export function rowWindowOf(top: number, height: number, rowHeight: number, count: number): VisibleRowRange {
  const first = Math.floor(top / rowHeight) - AROUND;
  const end = Math.ceil((top + height) / rowHeight) + AROUND;
  return { first: clampToRows(first, count), end: clampToRows(end, count) };
}

/** @param kept The focused row. It is always drawn, because removing it would lose the focus. */
export function drawnRows(
  { first, end }: VisibleRowRange,
  count: number,
  kept: number | undefined,
): readonly DrawnTableItem[] {
  const rows = new Set(Array.from({ length: Math.max(0, end - first) }, (_, index) => first + index));
  if (kept !== undefined && kept < count) {
    rows.add(kept);
  }
  const drawn: DrawnTableItem[] = [];
  let next = 0;
  for (const row of [...rows].toSorted((a, b) => a - b)) {
    if (row > next) {
      drawn.push({ gap: row - next });
    }
    drawn.push({ row });
    next = row + 1;
  }
  return count > next ? [...drawn, { gap: count - next }] : drawn;
}

function clampToRows(row: number, count: number): number {
  return Math.min(count, Math.max(0, row));
}
