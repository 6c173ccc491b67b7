/** The one age by which the cut-off of several indices is set. */
import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit';
import { field } from '../../webview/page/field.ts';
import { readDays } from '../../rowsByAge/fitGoal.ts';
import { LONGEST_AGE } from './age.ts';
import type { Page } from './page.ts';

export const AGE_ID = 'age';

/** @param submit Enter means the button below. */
export function ageField({ age, isAgeAsked, setAge }: Page, submit: () => void): TemplateResult {
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
