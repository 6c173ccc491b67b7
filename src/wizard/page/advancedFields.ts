/** Folded fields for batch size, timeout and, if the server supports a choice, the strategy. */
import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit';
import { labelledField } from '../../webview/page/field.ts';
import { icons } from '../../webview/page/icons.ts';
import type { WizardPage } from './wizardPage.ts';

export function advancedFields(page: WizardPage): TemplateResult {
  const { view } = page;
  // Unfold a part with a problem, so that it is visible and can be focused.
  const open =
    page.advancedOpen || page.problem('batchSize') !== undefined || page.problem('timeoutSeconds') !== undefined;
  return html`<details
    class="advanced"
    .open=${open}
    @toggle=${(event: Event & { target: HTMLDetailsElement }) => page.toggleAdvanced(event.target.open)}
  >
    <summary>${icons.chevron}<h2>${l10n.t('Advanced')}</h2></summary>
    ${numberField(page, 'batchSize', l10n.t('Batch size'), l10n.t('Rows deleted per batch. Leave empty for {0}.', page.formats.number(view.defaultBatchSize)))}
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

/** Not a number field: those drop invalid text, and the mouse wheel changes them by accident. */
function numberField(
  page: WizardPage,
  name: 'batchSize' | 'timeoutSeconds',
  label: string,
  help: string,
): TemplateResult {
  return labelledField({
    id: name,
    label,
    help,
    problem: page.problem(name),
    control: ({ id, describedBy, invalid }) => html`<input
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
      @input=${(event: InputEvent & { target: HTMLInputElement }) => page.edit({ [name]: event.target.value })}
      @focusout=${() => page.leave(name)}
    />`,
  });
}

function strategyField(page: WizardPage): TemplateResult {
  const { draft, editable } = page;
  const choices: readonly [typeof draft.strategy, string][] = [
    ['deleteByQuery', l10n.t('Delete by query (recommended): rows are deleted in place; the others stay searchable')],
    ['server', l10n.t('As the server decides: it reindexes where more than half of the rows go')],
    ['reindex', l10n.t('Reindex')],
  ];
  return html`<fieldset class="field" aria-describedby="strategy-help">
    <legend>${l10n.t('Strategy')}</legend>
    <p class="help" id="strategy-help">${l10n.t("A reindex points searches at a new index before it copies the rows to keep; on current servers they stay hidden until an administrator refreshes it. If the copy fails, they're only in the old index, which DataHub's next upgrade can delete.")}</p>
    ${choices.map(
      ([strategy, label]) => html`<label class="check">
        <input
          type="radio"
          name="strategy"
          value=${strategy}
          ?disabled=${!editable}
          .checked=${draft.strategy === strategy}
          @change=${() => page.edit({ strategy })}
        />
        <span>${label}</span>
      </label>`,
    )}
  </fieldset>`;
}
