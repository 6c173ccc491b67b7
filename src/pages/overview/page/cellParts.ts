/** Contents of table cells: short text with a longer sentence behind it. */
import { html, type nothing, type TemplateResult } from 'lit';
import type { OverviewTableRow } from '../protocol.ts';
import type { OverviewPageModel } from './overviewPage.ts';
import type { SortKey } from './tableRows.ts';

export type TableCellContent = TemplateResult | string | typeof nothing;

export interface IndexTableColumn {
  /** Its CSS class. */
  readonly id: string;
  columnTitle(page: OverviewPageModel): TemplateResult | string;
  readonly sortKey?: SortKey;
  /** Replaces the title. */
  headerContent?(page: OverviewPageModel): TableCellContent;
  /** True if the column has content. Always shown without it. */
  isColumnShown?(page: OverviewPageModel): boolean;
  /** @param place Position of the row in the table. */
  cell(row: OverviewTableRow, page: OverviewPageModel, place: number): TableCellContent;
}

interface SentenceOptions {
  /** Unique on the page. */
  readonly id: string;
  readonly text: string;
  /** Undefined if the text says it all. */
  readonly sentence: string | undefined;
  readonly tabIndex: 0 | -1;
}

interface IconSentenceOptions {
  /** Unique on the page. */
  readonly id: string;
  readonly icon: TemplateResult;
  /** Read by screen readers. */
  readonly label: string;
  readonly sentence: string;
  readonly tabIndex: 0 | -1;
}

export function iconWithSentence({ id, icon, label, sentence, tabIndex }: IconSentenceOptions): TemplateResult {
  return html`<button
      type="button"
      class="tool"
      tabindex=${tabIndex}
      aria-label=${label}
      title=${sentence}
      popovertarget=${id}
    >${icon}</button>
    <div class="sentence" id=${id} popover>${sentence}</div>`;
}

/** Short text that opens and closes a longer sentence. */
export function textWithSentence({ id, text, sentence, tabIndex }: SentenceOptions): TemplateResult {
  return sentence === undefined || sentence === text
    ? html`<span>${text}</span>`
    : html`<button
          type="button"
          class="link"
          tabindex=${tabIndex}
          title=${sentence}
          popovertarget=${id}
        >${text}</button>
        <div class="sentence" id=${id} popover>${sentence}</div>`;
}

/** The Tab key reaches one row, arrow keys the others. */
export function rowTabIndex(row: OverviewTableRow, page: OverviewPageModel): 0 | -1 {
  return row.id === page.active ? 0 : -1;
}
