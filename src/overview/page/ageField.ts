/** The one age by which the cut-off of several indices is set. */
import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit';
import { field } from '../../webview/page/field.ts';
import { readDays } from '../../rowsByAge/fitGoal.ts';
import type { OverviewPage } from './overviewPage.ts';

export const AGE_ID = 'age';

/** @param submit Enter means the button below. */
export function ageField({ age, isAgeAsked, setAge }: OverviewPage, submit: () => void): TemplateResult {
  const read = readDays(age);
  return field({
    id: AGE_ID,
    label: l10n.t('Older than (days)'),
    // An empty field is no mistake before the user goes on with it.
    problem: 'problem' in read && (isAgeAsked || age.trim() !== '') ? read.problem : undefined,
    control: ({ id, describedBy, invalid }) => html`<input
      id=${id}
      class="short"
      type="text"
      inputmode="numeric"
      autocomplete="off"
      maxlength=${LONGEST_AGE}
      aria-describedby=${describedBy === '' ? nothing : describedBy}
      aria-invalid=${invalid}
      .value=${age}
      @input=${(event: Event & { target: HTMLInputElement }) => setAge(event.target.value)}
      @keydown=${(event: KeyboardEvent) => event.key === 'Enter' && !event.isComposing && submit()}
    />`,
  });
}

/** As the wizard proposes it. */
export const USUAL_AGE = '90';

/** In characters. */
export const LONGEST_AGE = 32;

/** The text of a page that is brought back. */
export function parseAge(kept: unknown): string {
  return typeof kept === 'string' && kept.length <= LONGEST_AGE ? kept : USUAL_AGE;
}
