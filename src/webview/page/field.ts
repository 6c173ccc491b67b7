/** The shape of every field: label above, control, what is wrong right below it, help last. */
import { html, nothing, type TemplateResult } from 'lit';
import { icons } from './icons.ts';

/** What a control needs so that a screen reader reads its help and its problem. */
interface ControlNames {
  readonly id: string;
  /** Ids for `aria-describedby`: the problem first, since it is the news. */
  readonly describedBy: string;
  readonly invalid: 'true' | 'false';
}

interface FieldParts {
  readonly id: string;
  readonly label: string;
  readonly help?: string;
  readonly problem: string | undefined;
  control(names: ControlNames): TemplateResult;
}

/** One labelled field. */
export function field({ id, label, help, problem, control }: FieldParts): TemplateResult {
  const names = namesFor(id, help, problem);
  return html`<div class="field">
    <label for=${id}>${label}</label>
    ${control(names)} ${problemLine(id, problem)}
    ${help === undefined ? nothing : html`<p class="help" id="${id}-help">${help}</p>`}
  </div>`;
}

/** The ids that `field` and `problemLine` give to their texts, for a control that stands in a group of its own. */
export function namesFor(id: string, help: string | undefined, problem: string | undefined): ControlNames {
  const describedBy = [problem === undefined ? '' : `${id}-problem`, help === undefined ? '' : `${id}-help`]
    .filter(Boolean)
    .join(' ');
  return { id, describedBy, invalid: problem === undefined ? 'false' : 'true' };
}

/** What is wrong with a field, right below its control; with a sign, since high contrast has no colour for errors. */
export function problemLine(id: string, problem: string | undefined): TemplateResult | typeof nothing {
  return problem === undefined
    ? nothing
    : html`<p class="problem" id="${id}-problem">${icons.error}<span>${problem}</span></p>`;
}
