/** Rows to delete and to keep, with a bar; of one index or of several. */
import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit';
import type { LocalizedFormats } from '../../../ui/formats.ts';
import type { ShownRows } from '../protocol.ts';
import { barPartSample, rowsShareBar, SHARE_HATCH } from './shareBar.ts';

/** Ready to be shown. */
interface ShownSize {
  /** Estimated, of the rows to delete. */
  readonly bytes: string;
  readonly ofAll: string;
}

export function rowFigures(
  { toDelete, total, percent }: ShownRows,
  size: ShownSize | undefined,
  formats: LocalizedFormats,
): TemplateResult {
  return html`<dl>
      <div>
        <dt>${barPartSample('deleted', SHARE_HATCH)}${l10n.t('Rows to delete')}</dt>
        <dd>${formats.number(toDelete)}</dd>
        ${total === 0 ? nothing : html`<dd class="when">${formats.percent(percent)}</dd>`}
      </div>
      <div>
        <dt>${barPartSample('kept', SHARE_HATCH)}${l10n.t('Rows to keep')}</dt>
        <dd>${formats.number(total - toDelete)}</dd>
        ${total === 0 ? nothing : html`<dd class="when">${formats.percent(100 - percent)}</dd>`}
      </div>
      ${
        size === undefined
          ? nothing
          : html`<div>
              <dt>${l10n.t('Size of the rows to delete')}</dt>
              <dd>${size.bytes}</dd>
              <dd class="when">${size.ofAll}</dd>
            </div>`
      }
    </dl>
    ${total === 0 ? nothing : rowsShareBar(percent, formats)}`;
}
