/** Contents of table cells: short text with a longer sentence behind it. */
import { html, nothing, type TemplateResult } from 'lit';
import type { OverviewTableRow } from '../protocol.ts';
import type { OverviewPageModel } from './overviewPage.ts';

export type TableCellContent = TemplateResult | typeof nothing;

interface SentenceOptions {
  /** Unique on the page. */
  readonly id: string;
  readonly sentence: string;
  readonly tabIndex: 0 | -1;
  /** Read by screen readers instead of an icon. */
  readonly label?: string;
}

/** Short text, or an icon, that opens and closes a longer sentence. */
export function withSentence(
  short: string | TemplateResult,
  { id, sentence, tabIndex, label }: SentenceOptions,
): TemplateResult {
  return html`<button
      type="button"
      class=${label === undefined ? 'link' : 'tool'}
      tabindex=${tabIndex}
      aria-label=${label ?? nothing}
      title=${sentence}
      popovertarget=${id}
    >${short}</button>
    <div class="sentence" id=${id} popover>${sentence}</div>`;
}

/** The Tab key reaches one row, arrow keys the others. */
export function rowTabIndex(row: OverviewTableRow, page: OverviewPageModel): 0 | -1 {
  return row.id === page.active ? 0 : -1;
}
