/**
 * Entry point of the truncation page. Draws its stages from the user's input and the host's view, and decides nothing
 * about deleting. Uses native elements in VS Code's colours, because their keyboard, roles and descriptions work,
 * unlike those of components with a shadow root. Only the moving progress bar has no native element.
 */
import '@vscode-elements/elements/dist/vscode-progress-bar/index.js';
import './wizard.css';
import * as l10n from '@vscode/l10n';
import { html, type PropertyValues, type TemplateResult } from 'lit';
import type { CutoffInput } from '../../../truncation/cutoff.ts';
import { checkDraft, type PlanDraft, type PlanField } from '../../../truncation/plan.ts';
import type { LocalizedFormats } from '../../../ui/formats.ts';
import { PageElement } from '../../kit/page/pageElement.ts';
import { parsePageState, type DryRunReportView, type TruncationIntent, type TruncationPageView } from '../protocol.ts';
import { announcementFor, arrivalBetween, type PageArrival } from './announcements.ts';
import { chooseStage } from './choose.ts';
import { inputFor, readCutoff } from './cutoff.ts';
import { firstFieldId } from './cutoffFields.ts';
import { header } from './frame.ts';
import { outcomeStage } from './outcome.ts';
import { stageOf, type Stage, type TruncationPageModel } from './pageModel.ts';
import { reviewStage } from './review.ts';

const STAGES: Readonly<Record<Stage, (page: TruncationPageModel) => TemplateResult>> = {
  choose: chooseStage,
  review: reviewStage,
  outcome: outcomeStage,
};

/** Fields in the order of the page. */
const FIELDS = ['endTimeMillis', 'batchSize', 'timeoutSeconds'] as const satisfies readonly PlanField[];

class TruncationWizard extends PageElement<TruncationIntent, TruncationPageView> {
  static override properties = {
    typed: { state: true },
    advancedOpen: { state: true },
    shownProblems: { state: true },
    announcement: { state: true },
  };

  /** The draft, as typed. */
  declare private typed: PlanDraft | undefined;
  declare private advancedOpen: boolean;
  /** Fields whose problems are shown: a problem must not appear while the user types for the first time. */
  declare private shownProblems: readonly PlanField[];
  declare private announcement: string;

  #changedFields = new Set<PlanField>();
  /** Set while the user types: nothing takes the focus. */
  #isTyping = false;
  #arrival: PageArrival | undefined;
  #stage: Stage | undefined;
  #report: DryRunReportView | undefined;
  /** Set when the user asks for a check: only its result is announced, not that of polls. */
  #awaitsCheck = false;

  constructor() {
    super();
    this.advancedOpen = parsePageState(this.link.storedState())?.advancedOpen ?? false;
    this.shownProblems = [];
    this.announcement = '';
  }

  protected override render(): TemplateResult {
    const page = this.#createPageModel();
    return html`<main @keydown=${(event: KeyboardEvent) => this.#handleKeydown(event)}>
        ${page && html`${header(page)} ${STAGES[page.stage](page)}`}
      </main>
      <div class="announcer" role="status" aria-live="polite">${this.announcement}</div>`;
  }

  protected override updated(changed: PropertyValues): void {
    if (['typed', 'advancedOpen', 'view'].some((name) => changed.has(name)) && this.view !== undefined) {
      const { typed: draft, advancedOpen, view } = this;
      this.link.storeState({ draft, advancedOpen, restore: view.restore });
    }
    if (changed.has('view')) {
      this.#moveFocusToNews();
    }
  }

  #createPageModel(): TruncationPageModel | undefined {
    const { view, typed: draft } = this;
    if (this.formats === undefined || view === undefined || draft === undefined) {
      return undefined;
    }
    const cutoff = draft.cutoff ?? inputFor(draft.endTimeMillis);
    const reading = readCutoff(cutoff, view, Date.now());
    const problems = problemsOf({ ...draft, endTimeMillis: reading.endTimeMillis });
    return {
      formats: this.formats,
      view,
      stage: this.#stage ?? stageOf(view, undefined),
      report: this.#report,
      draft,
      cutoff,
      reading,
      editable: isEditable(view),
      advancedOpen: this.advancedOpen,
      visibleProblem: (field) =>
        this.shownProblems.includes(field)
          ? ((field === 'endTimeMillis' ? reading.problem : undefined) ?? problems[field])
          : undefined,
      edit: (change) => this.#edit(change),
      editCutoff: (input) => this.#editCutoff(input),
      leaveField: (field) => {
        if (this.#changedFields.has(field) && !this.shownProblems.includes(field)) {
          this.shownProblems = [...this.shownProblems, field];
        }
      },
      toggleAdvanced: (open) => {
        this.advancedOpen = open;
      },
      send: (intent) => {
        this.#isTyping = false;
        this.#awaitsCheck ||= intent === 'checkTask';
        if (intent === 'countRowsByAge') {
          this.announcement = l10n.t('Waiting for the server…');
        }
        this.link.send(typeof intent === 'string' ? { type: intent } : intent);
      },
      pressPrimary: () => this.#pressPrimary(),
    };
  }

  protected override viewArrived(
    before: TruncationPageView | undefined,
    view: TruncationPageView,
    formats: LocalizedFormats,
  ): void {
    if (before?.draftRevision !== view.draftRevision) {
      this.#takeOver(view.draft);
    }
    this.#arrival = arrivalBetween(before, view);
    this.announcement =
      announcementFor(before, view, formats) ?? this.#checkAskedFor(before, view) ?? this.announcement;
    this.#stage = stageOf(view, before && this.#stage);
    this.#report = view.report ?? (view.phase === 'dryRunning' ? this.#report : undefined);
  }

  /** Shows a draft that the host has made, in place of what was typed. */
  #takeOver(draft: PlanDraft): void {
    this.typed = draft;
    this.#changedFields.clear();
    this.shownProblems = [];
  }

  #checkAskedFor(before: TruncationPageView | undefined, { outcome }: TruncationPageView): string | undefined {
    const text = outcome?.lastCheck;
    if (!this.#awaitsCheck || text === undefined || text === before?.outcome?.lastCheck) {
      return undefined;
    }
    this.#awaitsCheck = false;
    return text;
  }

  #editCutoff(cutoff: CutoffInput): void {
    if (cutoff.kind !== this.typed?.cutoff?.kind) {
      this.shownProblems = this.shownProblems.filter((field) => field !== 'endTimeMillis');
    }
    this.#edit({ cutoff });
    this.#changedFields.add('endTimeMillis');
  }

  #edit(change: Partial<PlanDraft>): void {
    if (this.typed === undefined || this.view === undefined || !isEditable(this.view)) {
      return;
    }
    for (const field of FIELDS) {
      if (field in change) {
        this.#changedFields.add(field);
      }
    }
    this.typed = { ...this.typed, ...change };
    this.#isTyping = true;
    this.#sendDraft();
  }

  /** Reads the cutoff, as far as it can still be changed: an age means days before this moment. */
  #sendDraft(): void {
    const { typed, view } = this;
    if (typed !== undefined && view !== undefined) {
      const { cutoff } = typed;
      const isOpen = cutoff !== undefined && this.#stage === 'choose';
      const endTimeMillis = isOpen ? readCutoff(cutoff, view, Date.now()).endTimeMillis : typed.endTimeMillis;
      this.typed = { ...typed, endTimeMillis };
      this.link.send({ type: 'edit', draft: this.typed, revision: view.draftRevision });
    }
  }

  /** Sends the primary button's intent, or shows what prevents it. */
  #pressPrimary(): void {
    const { view } = this;
    // Enter in a field, while the server is asked.
    if (view === undefined || (!view.primary.enabled && !isEditable(view))) {
      return;
    }
    this.#isTyping = false;
    const { intent, enabled } = view.primary;
    if (intent === 'dryRun' && this.#stage === 'choose') {
      this.#sendDraft();
      this.shownProblems = FIELDS;
    }
    const isBlocked = intent === 'dryRun' && this.typed !== undefined && hasProblems(this.typed);
    if (enabled && !isBlocked) {
      this.link.send({ type: intent });
    } else {
      void this.updateComplete.then(() => this.#focusProblem());
    }
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
      this.view?.primary.intent === 'dryRun'
    ) {
      event.preventDefault();
      this.#pressPrimary();
    }
  }

  #moveFocusToNews(): void {
    const arrival = this.#arrival;
    this.#arrival = undefined;
    const focusNews =
      arrival === undefined || this.#isTyping
        ? undefined
        : () => (arrival === 'plan' ? this.#focusFirstField() : this.focusHeading(`${arrival}-heading`));
    this.moveFocus(focusNews, '#outcome-heading, #primary');
  }

  #focusFirstField(): void {
    this.querySelector<HTMLElement>(`#${firstFieldId(this.typed?.cutoff?.kind ?? 'dateTime')}`)?.focus({
      preventScroll: true,
    });
  }

  /** Focuses the first field with a problem, or the first box that is to be ticked. */
  #focusProblem(): void {
    const { typed, view } = this;
    if (typed === undefined || view === undefined) {
      return;
    }
    const problems = problemsOf(typed);
    const field = this.#stage === 'choose' ? FIELDS.find((one) => problems[one] !== undefined) : undefined;
    if (field === 'endTimeMillis') {
      this.#focusFirstField();
      return;
    }
    const box = view.cautions.find(({ kind }) => !view.draft.acceptedCautions.includes(kind));
    this.querySelector<HTMLElement>(field === undefined ? `#caution-${box?.kind}` : `#${field}`)?.focus();
  }
}

function isEditable({ phase }: TruncationPageView): boolean {
  return phase === 'editing' || phase === 'reviewed';
}

function problemsOf(draft: PlanDraft): Partial<Record<PlanField, string>> {
  const checked = checkDraft(draft);
  return 'problems' in checked ? checked.problems : {};
}

function hasProblems(draft: PlanDraft): boolean {
  return Object.keys(problemsOf(draft)).length > 0;
}

customElements.define('truncation-wizard', TruncationWizard);

const wizard = new TruncationWizard();
wizard.className = 'page';
document.body.append(wizard);
