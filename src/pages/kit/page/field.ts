/** Layout of a field: label, control, problem and help. */
import { html, nothing, type TemplateResult } from 'lit';
import type { OptionalTemplate } from './elements.ts';
import { icons } from './icons.ts';

/** Attributes that lead screen readers to help and problem. */
interface FieldControlNames {
  readonly id: string;
  /** For `aria-describedby`. The problem comes first as news. */
  readonly describedBy: string;
  readonly invalid: 'true' | 'false';
}

interface LabelledFieldOptions {
  readonly id: string;
  readonly label: string;
  readonly help?: string;
  readonly problem: string | undefined;
  renderControl(names: FieldControlNames): TemplateResult;
}

/** A labelled field. */
export function labelledField({
  id,
  label,
  help,
  problem,
  renderControl: control,
}: LabelledFieldOptions): TemplateResult {
  const names = controlNamesFor(id, help, problem);
  return html`<div class="field">
    <label for=${id}>${label}</label>
    ${control(names)} ${problemLine(id, problem)}
    ${help === undefined ? nothing : html`<p class="help" id="${id}-help">${help}</p>`}
  </div>`;
}

/** The IDs of `labelledField`, for controls with their own layout. */
export function controlNamesFor(id: string, help: string | undefined, problem: string | undefined): FieldControlNames {
  const describedBy = [problem === undefined ? '' : `${id}-problem`, help === undefined ? '' : `${id}-help`]
    .filter(Boolean)
    .join(' ');
  return { id, describedBy, invalid: problem === undefined ? 'false' : 'true' };
}

/** Has an icon, because high contrast has no error colour. */
export function problemLine(id: string, problem: string | undefined): OptionalTemplate {
  return problem === undefined
    ? nothing
    : html`<p class="problem" id="${id}-problem">${icons.error}<span>${problem}</span></p>`;
}
