/** The layout of a field: label, control, problem and help, from top to bottom. */
import { html, nothing, type TemplateResult } from 'lit';
import { icons } from './icons.ts';

/** Attributes by which a screen reader finds the help and the problem of a control. */
interface FieldControlNames {
  readonly id: string;
  /** IDs for `aria-describedby`. The problem comes first, because it is news. */
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

/** The IDs that `field` and `problemLine` use, for a control with a layout of its own. */
export function controlNamesFor(id: string, help: string | undefined, problem: string | undefined): FieldControlNames {
  const describedBy = [problem === undefined ? '' : `${id}-problem`, help === undefined ? '' : `${id}-help`]
    .filter(Boolean)
    .join(' ');
  return { id, describedBy, invalid: problem === undefined ? 'false' : 'true' };
}

/** The problem of a field, with an icon, because high contrast has no colour for errors. */
export function problemLine(id: string, problem: string | undefined): TemplateResult | typeof nothing {
  return problem === undefined
    ? nothing
    : html`<p class="problem" id="${id}-problem">${icons.error}<span>${problem}</span></p>`;
}
