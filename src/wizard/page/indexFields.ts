/** The index: entity type and aspect, as free text with the server's indices as suggestions. */
import * as l10n from '@vscode/l10n';
import { html, type TemplateResult } from 'lit';
import type { PlanDraft } from '../../truncation/plan.ts';
import { labelledField } from '../../webview/page/field.ts';
import { icons } from '../../webview/page/icons.ts';
import type { WizardPage } from './wizardPage.ts';
import type { SuggestInputEvent } from '../../webview/page/suggestField.ts';
import type { FieldSuggestion } from '../../webview/page/suggestField.ts';
import type { WizardView } from '../protocol.ts';

export function indexFields(page: WizardPage): TemplateResult {
  if (page.indexFields === 'needed') {
    return html`<section aria-labelledby="index-heading">
      <h2 id="index-heading">${l10n.t('Index')}</h2>
      ${nameFields(page)}
    </section>`;
  }
  // Unfold a part with a problem, so that it is visible and can be focused.
  const open =
    page.indexFields === 'unfolded' || page.problem('entityType') !== undefined || page.problem('aspect') !== undefined;
  return html`<details
    class="advanced change-index"
    .open=${open}
    @toggle=${(event: Event & { target: HTMLDetailsElement }) => page.toggleIndex(event.target.open)}
  >
    <summary>${icons.chevron}<span>${l10n.t('Change Index')}</span></summary>
    ${nameFields(page)}
  </details>`;
}

function nameFields(page: WizardPage): TemplateResult {
  const { view, draft } = page;
  return html`${nameField(page, {
    name: 'entityType',
    label: l10n.t('Entity type'),
    help: l10n.t('For example dataset or chart.'),
    suggestions: entityTypeSuggestions(view.indices),
    toChange: ({ value }) => ({ entityType: value }),
  })}
  ${nameField(page, {
    name: 'aspect',
    label: l10n.t('Aspect'),
    help: l10n.t('Spelled as on the server, for example datasetprofile.'),
    suggestions: aspectSuggestions(view.indices, draft.entityType),
    toChange: ({ value, entityType }) => (entityType === undefined ? { aspect: value } : { aspect: value, entityType }),
  })}`;
}

interface IndexNameFieldOptions {
  readonly name: 'entityType' | 'aspect';
  readonly label: string;
  readonly help: string;
  readonly suggestions: readonly FieldSuggestion[];
  readonly toChange: (chosen: FieldSuggestion) => Partial<PlanDraft>;
}

function nameField(
  page: WizardPage,
  { name, label, help, suggestions, toChange }: IndexNameFieldOptions,
): TemplateResult {
  return labelledField({
    id: name,
    label,
    help,
    problem: page.problem(name),
    control: ({ id, describedBy, invalid }) => html`<suggest-field
      .inputId=${id}
      .label=${label}
      .value=${page.draft[name]}
      .suggestions=${suggestions}
      .describedBy=${describedBy}
      .invalid=${invalid}
      .readOnly=${!page.editable}
      @suggest-input=${(event: SuggestInputEvent) => page.edit(toChange(event.suggestion))}
      @focusout=${() => page.leave(name)}
    ></suggest-field>`,
  });
}

/** Entity types, each with the names of its aspects. */
export function entityTypeSuggestions(indices: WizardView['indices']): readonly FieldSuggestion[] {
  const aspects = new Map<string, string[]>();
  for (const { entityType, aspect } of indices) {
    aspects.set(entityType, [...(aspects.get(entityType) ?? []), aspect]);
  }
  return [...aspects].map(([value, names]) => ({ value, detail: names.join(', ') }));
}

/** The aspects of an entity type, or all aspects if it has none or is empty. */
export function aspectSuggestions(indices: WizardView['indices'], entityType: string): readonly FieldSuggestion[] {
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
