/** Entry point of the overview's page. Draws the table from the user's input and the host's rows. */
import '@vscode-elements/elements/dist/vscode-progress-bar/index.js';
import './overview.css';
import { html, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { readDays } from '../../../truncation/cutoff.ts';
import { PageElement } from '../../kit/page/pageElement.ts';
import type { OverviewIntent, OverviewPageView, OverviewTableRow } from '../protocol.ts';
import { jobAnnouncement, JOB_HEADING_ID, jobStage } from './job.ts';
import { AGE_ID, chooseStage, USUAL_AGE } from './choose.ts';
import { failureNotice, interruptedCallouts, overviewHeader } from './frame.ts';
import type { OverviewPageModel } from './overviewPage.ts';
import { canSelectRow, selectableRange, toggleSelection } from './selection.ts';
import { filterTableRows, parseSorting, sortTableRows, toggleSorting, type TableSorting } from './tableRows.ts';

class IndexOverview extends PageElement<OverviewIntent, OverviewPageView> {
  static override properties = {
    all: { state: true },
    filter: { state: true },
    sorting: { state: true },
    active: { state: true },
    ticked: { state: true },
    age: { state: true },
    isAgeAsked: { state: true },
  };

  declare private all: readonly OverviewTableRow[];
  declare private filter: string;
  declare private sorting: TableSorting;
  declare private active: string | undefined;
  declare private ticked: readonly string[];
  declare private age: string;
  declare private isAgeAsked: boolean;
  /** Filtered and ordered rows of `all`. */
  #rows: readonly OverviewTableRow[] = [];
  /** True once the age is the one that was remembered, or the user's. */
  #hasAge = false;
  /** The last age that was a number of days. */
  #days = Number(USUAL_AGE);
  /** The row that was ticked last, where a range begins. */
  #lastTicked: string | undefined;
  #largestBytes = 0;
  /** The part that a change of the job leads to. */
  #arrival: Arrival | undefined;

  constructor() {
    super();
    const kept = this.link.storedState() as Readonly<Record<string, unknown>> | undefined;
    this.all = [];
    this.filter = typeof kept?.filter === 'string' ? kept.filter : '';
    this.sorting = parseSorting(kept?.sorting);
    this.ticked = [];
    this.age = USUAL_AGE;
    this.isAgeAsked = false;
  }

  protected override willUpdate(changed: PropertyValues): void {
    super.willUpdate(changed);
    if (['all', 'filter', 'sorting'].some((name) => changed.has(name))) {
      this.#rows = sortTableRows(filterTableRows(this.all, this.filter), this.sorting);
      this.#largestBytes = this.all.reduce((largest, { bytes = 0 }) => Math.max(largest, bytes), 0);
      if (!this.#rows.some(({ id }) => id === this.active)) {
        this.active = this.#rows[0]?.id;
      }
    }
  }

  protected override render(): TemplateResult {
    const page = this.#createPageModel();
    const isChoosing = page?.view.job.phase === 'choosing';
    return html`<main
        class=${isChoosing ? 'choosing' : nothing}
        @keydown=${(event: KeyboardEvent) => this.#handleKeydown(event)}
        @focusin=${({ target }: FocusEvent & { target: HTMLElement }) => this.#followFocus(target)}
      >
        ${page && sections(page)}
      </main>
      <div class="announcer" role="status">${page && jobAnnouncement(page.view.job, page.formats)}</div>`;
  }

  protected override updated(changed: PropertyValues): void {
    if (['view', 'filter', 'sorting'].some((name) => changed.has(name)) && this.view !== undefined) {
      const { filter, sorting } = this;
      this.link.storeState({ filter, sorting, restore: this.view.restore });
    }
    const arrival = this.#arrival;
    this.#arrival = undefined;
    this.moveFocus(arrival && (() => this.#focusArrival(arrival)), `#primary, #${JOB_HEADING_ID}`);
  }

  #focusArrival(arrival: Arrival): void {
    // The button may be gone: a yes that came too late.
    const control = this.querySelector<HTMLElement>(arrival === 'age' ? `#${AGE_ID}` : '#primary');
    if (arrival !== 'job' && control !== null) {
      control.focus();
    } else {
      this.focusHeading(JOB_HEADING_ID);
    }
  }

  #createPageModel(): OverviewPageModel | undefined {
    const { view, formats } = this;
    if (view === undefined || formats === undefined) {
      return undefined;
    }
    return {
      formats,
      view,
      all: this.all,
      rows: this.#rows,
      filter: this.filter,
      sorting: this.sorting,
      active: this.active,
      largestBytes: this.#largestBytes,
      now: Date.now(),
      // Drops indices that are no longer on the server.
      ticked: new Set(this.ticked.filter((id) => this.all.some((row) => row.id === id && canSelectRow(row)))),
      age: this.age,
      isAgeAsked: this.isAgeAsked,
      tickIndices: (ids, isTicked) => this.#tick(ids, isTicked),
      tickRow: (id, isTicked, isRange) => {
        const ids = isRange ? selectableRange(this.#rows, this.#lastTicked, id) : [id];
        this.#lastTicked = id;
        this.#tick(ids, isTicked);
      },
      setCutoffAge: (age) => {
        this.age = age;
        this.isAgeAsked = false;
        this.#hasAge = true;
        this.#remember();
      },
      startDryRuns: () => this.#startDryRuns(),
      filterByText: (text) => {
        this.filter = text;
      },
      sortByColumn: (key) => {
        this.sorting = toggleSorting(key, this.sorting);
      },
      activateRow: (id) => {
        this.active = id;
      },
      send: (intent) => this.link.send(intent),
    };
  }

  #tick(ids: readonly string[], isTicked: boolean): void {
    this.ticked = toggleSelection(this.ticked, ids, isTicked);
    this.#remember();
  }

  /** The host keeps it for the next time. */
  #remember(): void {
    const read = readDays(this.age);
    this.#days = 'days' in read ? read.days : this.#days;
    this.link.send({ type: 'remember', ids: [...this.ticked], days: this.#days });
  }

  #startDryRuns(): void {
    const ids = this.#createPageModel()?.ticked ?? new Set<string>();
    const read = readDays(this.age);
    if (!('days' in read)) {
      this.isAgeAsked = true;
      this.#focusArrival('age');
    } else if (ids.size > 0) {
      this.link.send({ type: 'dryRun', ids: [...ids], days: read.days });
    }
  }

  protected override viewArrived(before: OverviewPageView | undefined, view: OverviewPageView): void {
    this.#takeOverTicks(before, view);
    this.all = view.rows;
    this.#arrival = arrivalBetween(before?.job.phase, view.job.phase) ?? this.#arrival;
    if (before === undefined) {
      void this.updateComplete.then(() => this.#beginAtFilter());
    }
  }

  /** Ticks what was ticked the last time as it is listed, and drops what isn't any more, or is on another server now. */
  #takeOverTicks(before: OverviewPageView | undefined, { connection, rows, remembered }: OverviewPageView): void {
    const isSame = before?.connection.baseUrl === connection.baseUrl;
    if (before !== undefined && !isSame) {
      this.#hasAge = false;
    }
    const listed = new Set((isSame ? this.all : []).map(({ id }) => id));
    const kept = new Set(rows.flatMap(({ id }) => (listed.has(id) ? [id] : [])));
    const appeared = remembered?.ids.filter((id) => !listed.has(id)) ?? [];
    this.ticked = toggleSelection(
      this.ticked.filter((id) => kept.has(id)),
      appeared,
      true,
    );
    if (!this.#hasAge && remembered !== undefined) {
      this.#hasAge = true;
      this.#days = remembered.days;
      this.age = String(remembered.days);
    }
  }

  /** Focuses the filter, as VS Code's own tables do. A restored page beside another editor takes no focus. */
  #beginAtFilter(): void {
    if (document.hasFocus() && document.activeElement === document.body) {
      this.querySelector<HTMLElement>(`#filter, #${JOB_HEADING_ID}`)?.focus();
    }
  }

  /** Closes an opened sentence when the focus moves elsewhere. */
  #followFocus(focused: HTMLElement): void {
    const open = this.querySelector<HTMLElement>('.sentence:popover-open');
    if (open !== null && open.previousElementSibling !== focused) {
      open.hidePopover();
    }
  }

  /** Arrow keys move between rows, as in VS Code. */
  #handleKeydown(event: KeyboardEvent): void {
    const { target } = event;
    if (!(target instanceof HTMLElement) || target.closest('.indices tbody') === null) {
      return;
    }
    const last = this.#rows.length - 1;
    const now = this.#rows.findIndex(({ id }) => id === this.active);
    const rows = this.querySelector<HTMLElement>('.rows');
    const height = Math.min(rows?.clientHeight ?? 0, window.innerHeight);
    // Less the column headers, and a row that stays in sight.
    const page = Math.max(1, Math.floor(height / (target.closest('tr')?.offsetHeight ?? height)) - 3);
    const steps: Readonly<Record<string, number>> = {
      ArrowDown: now + 1,
      ArrowUp: now - 1,
      PageDown: now + page,
      PageUp: now - page,
      Home: 0,
      End: last,
    };
    const next = steps[event.key];
    if (next !== undefined && !event.altKey && !event.ctrlKey && !event.metaKey && !event.shiftKey) {
      event.preventDefault();
      this.active = this.#rows[Math.min(last, Math.max(0, next))]?.id;
      // Stay in the same column if it can be focused.
      const column = target.closest('th, td')?.classList[0] ?? 'name';
      const findFocusable = (place: string): HTMLElement | null =>
        this.querySelector(`.indices tbody ${place} [tabindex="0"]`);
      void this.updateComplete.then(() => (findFocusable(`.${column}`) ?? findFocusable('.row'))?.focus());
    }
  }
}

/** Sections in reading order. */
function sections(page: OverviewPageModel): TemplateResult {
  const isChoosing = page.view.job.phase === 'choosing';
  return html`${overviewHeader(page)} ${isChoosing ? failureNotice(page) : nothing}
  ${isChoosing ? interruptedCallouts(page) : nothing} ${isChoosing ? chooseStage(page) : jobStage(page)}`;
}

type Phase = OverviewPageView['job']['phase'];

/** The heading of the job, its button after a no, or the age. */
type Arrival = 'job' | 'button' | 'age';

/** Where the focus goes once the phase has changed. @param before Undefined for a page that was just opened. */
function arrivalBetween(before: Phase | undefined, after: Phase): Arrival | undefined {
  if (before === undefined || before === after || after === 'confirming') {
    return undefined;
  }
  if (before === 'confirming' && after === 'planned') {
    return 'button';
  }
  return after === 'choosing' ? 'age' : 'job';
}

customElements.define('index-overview', IndexOverview);

const overview = new IndexOverview();
overview.className = 'page overview';
document.body.append(overview);
