/** What a server is used for, where that is worth a warning. */
import { html, nothing, type TemplateResult } from 'lit';

/** As the host tells it: `name` is ready to show. */
export interface RoleView {
  readonly kind: 'production' | 'readOnly';
  readonly name: string;
}

/** Read before the connection's name. */
export function roleBadge({ role }: { readonly role?: RoleView }): TemplateResult | typeof nothing {
  return role === undefined ? nothing : html`<span class="role ${role.kind}">${role.name}</span> `;
}
