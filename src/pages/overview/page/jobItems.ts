/** The items of a job in the order of sending: what each would lose, and later how it ended. */
import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit';
import { live } from 'lit/directives/live.js';
import { plural } from '../../../language.ts';
import { optionalParagraph } from '../../kit/page/elements.ts';
import { icons } from '../../kit/page/icons.ts';
import type { JobItemView } from '../protocol.ts';
import type { OverviewPageModel } from './overviewPage.ts';

export function jobItems(page: OverviewPageModel): TemplateResult {
  return html`<ul class="items">
    ${page.view.job.items.map((item, place) => jobItem(page, item, place))}
  </ul>`;
}

function jobItem(page: OverviewPageModel, item: JobItemView, place: number): TemplateResult {
  const { consequence, cautions, remark } = item;
  return html`<li class=${item.isSelected ? 'tight stack' : 'tight stack left-out'}>
    <div class="item-line">${itemName(page, item, place)}<span class="state">${itemState(page, item)}</span></div>
    ${optionalParagraph(consequence, 'quiet')}
    ${
      cautions.length === 0
        ? nothing
        : html`<div class="caution" id=${cautionId(place)}>
            ${icons.warning}
            <div class="tight stack">${cautions.map(({ text }) => html`<p>${text}</p>`)}</div>
          </div>`
    }
    ${remark === undefined ? nothing : html`<p class="remark">${remark}</p>`}
  </li>`;
}

/** Its box accepts what it is warned of. */
function itemName(page: OverviewPageModel, item: JobItemView, place: number): TemplateResult {
  const { name, canBeSelected, canShow, cautions, isSelected, at } = item;
  if (canShow) {
    return html`<button
      type="button"
      class="link name"
      @click=${() => page.send({ type: 'show', place })}
    ><bdi>${name}</bdi></button>`;
  }
  if (!canBeSelected || at === undefined) {
    return html`<span class="name"><bdi>${name}</bdi></span>`;
  }
  return html`<label class="check name"
    ><input
      type="checkbox"
      aria-describedby=${cautions.length === 0 ? nothing : cautionId(place)}
      ?disabled=${page.view.job.phase !== 'planned'}
      .checked=${live(isSelected)}
      @change=${({ target }: Event & { target: HTMLInputElement }) =>
        page.send({ type: 'tick', place, isTicked: target.checked, at, cautions: cautions.map(({ kind }) => kind) })}
    /><bdi>${name}</bdi></label
  >`;
}

function cautionId(place: number): string {
  return `caution-${place}`;
}

/** Its rows before it is sent, then its progress. */
function itemState({ formats }: OverviewPageModel, { status, rows }: JobItemView): TemplateResult | string {
  if (status !== undefined) {
    const icon = status.kind === 'done' ? icons.done : status.kind === 'trouble' ? icons.error : nothing;
    return html`<span class="status ${status.kind}">${icon}<span>${status.text}</span></span>`;
  }
  if (rows === undefined) {
    return '';
  }
  const [toDelete, total] = [formats.number(rows.toDelete), formats.number(rows.total)];
  const share = formats.percent(rows.percent);
  return plural(
    rows.total,
    l10n.t('{0} of {1} row ({2})', toDelete, total, share),
    l10n.t('{0} of {1} rows ({2})', toDelete, total, share),
  );
}
