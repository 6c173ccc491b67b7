/** All rows as one bar in two parts, hatched what is deleted and solid what is kept, so that no colour is needed to tell them apart. */
import * as l10n from '@vscode/l10n';
import { html, svg, type TemplateResult } from 'lit';
import type { Formats } from '../../../ui/formats.ts';

/** A part with a few of very many rows is still to be seen. In percent of the bar. */
const SMALLEST_PART = 1;

/** @param percent Of the rows to delete, 0 to 100. */
export function shareBar(percent: number, formats: Formats): TemplateResult {
  const deleted = formats.percent(percent);
  const kept = formats.percent(100 - percent);
  const end = deletedEnd(percent);
  return html`<div class="share">
    <svg role="img" aria-label=${l10n.t('{0} of the rows would be deleted, {1} kept', deleted, kept)}>
      <defs>
        <pattern id="hatch" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
          <line y2="6" stroke-width="5" />
        </pattern>
      </defs>
      ${part('deleted', 0, end)} ${part('kept', end, 100 - end)}
      <line class="gap" x1="${end}%" x2="${end}%" y2="100%" />
    </svg>
    <div class="names" aria-hidden="true">
      <span>${sample('deleted')}${l10n.t('To delete: {0}', deleted)}</span>
      <span>${sample('kept')}${l10n.t('To keep: {0}', kept)}</span>
    </div>
  </div>`;
}

/** Where the first part ends and the second begins, in percent of the bar. */
export function deletedEnd(percent: number): number {
  return percent <= 0 || percent >= 100
    ? Math.min(100, Math.max(0, percent))
    : Math.min(100 - SMALLEST_PART, Math.max(SMALLEST_PART, percent));
}

type Part = 'deleted' | 'kept';

function part(name: Part, start: number, width: number): TemplateResult<2> {
  // As an attribute: in the style sheet the address would be one in that file.
  const fill = name === 'deleted' ? 'url(#hatch)' : 'currentColor';
  return svg`<rect x="${start}%" width="${width}%" height="100%" fill=${fill}></rect>`;
}

function sample(name: Part): TemplateResult {
  return html`<svg class="sample">${part(name, 0, 100)}</svg>`;
}
