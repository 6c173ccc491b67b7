/** The boxes of the indices. */
import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit';
import { live } from 'lit/directives/live.js';
import { MAX_ITEMS } from '../../../truncation/jobState.ts';
import { icons } from '../../kit/page/icons.ts';
import type { OverviewTableRow } from '../protocol.ts';
import { rowTabIndex, withSentence, type TableCellContent } from './cellParts.ts';
import type { OverviewPageModel } from './overviewPage.ts';
import { shownIndexName } from './tableRows.ts';

/** True if an index can be part of a job. */
export function canSelectRow({ canTruncate, onlyAlone }: OverviewTableRow): boolean {
  return canTruncate && onlyAlone === undefined;
}

/** Adds or removes IDs in order, up to the limit. */
export function toggleSelection(
  before: readonly string[],
  ids: readonly string[],
  isTicked: boolean,
): readonly string[] {
  const others = before.filter((id) => !ids.includes(id));
  return isTicked ? [...new Set([...before, ...ids])].slice(0, MAX_ITEMS) : others;
}

/** Selects an index, or says why it can't be. */
export function selectRowCell(row: OverviewTableRow, page: OverviewPageModel, place: number): TableCellContent {
  const { ticked } = page;
  if (row.onlyAlone !== undefined) {
    return withSentence(icons.lock, {
      id: `alone-${place}`,
      label: l10n.t("Why {0} can't be selected", shownIndexName(row)),
      sentence: row.onlyAlone,
      tabIndex: rowTabIndex(row, page),
    });
  }
  const isTicked = ticked.includes(row.id);
  return canSelectRow(row)
    ? html`<label class="check"
        ><input
          type="checkbox"
          tabindex=${rowTabIndex(row, page)}
          aria-label=${l10n.t('Select {0}', shownIndexName(row))}
          ?disabled=${!isTicked && ticked.length >= MAX_ITEMS}
          .checked=${live(isTicked)}
          @change=${({ target }: Event & { target: HTMLInputElement }) => page.tickIndices([row.id], target.checked)}
      /></label>`
    : nothing;
}

/** Selects all filtered indices, up to the limit. */
export function selectAllCell(page: OverviewPageModel): TemplateResult {
  const { rows, ticked } = page;
  const ids = rows.filter(canSelectRow).map(({ id }) => id);
  const all = ids.slice(0, MAX_ITEMS);
  return html`<label class="check"
    ><input
      type="checkbox"
      aria-label=${l10n.t('Select all')}
      ?disabled=${all.length === 0}
      .checked=${all.length > 0 && all.every((id) => ticked.includes(id))}
      .indeterminate=${ids.some((id) => ticked.includes(id)) && !all.every((id) => ticked.includes(id))}
      @change=${(event: Event & { target: HTMLInputElement }) => page.tickIndices(ids, event.target.checked)}
  /></label>`;
}
