/** The model that the parts of the page draw, with the actions of the user. */
import type { LocalizedFormats } from '../../ui/formats.ts';
import type { OverviewRow, OverviewView, PageMessage } from '../protocol.ts';
import type { SortKey, TableSorting } from './rowOrder.ts';
import type { VisibleRowRange } from './rowWindow.ts';

export interface OverviewPage {
  readonly formats: LocalizedFormats;
  readonly view: OverviewView;
  /** All rows, unfiltered. */
  readonly all: readonly OverviewRow[];
  /** Filtered and ordered rows. */
  readonly rows: readonly OverviewRow[];
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
  /** IDs of the indices selected for a batch. */
  readonly ticked: ReadonlySet<string>;
  /** In days, as typed. */
  readonly age: string;
  /** True if the user has continued with this age. */
  readonly isAgeAsked: boolean;
  tick(ids: readonly string[], isTicked: boolean): void;
  setAge(age: string): void;
  /** Shows the problem of the age. */
  askForAge(): void;
  filterBy(text: string): void;
  sortBy(key: SortKey): void;
  activate(id: string): void;
  send(message: PageMessage): void;
}
