/** How far a person is: the page shows what belongs to that, and what was done before in one line. */
import * as l10n from '@vscode/l10n';
import { html, type TemplateResult } from 'lit';
import type { WizardView } from '../protocol.ts';

/** A plan is made, then looked at with what it would delete, then sent. */
export type Stage = 'choose' | 'review' | 'outcome';

/** @param before The stage so far: a dry run that is repeated from the review stays there. Undefined: the page was just opened. */
export function stageOf({ phase, task }: WizardView, before: Stage | undefined): Stage {
  if (task !== undefined) {
    return 'outcome';
  }
  switch (phase) {
    case 'editing':
      return 'choose';
    case 'dryRunning':
      return before === 'review' ? 'review' : 'choose';
    case 'reviewed':
    case 'confirming':
    case 'executing':
      return 'review';
    case 'running':
    case 'finished':
    case 'failed':
      return 'outcome';
  }
}

/** All three in one line, the present one marked. */
export function stageLine(present: Stage): TemplateResult {
  const names: readonly [Stage, string][] = [
    ['choose', l10n.t('Choose')],
    ['review', l10n.t('Review and Delete')],
    ['outcome', l10n.t('Outcome')],
  ];
  return html`<ol class="stages">
    ${names.map(([stage, name]) => html`<li aria-current=${stage === present ? 'step' : 'false'}>${name}</li>`)}
  </ol>`;
}
