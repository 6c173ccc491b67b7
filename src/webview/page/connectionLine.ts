/** The connection of a page, in one line. */
import { html, nothing, type TemplateResult } from 'lit';

export interface ConnectionView {
  readonly name: string;
  readonly baseUrl: string;
  /** Set if the server's use is worth a warning. `name` is ready to show. */
  readonly role: { readonly kind: 'production' | 'readOnly'; readonly name: string } | undefined;
}

/** Starts with the role, so that a screen reader says it first. */
export function connectionLine({ name, baseUrl, role }: ConnectionView): TemplateResult {
  const badge = role === undefined ? nothing : html`<span class="role ${role.kind}">${role.name}</span> `;
  return html`<p>${badge}<bdi>${name}</bdi> <span class="quiet">${baseUrl}</span></p>`;
}
