/**
 * The cutoff as one control: an age in days, a date and time, or a limit to find it by. What it means and deletes
 * stands beside it.
 */
import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit';
import { live } from 'lit/directives/live.js';
import { plural } from '../../language.ts';
import { isSameGoal, readDays, readGoal } from '../../rowsByAge/fitGoal.ts';
import { optionalParagraph, waitingBar, type OptionalTemplate } from '../../webview/page/elements.ts';
import { problemLine } from '../../webview/page/field.ts';
import { icons } from '../../webview/page/icons.ts';
import { readLocalText, toLocalText } from '../../webview/page/localTime.ts';
import type { FieldSuggestion, SuggestInputEvent } from '../../webview/page/suggestField.ts';
import { aboutText, utcTimeText } from '../../ui/formats.ts';
import { deletedByCutOff, rowsByAgeFigures, shareOlderThan } from './ageFigures.ts';
import { CUT_OFF_KINDS, cutOffBefore, isLimitKind, typedDays, withKind, type CutOffKind } from './cutOffInput.ts';
import type { WizardPageModel } from './wizardPage.ts';

/** In days. */
const USUAL_AGES = [30, 90, 180, 365];

/** Filled in if the user chooses only a date. */
const START_OF_DAY = '00:00';

/** IDs of elements that describe the control. */
const MEANING_ID = 'cutOff-meaning';
const PROPOSAL_ID = 'cutOff-proposal';
const PROBLEM_ID = 'cutOff';

export function cutOffFields(page: WizardPageModel): TemplateResult {
  const { proposal } = page.view;
  return html`<section id="cutOff" role="group" aria-labelledby="cutOff-heading">
    <div class="cutoff">
      <h2 id="cutOff-heading"><label for=${firstFieldId(page.cutOff.kind)}>${cutOffHeading(page.cutOff.kind)}</label></h2>
      ${valueFields(page)} ${kindField(page)} ${findButton(page)}
      <strong class="deleted">${deletedRowsText(page)}</strong>
    </div>
    ${problemLine(PROBLEM_ID, cutOffProblem(page))}
    ${page.view.fit?.state === 'solving' ? waitingBar() : nothing}
    <div id=${MEANING_ID}>${cutOffMeaning(page)}</div>
    ${proposal === undefined ? nothing : html`<p class="help" id=${PROPOSAL_ID}>${proposal.reason}</p>`}
    ${page.stage === 'choose' ? cautionQuestion(page) : nothing}
  </section>`;
}

/** Reads as a sentence with the fields behind it. */
function cutOffHeading(kind: CutOffKind): string {
  switch (kind) {
    case 'days':
    case 'dateTime':
      return l10n.t('Delete rows older than');
    case 'keepBytes':
      return l10n.t('Delete the oldest rows and keep at most');
    case 'deleteRows':
      return l10n.t('Delete at most');
  }
}

function firstFieldId(kind: CutOffKind): string {
  return isLimitKind(kind) ? 'limit' : kind === 'days' ? 'days' : 'date';
}

function kindField(page: WizardPageModel): TemplateResult {
  const { cutOff, editable, view } = page;
  const names: Readonly<Record<CutOffKind, string>> = {
    days: l10n.t('days'),
    dateTime: l10n.t('date and time'),
    keepBytes: l10n.t('GB to keep'),
    deleteRows: l10n.t('of the oldest rows'),
  };
  return html`<select
    id="cutOff-kind"
    aria-label=${l10n.t('Set the cutoff by')}
    ?disabled=${!editable || view.fit?.state === 'solving'}
    @change=${(event: Event & { target: HTMLSelectElement }) => {
      const kind = CUT_OFF_KINDS[event.target.selectedIndex] ?? 'days';
      page.editCutOff(withKind(kind, cutOff, Date.now()));
    }}
  >
    ${CUT_OFF_KINDS.map((kind) => html`<option ?selected=${kind === cutOff.kind}>${names[kind]}</option>`)}
  </select>`;
}

function valueFields(page: WizardPageModel): TemplateResult {
  const { kind } = page.cutOff;
  if (isLimitKind(kind)) {
    return limitInput(page);
  }
  return kind === 'days'
    ? daysField(page)
    : html`${dateOrTimeInput(page, 'date', l10n.t('Date'))} ${dateOrTimeInput(page, 'time', l10n.t('Time'))}`;
}

/** Accepts any number of days, and suggests the usual ones. */
function daysField(page: WizardPageModel): TemplateResult {
  const { cutOff, editable } = page;
  const suggestions = suggestedAges(page);
  return html`<suggest-field
    .inputId=${'days'}
    .label=${l10n.t('Days')}
    .value=${cutOff.days}
    .suggestions=${suggestions}
    .describedBy=${describedBy(page)}
    .invalid=${invalidity(page)}
    .readOnly=${!editable}
    @suggest-input=${({ suggestion }: SuggestInputEvent) =>
      page.editCutOff(
        suggestions.includes(suggestion)
          ? cutOffBefore(Number(suggestion.value), Date.now())
          : typedDays(suggestion.value, Date.now()),
      )}
    @focusout=${() => page.leaveField('endTimeMillis')}
  ></suggest-field>`;
}

/** Short ages would break pipelines that resume from their latest row. */
function suggestedAges({ view, formats }: WizardPageModel): readonly FieldSuggestion[] {
  const days = view.proposal === undefined ? USUAL_AGES : [365, view.proposal.days];
  const figures = rowsByAgeFigures(view);
  return days.map((age) => ({
    value: String(age),
    detail: (figures && shareOlderThan(age, Date.now(), figures, formats)) ?? '',
  }));
}

function dateOrTimeInput(page: WizardPageModel, name: 'date' | 'time', label: string): TemplateResult {
  return html`<input
    id=${name}
    type=${name}
    min=${name === 'date' ? '1970-01-01' : nothing}
    max=${name === 'date' ? '9999-12-31' : nothing}
    aria-label=${label}
    aria-describedby=${describedBy(page)}
    aria-invalid=${invalidity(page)}
    ?readonly=${!page.editable}
    .value=${live(page.cutOff[name])}
    @input=${(event: InputEvent & { target: HTMLInputElement }) => editDateTime(page, name, event.target.value)}
    @focusout=${() => page.leaveField('endTimeMillis')}
  />`;
}

/**
 * Reads one input. It is bound by `live`: a half-typed date has an empty value, and writing that back would
 * clear it.
 */
function editDateTime({ cutOff, editCutOff }: WizardPageModel, name: 'date' | 'time', value: string): void {
  const date = name === 'date' ? value : cutOff.date;
  const time = name === 'time' ? value : cutOff.time;
  const filled = name === 'date' && value !== '' && time === '' ? START_OF_DAY : time;
  editCutOff({ ...cutOff, date, time: filled, isTyped: true, former: undefined });
}

function limitInput(page: WizardPageModel): TemplateResult {
  const { cutOff, editable, view } = page;
  return html`<input
    id="limit"
    type="text"
    inputmode="decimal"
    autocomplete="off"
    maxlength="32"
    aria-describedby=${describedBy(page)}
    aria-invalid=${invalidity(page)}
    ?readonly=${!editable || view.fit?.state === 'solving'}
    .value=${cutOff.limit}
    @input=${(event: InputEvent & { target: HTMLInputElement }) =>
      page.editCutOff({ ...cutOff, limit: event.target.value, date: '', time: '' })}
    @keydown=${(event: KeyboardEvent) => {
      // Presses the button beside it, not the dry run.
      if (event.key === 'Enter' && !event.isComposing) {
        event.preventDefault();
        page.findCutOff();
      }
    }}
  />`;
}

function findButton(page: WizardPageModel): OptionalTemplate {
  const { cutOff, editable, view, send } = page;
  if (!isLimitKind(cutOff.kind)) {
    return nothing;
  }
  const isSearching = view.fit?.state === 'solving';
  return html`<button
    type="button"
    class="secondary"
    id="find-cutOff"
    aria-disabled=${editable ? 'false' : 'true'}
    @click=${() => (isSearching ? send('stopFit') : page.findCutOff())}
  >
    ${isSearching ? l10n.t('Stop') : l10n.t('Find Cutoff')}
  </button>`;
}

/** The goal of a limit, or its problem. Undefined for a cutoff that needs no search. */
export function cutOffGoal({
  cutOff,
  view,
}: Pick<WizardPageModel, 'cutOff' | 'view'>): ReturnType<typeof readGoal> | undefined {
  const { kind, limit } = cutOff;
  if (!isLimitKind(kind)) {
    return undefined;
  }
  return kind === 'keepBytes' && view.sizeLimitRefusal !== undefined
    ? { problem: view.sizeLimitRefusal }
    : readGoal(kind, limit);
}

/** Says what is wrong with what was entered, not what the draft lacks. */
function cutOffProblem(page: WizardPageModel): string | undefined {
  const { cutOff, view } = page;
  const problem = page.visibleProblem('endTimeMillis');
  const goal = cutOffGoal(page);
  if (goal !== undefined && cutOff.kind === 'keepBytes' && view.sizeLimitRefusal !== undefined) {
    // Applies before the user types anything.
    return view.sizeLimitRefusal;
  }
  if (problem === undefined || view.fit?.state === 'solving') {
    return undefined;
  }
  if (goal !== undefined) {
    return 'problem' in goal
      ? goal.problem
      : foundText(page) === undefined
        ? l10n.t('Find the cutoff first.')
        : undefined;
  }
  const read = cutOff.kind === 'days' ? readDays(cutOff.days) : undefined;
  return read !== undefined && 'problem' in read ? read.problem : problem;
}

function describedBy(page: WizardPageModel): string {
  return [
    cutOffProblem(page) === undefined ? '' : `${PROBLEM_ID}-problem`,
    MEANING_ID,
    page.view.proposal === undefined ? '' : PROPOSAL_ID,
  ]
    .filter(Boolean)
    .join(' ');
}

function invalidity(page: WizardPageModel): 'true' | 'false' {
  return cutOffProblem(page) === undefined ? 'false' : 'true';
}

/** Rows and size to delete, once counted. Promises no free space: an index may keep its size. */
function deletedRowsText({ view, draft, formats }: WizardPageModel): string {
  const figures = rowsByAgeFigures(view);
  if (figures === undefined || draft.endTimeMillis === undefined) {
    return '';
  }
  const { rows, isExact } = deletedByCutOff(draft.endTimeMillis, figures, formats);
  const { total } = figures.curve;
  const counts = [aboutText(formats.number(rows), isExact), formats.number(total)] as const;
  if (view.indexBytes === undefined) {
    return plural(total, l10n.t('{0} of {1} row', ...counts), l10n.t('{0} of {1} rows', ...counts));
  }
  const size = formats.size((view.indexBytes * rows) / total);
  return plural(
    total,
    l10n.t('{0} of {1} row, about {2}', ...counts, size),
    l10n.t('{0} of {1} rows, about {2}', ...counts, size),
  );
}

/** The result of the search for a limit, or the reason for none. */
function foundText({ cutOff, view }: WizardPageModel): string | undefined {
  const { fit } = view;
  const read = cutOffGoal({ cutOff, view });
  return fit !== undefined &&
    fit.sentence !== '' &&
    read !== undefined &&
    'goal' in read &&
    isSameGoal(read.goal, fit.goal)
    ? fit.sentence
    : undefined;
}

/** The date, unless it is in the fields. Its hover has it in UTC, as in the server's logs. */
function cutOffMeaning(page: WizardPageModel): TemplateResult {
  const { formats, cutOff, draft } = page;
  const millis = draft.endTimeMillis;
  const found = optionalParagraph(foundText(page), 'help');
  const zone = cutOff.kind === 'dateTime' ? l10n.t('Time zone: {0}', formats.timeZone) : undefined;
  if (millis === undefined) {
    return html`${found}${optionalParagraph(zone, 'help')}`;
  }
  // A draft from the host may mean the second of two equal local times. The note is about the first.
  const reading = readLocalText(cutOff);
  const dstShift = reading?.millis === millis ? reading.dstShift : undefined;
  const rule =
    cutOff.kind === 'dateTime'
      ? l10n.t('Deletes rows dated at or before this time and keeps newer rows.')
      : l10n.t('Deletes rows dated at or before {0} and keeps newer rows.', formats.longTime(millis));
  return html`${found}
    <p title=${utcTimeText(millis)}>${rule}</p>
    ${optionalParagraph(zone, 'help')}
    ${optionalParagraph(dstShift && dstShiftText(dstShift, millis), 'help')}`;
}

function dstShiftText(dstShift: 'skipped' | 'repeated', millis: number): string {
  return dstShift === 'repeated'
    ? l10n.t('Clocks go back that night, so this time occurs twice. The first one is used.')
    : l10n.t('Clocks skip this time. {0} is used instead.', toLocalText(millis).time);
}

/** The extra confirmation of a risky cutoff. Shown beside the cutoff first, then beside the result of the dry run. */
export function cautionQuestion(page: WizardPageModel): OptionalTemplate {
  const { view, draft, editable } = page;
  if (view.caution === undefined) {
    return nothing;
  }
  return html`<div class="callout warning" role="group" aria-labelledby="caution-text">
    ${icons.warning}
    <div>
      <p id="caution-text">${view.caution.text}</p>
      <label class="check">
        <input
          type="checkbox"
          id="caution"
          aria-describedby="caution-text"
          ?disabled=${!editable}
          .checked=${draft.cautionAccepted}
          @change=${({ target }: Event & { target: HTMLInputElement }) =>
            page.editDraft({ cautionAccepted: target.checked })}
        />
        <span>${l10n.t('Yes, use this cutoff')}</span>
      </label>
    </div>
  </div>`;
}
