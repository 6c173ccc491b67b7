/**
 * Whose problems are shown. The host finds all of them all the time; a form that complains before one has typed is rude, and one that
 * complains about what has just been mended is wrong.
 */
import type { PlanField, PlanDraft } from '../../truncation/plan.ts';
import type { WizardView } from '../protocol.ts';

/** Fields in the order of the page. */
export const FIELDS: readonly PlanField[] = ['entityType', 'aspect', 'endTimeMillis', 'batchSize', 'timeoutSeconds'];

/** A field's problem is told once its person has left it after a change or asked to go on, and the host has seen the last edit. */
export class VisibleProblems {
  readonly #changed = new Set<PlanField>();
  readonly #due = new Set<PlanField>();
  readonly #told = new Set<PlanField>();
  #unanswered = false;

  /** Whether there is an edit that no view has answered: the problems at hand may no longer be true. */
  get unanswered(): boolean {
    return this.#unanswered;
  }

  has(field: PlanField): boolean {
    return this.#told.has(field);
  }

  /** A person changed these fields. */
  edited(fields: readonly PlanField[]): void {
    this.#unanswered = true;
    for (const field of fields) {
      this.#changed.add(field);
    }
  }

  /** A person went on to something else. */
  left(field: PlanField): void {
    if (this.#changed.has(field)) {
      this.#tell([field]);
    }
  }

  /** A person asked to go on: everything that is wrong matters now. */
  asked(): void {
    this.#tell(FIELDS);
  }

  /** A view came. @param complete false while an edit is still waiting to be sent: the view cannot know it. */
  answered(complete: boolean): void {
    this.#unanswered &&= !complete;
    this.#tell([]);
  }

  /** The host replaced what was typed. */
  reset(): void {
    this.#changed.clear();
    this.#due.clear();
    this.#told.clear();
    this.#unanswered = false;
  }

  #tell(fields: readonly PlanField[]): void {
    for (const field of fields) {
      this.#due.add(field);
    }
    if (!this.#unanswered) {
      for (const field of this.#due) {
        this.#told.add(field);
      }
      this.#due.clear();
    }
  }
}

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
