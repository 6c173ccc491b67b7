/** What the parts of the page are given: everything to show, and the few things that a person can do. */
import type { Formats } from '../../../ui/formats.ts';
import type { OverviewRow, OverviewView, PageMessage } from '../protocol.ts';
import type { SortKey, Sorting } from './rowOrder.ts';
import type { Limit } from './limit.ts';
import type { RowWindow } from './rowWindow.ts';

export interface Page {
  readonly formats: Formats;
  readonly view: OverviewView;
  /** All of them. */
  readonly all: readonly OverviewRow[];
  /** Those that the filter leaves, in order. */
  readonly rows: readonly OverviewRow[];
  readonly filter: string;
  readonly sorting: Sorting;
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
  readonly limit: Limit;
  /** Somebody went on with the limit as it is. */
  readonly isLimitAsked: boolean;
  tick(ids: readonly string[], isTicked: boolean): void;
  setLimit(limit: Limit): void;
  /** Shows what is wrong with it. */
  askForLimit(): void;
  filterBy(text: string): void;
  sortBy(key: SortKey): void;
  activate(id: string): void;
  send(message: PageMessage): void;
}
