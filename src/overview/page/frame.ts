/** What stands around the table: where one is, the filter, and what went wrong. */
import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit';
import { plural } from '../../language.ts';
import { sizeText } from '../../ui/formats.ts';
import { icons } from '../../webview/page/icons.ts';
import { connectionLine } from '../../webview/page/connectionLine.ts';
import type { OverviewPage } from './overviewPage.ts';

/** Which server, how much there is on it, and as of when. */
export function pageHeader({ view, formats, rows, now, send }: OverviewPage): TemplateResult {
  const { connection, loadedAt, isLoading } = view;
  // Of those that the filter leaves, as their number is.
  const sizes = rows.flatMap(({ bytes }) => bytes ?? []);
  const count = formats.number(rows.length);
  const facts = [
    sizes.length > 0
      ? sizeText(
          sizes.reduce((sum, bytes) => sum + bytes, 0),
          view.sizePrecision,
          formats,
        )
      : '',
    plural(rows.length, l10n.t('{0} index', count), l10n.t('{0} indices', count)),
    loadedAt === undefined ? '' : l10n.t('as of {0}', formats.moment(loadedAt, now)),
  ].filter((fact) => fact !== '');
  return html`<header>
    <div class="titled">
      <h1>${l10n.t('Time series indices')}</h1>
      <button
        type="button"
        class="tool"
        id="refresh"
        title=${l10n.t('Refresh')}
        aria-label=${l10n.t('Refresh')}
        @click=${() => send({ type: 'refresh' })}
      >
        ${icons.refresh}
      </button>
    </div>
    ${connectionLine(connection)}
    <p class="quiet" role="status">${loadedAt === undefined && isLoading ? l10n.t('loading…') : facts.join(' · ')}</p>
    ${view.sizeNote === undefined ? nothing : html`<p class="quiet">${view.sizeNote}</p>`}
  </header>`;
}

/** Why the sizes could not be loaded, and what to do about it. What was loaded before is still below. */
export function failureNotice({ view, send }: OverviewPage): TemplateResult | typeof nothing {
  const { failure } = view;
  return failure === undefined
    ? nothing
    : html`<section class="callout error" role="alert">
        ${icons.error}
        <div>
          <h2>${failure.headline}</h2>
          <p>${failure.sentence}</p>
          ${failure.next === undefined ? nothing : html`<p>${failure.next}</p>`}
          <div class="buttons">
            ${
              failure.action === 'signIn'
                ? html`<button type="button" class="primary" @click=${() => send({ type: 'signIn' })}>${l10n.t('Sign In…')}</button>`
                : html`<button type="button" class="primary" @click=${() => send({ type: 'refresh' })}>${l10n.t('Try Again')}</button>`
            }
            <button type="button" class="secondary" @click=${() => send({ type: 'copyDetails' })}>${l10n.t('Copy Details')}</button>
          </div>
        </div>
      </section>`;
}

export function filterField({ filter, filterBy }: OverviewPage): TemplateResult {
  return html`<input
    type="text"
    id="filter"
    aria-label=${l10n.t('Filter indices')}
    placeholder=${l10n.t('Filter indices')}
    spellcheck="false"
    maxlength="255"
    .value=${filter}
    @input=${(event: Event & { target: HTMLInputElement }) => filterBy(event.target.value)}
  />`;
}

/** What the table doesn't show, or why there is nothing in it. */
export function tableHint({ view, all, rows, send }: OverviewPage): TemplateResult | typeof nothing {
  const text = view.hint?.text ?? (all.length > 0 && rows.length === 0 ? l10n.t('No matching indices') : undefined);
  return text === undefined
    ? nothing
    : html`<p class="quiet">${text}</p>
        ${view.hint?.canAdd ? html`<div class="buttons"><button type="button" class="secondary" @click=${() => send({ type: 'addIndex' })}>${l10n.t('Add Index…')}</button></div>` : nothing}`;
}
