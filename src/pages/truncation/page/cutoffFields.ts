/** The question: a cutoff as one control, what it means and deletes, and the dry run. */
import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit';
import { live } from 'lit/directives/live.js';
import { CUTOFF_KINDS, type CutoffInput, type CutoffKind } from '../../../truncation/cutoff.ts';
import { utcTimeText } from '../../../ui/formats.ts';
import { optionalParagraph, type OptionalTemplate, problemId, problemLine } from '../../kit/page/elements.ts';
import { countedRows, offeredKinds, withKind } from './readCutoff.ts';
import { deletedRowsText } from './ageChartLayout.ts';
import { cancelButton, primaryButton, progressLine, type TruncationPageModel } from './frame.ts';

/** In days. */
const USUAL_AGES = [30, 90, 180, 365];
/** Two years and one: shorter ages would break pipelines that resume from their latest row. */
const AGES_OF_STATE = [365, 730];

/** Filled in if the user chooses only a date. */
const START_OF_DAY = '00:00';

const FIELD = 'cutoff';

export function cutoffQuestion(page: TruncationPageModel): TemplateResult {
  const { view, cutoff } = page;
  const problem = page.visibleProblem('endTimeMillis');
  return html`<section id=${FIELD} class="question" role="group" aria-labelledby="cutoff-heading">
    <div class="cutoff">
      <h2 id="cutoff-heading"><label for=${firstFieldId(cutoff.kind)}>${KINDS[cutoff.kind].question()}</label></h2>
      ${KINDS[cutoff.kind].fields.map((field) => valueField(page, problem, field))}
      ${cutoff.kind === 'days' ? suggestedAges(page) : nothing} ${kindField(page)}
    </div>
    ${problemLine(FIELD, problem)}
    <div id="cutoff-meaning">
      <p class="deleted">${countedText(page)}</p>
      ${meaning(page)} ${optionalParagraph(view.proposal, 'help')}
    </div>
    ${primaryButton(page, view.phase === 'dryRunning' ? cancelButton(page) : nothing)}
    ${progressLine(page)}
  </section>`;
}

interface ValueField {
  readonly name: Exclude<keyof CutoffInput, 'kind'>;
  /** Text, unless it is a date or a time. */
  readonly type?: 'date' | 'time';
  readonly inputMode?: 'numeric' | 'decimal';
  /** Undefined for the one that the question labels. */
  readonly label?: () => string;
}

/** Reads as a sentence: the question, its fields, and the kind's name. */
interface KindTexts {
  readonly question: () => string;
  readonly name: () => string;
  readonly fields: readonly [ValueField, ...ValueField[]];
}

const KINDS: Readonly<Record<CutoffKind, KindTexts>> = {
  days: {
    question: () => l10n.t('Delete rows older than'),
    name: () => l10n.t('days'),
    fields: [{ name: 'days', inputMode: 'numeric' }],
  },
  dateTime: {
    question: () => l10n.t('Delete rows dated up to'),
    name: () => l10n.t('date and time'),
    fields: [
      { name: 'date', type: 'date', label: () => l10n.t('Date') },
      { name: 'time', type: 'time', label: () => l10n.t('Time') },
    ],
  },
  keepBytes: {
    question: () => l10n.t('Delete the oldest rows and keep at most'),
    name: () => l10n.t('GB of the newest rows'),
    fields: [{ name: 'gigabytes', inputMode: 'decimal' }],
  },
  deleteRows: {
    question: () => l10n.t('Delete at most'),
    name: () => l10n.t('of the oldest rows'),
    fields: [{ name: 'rows', inputMode: 'numeric' }],
  },
};

export function firstFieldId(kind: CutoffKind): string {
  return KINDS[kind].fields[0].name;
}

function kindField(page: TruncationPageModel): TemplateResult {
  const { cutoff, editable, view, reading } = page;
  const now = Date.now();
  const offered = offeredKinds(view, now);
  const kinds = CUTOFF_KINDS.filter((kind) => kind === cutoff.kind || offered.includes(kind));
  return html`<select
    id="cutoff-kind"
    aria-label=${l10n.t('Set the cutoff by')}
    ?disabled=${!editable}
    @change=${({ target }: Event & { target: HTMLSelectElement }) =>
      page.edit({ cutoff: withKind(kinds[target.selectedIndex] ?? 'days', cutoff, reading) })}
  >
    ${kinds.map((kind) => html`<option .selected=${live(kind === cutoff.kind)}>${KINDS[kind].name()}</option>`)}
  </select>`;
}

/** Bound by `live`: a half-typed date has an empty value, and writing that back would clear it. */
function valueField(
  page: TruncationPageModel,
  problem: string | undefined,
  { name, type, inputMode, label }: ValueField,
): TemplateResult {
  return html`<input
    id=${name}
    type=${type ?? 'text'}
    inputmode=${inputMode ?? nothing}
    autocomplete="off"
    maxlength=${type === undefined ? 32 : nothing}
    list=${name === 'days' ? 'ages' : nothing}
    min=${name === 'date' ? '1970-01-01' : nothing}
    max=${name === 'date' ? '9999-12-31' : nothing}
    aria-label=${label?.() ?? nothing}
    aria-describedby="${problemId(FIELD, problem)} cutoff-meaning"
    aria-invalid=${problem !== undefined}
    ?readonly=${!page.editable}
    .value=${live(page.cutoff[name])}
    @input=${({ target: { value } }: InputEvent & { target: HTMLInputElement }) => {
      const isFirstDate = name === 'date' && value !== '' && page.cutoff.time === '';
      page.edit({ cutoff: { ...page.cutoff, [name]: value, ...(isFirstDate ? { time: START_OF_DAY } : {}) } });
    }}
    @focusout=${() => page.leaveField('endTimeMillis')}
  />`;
}

function suggestedAges({ view }: TruncationPageModel): TemplateResult {
  const ages = view.proposal === undefined ? USUAL_AGES : AGES_OF_STATE;
  return html`<datalist id="ages">
    ${ages.map((age) => html`<option value=${age}></option>`)}
  </datalist>`;
}

/** Rows and size to delete, once counted. Promises no free space: an index may keep its size. */
function countedText({ view, reading, formats }: TruncationPageModel): string {
  const figures = countedRows(view);
  return figures === undefined || reading.endTimeMillis === undefined
    ? ''
    : deletedRowsText(figures, reading.endTimeMillis, view.indexBytes, formats);
}

/** The date, unless it is in the fields. Its hover has it in UTC, as in the server's logs. */
function meaning({ formats, cutoff, reading }: TruncationPageModel): OptionalTemplate {
  const { endTimeMillis: millis } = reading;
  if (millis === undefined) {
    return nothing;
  }
  return html`<p title=${utcTimeText(millis)}>${
    cutoff.kind === 'dateTime'
      ? l10n.t(
          'Deletes rows dated at or before this time and keeps newer rows. Time zone: {0}',
          Intl.DateTimeFormat().resolvedOptions().timeZone,
        )
      : l10n.t('Deletes rows dated at or before {0} and keeps newer rows.', formats.zonedTime(millis))
  }</p>`;
}
