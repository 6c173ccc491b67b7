/** The first stage: which indices, and how old their rows are. */
import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit';
import { plural } from '../../../language.ts';
import { readDays } from '../../../truncation/cutoff.ts';
import { MAX_ITEMS } from '../../../truncation/jobState.ts';
import type { LocalizedFormats } from '../../../ui/formats.ts';
import { button, problemId, problemLine, type OptionalTemplate } from '../../kit/page/elements.ts';
import type { OverviewPageModel } from './frame.ts';
import { indexTable } from './indexTable.ts';

export const AGE_ID = 'age';
const SUMMARY_ID = 'summary';

/** In characters. */
const LONGEST_AGE = 32;

/** Stands for the field in the text around it. */
const FIELD = '\uE000';

/** The question stays above the rows, which scroll. */
export function chooseStage(page: OverviewPageModel): TemplateResult {
  const isEmpty = page.view.rows.length === 0;
  return html`${isEmpty ? nothing : html`${question(page)} ${filterField(page)}`}
    <div class="rows">${isEmpty ? nothing : indexTable(page)} ${indexTableHint(page)}</div>`;
}

function question(page: OverviewPageModel): TemplateResult {
  const { ticked, age } = page;
  const isBlocked = ticked.length === 0 || 'problem' in readDays(age);
  return html`<section class="question">
    <div class="buttons">
      ${ageField(page)}
      ${button(l10n.t('Dry Run'), () => page.startDryRuns(), {
        id: 'primary',
        style: 'primary',
        isEnabled: !isBlocked,
        describedBy: SUMMARY_ID,
      })}
    </div>
    ${problemLine(AGE_ID, ageProblem(page))}
    <p class="quiet" id=${SUMMARY_ID}>${summary(page)}</p>
  </section>`;
}

/** Why the age can't be used. An empty field is no problem until the user continues. */
function ageProblem({ age, isAgeAsked }: Pick<OverviewPageModel, 'age' | 'isAgeAsked'>): string | undefined {
  const read = readDays(age);
  return 'problem' in read && (isAgeAsked || age.trim() !== '') ? read.problem : undefined;
}

/** "Delete rows older than [90] days" */
function ageField(page: OverviewPageModel): TemplateResult {
  const read = readDays(page.age);
  const days = 'days' in read ? read.days : 0;
  const [before, after] = plural(
    days,
    l10n.t('Delete rows older than {0} day', FIELD),
    l10n.t('Delete rows older than {0} days', FIELD),
  ).split(FIELD);
  const problem = ageProblem(page);
  return html`<label class="age">
    <span>${before}</span>
    <input
      id=${AGE_ID}
      type="text"
      inputmode="numeric"
      autocomplete="off"
      maxlength=${LONGEST_AGE}
      aria-label=${l10n.t('Delete rows older than (days)')}
      aria-describedby=${problemId(AGE_ID, problem) || nothing}
      aria-invalid=${problem !== undefined}
      .value=${page.age}
      @input=${(event: Event & { target: HTMLInputElement }) => page.setCutoffAge(event.target.value)}
      @keydown=${(event: KeyboardEvent) =>
        event.key === 'Enter' && !event.isComposing && !event.repeat && page.startDryRuns()}
    />
    <span>${after}</span>
  </label>`;
}

/** Number and size of the ticked indices. */
function summary(page: OverviewPageModel): TemplateResult | string {
  const { ticked, view, formats } = page;
  if (ticked.length === 0) {
    return l10n.t('Select the indices below.');
  }
  const sizes = view.rows.filter(({ id }) => ticked.includes(id)).flatMap(({ bytes }) => bytes ?? []);
  const bytes = sizes.reduce((sum, one) => sum + one, 0);
  // A sum without the unknown ones would be too low.
  const size = sizes.length < ticked.length ? [] : [formats.size(bytes)];
  return html`<span>${[tickedText(ticked.length, formats), ...size].join(' · ')}</span>
    ${button(l10n.t('Clear Selection'), () => page.tickIndices(ticked, false), { style: 'link' })}`;
}

function tickedText(count: number, { number }: LocalizedFormats): string {
  const text = number(count);
  return count === MAX_ITEMS
    ? l10n.t('{0} indices (maximum)', text)
    : plural(count, l10n.t('{0} index', text), l10n.t('{0} indices', text));
}

function filterField(page: OverviewPageModel): TemplateResult {
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
function indexTableHint({ view, rows, send }: OverviewPageModel): OptionalTemplate {
  const text =
    view.hint?.text ?? (view.rows.length > 0 && rows.length === 0 ? l10n.t('No matching indices') : undefined);
  const addIndexByName = (): void => send({ type: 'addIndex' });
  const addButton = html`<div class="buttons">${button(l10n.t('Add Index…'), addIndexByName)}</div>`;
  return text === undefined
    ? nothing
    : html`<p class="quiet">${text}</p>
        ${view.hint?.canAdd ? addButton : nothing}`;
}
