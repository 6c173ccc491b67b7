/**
 * The cutoff as one control: an age in days, a date and time, or a limit to find it by. What it means and deletes
 * stands beside it.
 */
import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit';
import { live } from 'lit/directives/live.js';
import { plural } from '../../../language.ts';
import { isSameGoal, readDays, readGoal } from '../../../rowsByAge/fitGoal.ts';
import { optionalParagraph, waitingBar, type OptionalTemplate } from '../../kit/page/elements.ts';
import { problemLine } from '../../kit/page/field.ts';
import { icons } from '../../kit/page/icons.ts';
import { readLocalText, toLocalText } from '../../kit/page/localTime.ts';
import type { FieldSuggestion, SuggestInputEvent } from '../../kit/page/suggestField.ts';
import { aboutText, utcTimeText } from '../../../ui/formats.ts';
import type { WizardPageView } from '../protocol.ts';
import { deletedByCutoff, rowsByAgeFigures, shareOlderThan } from './ageFigures.ts';
import { CUTOFF_KINDS, cutoffBefore, isLimitKind, typedDays, withKind, type CutoffKind } from './cutoffInput.ts';
import type { WizardPageModel } from './wizardPage.ts';

/** In days. */
const USUAL_AGES = [30, 90, 180, 365];

/** Filled in if the user chooses only a date. */
const START_OF_DAY = '00:00';

/** IDs of elements that describe the control. */
const MEANING_ID = 'cutoff-meaning';
const PROPOSAL_ID = 'cutoff-proposal';
const PROBLEM_ID = 'cutoff';

export function cutoffFields(page: WizardPageModel): TemplateResult {
  const { proposal } = page.view;
  return html`<section id="cutoff" role="group" aria-labelledby="cutoff-heading">
    <div class="cutoff">
      <h2 id="cutoff-heading"><label for=${firstFieldId(page.cutoff.kind)}>${cutoffHeading(page.cutoff.kind)}</label></h2>
      ${valueFields(page)} ${kindField(page)} ${findButton(page)}
      <strong class="deleted">${deletedRowsText(page)}</strong>
    </div>
    ${problemLine(PROBLEM_ID, cutoffProblem(page))}
    ${page.view.fit?.state === 'solving' ? waitingBar() : nothing}
    <div id=${MEANING_ID}>${cutoffMeaning(page)}</div>
    ${proposal === undefined ? nothing : html`<p class="help" id=${PROPOSAL_ID}>${proposal.reason}</p>`}
    ${page.stage === 'choose' ? cautionQuestions(page) : nothing}
  </section>`;
}

/** Reads as a sentence with the fields behind it. */
function cutoffHeading(kind: CutoffKind): string {
  switch (kind) {
    case 'days':
      return l10n.t('Delete rows older than');
    case 'dateTime':
      return l10n.t('Delete rows dated up to');
    case 'keepBytes':
      return l10n.t('Delete the oldest rows and keep at most');
    case 'deleteRows':
      return l10n.t('Delete at most');
  }
}

function firstFieldId(kind: CutoffKind): string {
  return isLimitKind(kind) ? 'limit' : kind === 'days' ? 'days' : 'date';
}

function kindField(page: WizardPageModel): TemplateResult {
  const { cutoff, editable, view } = page;
  const names: Readonly<Record<CutoffKind, string>> = {
    days: l10n.t('days'),
    dateTime: l10n.t('date and time'),
    keepBytes: l10n.t('GB to keep'),
    deleteRows: l10n.t('of the oldest rows'),
  };
  return html`<select
    id="cutoff-kind"
    aria-label=${l10n.t('Set the cutoff by')}
    ?disabled=${!editable || view.fit?.state === 'solving'}
    @change=${(event: Event & { target: HTMLSelectElement }) => {
      const kind = CUTOFF_KINDS[event.target.selectedIndex] ?? 'days';
      page.editCutoff(withKind(kind, cutoff, Date.now()));
    }}
  >
    ${CUTOFF_KINDS.map((kind) => html`<option ?selected=${kind === cutoff.kind}>${names[kind]}</option>`)}
  </select>`;
}

function valueFields(page: WizardPageModel): TemplateResult {
  const { kind } = page.cutoff;
  if (isLimitKind(kind)) {
    return limitInput(page);
  }
  return kind === 'days'
    ? daysField(page)
    : html`${dateOrTimeInput(page, 'date', l10n.t('Date'))} ${dateOrTimeInput(page, 'time', l10n.t('Time'))}`;
}

/** Accepts any number of days, and suggests the usual ones. */
function daysField(page: WizardPageModel): TemplateResult {
  const { cutoff, editable } = page;
  const suggestions = suggestedAges(page);
  return html`<suggest-field
    .inputId=${'days'}
    .label=${l10n.t('Days')}
    .value=${cutoff.days}
    .suggestions=${suggestions}
    .describedBy=${describedBy(page)}
    .invalid=${invalidity(page)}
    .readOnly=${!editable}
    @suggest-input=${({ suggestion }: SuggestInputEvent) =>
      page.editCutoff(
        suggestions.includes(suggestion)
          ? cutoffBefore(Number(suggestion.value), Date.now())
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
    .value=${live(page.cutoff[name])}
    @input=${(event: InputEvent & { target: HTMLInputElement }) => editDateTime(page, name, event.target.value)}
    @focusout=${() => page.leaveField('endTimeMillis')}
  />`;
}

/**
 * Reads one input. It is bound by `live`: a half-typed date has an empty value, and writing that back would
 * clear it.
 */
function editDateTime({ cutoff, editCutoff }: WizardPageModel, name: 'date' | 'time', value: string): void {
  const date = name === 'date' ? value : cutoff.date;
  const time = name === 'time' ? value : cutoff.time;
  const filled = name === 'date' && value !== '' && time === '' ? START_OF_DAY : time;
  editCutoff({ ...cutoff, date, time: filled, isTyped: true, former: undefined });
}

function limitInput(page: WizardPageModel): TemplateResult {
  const { cutoff, editable, view } = page;
  return html`<input
    id="limit"
    type="text"
    inputmode="decimal"
    autocomplete="off"
    maxlength="32"
    aria-describedby=${describedBy(page)}
    aria-invalid=${invalidity(page)}
    ?readonly=${!editable || view.fit?.state === 'solving'}
    .value=${cutoff.limit}
    @input=${(event: InputEvent & { target: HTMLInputElement }) =>
      page.editCutoff({ ...cutoff, limit: event.target.value, date: '', time: '' })}
    @keydown=${(event: KeyboardEvent) => {
      // Presses the button beside it, not the dry run.
      if (event.key === 'Enter' && !event.isComposing) {
        event.preventDefault();
        page.findCutoff();
      }
    }}
  />`;
}

function findButton(page: WizardPageModel): OptionalTemplate {
  const { cutoff, editable, view, send } = page;
  if (!isLimitKind(cutoff.kind)) {
    return nothing;
  }
  const isSearching = view.fit?.state === 'solving';
  return html`<button
    type="button"
    class="secondary"
    id="find-cutoff"
    aria-disabled=${editable ? 'false' : 'true'}
    @click=${() => (isSearching ? send('stopFit') : page.findCutoff())}
  >
    ${isSearching ? l10n.t('Stop') : l10n.t('Find Cutoff')}
  </button>`;
}

/** The goal of a limit, or its problem. Undefined for a cutoff that needs no search. */
export function cutoffGoal({
  cutoff,
  view,
}: Pick<WizardPageModel, 'cutoff' | 'view'>): ReturnType<typeof readGoal> | undefined {
  const { kind, limit } = cutoff;
  if (!isLimitKind(kind)) {
    return undefined;
  }
  return kind === 'keepBytes' && view.sizeLimitRefusal !== undefined
    ? { problem: view.sizeLimitRefusal }
    : readGoal(kind, limit);
}

/** Says what is wrong with what was entered, not what the draft lacks. */
function cutoffProblem(page: WizardPageModel): string | undefined {
  const { cutoff, view } = page;
  const problem = page.visibleProblem('endTimeMillis');
  const goal = cutoffGoal(page);
  if (goal !== undefined && cutoff.kind === 'keepBytes' && view.sizeLimitRefusal !== undefined) {
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
  const read = cutoff.kind === 'days' ? readDays(cutoff.days) : undefined;
  return read !== undefined && 'problem' in read ? read.problem : problem;
}

function describedBy(page: WizardPageModel): string {
  return [
    cutoffProblem(page) === undefined ? '' : `${PROBLEM_ID}-problem`,
    MEANING_ID,
    page.view.proposal === undefined ? '' : PROPOSAL_ID,
  ]
    .filter(Boolean)
    .join(' ');
}

function invalidity(page: WizardPageModel): 'true' | 'false' {
  return cutoffProblem(page) === undefined ? 'false' : 'true';
}

/** Rows and size to delete, once counted. Promises no free space: an index may keep its size. */
function deletedRowsText({ view, draft, formats }: WizardPageModel): string {
  const figures = rowsByAgeFigures(view);
  if (figures === undefined || draft.endTimeMillis === undefined) {
    return '';
  }
  const { rows, isExact } = deletedByCutoff(draft.endTimeMillis, figures, formats);
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
function foundText({ cutoff, view }: WizardPageModel): string | undefined {
  const { fit } = view;
  const read = cutoffGoal({ cutoff, view });
  return fit !== undefined &&
    fit.sentence !== '' &&
    read !== undefined &&
    'goal' in read &&
    isSameGoal(read.goal, fit.goal)
    ? fit.sentence
    : undefined;
}

/** The date, unless it is in the fields. Its hover has it in UTC, as in the server's logs. */
function cutoffMeaning(page: WizardPageModel): TemplateResult {
  const { formats, cutoff, draft } = page;
  const millis = draft.endTimeMillis;
  const found = optionalParagraph(foundText(page), 'help');
  const zone = cutoff.kind === 'dateTime' ? l10n.t('Time zone: {0}', formats.timeZone) : undefined;
  if (millis === undefined) {
    return html`${found}${optionalParagraph(zone, 'help')}`;
  }
  // A draft from the host may mean the second of two equal local times. The note is about the first.
  const reading = readLocalText(cutoff);
  const dstShift = reading?.millis === millis ? reading.dstShift : undefined;
  const rule =
    cutoff.kind === 'dateTime'
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

/** One question for each caution. Shown beside the cutoff first, then beside the result of the dry run. */
export function cautionQuestions(page: WizardPageModel): readonly TemplateResult[] {
  return page.view.cautions.map((caution) => cautionQuestion(page, caution));
}

function cautionQuestion(
  { draft, editable, editDraft }: WizardPageModel,
  { kind, text }: WizardPageView['cautions'][number],
): TemplateResult {
  const others = draft.acceptedCautions.filter((one) => one !== kind);
  return html`<div class="callout warning" role="group" aria-labelledby="caution-${kind}-text">
    ${icons.warning}
    <div>
      <p id="caution-${kind}-text">${text}</p>
      <label class="check">
        <input
          type="checkbox"
          id="caution-${kind}"
          aria-describedby="caution-${kind}-text"
          ?disabled=${!editable}
          .checked=${others.length < draft.acceptedCautions.length}
          @change=${({ target }: Event & { target: HTMLInputElement }) =>
            editDraft({ acceptedCautions: target.checked ? [...others, kind] : others })}
        />
        <span>${l10n.t('Yes, use this cutoff')}</span>
      </label>
    </div>
  </div>`;
}
