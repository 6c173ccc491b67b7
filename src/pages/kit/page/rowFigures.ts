/** Rows to delete and to keep, with a bar in which their shares can be compared; of one index or of several. */
import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult, svg } from 'lit';
import { plural } from '../../../language.ts';
import type { LocalizedFormats } from '../../../ui/formats.ts';
import type { ShownFigures } from '../protocol.ts';
import type { OptionalTemplate } from './elements.ts';

export function rowFigures(
  { toDelete, total, percent, size }: ShownFigures,
  formats: LocalizedFormats,
): TemplateResult {
  const share = (part: number): OptionalTemplate =>
    total === 0 ? nothing : html`<dd class="when">${formats.percent(part)}</dd>`;
  return html`<div class="figures stack">
    <dl>
      <div>
        <dt>${barPartSample('deleted', SHARE_HATCH)}${l10n.t('Rows to delete')}</dt>
        <dd>${formats.number(toDelete)}</dd>
        ${share(percent)}
      </div>
      <div>
        <dt>${barPartSample('kept', SHARE_HATCH)}${l10n.t('Rows to keep')}</dt>
        <dd>${formats.number(total - toDelete)}</dd>
        ${share(100 - percent)}
      </div>
      ${
        size === undefined
          ? nothing
          : html`<div>
              <dt>${l10n.t('Size of the rows to delete')}</dt>
              <dd>${size.toDelete}</dd>
              <dd class="when">${size.ofAll}</dd>
            </div>`
      }
    </dl>
    ${total === 0 ? nothing : rowsShareBar(percent, formats)}
  </div>`;
}

/** "1,234 of 5,200 rows (24%)". @param toDelete Formatted, as is `detail`, their size or share. */
export function rowsOfAllText(toDelete: string, total: number, detail: string, { number }: LocalizedFormats): string {
  return plural(
    total,
    l10n.t('{0} of {1} row ({2})', toDelete, number(total), detail),
    l10n.t('{0} of {1} rows ({2})', toDelete, number(total), detail),
  );
}

/** Keeps a small part visible. In percent of the bar. */
const SMALLEST_PART = 1;

/** ID of the bar's hatch pattern. */
const SHARE_HATCH = 'share-hatch';

/** @param percent Share to delete, from 0 to 100. */
function rowsShareBar(percent: number, formats: LocalizedFormats): TemplateResult {
  const end = deletedPartEnd(percent);
  const [deleted, kept] = [formats.percent(percent), formats.percent(100 - percent)];
  return html`<svg
    class="share"
    role="img"
    aria-label=${l10n.t('{0} of the rows would be deleted, {1} kept', deleted, kept)}
  >
    ${hatchPattern(SHARE_HATCH)} ${shareBarRect('deleted', 0, end, SHARE_HATCH)}
    ${shareBarRect('kept', end, 100 - end, SHARE_HATCH)}
    <line class="gap" x1="${end}%" x2="${end}%" y2="100%" />
  </svg>`;
}

/** The boundary between both parts, in percent of the bar. */
function deletedPartEnd(percent: number): number {
  return percent <= 0 || percent >= 100
    ? Math.min(100, Math.max(0, percent))
    : Math.min(100 - SMALLEST_PART, Math.max(SMALLEST_PART, percent));
}

/** `undecided`: without a cutoff, rows are neither to delete nor to keep. */
export type BarPart = 'deleted' | 'kept' | 'undecided';

/** Defines the fill of the part to delete. */
export function hatchPattern(id: string): TemplateResult<2> {
  return svg`<defs>
    <pattern id=${id} width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
      <line class="deleted" y2="6" stroke-width="5" />
    </pattern>
  </defs>`;
}

/** An attribute, because style sheets resolve URLs within their file. */
export function barPartFill(name: BarPart, hatchId: string): string {
  return name === 'deleted' ? `url(#${hatchId})` : 'currentColor';
}

/** A small sample of a part for the legend. */
export function barPartSample(name: BarPart, hatchId: string): TemplateResult {
  return html`<svg class="sample" aria-hidden="true">${shareBarRect(name, 0, 100, hatchId)}</svg>`;
}

function shareBarRect(name: BarPart, start: number, width: number, hatchId: string): TemplateResult<2> {
  const fill = barPartFill(name, hatchId);
  return svg`<rect class=${name} x="${start}%" width="${width}%" height="100%" fill=${fill}></rect>`;
}
