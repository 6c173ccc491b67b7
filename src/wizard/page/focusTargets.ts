/** Where the keyboard goes, by the ids of the page's elements. */
import type { PlanDraft, PlanField } from '../../truncation/plan.ts';
import type { WizardView } from '../protocol.ts';
import type { Arrival } from './announcements.ts';
import { FIELDS } from './visibleProblems.ts';

/** The element that takes the focus for each field. */
const FIELD_IDS: Readonly<Record<PlanField, string>> = {
  entityType: 'entityType',
  aspect: 'aspect',
  endTimeMillis: 'date',
  batchSize: 'batchSize',
  timeoutSeconds: 'timeoutSeconds',
};

/**
 * Id of the first thing that is wrong or missing, in reading order; undefined when nothing is. A caution is missing its yes only where
 * that is what keeps one from going on: a dry run of any cut-off is harmless.
 */
export function firstProblemId(view: WizardView, draft: PlanDraft): string | undefined {
  const field = FIELDS.find((name) => view.problems[name] !== undefined);
  if (field !== undefined) {
    return FIELD_IDS[field];
  }
  return view.caution !== undefined && !draft.cautionAccepted && !view.primary.enabled ? 'caution' : undefined;
}

/** Goes to the heading of what arrived. That and the primary button are brought in sight where both fit; else the heading. */
export function goToArrival(page: HTMLElement, arrival: Arrival): void {
  page.querySelector('#primary')?.scrollIntoView({ block: 'nearest' });
  page.querySelector<HTMLElement>(`#${arrival}-heading`)?.focus();
}
