/** What the parts of the page are given: everything to show, and the few things that a person can do. */
import type { Formats } from '../../ui/formats.ts';
import type { OverviewRow, OverviewView, PageMessage } from '../protocol.ts';
import type { SortKey, TableSorting } from './rowOrder.ts';
import type { RowWindow } from './rowWindow.ts';

export interface OverviewPage {
  readonly formats: Formats;
  readonly view: OverviewView;
  /** All of them. */
  readonly all: readonly OverviewRow[];
  /** Those that the filter leaves, in order. */
  readonly rows: readonly OverviewRow[];
  readonly filter: string;
  readonly sorting: TableSorting;
  /** Which of `rows`. */
  readonly inSight: RowWindow;
  /** In px. */
  readonly rowHeight: number;
  /** Id of the row that the Tab key goes to. */
  readonly active: string | undefined;
  readonly largestBytes: number;
  readonly totalBytes: number;
  /** Now, as Unix time in ms. */
  readonly now: number;
  /** Ids of the indices that are chosen to be truncated at once. */
  readonly ticked: ReadonlySet<string>;
  /** In days, as it is typed. */
  readonly age: string;
  /** The user went on with the age as it is. */
  readonly isAgeAsked: boolean;
  tick(ids: readonly string[], isTicked: boolean): void;
  setAge(age: string): void;
  /** Shows what is wrong with it. */
  askForAge(): void;
  filterBy(text: string): void;
  sortBy(key: SortKey): void;
  activate(id: string): void;
  send(message: PageMessage): void;
}
