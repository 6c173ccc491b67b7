/** Inline: the policy allows no images, and fonts are large. */
import { svg, html, type TemplateResult } from 'lit';

/** Hidden from screen readers, which read the text beside. */
export const icons = {
  warning: inlineIcon(svg`<path d="M8 1.5 15 14H1Z M8 6v4 M8 11.4v1.2" />`),
  error: inlineIcon(svg`<circle cx="8" cy="8" r="6.5" /><path d="M5.5 5.5l5 5 M10.5 5.5l-5 5" />`),
  info: inlineIcon(svg`<circle cx="8" cy="8" r="6.5" /><path d="M8 7.2v4 M8 4.6v1.2" />`),
  lock: inlineIcon(svg`<rect x="3" y="7" width="10" height="7" rx="1" /><path d="M5 7V4.8a3 3 0 0 1 6 0V7" />`),
  chevron: inlineIcon(svg`<path d="M4 6l4 4 4-4" />`),
  done: inlineIcon(svg`<circle cx="8" cy="8" r="6.5" /><path d="M5 8.2l2.2 2.2 4-4.6" />`),
} as const;

function inlineIcon(shape: TemplateResult<2>): TemplateResult {
  return html`<svg class="icon" viewBox="0 0 16 16" aria-hidden="true" focusable="false">${shape}</svg>`;
}
