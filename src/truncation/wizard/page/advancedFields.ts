/** What most people leave as it is, folded: batch size, timeout, and the strategy where the server lets one choose. */
import { html, nothing, type TemplateResult } from 'lit';
import { field } from '../../../webview/page/field.ts';
import { icons } from '../../../webview/page/icons.ts';
import type { Page } from './page.ts';

export function advancedFields(page: Page): TemplateResult {
  const { words, view } = page;
  // A problem in a folded part could not be seen, and focus could not go there.
  const open = page.advancedOpen || page.problem('batchSize') !== undefined || page.problem('timeoutSeconds') !== undefined;
  return html`<details
    class="advanced"
    .open=${open}
    @toggle=${(event: Event & { target: HTMLDetailsElement }) => page.toggleAdvanced(event.target.open)}
  >
    <summary>${icons.chevron}<h2>${words.advanced}</h2></summary>
    ${numberField(page, 'batchSize', words.batchSizeHelp)} ${numberField(page, 'timeoutSeconds', words.timeoutSecondsHelp)}
    ${view.forceFlagsKnown ? strategyField(page) : nothing}
  </details>`;
}

/** A text field, not a number field: a number field drops what it does not understand, and the wheel changes it by accident. */
function numberField(page: Page, name: 'batchSize' | 'timeoutSeconds', help: string): TemplateResult {
  return field({
    id: name,
    label: page.words[name],
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

function strategyField(page: Page): TemplateResult {
  const { words, draft, editable } = page;
  const choices: readonly [typeof draft.strategy, string][] = [
    ['server', words.strategyServer],
    ['deleteByQuery', words.strategyDeleteByQuery],
    ['reindex', words.strategyReindex],
  ];
  return html`<fieldset class="field" aria-describedby="strategy-help">
    <legend>${words.strategy}</legend>
    <p class="help" id="strategy-help">${words.strategyHelp}</p>
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
