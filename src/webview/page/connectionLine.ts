/** The server that a page is about. */
import { html, nothing, type TemplateResult } from 'lit';

export interface ConnectionView {
  readonly name: string;
  readonly baseUrl: string;
  /** Set where the server's use is worth a warning. `name` is ready to show. */
  readonly role: { readonly kind: 'production' | 'readOnly'; readonly name: string } | undefined;
}

/** The role comes first, so that a screen reader says it before the connection's name. */
export function connectionLine({ name, baseUrl, role }: ConnectionView): TemplateResult {
  const badge = role === undefined ? nothing : html`<span class="role ${role.kind}">${role.name}</span> `;
  return html`<p>${badge}<bdi>${name}</bdi> <span class="quiet">${baseUrl}</span></p>`;
}
