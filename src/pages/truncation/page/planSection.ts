/**
 * The plan: its fields while editing, and one line that unfolds once it is reviewed or sent.
 * The fields stay the same elements, so that the one being typed in keeps the focus.
 */
import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit';
import type { OptionalTemplate } from '../../kit/page/elements.ts';
import type { PlanDraft } from '../../../truncation/plan.ts';
import { parseWholeNumber, utcTimeText, type LocalizedFormats } from '../../../ui/formats.ts';
import { icons } from '../../kit/page/icons.ts';
import type { DryRunReportView, WizardPageView } from '../protocol.ts';
import type { WizardPageModel } from './wizardPage.ts';
import { labelledFactRow, reportFactRows } from './resultSections.ts';
import { cutoffFields } from './cutoffFields.ts';
import { rowsByAgeDetails, rowsByAgeSection } from './rowsByAgeSection.ts';
import { labelledField } from '../../kit/page/field.ts';
import type { SuggestInputEvent, FieldSuggestion } from '../../kit/page/suggestField.ts';

type PlanSummaryView = Pick<WizardPageView, 'defaultBatchSize' | 'forceFlagsKnown'>;

export function planSummary(page: WizardPageModel): TemplateResult {
  const { draft, formats, view } = page;
  return html`<details class="plan">
    <summary>${icons.chevron}<span>${planSummaryLine(draft, view, formats)}</span></summary>
    <dl>
      ${labelledFactRow(l10n.t('Cutoff'), cutoffFactValue(page))}
      ${labelledFactRow(l10n.t('Strategy'), strategyName(draft, view))}
      ${labelledFactRow(l10n.t('Batch size'), batchSizeText(draft, view.defaultBatchSize, formats))}
      ${labelledFactRow(l10n.t('Timeout in seconds'), draft.timeoutSeconds.trim() || l10n.t('No timeout'))}
      ${view.report === undefined ? nothing : dryRunFactRows(page, view.report)}
    </dl>
  </details>`;
}

/** "Rows up to May 23, 2026, 2:05 PM · Automatic · batches of 10,000" */
export function planSummaryLine(draft: PlanDraft, view: PlanSummaryView, formats: LocalizedFormats): string {
  const time = draft.endTimeMillis === undefined ? '' : formats.time(draft.endTimeMillis);
  const parts = [time, strategyName(draft, view), batchSizeText(draft, view.defaultBatchSize, formats)];
  const timeout = draft.timeoutSeconds.trim();
  return timeout === ''
    ? l10n.t('Rows up to {0} · {1} · batches of {2}', ...parts)
    : l10n.t('Rows up to {0} · {1} · batches of {2} · timeout {3} s', ...parts, timeout);
}

function cutoffFactValue({ draft, formats }: WizardPageModel): OptionalTemplate {
  const millis = draft.endTimeMillis;
  return millis === undefined
    ? nothing
    : html`${formats.longTime(millis)} <span class="quiet">${utcTimeText(millis)}</span>`;
}

function dryRunFactRows(page: WizardPageModel, report: DryRunReportView): TemplateResult {
  const { formats } = page;
  const { rowsToDelete, rowsTotal } = report;
  return html`${
    rowsToDelete === undefined || rowsTotal === undefined
      ? nothing
      : html`${labelledFactRow(l10n.t('Rows to delete'), formats.number(rowsToDelete))}
        ${labelledFactRow(l10n.t('Rows to keep'), formats.number(rowsTotal - rowsToDelete))}`
  }
  ${labelledFactRow(l10n.t('Strategy used'), report.strategy)} ${reportFactRows(page, report)}`;
}

function batchSizeText({ batchSize: typed }: PlanDraft, defaultBatchSize: number, formats: LocalizedFormats): string {
  return formats.number(typed.trim() === '' ? defaultBatchSize : parseWholeNumber(typed));
}

/** A server without a choice isn't sent the strategy. */
function strategyName({ strategy }: PlanDraft, { forceFlagsKnown }: PlanSummaryView): string {
  switch (forceFlagsKnown ? strategy : 'server') {
    case 'server':
      return l10n.t('As the server decides');
    case 'deleteByQuery':
      return l10n.t('Delete by query');
    case 'reindex':
      return l10n.t('Reindex');
  }
}

export function planFieldsSection(page: WizardPageModel): TemplateResult {
  const { draft, formats, stage, view } = page;
  return html`<details
    class="plan"
    .open=${stage === 'choose' || page.choicesOpen}
    @toggle=${(event: Event & { target: HTMLDetailsElement }) => page.toggleChoices(event.target.open)}
  >
    <summary ?hidden=${stage === 'choose'}>
      ${icons.chevron}<span>${planSummaryLine(draft, view, formats)}</span>
    </summary>
    ${page.indexFields === 'needed' ? indexFieldsSection(page) : nothing}
    ${rowsByAgeSection(page)} ${cutoffFields(page)}
    <div class="more">
      ${page.indexFields === 'needed' ? nothing : changeIndexFields(page)} ${advancedFields(page)}
      ${rowsByAgeDetails(page)}
    </div>
  </details>`;
}

function indexFieldsSection(page: WizardPageModel): TemplateResult {
  return html`<section aria-labelledby="index-heading">
    <h2 id="index-heading">${l10n.t('Index')}</h2>
    ${indexNameFields(page)}
  </section>`;
}

function changeIndexFields(page: WizardPageModel): TemplateResult {
  // Unfold problems, so that they can be seen and focused.
  const open =
    page.indexFields === 'unfolded' ||
    page.visibleProblem('entityType') !== undefined ||
    page.visibleProblem('aspect') !== undefined;
  return html`<details
    class="advanced"
    .open=${open}
    @toggle=${(event: Event & { target: HTMLDetailsElement }) => page.toggleIndexFields(event.target.open)}
  >
    <summary>${icons.chevron}<h2>${l10n.t('Choose Another Index')}</h2></summary>
    ${indexNameFields(page)}
  </details>`;
}

/** Entity type and aspect, with the server's indices as suggestions. */
function indexNameFields(page: WizardPageModel): TemplateResult {
  const { view, draft } = page;
  return html`${indexNameField(page, {
    name: 'entityType',
    label: l10n.t('Entity type'),
    help: l10n.t('For example dataset or chart.'),
    suggestions: entityTypeSuggestions(view.indices),
    draftChangeFor: ({ value }) => ({ entityType: value }),
  })}
  ${indexNameField(page, {
    name: 'aspect',
    label: l10n.t('Aspect'),
    help: l10n.t('Spelled as on the server, for example datasetprofile.'),
    suggestions: aspectSuggestions(view.indices, draft.entityType),
    draftChangeFor: ({ value, entityType }) =>
      entityType === undefined ? { aspect: value } : { aspect: value, entityType },
  })}`;
}

interface IndexNameFieldOptions {
  readonly name: 'entityType' | 'aspect';
  readonly label: string;
  readonly help: string;
  readonly suggestions: readonly FieldSuggestion[];
  readonly draftChangeFor: (chosen: FieldSuggestion) => Partial<PlanDraft>;
}

function indexNameField(
  page: WizardPageModel,
  { name, label, help, suggestions, draftChangeFor }: IndexNameFieldOptions,
): TemplateResult {
  return labelledField({
    id: name,
    label,
    help,
    problem: page.visibleProblem(name),
    renderControl: ({ id, describedBy, invalid }) => html`<suggest-field
      .inputId=${id}
      .label=${label}
      .value=${page.draft[name]}
      .suggestions=${suggestions}
      .describedBy=${describedBy}
      .invalid=${invalid}
      .readOnly=${!page.editable}
      @suggest-input=${(event: SuggestInputEvent) => page.editDraft(draftChangeFor(event.suggestion))}
      @focusout=${() => page.leaveField(name)}
    ></suggest-field>`,
  });
}

/** Entity types, each with the names of its aspects. */
export function entityTypeSuggestions(indices: WizardPageView['indices']): readonly FieldSuggestion[] {
  const aspects = new Map<string, string[]>();
  for (const { entityType, aspect } of indices) {
    aspects.set(entityType, [...(aspects.get(entityType) ?? []), aspect]);
  }
  return [...aspects].map(([value, names]) => ({ value, detail: names.join(', ') }));
}

/** Aspects of an entity type, or all if it has none. */
export function aspectSuggestions(indices: WizardPageView['indices'], entityType: string): readonly FieldSuggestion[] {
  const wanted = entityType.trim().toLowerCase();
  const own = indices.filter((index) => index.entityType.toLowerCase() === wanted);
  return own.length > 0
    ? own.map(({ aspect, size }) => ({ value: aspect, detail: size }))
    : indices.map((index) => ({
        value: index.aspect,
        detail: `${index.entityType} · ${index.size}`,
        entityType: index.entityType,
      }));
}

/** Folded fields for batch size, timeout and any strategy. */
function advancedFields(page: WizardPageModel): TemplateResult {
  const { view } = page;
  const batchSizeHelp = l10n.t(
    'Rows deleted per batch. Leave empty for {0}.',
    page.formats.number(view.defaultBatchSize),
  );
  // Unfold problems, so that they can be seen and focused.
  const open =
    page.advancedOpen ||
    page.visibleProblem('batchSize') !== undefined ||
    page.visibleProblem('timeoutSeconds') !== undefined;
  return html`<details
    class="advanced"
    .open=${open}
    @toggle=${(event: Event & { target: HTMLDetailsElement }) => page.toggleAdvanced(event.target.open)}
  >
    <summary>${icons.chevron}<h2>${l10n.t('Advanced')}</h2></summary>
    ${numberField(page, 'batchSize', l10n.t('Batch size'), batchSizeHelp)}
    ${numberField(
      page,
      'timeoutSeconds',
      l10n.t('Timeout in seconds'),
      l10n.t(
        'Stops the deletion on PostgreSQL. On Elasticsearch and OpenSearch, only limits the wait for unavailable shards.',
      ),
    )}
    ${view.canChooseStrategy ? strategyField(page) : nothing}
  </details>`;
}

/** Number fields drop invalid text and react to the wheel. */
function numberField(
  page: WizardPageModel,
  name: 'batchSize' | 'timeoutSeconds',
  label: string,
  help: string,
): TemplateResult {
  return labelledField({
    id: name,
    label,
    help,
    problem: page.visibleProblem(name),
    renderControl: ({ id, describedBy, invalid }) => html`<input
      id=${id}
      class="short"
      type="text"
      inputmode="numeric"
      autocomplete="off"
      maxlength="32"
      aria-describedby=${describedBy}
      aria-invalid=${invalid}
      ?readonly=${!page.editable}
      .value=${page.draft[name]}
      @input=${(event: InputEvent & { target: HTMLInputElement }) => page.editDraft({ [name]: event.target.value })}
      @focusout=${() => page.leaveField(name)}
    />`,
  });
}

function strategyField(page: WizardPageModel): TemplateResult {
  const { draft, editable } = page;
  const choices: readonly [typeof draft.strategy, string][] = [
    ['deleteByQuery', l10n.t('Delete by query (recommended): rows are deleted in place; the others stay searchable')],
    ['server', l10n.t('As the server decides: it reindexes if more than half of the rows would be deleted')],
    ['reindex', l10n.t('Reindex')],
  ];
  return html`<fieldset class="field" aria-describedby="strategy-help">
    <legend>${l10n.t('Strategy')}</legend>
    <p class="help" id="strategy-help">${l10n.t("A reindex points searches at a new index before it copies the rows to keep; with current versions of DataHub, these rows stay hidden until an administrator refreshes the new index. If the copy fails, they're only in the old index, which DataHub's next upgrade can delete.")}</p>
    ${choices.map(
      ([strategy, label]) => html`<label class="check">
        <input
          type="radio"
          name="strategy"
          value=${strategy}
          ?disabled=${!editable}
          .checked=${draft.strategy === strategy}
          @change=${() => page.editDraft({ strategy })}
        />
        <span>${label}</span>
      </label>`,
    )}
  </fieldset>`;
}
