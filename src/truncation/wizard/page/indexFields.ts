/** Which index: entity type and aspect, free text with the server's own listing as suggestions. */
import { html, type TemplateResult } from 'lit';
import type { PlanDraft } from '../../model/plan.ts';
import { field } from '../../../webview/page/field.ts';
import type { Page } from './page.ts';
import type { SuggestInputEvent } from '../../../webview/page/suggestField.ts';
import type { Suggestion } from '../../../webview/page/suggestions.ts';
import { aspectSuggestions, entityTypeSuggestions } from './indexSuggestions.ts';

export function indexFields(page: Page): TemplateResult {
  const { words, view, draft } = page;
  return html`<section aria-labelledby="index-heading">
    <h2 id="index-heading">${words.index}</h2>
    ${nameField(page, 'entityType', words.entityTypeHelp, entityTypeSuggestions(view.indices), ({ value }) => ({ entityType: value }))}
    ${nameField(page, 'aspect', words.aspectHelp, aspectSuggestions(view.indices, draft.entityType), ({ value, entityType }) =>
      entityType === undefined ? { aspect: value } : { aspect: value, entityType },
    )}
  </section>`;
}

function nameField(
  page: Page,
  name: 'entityType' | 'aspect',
  help: string,
  suggestions: readonly Suggestion[],
  toChange: (chosen: Suggestion) => Partial<PlanDraft>,
): TemplateResult {
  const label = page.words[name];
  return field({
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
