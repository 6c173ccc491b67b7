/** Which rows of a long table are drawn: those in sight, some around them, and the one that has the keyboard. Pure. */

/** Rows `first` up to, but not with, `end`. */
export interface RowWindow {
  readonly first: number;
  readonly end: number;
}

/** A row by its place in the table, or the height of rows that are not drawn, in rows. */
type DrawnItem = { readonly row: number } | { readonly gap: number };

/** How many rows are drawn above and below those in sight, so that scrolling doesn't show gaps. */
const AROUND = 12;

/**
 * @param top How far the first row is above the upper edge of what is seen, in px; negative while it is below.
 * @param height Of what is seen, in px. @param rowHeight In px.
 */
export function rowWindowOf(top: number, height: number, rowHeight: number, count: number): RowWindow {
  const first = Math.floor(top / rowHeight) - AROUND;
  const end = Math.ceil((top + height) / rowHeight) + AROUND;
  return { first: clampRow(first, count), end: clampRow(end, count) };
}

/** @param kept The row that has the keyboard: it stays although it was scrolled out of sight, or the keyboard would be lost. */
export function drawnRows({ first, end }: RowWindow, count: number, kept: number | undefined): readonly DrawnItem[] {
  const rows = new Set(Array.from({ length: Math.max(0, end - first) }, (_, index) => first + index));
  if (kept !== undefined && kept < count) {
    rows.add(kept);
  }
  const drawn: DrawnItem[] = [];
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

function clampRow(row: number, count: number): number {
  return Math.min(count, Math.max(0, row));
}
