/**
 * Everything that a plan is made of. While it's looked at, it stands in one line; unfolded, it can be changed there, which takes the
 * review away. The fields are the same elements all along, so that the one that is typed in keeps the focus.
 */
import { html, type TemplateResult } from 'lit';
import { icons } from '../../webview/page/icons.ts';
import { advancedFields } from './advancedFields.ts';
import { cutOffFields } from './cutOffFields.ts';
import { indexFields } from './indexFields.ts';
import type { Page } from './page.ts';
import { planLine } from './planSummary.ts';

export function choices(page: Page): TemplateResult {
  const { draft, formats, stage, view } = page;
  return html`<details
    class="plan"
    .open=${stage === 'choose' || page.choicesOpen}
    @toggle=${(event: Event & { target: HTMLDetailsElement }) => page.toggleChoices(event.target.open)}
  >
    <summary ?hidden=${stage === 'choose'}>
      ${icons.chevron}<span>${planLine(draft, view, formats)}</span>
    </summary>
    ${indexFields(page)} ${cutOffFields(page)} ${advancedFields(page)}
  </details>`;
}
