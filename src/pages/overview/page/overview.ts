/** Entry point of the overview's page. Draws the table from the user's input and the host's rows. */
import './overview.css';
import { html, LitElement, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { language, useLanguage } from '../../../language.ts';
import { formatsOf, type LocalizedFormats } from '../../../ui/formats.ts';
import { HostLink } from '../../kit/page/hostLink.ts';
import { trackStickyEdges } from '../../kit/page/stickyEdges.ts';
import { viewAfter, type HostMessage } from '../../kit/protocol.ts';
import type { OverviewIntent, OverviewPageView, OverviewTableRow } from '../protocol.ts';
import { jobTableRows, type PlacedJobItem } from './jobRows.ts';
import { jobAnnouncement, jobNotes } from './jobSection.ts';
import { bottomBar, interruptedCallouts } from './bottomBar.ts';
import { failureNotice, filterField, overviewHeader, indexTableHint } from './frame.ts';
import { indexTable } from './indexTable.ts';
import type { OverviewPageModel } from './overviewPage.ts';
import {
  filterTableRows,
  parseSorting,
  sortTableRows,
  toggleSorting,
  USUAL_SORTING,
  type TableSorting,
  rowWindowOf,
  type VisibleRowRange,
} from './tableRows.ts';
import {
  AGE_ID,
  canSelectRow,
  parseStoredAge,
  parseSelection,
  selectableRange,
  selectionAfterJob,
  toggleSelection,
  USUAL_AGE,
} from './jobSelection.ts';

/** Assumed height before a row was drawn, in px. */
const USUAL_ROW_HEIGHT = 26;

class IndexOverview extends LitElement {
  static override properties = {
    view: { state: true },
    all: { state: true },
    filter: { state: true },
    sorting: { state: true },
    inSight: { state: true },
    active: { state: true },
    ticked: { state: true },
    age: { state: true },
    isAgeAsked: { state: true },
    lastTime: { state: true },
  };

  declare private view: OverviewPageView | undefined;
  declare private all: readonly OverviewTableRow[];
  declare private filter: string;
  declare private sorting: TableSorting;
  declare private inSight: VisibleRowRange;
  declare private active: string | undefined;
  declare private ticked: readonly string[];
  declare private age: string;
  declare private isAgeAsked: boolean;
  /** Set once the user selected it again, until the selection changes. */
  declare private lastTime: OverviewPageView['lastTime'];

  readonly #link: HostLink<OverviewIntent, OverviewPageView>;
  #formats: LocalizedFormats | undefined;
  /** Filtered and ordered rows of `all`, with all of the job. */
  #rows: readonly OverviewTableRow[] = [];
  #items: ReadonlyMap<string, PlacedJobItem> = new Map();
  /** The row that was ticked last, where a range begins. */
  #lastTicked: string | undefined;
  #largestBytes = 0;
  #totalBytes = 0;
  /** Phase of the job at the last update. */
  #phase: OverviewPageView['job']['phase'] | undefined;
  /** The control of the bar that had the focus last. */
  #inBar: HTMLElement | undefined;
  /** True since a phase changed, until the window has the focus. */
  #mayLackFocus = false;
  #rowHeight = USUAL_ROW_HEIGHT;
  readonly #findEdges = trackStickyEdges(this);
  #stop = new AbortController();

  constructor(link: HostLink<OverviewIntent, OverviewPageView>) {
    super();
    this.#link = link;
    this.all = [];
    this.filter = '';
    this.sorting = USUAL_SORTING;
    this.ticked = [];
    this.age = USUAL_AGE;
    this.isAgeAsked = false;
    this.inSight = rowWindowOf(0, window.innerHeight, USUAL_ROW_HEIGHT, 0);
  }

  override connectedCallback(): void {
    super.connectedCallback();
    const kept = this.#link.storedState() as Readonly<Record<string, unknown>> | undefined;
    this.filter = typeof kept?.filter === 'string' ? kept.filter : '';
    this.sorting = parseSorting(kept?.sorting);
    this.ticked = parseSelection(kept?.ticked);
    this.age = parseStoredAge(kept?.age);
    this.#stop = new AbortController();
    const { signal } = this.#stop;
    signal.addEventListener(
      'abort',
      this.#link.listen((message) => this.#receiveMessage(message)),
    );
    // VS Code's prompts take the focus, and give it back to the window alone.
    window.addEventListener('focus', () => this.#restoreFocus(), { signal });
    window.addEventListener('scroll', () => this.#measureVisibleRows(), { signal, passive: true });
    window.addEventListener('resize', () => this.#measureVisibleRows(), { signal, passive: true });
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#stop.abort();
  }

  /** Renders without a shadow root, for one style sheet. */
  protected override createRenderRoot(): HTMLElement {
    return this;
  }

  protected override willUpdate(changed: PropertyValues): void {
    if (['all', 'filter', 'sorting', 'view'].some((name) => changed.has(name))) {
      const { phase = 'choosing', items: job = [] } = this.view?.job ?? {};
      const { rows, items } = jobTableRows(this.all, phase === 'choosing' ? [] : job);
      this.#items = items;
      // The filter hides nothing of the job.
      const shown = new Set(filterTableRows(rows, this.filter));
      this.#rows = sortTableRows(
        rows.filter((row) => shown.has(row) || items.has(row.id)),
        this.sorting,
      );
      const sizes = this.all.map(({ bytes }) => bytes ?? 0);
      this.#largestBytes = sizes.reduce((largest, bytes) => Math.max(largest, bytes), 0);
      this.#totalBytes = sizes.reduce((sum, bytes) => sum + bytes, 0);
      if (!this.#rows.some(({ id }) => id === this.active)) {
        this.active = this.#rows[0]?.id;
      }
    }
  }

  protected override render(): TemplateResult {
    const page = this.#createPageModel();
    return html`<main
      @keydown=${(event: KeyboardEvent) => this.#handleKeydown(event)}
      @focusin=${({ target }: FocusEvent & { target: HTMLElement }) => this.#followFocus(target)}
    >
      ${page && overviewSections(page)}
      <div class="announcer" role="status">${page && this.#announcement(page)}</div>
    </main>`;
  }

  protected override updated(changed: PropertyValues): void {
    if (['view', 'filter', 'sorting', 'ticked', 'age'].some((name) => changed.has(name)) && this.view !== undefined) {
      const { filter, sorting, ticked, age } = this;
      this.#link.storeState({ filter, sorting, ticked, age, restore: this.view.restore });
    }
    this.#findEdges();
    this.#measureVisibleRows();
    this.#restoreFocus();
  }

  /**
   * Focuses the bar if the focus was lost: the pressed button is gone, or the browser has cleared the focus for VS Code's
   * prompt.
   */
  #restoreFocus(): void {
    const phase = this.view?.job.phase;
    if (phase !== this.#phase) {
      this.#mayLackFocus = this.#phase !== undefined;
      this.#phase = phase;
    }
    if (!this.#mayLackFocus || !document.hasFocus()) {
      return;
    }
    this.#mayLackFocus = false;
    if (document.activeElement === document.body) {
      const first = this.querySelector<HTMLElement>('footer .bar-line :is(button:not([aria-disabled="true"]), input)');
      const next = this.#inBar?.isConnected === true ? this.#inBar : first;
      // The bar is in sight: scrolling to its button would move the rows.
      next?.focus({ preventScroll: true });
    }
  }

  #announcement({ view, formats }: OverviewPageModel): string {
    return view.job.phase === 'choosing' ? (this.lastTime?.sentence ?? '') : jobAnnouncement(view.job, formats);
  }

  #createPageModel(): OverviewPageModel | undefined {
    const { view } = this;
    const formats = this.#formats;
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
      inSight: this.inSight,
      rowHeight: this.#rowHeight,
      active: this.active,
      largestBytes: this.#largestBytes,
      totalBytes: this.#totalBytes,
      now: Date.now(),
      // Drops indices that are no longer on the server.
      ticked: new Set(this.ticked.filter((id) => this.all.some((row) => row.id === id && canSelectRow(row)))),
      age: this.age,
      isAgeAsked: this.isAgeAsked,
      items: this.#items,
      lastTimeNote: this.lastTime?.isComplete === false ? this.lastTime.sentence : undefined,
      selectAsLastTime: () => {
        const { lastTime } = view;
        if (lastTime !== undefined) {
          this.lastTime = lastTime;
          this.ticked = toggleSelection([], lastTime.ids, true);
          this.age = String(lastTime.days);
          // Its button is gone.
          this.querySelector<HTMLElement>(`#${AGE_ID}`)?.focus();
        }
      },
      tickIndices: (ids, isTicked) => {
        this.lastTime = undefined;
        this.ticked = toggleSelection(this.ticked, ids, isTicked);
      },
      tickRow: (id, isTicked, isRange) => {
        const ids = isRange ? selectableRange(this.#rows, this.#lastTicked, id) : [id];
        this.#lastTicked = id;
        this.lastTime = undefined;
        this.ticked = toggleSelection(this.ticked, ids, isTicked);
      },
      setCutoffAge: (age) => {
        this.age = age;
        this.isAgeAsked = false;
      },
      showAgeProblem: () => {
        this.isAgeAsked = true;
        this.querySelector<HTMLElement>(`#${AGE_ID}`)?.focus();
      },
      filterByText: (text) => {
        this.filter = text;
      },
      sortByColumn: (key) => {
        this.sorting = toggleSorting(key, this.sorting);
      },
      activateRow: (id) => {
        this.active = id;
      },
      send: (intent) => this.#link.send(intent),
    };
  }

  #receiveMessage(message: HostMessage<OverviewPageView>): void {
    if (message.type === 'open') {
      useLanguage(message.locale, message.translations);
      this.#formats = formatsOf(language());
    }
    this.view = viewAfter(this.view, message);
    if (this.view !== undefined) {
      this.all = this.view.rows;
      const { phase, items } = this.view.job;
      this.lastTime = phase === 'choosing' ? this.lastTime : undefined;
      this.ticked = selectionAfterJob(this.ticked, phase, jobTableRows(this.all, items).items);
    }
    if (message.type === 'open') {
      void this.updateComplete.then(() => this.#beginAtFilter());
    }
  }

  /** Focuses the filter, as VS Code's own tables do. A restored page beside another editor takes no focus. */
  #beginAtFilter(): void {
    if (document.hasFocus() && document.activeElement === document.body) {
      this.querySelector<HTMLElement>('#filter')?.focus();
    }
  }

  /** Finds the visible rows. */
  #measureVisibleRows(): void {
    const body = this.querySelector('.indices tbody');
    if (body === null) {
      return;
    }
    const height = body.querySelector('.row')?.getBoundingClientRect().height ?? 0;
    const isOther = height > 0 && Math.abs(height - this.#rowHeight) > 0.1;
    if (isOther) {
      this.#rowHeight = height;
    }
    const top = -body.getBoundingClientRect().top;
    const { first, end } = rowWindowOf(top, window.innerHeight, this.#rowHeight, this.#rows.length);
    if (isOther || first !== this.inSight.first || end !== this.inSight.end) {
      this.inSight = { first, end };
    }
  }

  /** Closes an opened sentence when the focus moves elsewhere. */
  #followFocus(focused: HTMLElement): void {
    if (focused.closest('footer') !== null) {
      this.#inBar = focused;
    }
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
    const page = Math.max(1, Math.floor(window.innerHeight / this.#rowHeight) - 3);
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
function overviewSections(page: OverviewPageModel): TemplateResult {
  const table = html`${filterField(page)}${indexTable(page)}`;
  const isEmpty = page.all.length === 0 && page.items.size === 0;
  return html`${overviewHeader(page)}${failureNotice(page)}${isEmpty ? nothing : table}
  ${indexTableHint(page)}${jobNotes(page)}${isEmpty ? interruptedCallouts(page) : bottomBar(page)}`;
}

customElements.define('index-overview', IndexOverview);

const overview = new IndexOverview(new HostLink<OverviewIntent, OverviewPageView>(acquireVsCodeApi()));
overview.className = 'page overview';
document.body.append(overview);
