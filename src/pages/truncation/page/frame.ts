/** The stages of the page, what all of them draw (title, connection, problems, primary button), and what they are given. */
import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit';
import type { CutoffInput } from '../../../truncation/cutoff.ts';
import type { PlanDraft, PlanField } from '../../../truncation/plan.ts';
import type { LocalizedFormats } from '../../../ui/formats.ts';
import { calloutBox, connectionLine, button, waitingBar, type OptionalTemplate } from '../../kit/page/elements.ts';
import type { DryRunReportView, TruncationIntent, TruncationPageView } from '../protocol.ts';
import type { CutoffReading } from './readCutoff.ts';

/** State and actions of the page, for its sections. The page's element implements it. */
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
  /** Looks at the task, and announces what is seen. */
  checkNow(): void;
  readonly send: (intent: TruncationIntent) => void;
  /** Presses the primary button, or shows what is missing. */
  pressPrimary(): void;
}

/** Choosing a plan, reviewing its dry run, and the outcome. */
export type Stage = 'choose' | 'review' | 'outcome';

const STAGE_OF_PHASE: Readonly<Record<TruncationPageView['phase'], Stage>> = {
  editing: 'choose',
  dryRunning: 'choose',
  reviewed: 'review',
  confirming: 'review',
  executing: 'review',
  running: 'outcome',
  finished: 'outcome',
  failed: 'outcome',
};

/** @param before The previous stage: repeating the dry run of a review stays there. */
export function stageOf({ phase, outcome }: TruncationPageView, before: Stage | undefined): Stage {
  if (outcome !== undefined) {
    return 'outcome';
  }
  return phase === 'dryRunning' && before === 'review' ? before : STAGE_OF_PHASE[phase];
}

/**
 * True if the draft is the host's, not what was typed: of another truncation, or a new one after a refusal, of which
 * there is no record.
 * @param recordId ID of the truncation that the typed draft is for.
 */
export function isDraftOfHost(
  before: TruncationPageView | undefined,
  view: TruncationPageView,
  recordId: string | undefined,
): boolean {
  return view.restore.recordId !== recordId || (before?.phase === 'failed' && view.phase === 'editing');
}

/** Always visible: the index and the server. */
export function header({ view }: TruncationPageModel): TemplateResult {
  return html`<header>
      <h1>${l10n.t('Truncate {0}', view.indexName)}</h1>
      ${connectionLine(view.connection)}
    </header>
    ${
      view.connection.warning === undefined ? nothing : calloutBox('warning', html`<p>${view.connection.warning}</p>`)
    }`;
}

/** The primary button, what stands beside it, and why it can't be pressed. */
export function primaryButton(page: TruncationPageModel, beside: OptionalTemplate = nothing): TemplateResult {
  const { primary } = page.view;
  return html`<div class="buttons">
      ${button(primary.label, () => page.pressPrimary(), {
        id: 'primary',
        style: buttonStyle(page.view),
        isEnabled: primary.enabled,
        describedBy: primary.reason === undefined ? undefined : 'primary-reason',
      })}
      ${beside}
    </div>
    ${primary.reason === undefined ? nothing : html`<p id="primary-reason">${primary.reason}</p>`}`;
}

export function cancelButton({ send }: TruncationPageModel): TemplateResult {
  return button(l10n.t('Cancel'), () => send({ type: 'cancel' }));
}

/** Secondary while a truncation runs: closing the page is no step of it. */
function buttonStyle({ primary, phase }: TruncationPageView): 'primary' | 'secondary' | 'danger' {
  if (primary.intent === 'execute') {
    return 'danger';
  }
  return phase === 'running' ? 'secondary' : 'primary';
}

/** A moving bar while a request is under way. Its place is there from the start, so that nothing moves. */
export function progressLine({ view }: TruncationPageModel): TemplateResult {
  const { phase, outcome } = view;
  const waits = phase === 'dryRunning' || (phase === 'executing' && outcome === undefined);
  return html`<div class="waiting">
    ${waits ? waitingBar() : nothing}
    ${phase === 'confirming' ? html`<p>${l10n.t('Waiting for your confirmation.')}</p>` : nothing}
  </div>`;
}
