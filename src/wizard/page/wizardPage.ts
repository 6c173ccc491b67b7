/** The model that the sections of the page draw, with the actions of the user. */
import type { PlanDraft, PlanField } from '../../truncation/plan.ts';
import type { WizardView } from '../protocol.ts';
import type { CutOffInputText, IndexFieldsState } from './cutOffText.ts';
import type { LocalizedFormats } from '../../ui/formats.ts';
import type { WizardIntent } from './wizardLink.ts';

export interface WizardPage {
  readonly formats: LocalizedFormats;
  readonly view: WizardView;
  readonly draft: PlanDraft;
  readonly cutOff: CutOffInputText;
  readonly stage: WizardStage;
  /** True if the fields are unfolded during the review. */
  readonly choicesOpen: boolean;
  readonly advancedOpen: boolean;
  readonly indexFields: IndexFieldsState;
  /** False while the host processes the plan or has sent it: fields are read-only. */
  readonly editable: boolean;
  /** The problem of a field, once it should be visible. */
  problem(field: PlanField): string | undefined;
  /** Changes fields of the draft. */
  edit(change: Partial<PlanDraft>): void;
  /** Changes the cutoff by hand or by a preset. */
  editCutOff(text: CutOffInputText): void;
  /** Leaves a field, so that its problem becomes visible. */
  leave(field: PlanField): void;
  toggleChoices(open: boolean): void;
  toggleAdvanced(open: boolean): void;
  toggleIndex(open: boolean): void;
  send(intent: WizardIntent): void;
  /** Presses the primary button, or shows what is missing. */
  goOn(): void;
}

/** Choosing a plan, reviewing its dry run, and the outcome once it was sent. */
export type WizardStage = 'choose' | 'review' | 'outcome';

/**
 * @param before The previous stage: repeating the dry run of a review stays there. Undefined if the page was
 * just opened.
 */
export function wizardStageOf({ phase, task }: WizardView, before: WizardStage | undefined): WizardStage {
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
