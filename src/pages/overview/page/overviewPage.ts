/** Model that the sections draw, with the user's actions. */
import type { LocalizedFormats } from '../../../ui/formats.ts';
import type { OverviewTableRow, OverviewPageView, OverviewIntent } from '../protocol.ts';
import type { SortKey, TableSorting } from './tableRows.ts';

export interface OverviewPageModel {
  readonly formats: LocalizedFormats;
  readonly view: OverviewPageView;
  /** All rows, unfiltered. */
  readonly all: readonly OverviewTableRow[];
  /** Filtered and ordered rows. */
  readonly rows: readonly OverviewTableRow[];
  readonly filter: string;
  readonly sorting: TableSorting;
  /** ID of the row that the Tab key reaches. */
  readonly active: string | undefined;
  readonly largestBytes: number;
  /** The present: Unix time in ms. */
  readonly now: number;
  /** IDs of the indices that are ticked. */
  readonly ticked: ReadonlySet<string>;
  /** In days, as typed. */
  readonly age: string;
  /** True if the user has continued with this age. */
  readonly isAgeAsked: boolean;
  tickIndices(ids: readonly string[], isTicked: boolean): void;
  /** @param isRange True to treat all rows from the one that was ticked last alike. */
  tickRow(id: string, isTicked: boolean, isRange: boolean): void;
  setCutoffAge(age: string): void;
  /** Starts the dry runs, or shows what prevents them. */
  startDryRuns(): void;
  filterByText(text: string): void;
  sortByColumn(key: SortKey): void;
  activateRow(id: string): void;
  send(intent: OverviewIntent): void;
}
