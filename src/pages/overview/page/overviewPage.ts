/** State and actions of the page, for its sections. The page's element implements it. */
import type { LocalizedFormats } from '../../../ui/formats.ts';
import type { OverviewTableRow, OverviewPageView, OverviewIntent } from '../protocol.ts';
import type { TableSorting } from './tableRows.ts';

export interface OverviewPageModel {
  readonly formats: LocalizedFormats;
  readonly view: OverviewPageView;
  /** Filtered and ordered rows. */
  readonly rows: readonly OverviewTableRow[];
  filter: string;
  sorting: TableSorting;
  /** ID of the row that the Tab key reaches. */
  active: string | undefined;
  readonly largestBytes: number;
  /** IDs of the indices that are ticked. */
  readonly ticked: readonly string[];
  /** In days, as typed. */
  readonly age: string;
  /** True if the user has continued with this age. */
  readonly isAgeAsked: boolean;
  tickIndices(ids: readonly string[], isTicked: boolean): void;
  setCutoffAge(age: string): void;
  /** Starts the dry runs, or shows what prevents them. */
  startDryRuns(): void;
  readonly send: (intent: OverviewIntent) => void;
}
