/** Header, problems, filter and hint around the table. */
import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit';
import { connectionLine, problemCallout, button, type OptionalTemplate } from '../../kit/page/elements.ts';
import { plural } from '../../../language.ts';
import type { OverviewPageModel } from './overviewPage.ts';

/** Always visible: the server, and what is listed there or truncated. */
export function overviewHeader(page: OverviewPageModel): TemplateResult {
  const { view } = page;
  const isChoosing = view.job.phase === 'choosing';
  return html`<header>
    <h1>${isChoosing ? l10n.t('Time series indices') : l10n.t('Truncate indices')}</h1>
    ${connectionLine(view.connection)}
    ${isChoosing ? html`<p class="quiet facts" role="status">${listFacts(page)}</p>` : nothing}
  </header>`;
}

function listFacts({ view, formats, rows }: OverviewPageModel): string {
  const { loadedAt, isLoading } = view;
  if (loadedAt === undefined && isLoading) {
    return l10n.t('loading…');
  }
  // Only filtered indices, like their number.
  const sizes = rows.flatMap(({ bytes }) => bytes ?? []);
  const count = formats.number(rows.length);
  return [
    sizes.length > 0 ? formats.size(sizes.reduce((sum, bytes) => sum + bytes, 0)) : '',
    plural(rows.length, l10n.t('{0} index', count), l10n.t('{0} indices', count)),
    loadedAt === undefined ? '' : l10n.t('as of {0}', formats.moment(loadedAt, Date.now())),
  ]
    .filter((fact) => fact !== '')
    .join(' · ');
}

/** Why loading the sizes failed, and the next step. Earlier sizes stay in the table. */
export function failureNotice({ view, send }: OverviewPageModel): OptionalTemplate {
  const { failure } = view;
  return failure === undefined
    ? nothing
    : html`<div role="alert">${problemCallout(
        html`<h2>${failure.headline}</h2><p>${failure.sentence}</p>`,
        failure.next,
        html`${button(
          failure.action === 'signIn' ? l10n.t('Sign In…') : l10n.t('Try Again'),
          () => send({ type: failure.action }),
          { style: 'primary' },
        )}
        ${button(l10n.t('Copy Details for a Report'), () => send({ type: 'copyDetails' }))}`,
      )}</div>`;
}

export function filterField(page: OverviewPageModel): TemplateResult {
  return html`<input
    type="text"
    id="filter"
    aria-label=${l10n.t('Filter indices')}
    placeholder=${l10n.t('Filter indices')}
    spellcheck="false"
    maxlength="255"
    .value=${page.filter}
    @input=${({ target }: Event & { target: HTMLInputElement }) => (page.filter = target.value)}
  />`;
}

/** Why the table is empty or incomplete. */
export function indexTableHint({ view, rows, send }: OverviewPageModel): OptionalTemplate {
  const text =
    view.hint?.text ?? (view.rows.length > 0 && rows.length === 0 ? l10n.t('No matching indices') : undefined);
  const addIndexByName = (): void => send({ type: 'addIndex' });
  const addButton = html`<div class="buttons">${button(l10n.t('Add Index…'), addIndexByName)}</div>`;
  return text === undefined
    ? nothing
    : html`<p class="quiet">${text}</p>
        ${view.hint?.canAdd ? addButton : nothing}`;
}
