/** The age that sets the cutoff of a batch. */
import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit';
import { labelledField } from '../../webview/page/field.ts';
import { readDays } from '../../rowsByAge/fitGoal.ts';
import type { OverviewPage } from './overviewPage.ts';

export const AGE_ID = 'age';

/** @param submit Called on Enter. */
export function ageField({ age, isAgeAsked, setAge }: OverviewPage, submit: () => void): TemplateResult {
  const read = readDays(age);
  return labelledField({
    id: AGE_ID,
    label: l10n.t('Older than (days)'),
    // An empty field is no problem until the user continues.
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

/** The wizard's proposal as well. */
export const USUAL_AGE = '90';

/** In characters. */
export const LONGEST_AGE = 32;

/** Parses the page's stored age. */
export function parseAge(kept: unknown): string {
  return typeof kept === 'string' && kept.length <= LONGEST_AGE ? kept : USUAL_AGE;
}
