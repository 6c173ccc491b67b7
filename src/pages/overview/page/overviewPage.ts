/** Model that the sections draw, with the user's actions. */
import type { LocalizedFormats } from '../../../ui/formats.ts';
import type { OverviewTableRow, OverviewPageView, OverviewIntent } from '../protocol.ts';
import type { PlacedJobItem } from './jobRows.ts';
import type { SortKey, TableSorting, VisibleRowRange } from './tableRows.ts';

export interface OverviewPageModel {
  readonly formats: LocalizedFormats;
  readonly view: OverviewPageView;
  /** All rows, unfiltered. */
  readonly all: readonly OverviewTableRow[];
  /** Filtered and ordered rows, with all of the job. */
  readonly rows: readonly OverviewTableRow[];
  readonly filter: string;
  readonly sorting: TableSorting;
  /** Range of `rows` to draw. */
  readonly inSight: VisibleRowRange;
  /** In px. */
  readonly rowHeight: number;
  /** ID of the row that the Tab key reaches. */
  readonly active: string | undefined;
  readonly largestBytes: number;
  readonly totalBytes: number;
  /** The present: Unix time in ms. */
  readonly now: number;
  /** IDs of the indices selected for a job. */
  readonly ticked: ReadonlySet<string>;
  /** Items of the job, by the IDs of their rows. */
  readonly items: ReadonlyMap<string, PlacedJobItem>;
  /** In days, as typed. */
  readonly age: string;
  /** True if the user has continued with this age. */
  readonly isAgeAsked: boolean;
  tickIndices(ids: readonly string[], isTicked: boolean): void;
  /** @param isRange True to treat all rows from the one that was ticked last alike. */
  tickRow(id: string, isTicked: boolean, isRange: boolean): void;
  /** Why not all of the last selection could be selected again, until the selection changes. */
  readonly lastTimeNote: string | undefined;
  /** Selects what was confirmed last, with its age. */
  selectAsLastTime(): void;
  setCutoffAge(age: string): void;
  /** Shows the problem of the age. */
  showAgeProblem(): void;
  filterByText(text: string): void;
  sortByColumn(key: SortKey): void;
  activateRow(id: string): void;
  send(intent: OverviewIntent): void;
}
