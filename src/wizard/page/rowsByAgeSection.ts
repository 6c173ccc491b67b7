/** How old the rows are, once a person asks: a chart, what the cut-off would take of it, and the figures as a table. */
import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit';
import { aboutText } from '../../ui/formats.ts';
import { icons } from '../../webview/page/icons.ts';
import type { RowsByAgeView } from '../protocol.ts';
import { spanOf } from './ageBars.ts';
import { AGE_HATCH, ageChart } from './ageChart.ts';
import { ageFigures, ageTable, deletedBy, growthText, outsideText } from './ageFigures.ts';
import { signInButton } from './frame.ts';
import type { Page } from './page.ts';
import { partSample } from './shareBar.ts';

export function rowsByAgeSection(page: Page): TemplateResult {
  const { rowsByAge } = page.view;
  return html`<div class="field" role="group" aria-labelledby="ages-heading">
    <div class="ages-title">
      ${
        rowsByAge === undefined
          ? nothing
          : html`<h3 id="ages-heading">${l10n.t('Rows by age')}</h3>
              ${rowsByAge.samples.length === 0 ? nothing : html`<span class="quiet">${asOf(page, rowsByAge)}</span>`}`
      }
      ${button(page)}
    </div>
    ${rowsByAge === undefined ? nothing : content(page, rowsByAge)}
  </div>`;
}

/** One button, so that the keyboard stays on it: it shows, stops, and counts again. */
function button({ view, send }: Page): TemplateResult {
  const [intent, label] =
    view.rowsByAge === undefined
      ? (['showRowsByAge', l10n.t('Show Rows by Age')] as const)
      : view.rowsByAge.state === 'loading'
        ? (['stopRowsByAge', l10n.t('Stop')] as const)
        : (['refreshRowsByAge', l10n.t('Refresh')] as const);
  return html`<button type="button" class="secondary" id="ages-button" @click=${() => send(intent)}>${label}</button>`;
}

function content(page: Page, rowsByAge: RowsByAgeView): TemplateResult {
  const { formats, view } = page;
  const { state, failure } = rowsByAge;
  const figures = ageFigures(view);
  const span = figures && spanOf(figures.curve);
  const growth = growthText(rowsByAge, formats);
  return html`${state === 'loading' ? html`<vscode-progress-bar aria-label=${l10n.t('Waiting for the server…')}></vscode-progress-bar>` : nothing}
    ${failure === undefined ? nothing : html`<div class="callout error">${icons.error}<div><p>${failure.sentence}</p>${failure.next === undefined ? nothing : html`<p>${failure.next}</p>`}${failure.canSignIn === true ? html`<div class="buttons">${signInButton(failure, page.send)}</div>` : nothing}</div></div>`}
    ${state === 'complete' && figures === undefined ? html`<p>${l10n.t('There are no rows.')}</p>` : nothing}
    ${figures === undefined || span === undefined ? nothing : html`${ageChart(page, figures, span)} ${legend(page)}`}
    ${figures === undefined ? nothing : outsideText(span?.older ?? 0, span?.start ?? 0, figures, formats)}
    ${growth === undefined ? nothing : html`<p>${growth}</p>`}
    ${rowsByAge.changedMeanwhile === true ? html`<p class="help">${l10n.t('The rows changed while they were counted.')}</p>` : nothing}
    ${figures === undefined ? nothing : ageTable(figures, formats)}`;
}

function legend({ view, draft, formats }: Page): TemplateResult | typeof nothing {
  const figures = ageFigures(view);
  if (figures === undefined || draft.endTimeMillis === undefined) {
    return nothing;
  }
  const { rows, isExact, share } = deletedBy(draft.endTimeMillis, figures, formats);
  const text = (count: number): string => aboutText(formats.number(count), isExact);
  return html`<p class="names">
    <span>${partSample('deleted', AGE_HATCH)}${l10n.t('To delete: {0}', `${text(rows)} · ${share}`)}</span>
    <span>${partSample('kept', AGE_HATCH)}${l10n.t('To keep: {0}', text(figures.curve.total - rows))}</span>
  </p>`;
}

function asOf({ formats }: Page, { at }: RowsByAgeView): string {
  return l10n.t('as of {0}', formats.moment(at, Date.now()));
}
