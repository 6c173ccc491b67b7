/** The cutoff: presets, date and time in the user's zone, and the point in time that they mean. */
import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit';
import { live } from 'lit/directives/live.js';
import { controlNamesFor, problemLine } from '../../webview/page/field.ts';
import { utcTimeText } from '../../ui/formats.ts';
import { icons } from '../../webview/page/icons.ts';
import { readLocalText, toLocalText } from '../../webview/page/localTime.ts';
import { rowsByAgeFigures, shareOlderThan } from './ageFigures.ts';
import { cutOffBefore } from './cutOffText.ts';
import type { WizardPageModel } from './wizardPage.ts';
import { rowsByAgeSection } from './rowsByAgeSection.ts';
import { optionalParagraph, type OptionalTemplate } from '../../webview/page/elements.ts';

/** In days. */
const PRESETS = [30, 90, 180, 365];

/** Filled in if the user chooses only a date. */
const START_OF_DAY = '00:00';

export function cutOffFields(page: WizardPageModel): TemplateResult {
  const { cutOff } = page;
  const problem = page.visibleProblem('endTimeMillis');
  const { proposal } = page.view;
  const { describedBy, invalid } = controlNamesFor(
    'cutOff',
    l10n.t('Deletes rows dated at or before this time and keeps newer rows.'),
    problem,
  );
  const dateOrTimeInput = (name: 'date' | 'time', label: string): TemplateResult => html`<div class="field">
    <label for=${name}>${label}</label>
    <input
      id=${name}
      type=${name}
      min=${name === 'date' ? '1970-01-01' : nothing}
      max=${name === 'date' ? '9999-12-31' : nothing}
      aria-describedby="${describedBy} cutOff-meaning${proposal === undefined ? '' : ' cutOff-proposal'}"
      aria-invalid=${invalid}
      ?readonly=${!page.editable}
      .value=${live(cutOff[name])}
      @input=${(event: InputEvent & { target: HTMLInputElement }) => editCutOffPart(page, name, event.target.value)}
      @focusout=${() => page.leaveField('endTimeMillis')}
    />
  </div>`;
  return html`<section aria-labelledby="cutOff-heading">
    <h2 id="cutOff-heading">${l10n.t('Cut-off')}</h2>
    <p class="help" id="cutOff-help">${l10n.t('Deletes rows dated at or before this time and keeps newer rows.')}</p>
    ${proposal === undefined ? nothing : html`<p class="help" id="cutOff-proposal">${proposal.reason}</p>`}
    ${presetField(page)}
    <div class="field">
      <div class="beside">${dateOrTimeInput('date', l10n.t('Date'))} ${dateOrTimeInput('time', l10n.t('Time'))}</div>
      ${problemLine('cutOff', problem)}
    </div>
    ${cutOffMeaning(page)} ${isTargetNamed(page) ? html`${rowsByAgeSection(page)} ${fitCutOffField(page)}` : nothing}
    ${page.stage === 'choose' ? cautionQuestion(page) : nothing}
  </section>`;
}

/**
 * Reads one input. It is bound by `live`: a half-typed date has an empty value, and writing that back would
 * clear it.
 */
function editCutOffPart({ cutOff, editCutOff }: WizardPageModel, name: 'date' | 'time', value: string): void {
  const date = name === 'date' ? value : cutOff.date;
  const time = name === 'time' ? value : cutOff.time;
  editCutOff({ date, time: name === 'date' && value !== '' && time === '' ? START_OF_DAY : time, isTyped: true });
}

/** Radio buttons, since they have one tab stop and arrow keys. Drawn like a switch of VS Code's settings. */
function presetField(page: WizardPageModel): TemplateResult {
  const { cutOff, editable } = page;
  return html`<fieldset class="field">
    <legend>${l10n.t('Older than')}</legend>
    <div class="presets">
      ${presetsInDays(page).map(
        (days) => html`<label
          ><input
            type="radio"
            name="preset"
            value=${days}
            ?disabled=${!editable}
            .checked=${cutOff.preset === days}
            @change=${() => page.editCutOff(cutOffBefore(days, Date.now()))}
          /><span>${presetLabel(page, days)}</span></label
        >`,
      )}
    </div>
  </fieldset>`;
}

/** Short presets would break pipelines that resume from their latest row. */
function presetsInDays({ view }: WizardPageModel): readonly number[] {
  return view.proposal === undefined ? PRESETS : [365, view.proposal.days];
}

/** Adds the share of rows to delete, once known. */
function presetLabel({ formats, view }: WizardPageModel, days: number): string {
  const name = l10n.t('{0} days', formats.number(days));
  const figures = rowsByAgeFigures(view);
  const share = figures && shareOlderThan(days, Date.now(), figures, formats);
  return share === undefined ? name : `${name} · ${share}`;
}

function fitCutOffField({ view, editable, send }: WizardPageModel): TemplateResult {
  return html`<fit-field
    .fit=${view.fit}
    .sizeRefusal=${view.sizeLimitRefusal}
    .editable=${editable}
    .send=${send}
  ></fit-field>`;
}

/** Rows can only be counted once the index is named. */
function isTargetNamed({ draft, view }: WizardPageModel): boolean {
  const { entityType, aspect } = view.problems;
  return draft.entityType !== '' && draft.aspect !== '' && entityType === undefined && aspect === undefined;
}

/** The cutoff in words, in UTC as in the server's logs, and as a distance from now. */
function cutOffMeaning({ formats, cutOff, draft }: WizardPageModel): TemplateResult {
  const millis = draft.endTimeMillis;
  const zone = l10n.t('Time zone: {0}', formats.timeZone);
  if (millis === undefined) {
    return html`<p class="help" id="cutOff-meaning">${zone}</p>`;
  }
  // A draft from the host may mean the second of two equal local times. The note is about the first.
  const reading = readLocalText(cutOff);
  const dstShift = reading?.millis === millis ? reading.dstShift : undefined;
  return html`<div class="meaning" id="cutOff-meaning">
    <p>
      <strong>${l10n.t('Up to {0}', formats.longTime(millis))}</strong>
      <span class="nowrap">${formats.distance(millis, Date.now())}</span>
    </p>
    <p class="help">${utcTimeText(millis)} · ${zone}</p>
    ${optionalParagraph(dstShift && dstShiftText(dstShift, millis), 'help')}
  </div>`;
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
        <span>${l10n.t('Yes, use this cut-off')}</span>
      </label>
    </div>
  </div>`;
}
