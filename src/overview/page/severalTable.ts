/** The table of a batch: a row per index, and their sum. */
import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit';
import { aboutText } from '../../ui/formats.ts';
import { icons } from '../../webview/page/icons.ts';
import type { BatchItemView } from '../../batch/protocol.ts';
import type { OverviewPage } from './overviewPage.ts';

export function severalTable(page: OverviewPage): TemplateResult {
  const { items, phase } = page.view.several;
  return html`<table class="plan" aria-labelledby="several-title">
    <thead>
      <tr>
        <th scope="col" class="name">${l10n.t('Index')}</th>
        <th scope="col" class="count">${l10n.t('Rows to delete')}</th>
        <th scope="col" class="held">${l10n.t('Size of these rows')}</th>
        <th scope="col" class="strategy">${phase === 'executing' || phase === 'ended' ? l10n.t('Status') : l10n.t('Strategy')}</th>
      </tr>
    </thead>
    <tbody>
      ${items.map((item, place) => batchItemRows(item, place, page))} ${batchSumRow(page)}
    </tbody>
  </table>`;
}

function batchItemRows(item: BatchItemView, place: number, page: OverviewPage): TemplateResult {
  const { name, cutOff, remark, isIn } = item;
  const { phase } = page.view.several;
  return html`<tr class=${isIn || phase === 'dryRunning' ? '' : 'quiet'}>
      <th scope="row" class="name">
        ${indexNameCell(item, place, page)} ${cutOff === undefined ? nothing : html`<div class="quiet">${cutOff}</div>`}
        <div class="narrow quiet">${statusCell(item, page)}</div>
      </th>
      <td class="count">${rowsCell(item, page)}</td>
      <td class="held">${bytesCell(item.bytesToDelete, page)}</td>
      <td class="strategy">${statusCell(item, page)}</td>
    </tr>
    ${
      remark === undefined
        ? nothing
        : html`<tr class="remark">
            <td colspan="4" aria-label=${name}>
              <div>${icons.warning}<span>${remark}</span>${item.canBeAlone === true && phase === 'planned' ? aloneButton(place, page) : nothing}</div>
            </td>
          </tr>`
    }`;
}

function aloneButton(place: number, page: OverviewPage): TemplateResult {
  return html`<button
    type="button"
    class="secondary"
    @click=${() => page.send({ type: 'several', intent: { type: 'alone', place } })}
  >
    ${l10n.t('Truncate Alone')}
  </button>`;
}

function indexNameCell({ name, isIn, canBeIn }: BatchItemView, place: number, page: OverviewPage): TemplateResult {
  return page.view.several.phase === 'planned'
    ? html`<label class="check"
        ><input
          type="checkbox"
          ?disabled=${!canBeIn}
          .checked=${isIn}
          @change=${(event: Event & { target: HTMLInputElement }) =>
            page.send({ type: 'several', intent: { type: 'take', place, isIn: event.target.checked } })}
        />${breakableName(name)}</label
      >`
    : breakableName(name);
}

/** Breaks `entityType/aspect` after the slash first. */
function breakableName(name: string): TemplateResult {
  return html`<bdi>${name.split(/(?<=\/)/).map((part, place) => (place === 0 ? part : html`<wbr />${part}`))}</bdi>`;
}

function rowsCell({ rows }: BatchItemView, { formats }: OverviewPage): TemplateResult | typeof nothing {
  return rows === undefined
    ? nothing
    : html`<span>${formats.number(rows.toDelete)}</span> <span class="quiet">${formats.percent(rows.percent)}</span>`;
}

function statusCell(
  { status, strategy }: BatchItemView,
  { view }: OverviewPage,
): TemplateResult | string | typeof nothing {
  const { phase } = view.several;
  if (status !== undefined) {
    return html`<span class="status ${status.is}"
      >${status.is === 'done' ? icons.done : status.is === 'trouble' ? icons.error : nothing}<span>${status.text}</span></span
    >`;
  }
  return phase === 'executing' || phase === 'ended' ? nothing : (strategy ?? nothing);
}

function batchSumRow(page: OverviewPage): TemplateResult | typeof nothing {
  const { sum, phase } = page.view.several;
  return phase === 'dryRunning' || sum.count < 2
    ? nothing
    : html`<tr class="sum">
        <th scope="row" class="name">${l10n.t('Total')}</th>
        <td class="count">${page.formats.number(sum.rows)}</td>
        <td class="held">${bytesCell(sum.bytesToDelete, page)}</td>
        <td class="strategy"></td>
      </tr>`;
}

/** An estimate, because rows differ in size. */
function bytesCell(bytes: number | undefined, { formats }: OverviewPage): string | typeof nothing {
  return bytes === undefined ? nothing : aboutText(formats.size(bytes));
}
