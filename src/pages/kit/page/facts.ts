/** Facts that a decision seldom needs, folded. */
import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit';
import type { Fact } from '../protocol.ts';
import { secondaryButton } from './elements.ts';
import { icons } from './icons.ts';

export function foldedDetails<Intent>(facts: readonly Fact<Intent>[], send: (intent: Intent) => void): TemplateResult {
  return html`<details class="folded">
    <summary>${icons.chevron}<h2>${l10n.t('Details')}</h2></summary>
    <dl>
      ${facts.map((fact, place) => factRow(fact, `detail-${place}`, send))}
    </dl>
  </details>`;
}

function factRow<Intent>(
  { name, value, quoted, code, copy }: Fact<Intent>,
  id: string,
  send: (intent: Intent) => void,
): TemplateResult {
  return html`<div>
    <dt>${name}</dt>
    <dd>
      ${value === undefined ? nothing : html`<p>${value}</p>`}
      ${quoted === undefined ? nothing : html`<p class="quoted">${quoted}</p>`}
      ${code === undefined ? nothing : html`<code id=${id}>${code}</code>`}
      ${
        copy === undefined
          ? nothing
          : secondaryButton(copy.label, () => send(copy.intent), code === undefined ? undefined : id)
      }
    </dd>
  </div>`;
}
