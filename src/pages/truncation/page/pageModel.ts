/** State and actions of the page, for its sections. The page's element implements it. */
import type { CutoffInput } from '../../../truncation/cutoff.ts';
import type { PlanDraft, PlanField } from '../../../truncation/plan.ts';
import type { LocalizedFormats } from '../../../ui/formats.ts';
import type { DryRunReportView, TruncationIntent, TruncationPageView } from '../protocol.ts';
import type { CutoffReading } from './cutoff.ts';

export interface TruncationPageModel {
  readonly formats: LocalizedFormats;
  readonly view: TruncationPageView;
  /** The one before, while the dry run of a review is repeated. */
  readonly report: DryRunReportView | undefined;
  /** As typed. */
  readonly draft: PlanDraft;
  readonly cutoff: CutoffInput;
  readonly reading: CutoffReading;
  /** False while the plan is processed, and after sending. */
  readonly editable: boolean;
  advancedOpen: boolean;
  /** The problem of a field, once it should be visible. */
  visibleProblem(field: PlanField): string | undefined;
  edit(change: Partial<PlanDraft>): void;
  /** Leaves a field, so that its problem becomes visible. */
  leaveField(field: PlanField): void;
  readonly send: (intent: TruncationIntent) => void;
  /** Presses the primary button, or shows what is missing. */
  pressPrimary(): void;
}

/** Choosing a plan, reviewing its dry run, and the outcome. */
export type Stage = 'choose' | 'review' | 'outcome';

/**
 * @param before The previous stage: repeating the dry run of a review stays there. Undefined if the page was
 * just opened.
 */
export function stageOf({ phase, outcome }: TruncationPageView, before: Stage | undefined): Stage {
  if (outcome !== undefined) {
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
