/**
 * Entry point of the truncation page. Draws its stages from the user's input and the host's view, and decides nothing
 * about deleting. Uses native elements in VS Code's colours, because their keyboard, roles and descriptions work,
 * unlike those of components with a shadow root. Only the moving progress bar has no native element.
 */
import '@vscode-elements/elements/dist/vscode-progress-bar/index.js';
import './wizard.css';
import { html, type PropertyValues, type TemplateResult } from 'lit';
import { cutoffInDays, type CutoffInput } from '../../../truncation/cutoff.ts';
import { checkDraft, type PlanDraft, type PlanField } from '../../../truncation/plan.ts';
import { PageElement, type PageNews } from '../../kit/page/pageElement.ts';
import { parsePageState, type DryRunReportView, type TruncationIntent, type TruncationPageView } from '../protocol.ts';
import { newsOf } from './news.ts';
import { readCutoff, type CutoffReading } from './readCutoff.ts';
import { firstFieldId } from './cutoffFields.ts';
import { header, isDraftOfHost, stageOf, type Stage, type TruncationPageModel } from './frame.ts';
import { STAGES } from './stages.ts';

/** Fields in the order of the page. */
const FIELDS = ['endTimeMillis', 'batchSize', 'timeoutSeconds'] as const satisfies readonly PlanField[];

class TruncationWizard extends PageElement<TruncationIntent, TruncationPageView> implements TruncationPageModel {
  static override properties = {
    draft: { state: true },
    advancedOpen: { state: true },
    shownProblems: { state: true },
  };

  /** Set by the first view, unless it was stored. */
  declare draft: PlanDraft;
  declare advancedOpen: boolean;
  /** Fields whose problems are shown: a problem must not appear while the user types for the first time. */
  declare private shownProblems: readonly PlanField[];
  report: DryRunReportView | undefined;
  #stage: Stage = 'choose';
  /** ID of the truncation that the draft is for. Undefined until it's sent. */
  #recordId: string | undefined;
  #changedFields = new Set<PlanField>();
  /** The user asked for a check, which hasn't ended. */
  #awaitsCheck = false;
  /** Result of the last check that the user asked for. Automatic ones aren't announced: they would interrupt. */
  #check: string | undefined;

  constructor() {
    super();
    const stored = parsePageState(this.storedState());
    if (stored?.draft !== undefined) {
      this.draft = stored.draft;
      this.#recordId = stored.restore.recordId;
    }
    this.advancedOpen = stored?.advancedOpen ?? false;
    this.shownProblems = [];
    this.addEventListener('keydown', (event) => this.#handleKeydown(event));
  }

  get cutoff(): CutoffInput {
    return this.draft.cutoff ?? cutoffInDays('');
  }

  get reading(): CutoffReading {
    return readCutoff(this.cutoff, this.view, Date.now());
  }

  get editable(): boolean {
    return this.view.phase === 'editing' || this.view.phase === 'reviewed';
  }

  protected override get news(): PageNews {
    return newsOf(this.view, firstFieldId(this.cutoff.kind), this.#check);
  }

  checkNow(): void {
    this.#awaitsCheck = true;
    this.send({ type: 'checkTask' });
  }

  visibleProblem(field: PlanField): string | undefined {
    const { endTimeMillis, problem } = this.reading;
    return this.shownProblems.includes(field)
      ? ((field === 'endTimeMillis' ? problem : undefined) ?? problemsOf({ ...this.draft, endTimeMillis })[field])
      : undefined;
  }

  edit(change: Partial<PlanDraft>): void {
    if (!this.editable) {
      return;
    }
    if (change.cutoff !== undefined && change.cutoff.kind !== this.draft.cutoff?.kind) {
      this.shownProblems = this.shownProblems.filter((field) => field !== 'endTimeMillis');
    }
    for (const field of FIELDS) {
      if ((field === 'endTimeMillis' ? 'cutoff' : field) in change) {
        this.#changedFields.add(field);
      }
    }
    this.draft = { ...this.draft, ...change };
  }

  leaveField(field: PlanField): void {
    if (this.#changedFields.has(field) && !this.shownProblems.includes(field)) {
      this.shownProblems = [...this.shownProblems, field];
    }
  }

  pressPrimary(): void {
    const { view, editable } = this;
    const { intent, enabled } = view.primary;
    // Enter in a field, while the server is asked.
    if (!enabled && !editable) {
      return;
    }
    if (intent === 'dryRun' && this.#stage === 'choose') {
      // An age means days before this moment.
      this.draft = { ...this.draft, endTimeMillis: this.reading.endTimeMillis };
      this.shownProblems = FIELDS;
    }
    if (enabled && (intent !== 'dryRun' || Object.keys(problemsOf(this.draft)).length === 0)) {
      this.send(intent === 'dryRun' ? { type: intent, draft: this.draft } : { type: intent });
    } else {
      void this.updateComplete.then(() => this.#focusProblem());
    }
  }

  protected override drawMain(): TemplateResult {
    return html`<main>${header(this)} ${STAGES[this.#stage](this)}</main>`;
  }

  protected override updated(changed: PropertyValues): void {
    super.updated(changed);
    const { draft, advancedOpen, view } = this;
    if (view !== undefined && ['draft', 'advancedOpen', 'view'].some((name) => changed.has(name))) {
      this.storeState({ draft, advancedOpen, restore: view.restore });
    }
  }

  protected override viewArrived(before: TruncationPageView | undefined, view: TruncationPageView): void {
    if (this.draft === undefined || isDraftOfHost(before, view, this.#recordId)) {
      this.#recordId = view.restore.recordId;
      this.draft = view.draft;
      this.#changedFields.clear();
      this.shownProblems = [];
    }
    const lastCheck = view.outcome?.lastCheck;
    if (this.#awaitsCheck && lastCheck !== before?.outcome?.lastCheck) {
      this.#awaitsCheck = false;
      this.#check = lastCheck;
    }
    this.#stage = stageOf(view, before && this.#stage);
    this.report = view.report ?? (view.phase === 'dryRunning' ? this.report : undefined);
  }

  /** Enter in a text field never starts a deletion. */
  #handleKeydown(event: KeyboardEvent): void {
    const inField =
      event.target instanceof HTMLInputElement && event.target.type !== 'checkbox' && event.target.type !== 'radio';
    if (
      event.key === 'Enter' &&
      inField &&
      !event.isComposing &&
      !event.defaultPrevented &&
      this.view.primary.intent === 'dryRun'
    ) {
      event.preventDefault();
      this.pressPrimary();
    }
  }

  /** Focuses the first field with a problem, or the first box that is to be ticked. */
  #focusProblem(): void {
    const { draft, view } = this;
    const problems = problemsOf(draft);
    const field = this.#stage === 'choose' ? FIELDS.find((one) => problems[one] !== undefined) : undefined;
    const box = view.cautions.find(({ kind }) => !view.draft.acceptedCautions.includes(kind));
    const first = field === 'endTimeMillis' ? firstFieldId(this.cutoff.kind) : field;
    this.focusPart(first ?? `caution-${box?.kind}`);
  }
}

function problemsOf(draft: PlanDraft): Partial<Record<PlanField, string>> {
  const checked = checkDraft(draft);
  return 'problems' in checked ? checked.problems : {};
}

customElements.define('truncation-wizard', TruncationWizard);

const wizard = new TruncationWizard();
wizard.className = 'page';
document.body.append(wizard);
