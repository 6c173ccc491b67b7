/** What the sections of the page are given: everything to show, and the few things that a person can do. */
import type { PlanDraft, PlanField } from '../../truncation/plan.ts';
import type { WizardView } from '../protocol.ts';
import type { CutOffText, IndexFieldsState } from './cutOffText.ts';
import type { Formats } from '../../ui/formats.ts';
import type { WizardIntent } from './wizardLink.ts';

export interface WizardPage {
  readonly formats: Formats;
  readonly view: WizardView;
  readonly draft: PlanDraft;
  readonly cutOff: CutOffText;
  readonly stage: WizardStage;
  /** Whether the choices that were made are unfolded while their review is shown. */
  readonly choicesOpen: boolean;
  readonly advancedOpen: boolean;
  readonly indexFields: IndexFieldsState;
  /** False while the host works on the plan or has sent it: the fields can be read and copied from, not changed. */
  readonly editable: boolean;
  /** What is wrong with a field, once the person has left it or asked to go on. */
  problem(field: PlanField): string | undefined;
  /** A person changed fields of the draft. */
  edit(change: Partial<PlanDraft>): void;
  /** A person changed the cut-off by hand or by a preset. */
  editCutOff(text: CutOffText): void;
  /** A person is done with a field for now: what is wrong with it may be said. */
  leave(field: PlanField): void;
  toggleChoices(open: boolean): void;
  toggleAdvanced(open: boolean): void;
  toggleIndex(open: boolean): void;
  send(intent: WizardIntent): void;
  /** Presses the primary button, or says what is still missing. */
  goOn(): void;
}

/** A plan is made, then looked at with what it would delete, then sent. */
export type WizardStage = 'choose' | 'review' | 'outcome';

/** @param before The stage so far: a dry run that is repeated from the review stays there. Undefined: the page was just opened. */
export function stageOf({ phase, task }: WizardView, before: WizardStage | undefined): WizardStage {
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
