/**
 * Selects the problems to show. The host always reports all of them, but a problem must not appear before the user
 * has typed, nor stay once the user has fixed it.
 */
import type { PlanField, PlanDraft } from '../../../truncation/plan.ts';
import type { WizardPageView } from '../protocol.ts';

/** Fields in the order of the page. */
export const FIELDS: readonly PlanField[] = ['entityType', 'aspect', 'endTimeMillis', 'batchSize', 'timeoutSeconds'];

/**
 * Shows the problem of a field once the user leaves it after a change, or continues, and the host knows the last
 * edit.
 */
export class VisibleProblems {
  readonly #changed = new Set<PlanField>();
  readonly #due = new Set<PlanField>();
  readonly #visible = new Set<PlanField>();
  #isUnanswered = false;

  /** True while an edit is unanswered: problems may be outdated. */
  get isUnanswered(): boolean {
    return this.#isUnanswered;
  }

  isProblemVisible(field: PlanField): boolean {
    return this.#visible.has(field);
  }

  /** Call it when the user changes these fields. */
  markFieldsEdited(fields: readonly PlanField[]): void {
    this.#isUnanswered = true;
    for (const field of fields) {
      this.#changed.add(field);
    }
  }

  /** Call it when another field takes the place of this one. */
  hideProblem(field: PlanField): void {
    for (const fields of [this.#changed, this.#due, this.#visible]) {
      fields.delete(field);
    }
  }

  /** Call it when the user leaves a field. */
  markFieldLeft(field: PlanField): void {
    if (this.#changed.has(field)) {
      this.#showProblems([field]);
    }
  }

  /** Call it when the user continues: all problems become visible. */
  showAllProblems(): void {
    this.#showProblems(FIELDS);
  }

  /** Call it with each view. @param complete false while an edit is unsent, so that the view can't know it. */
  markAnswered(complete: boolean): void {
    this.#isUnanswered &&= !complete;
    this.#showProblems([]);
  }

  /** Call it when the host replaces the draft. */
  resetFields(): void {
    this.#changed.clear();
    this.#due.clear();
    this.#visible.clear();
    this.#isUnanswered = false;
  }

  #showProblems(fields: readonly PlanField[]): void {
    for (const field of fields) {
      this.#due.add(field);
    }
    if (!this.#isUnanswered) {
      for (const field of this.#due) {
        this.#visible.add(field);
      }
      this.#due.clear();
    }
  }
}

/** Selectors of the element to focus for each field. The cutoff has one of several. */
const FIELD_SELECTORS: Readonly<Record<PlanField, string>> = {
  entityType: '#entityType',
  aspect: '#aspect',
  endTimeMillis: '#cutoff input',
  batchSize: '#batchSize',
  timeoutSeconds: '#timeoutSeconds',
};

/**
 * Selector of the first problem in reading order, if any. An unconfirmed risky cutoff is a problem only if it blocks the
 * primary button: its dry run is harmless.
 */
export function firstProblemSelector(view: WizardPageView, draft: PlanDraft): string | undefined {
  const field = FIELDS.find((name) => view.problems[name] !== undefined);
  if (field !== undefined) {
    return FIELD_SELECTORS[field];
  }
  const caution = view.cautions.find(({ kind }) => !draft.acceptedCautions.includes(kind));
  return caution !== undefined && !view.primary.enabled ? `#caution-${caution.kind}` : undefined;
}
