/** Model that the sections draw, with the user's actions. */
import type { PlanDraft, PlanField } from '../../../truncation/plan.ts';
import type { WizardPageView } from '../protocol.ts';
import type { CutoffInput, IndexFieldsState } from './cutoffInput.ts';
import type { LocalizedFormats } from '../../../ui/formats.ts';
import type { WizardIntent } from './wizardLink.ts';

export interface WizardPageModel {
  readonly formats: LocalizedFormats;
  readonly view: WizardPageView;
  readonly draft: PlanDraft;
  readonly cutoff: CutoffInput;
  readonly stage: WizardStage;
  /** True if the fields are unfolded during the review. */
  readonly choicesOpen: boolean;
  readonly advancedOpen: boolean;
  readonly indexFields: IndexFieldsState;
  /** False while the plan is processed, and after sending. */
  readonly editable: boolean;
  /** The problem of a field, once it should be visible. */
  visibleProblem(field: PlanField): string | undefined;
  /** Changes fields of the draft. */
  editDraft(change: Partial<PlanDraft>): void;
  /** False until an index is named. */
  readonly canCountRows: boolean;
  /** Changes the cutoff. */
  editCutoff(input: CutoffInput): void;
  /** Has the host find the cutoff of the typed limit, or shows what is wrong with it. */
  findCutoff(): void;
  /** Leaves a field, so that its problem becomes visible. */
  leaveField(field: PlanField): void;
  toggleChoices(open: boolean): void;
  toggleAdvanced(open: boolean): void;
  toggleIndexFields(open: boolean): void;
  send(intent: WizardIntent): void;
  /** Presses the primary button, or shows what is missing. */
  pressPrimary(): void;
}

/** Choosing a plan, reviewing its dry run, and the outcome. */
export type WizardStage = 'choose' | 'review' | 'outcome';

/**
 * @param before The previous stage: repeating the dry run of a review stays there. Undefined if the page was
 * just opened.
 */
export function wizardStageOf({ phase, report, task }: WizardPageView, before: WizardStage | undefined): WizardStage {
  if (task !== undefined) {
    return 'outcome';
  }
  switch (phase) {
    case 'editing':
      // Outdated figures stay until the plan changes.
      return report === undefined ? 'choose' : 'review';
    case 'dryRunning':
      return before === 'review' || report !== undefined ? 'review' : 'choose';
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
