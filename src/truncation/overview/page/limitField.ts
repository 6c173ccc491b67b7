/** By what the cut-offs of several indices are set: what is limited, and a number. */
import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit';
import { problemLine } from '../../../webview/page/field.ts';
import type { FitKind } from '../../model/fitGoal.ts';
import { readLimit, textOf, withText } from './limit.ts';
import type { Page } from './page.ts';

export const LIMIT_ID = 'limit';

/** @param submit Enter means the button below. */
export function limitField({ limit, isLimitAsked, setLimit }: Page, submit: () => void): TemplateResult {
  const read = readLimit(limit);
  const text = textOf(limit);
  // An empty field is no mistake before somebody goes on with it.
  const problem = 'problem' in read && (isLimitAsked || text.trim() !== '') ? read.problem : undefined;
  const kinds: readonly (readonly [FitKind, string])[] = [
    ['keepDays', l10n.t('Older than (days)')],
    ['keepBytes', l10n.t('GB to keep at most')],
    ['deleteRows', l10n.t('Rows to delete at most')],
  ];
  return html`<div class="field">
    <label for="limit-kind">${l10n.t('Set cut-off by')}</label>
    <div class="fit">
      <select
        id="limit-kind"
        @change=${(event: Event & { target: HTMLSelectElement }) =>
          setLimit({ ...limit, kind: kinds[event.target.selectedIndex]?.[0] ?? limit.kind })}
      >
        ${kinds.map(([kind, name]) => html`<option ?selected=${kind === limit.kind}>${name}</option>`)}
      </select>
      <input
        id=${LIMIT_ID}
        type="text"
        inputmode="decimal"
        autocomplete="off"
        maxlength="32"
        aria-label=${kinds.find(([kind]) => kind === limit.kind)?.[1] ?? nothing}
        aria-describedby=${problem === undefined ? nothing : `${LIMIT_ID}-problem`}
        aria-invalid=${problem === undefined ? 'false' : 'true'}
        .value=${text}
        @input=${(event: Event & { target: HTMLInputElement }) => setLimit(withText(limit, event.target.value))}
        @keydown=${(event: KeyboardEvent) => event.key === 'Enter' && !event.isComposing && submit()}
      />
    </div>
    ${problemLine(LIMIT_ID, problem)}
  </div>`;
}
