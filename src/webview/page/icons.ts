/** The few signs of the page, drawn inline: the policy allows no images, and an icon font for four signs would outweigh the page. */
import { svg, html, type TemplateResult } from 'lit';

const WARNING = svg`<path d="M8 1.5 15 14H1Z M8 6v4 M8 11.4v1.2" />`;
const ERROR = svg`<circle cx="8" cy="8" r="6.5" /><path d="M5.5 5.5l5 5 M10.5 5.5l-5 5" />`;
const CHEVRON = svg`<path d="M4 6l4 4 4-4" />`;
const DONE = svg`<circle cx="8" cy="8" r="6.5" /><path d="M5 8.2l2.2 2.2 4-4.6" />`;

/** Each says what the text beside it says, so none is read out. */
export const icons = {
  warning: icon(WARNING),
  error: icon(ERROR),
  chevron: icon(CHEVRON),
  done: icon(DONE),
} as const;

function icon(shape: TemplateResult<2>): TemplateResult {
  return html`<svg class="icon" viewBox="0 0 16 16" aria-hidden="true" focusable="false">${shape}</svg>`;
}
