/**
 * Entry point of the wizard's page. Draws its sections from the user's input and the host's view, and decides nothing
 * about deleting. Uses native elements in VS Code's colours, because their keyboard, roles and descriptions work,
 * unlike those of components with a shadow root. Only the moving progress bar has no native element.
 */
import '@vscode-elements/elements/dist/vscode-progress-bar/index.js';
import './wizard.css';
import { html, LitElement, type PropertyValues, type TemplateResult } from 'lit';
import type { PlanDraft } from '../../../truncation/plan.ts';
import type { WizardHostMessage, WizardPageView } from '../protocol.ts';
import { announcementFor, arrivalBetween, focusArrival, type PageArrival } from './announcements.ts';
import { planFieldsSection, planSummary } from './planSection.ts';
import {
  currentDays,
  cutoffInputFor,
  cutoffMillis,
  draftCutoff,
  EMPTY_CUTOFF,
  parsePageState,
  proposedCutoff,
  withoutStaleLimit,
  type CutoffInput,
  type IndexFieldsState,
} from './cutoffInput.ts';
import { cutoffGoal } from './cutoffFields.ts';
import { language, useLanguage } from '../../../language.ts';
import { formatsOf, type LocalizedFormats } from '../../../ui/formats.ts';
import { wizardFooter, failureNotice, wizardHeader, connectionFacts } from './frame.ts';
import { trackStickyEdges } from '../../kit/page/stickyEdges.ts';
import { SuggestionField } from '../../kit/page/suggestField.ts';
import { WizardHostLink } from './wizardLink.ts';
import { reportSection, taskSection } from './resultSections.ts';
import { wizardStageOf, type WizardStage, type WizardPageModel } from './wizardPage.ts';
import { FIELDS, firstProblemSelector, VisibleProblems } from './visibleProblems.ts';

/** Phases in which the plan can be edited. */
const EDITABLE_PHASES: ReadonlySet<WizardPageView['phase']> = new Set(['editing', 'reviewed', 'failed']);

/** Sections in reading order, while the plan can be edited. */
const EDITING_SECTIONS = [wizardHeader, connectionFacts, planFieldsSection, failureNotice, reportSection, wizardFooter];
/** Sections in reading order after sending: the outcome first. */
const SENT_SECTIONS = [wizardHeader, connectionFacts, failureNotice, taskSection, planSummary, wizardFooter];

class TruncationWizard extends LitElement {
  static override properties = {
    formats: { state: true },
    view: { state: true },
    draft: { state: true },
    cutoff: { state: true },
    choicesOpen: { state: true },
    advancedOpen: { state: true },
    indexFields: { state: true },
    announcement: { state: true },
  };

  declare private formats: LocalizedFormats | undefined;
  declare private view: WizardPageView | undefined;
  declare private draft: PlanDraft | undefined;
  declare private cutoff: CutoffInput;
  declare private choicesOpen: boolean;
  declare private advancedOpen: boolean;
  declare private indexFields: IndexFieldsState;
  declare private announcement: string;

  readonly #link: WizardHostLink;
  readonly #problems = new VisibleProblems();
  /** Set when the user continues, to focus the first problem. */
  #wantsProblem = false;
  /** Set while the user types: nothing takes the focus. */
  #isTyping = false;
  #arrival: PageArrival | undefined;
  #stage: WizardStage | undefined;
  #hadFocus = false;
  /** Set when the user asks for a check: only its result is announced, not that of polls. */
  #awaitsLook = false;
  readonly #findEdges = trackStickyEdges(this);
  #stopListening: (() => void) | undefined;

  constructor(link: WizardHostLink) {
    super();
    this.#link = link;
    this.cutoff = EMPTY_CUTOFF;
    this.choicesOpen = false;
    this.advancedOpen = false;
    this.indexFields = 'folded';
    this.announcement = '';
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.#stopListening = this.#link.listenToHost((message) => this.#receiveMessage(message));
    const kept = parsePageState(this.#link.storedState());
    this.cutoff = kept?.cutoff ?? EMPTY_CUTOFF;
    this.advancedOpen = kept?.advancedOpen ?? false;
    this.indexFields = kept?.indexFields ?? 'folded';
    this.#link.announceReady(Intl.DateTimeFormat().resolvedOptions().timeZone, kept?.draft);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#stopListening?.();
  }

  /** Renders without a shadow root, so that one style sheet applies and elements can refer to each other by ID. */
  protected override createRenderRoot(): HTMLElement {
    return this;
  }

  protected override render(): TemplateResult {
    const page = this.#createPageModel();
    const sections = page?.stage === 'outcome' ? SENT_SECTIONS : EDITING_SECTIONS;
    return html`<main @keydown=${(event: KeyboardEvent) => this.#handleKeydown(event)}>
        ${page && sections.map((section) => section(page))}
      </main>
      <div class="announcer" role="status" aria-live="polite">${this.announcement}</div>`;
  }

  protected override willUpdate(): void {
    this.#hadFocus = this.contains(document.activeElement);
  }

  protected override updated(changed: PropertyValues): void {
    this.#findEdges();
    if (['draft', 'cutoff', 'advancedOpen', 'indexFields', 'view'].some((name) => changed.has(name))) {
      this.#storePageState();
    }
    if (changed.has('view')) {
      this.#moveFocusToNews();
    }
  }

  #createPageModel(): WizardPageModel | undefined {
    const { formats, view, draft } = this;
    if (formats === undefined || view === undefined || draft === undefined) {
      return undefined;
    }
    return {
      formats,
      view,
      draft,
      cutoff: this.cutoff,
      stage: this.#stage ?? wizardStageOf(view, undefined),
      choicesOpen: this.choicesOpen,
      advancedOpen: this.advancedOpen,
      indexFields: this.indexFields,
      editable: isDraftEditable(view),
      visibleProblem: (field) => (this.#problems.isProblemVisible(field) ? view.problems[field] : undefined),
      editDraft: (change) => this.#editDraft(change),
      canCountRows: isIndexValid(draft, view),
      editCutoff: (input) => this.#editCutoff(input),
      findCutoff: () => this.#findCutoff(),
      leaveField: (field) => {
        this.#problems.markFieldLeft(field);
        // The page may be closed next.
        this.#link.sendWaitingEdit();
        this.requestUpdate();
      },
      toggleChoices: (open) => {
        this.choicesOpen = open && this.#stage === 'review';
      },
      toggleAdvanced: (open) => {
        this.advancedOpen = open;
      },
      toggleIndexFields: (open) => {
        this.indexFields = open ? 'unfolded' : 'folded';
      },
      send: (intent) => {
        this.#isTyping = false;
        this.#awaitsLook ||= intent === 'checkTask';
        this.#link.sendIntent(intent);
      },
      pressPrimary: () => this.#pressPrimary(),
    };
  }

  #receiveMessage(message: WizardHostMessage): void {
    if (message.type === 'open') {
      useLanguage(message.locale, message.translations);
      this.formats = formatsOf(language());
      if (message.draft.entityType === '' || message.draft.aspect === '') {
        this.indexFields = 'needed';
      }
    }
    if (message.type === 'draft') {
      this.#link.forgetWaitingEdit();
      this.#problems.resetFields();
      this.#clearCutoffFields();
    }
    this.#problems.markAnswered(!this.#link.hasWaitingEdit);
    if (message.type !== 'view') {
      this.draft = message.draft;
      this.cutoff = cutoffInputFor(message.draft, this.cutoff, message.view.fit, Date.now());
    } else if (!this.#link.hasWaitingEdit) {
      this.cutoff = withoutStaleLimit(this.cutoff, message.view.fit);
    }
    const before = message.type === 'open' ? undefined : this.view;
    if (this.formats !== undefined) {
      this.#arrival = arrivalBetween(before, message.view);
      const look = this.#lookAskedFor(before, message.view);
      this.announcement = announcementFor(before, message.view, this.formats) ?? look ?? this.announcement;
    }
    const stage = wizardStageOf(message.view, message.type === 'open' ? undefined : this.#stage);
    this.choicesOpen &&= stage === this.#stage;
    this.#stage = stage;
    this.view = message.view;
    const proposed = proposedCutoff(before, message.view, this.cutoff, Date.now());
    if (proposed !== undefined) {
      this.#editCutoff(proposed);
      this.#isTyping = false;
    }
  }

  #lookAskedFor(before: WizardPageView | undefined, { task }: WizardPageView): string | undefined {
    if (!this.#awaitsLook || task?.lastLook === undefined || task.lastLook === before?.task?.lastLook) {
      return undefined;
    }
    this.#awaitsLook = false;
    return task.lastLook;
  }

  #editCutoff(input: CutoffInput): void {
    if (input.kind !== this.cutoff.kind) {
      this.#problems.hideProblem('endTimeMillis');
    }
    this.cutoff = input;
    this.#editDraft(draftCutoff(input));
  }

  #findCutoff(): void {
    const { cutoff, view } = this;
    const read = view && isDraftEditable(view) ? cutoffGoal({ cutoff, view }) : undefined;
    if (read === undefined) {
      return;
    }
    this.#problems.showAllProblems();
    this.requestUpdate();
    if ('goal' in read) {
      this.#link.sendIntent({ type: 'fit', goal: read.goal });
    } else {
      this.querySelector<HTMLElement>('#limit')?.focus();
    }
  }

  #editDraft(change: Partial<PlanDraft>): void {
    if (this.draft === undefined || this.view === undefined || !isDraftEditable(this.view)) {
      return;
    }
    const changed = { ...this.draft, ...change };
    // A caution is accepted for that index and cutoff only.
    const isOther = (['entityType', 'aspect', 'endTimeMillis'] as const).some(
      (one) => changed[one] !== this.draft?.[one],
    );
    this.draft = isOther ? { ...changed, acceptedCautions: [] } : changed;
    this.#problems.markFieldsEdited(FIELDS.filter((field) => field in change));
    this.#isTyping = true;
    this.#wantsProblem = false;
    this.#link.sendEditLater(this.draft);
  }

  /** Sends the primary button's intent, or shows what prevents it. */
  #pressPrimary(): void {
    const { view } = this;
    if (view === undefined || (!view.primary.enabled && !isDraftEditable(view))) {
      return;
    }
    if (view.primary.intent === 'dryRun' && view.phase === 'editing') {
      const current = currentDays(this.cutoff, Date.now());
      if (current !== undefined) {
        this.#editCutoff(current);
      }
    }
    if (view.primary.intent === 'dryRun' && this.draft?.acceptedCautions.includes('clock') === true) {
      // Another response has another date.
      this.#editDraft({ acceptedCautions: this.draft.acceptedCautions.filter((kind) => kind !== 'clock') });
    }
    this.#isTyping = false;
    this.#wantsProblem = view.primary.intent === 'dryRun' || !view.primary.enabled;
    if (this.#wantsProblem) {
      this.#problems.showAllProblems();
      this.requestUpdate();
    }
    const { intent, enabled } = view.primary;
    if (enabled || (intent === 'dryRun' && this.#problems.isUnanswered)) {
      // The host may not have validated the edit. Let it decide.
      this.#link.sendIntent(intent);
    } else if (this.#problems.isUnanswered) {
      this.#link.sendWaitingEdit();
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
    if (this.#wantsProblem && this.#focusProblem()) {
      return;
    }
    if (arrival !== undefined && !this.#isTyping) {
      onceWindowFocused(() => focusArrival(this, arrival));
    } else if (this.#hadFocus && document.activeElement === document.body) {
      // The focused element, such as Cancel, is gone. Don't send the keyboard back to the top.
      this.querySelector<HTMLElement>('#task-heading, #primary')?.focus();
    }
  }

  /** Focuses the first problem. @returns false if there is none. */
  #focusProblem(): boolean {
    const { view, draft } = this;
    const selector =
      view !== undefined && draft !== undefined && isDraftEditable(view)
        ? firstProblemSelector(view, draft)
        : undefined;
    this.#wantsProblem = selector === undefined && view?.phase === 'editing';
    if (selector === undefined) {
      return false;
    }
    this.querySelector<HTMLElement>(selector)?.focus();
    return true;
  }

  /** Clears a half-typed date too. Its value is empty already, but the browser keeps the digits until it is set. */
  #clearCutoffFields(): void {
    if (this.cutoff.kind === 'dateTime' && cutoffMillis(this.cutoff) === undefined) {
      this.cutoff = { ...EMPTY_CUTOFF, kind: 'dateTime' };
    }
    for (const input of this.querySelectorAll<HTMLInputElement>('#date, #time')) {
      input.value = '';
    }
  }

  #storePageState(): void {
    if (this.draft !== undefined) {
      this.#link.storeState({
        draft: this.draft,
        cutoff: this.cutoff,
        advancedOpen: this.advancedOpen,
        indexFields: this.indexFields,
        restore: this.view?.restore,
      });
    }
  }
}

function isDraftEditable(view: WizardPageView): boolean {
  return EDITABLE_PHASES.has(view.phase) && view.primary.intent !== 'startOver';
}

/** Rows can only be counted once the index is named. */
function isIndexValid({ entityType, aspect }: PlanDraft, { problems }: WizardPageView): boolean {
  return entityType !== '' && aspect !== '' && problems.entityType === undefined && problems.aspect === undefined;
}

/** Waits until the window has the focus, so that a restored page doesn't take it from another editor. */
function onceWindowFocused(focus: () => void): void {
  if (document.hasFocus()) {
    focus();
  } else {
    window.addEventListener('focus', focus, { once: true });
  }
}

customElements.define('suggest-field', SuggestionField);
customElements.define('truncation-wizard', TruncationWizard);

const wizard = new TruncationWizard(new WizardHostLink(acquireVsCodeApi()));
wizard.className = 'page';
document.body.append(wizard);
