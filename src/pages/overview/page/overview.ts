/** Entry point of the overview's page. Draws the table from the user's input and the host's rows. */
import '@vscode-elements/elements/dist/vscode-progress-bar/index.js';
import './overview.css';
import { html, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { readDays, USUAL_DAYS } from '../../../truncation/cutoff.ts';
import { failureNotice } from '../../kit/page/elements.ts';
import { PageElement, type PageNews } from '../../kit/page/pageElement.ts';
import type { OverviewIntent, OverviewPageView, OverviewTableRow } from '../protocol.ts';
import { jobStage } from './job.ts';
import { newsOf } from './news.ts';
import { AGE_ID, chooseStage } from './choose.ts';
import { overviewHeader, type OverviewPageModel } from './frame.ts';
import {
  canSelectRow,
  filterTableRows,
  parseSorting,
  sortTableRows,
  toggleSelection,
  type TableSorting,
} from './tableRows.ts';

class IndexOverview extends PageElement<OverviewIntent, OverviewPageView> implements OverviewPageModel {
  static override properties = {
    filter: { state: true },
    sorting: { state: true },
    active: { state: true },
    ticked: { state: true },
    age: { state: true },
    isAgeAsked: { state: true },
  };

  declare filter: string;
  declare sorting: TableSorting;
  declare active: string | undefined;
  declare ticked: readonly string[];
  declare age: string;
  declare isAgeAsked: boolean;
  rows: readonly OverviewTableRow[] = [];
  largestBytes = 0;
  /** True once the age is the one that was remembered, or the user's. */
  #hasAge = false;
  /** The last age that was a number of days. */
  #days = USUAL_DAYS;

  constructor() {
    super();
    const kept = this.storedState() as Readonly<Record<string, unknown>> | undefined;
    this.filter = typeof kept?.filter === 'string' ? kept.filter : '';
    this.sorting = parseSorting(kept?.sorting);
    this.ticked = [];
    this.age = String(USUAL_DAYS);
    this.isAgeAsked = false;
    this.addEventListener('keydown', (event) => this.#handleKeydown(event));
  }

  protected override get news(): PageNews {
    return newsOf(this.view);
  }

  protected override willUpdate(changed: PropertyValues): void {
    super.willUpdate(changed);
    if (this.view !== undefined && ['view', 'filter', 'sorting'].some((name) => changed.has(name))) {
      const { rows } = this.view;
      this.rows = sortTableRows(filterTableRows(rows, this.filter), this.sorting);
      this.largestBytes = rows.reduce((largest, { bytes = 0 }) => Math.max(largest, bytes), 0);
      if (!this.rows.some(({ id }) => id === this.active)) {
        this.active = this.rows[0]?.id;
      }
    }
  }

  protected override drawMain(): TemplateResult {
    const isChoosing = this.view.job.phase === 'choosing';
    const retry = (): void => this.send({ type: 'refresh' });
    return html`<main class=${isChoosing ? 'choosing' : nothing}>
      ${overviewHeader(this)}
      ${isChoosing ? html`${failureNotice(this, retry)} ${chooseStage(this)}` : jobStage(this)}
    </main>`;
  }

  protected override updated(changed: PropertyValues): void {
    if (this.view !== undefined && ['view', 'filter', 'sorting'].some((name) => changed.has(name))) {
      const { filter, sorting } = this;
      this.storeState({ filter, sorting, restore: this.view.restore });
    }
    super.updated(changed);
  }

  tickIndices(ids: readonly string[], isTicked: boolean): void {
    this.ticked = toggleSelection(this.ticked, ids, isTicked);
    this.#remember();
  }

  setCutoffAge(age: string): void {
    this.age = age;
    this.isAgeAsked = false;
    this.#hasAge = true;
    this.#remember();
  }

  startDryRuns(): void {
    const read = readDays(this.age);
    if (!('days' in read)) {
      this.isAgeAsked = true;
      this.focusPart(AGE_ID);
    } else if (this.ticked.length > 0) {
      this.send({ type: 'dryRun', ids: [...this.ticked], days: read.days });
    }
  }

  /** The host keeps it for the next time. */
  #remember(): void {
    const read = readDays(this.age);
    this.#days = 'days' in read ? read.days : this.#days;
    this.send({ type: 'remember', ids: [...this.ticked], days: this.#days });
  }

  protected override viewArrived(before: OverviewPageView | undefined, view: OverviewPageView): void {
    this.#takeOverTicks(before, view);
  }

  /** Ticks what was ticked the last time as it is listed, and drops what isn't any more, or is on another server now. */
  #takeOverTicks(before: OverviewPageView | undefined, { connection, rows, remembered }: OverviewPageView): void {
    const isSame = before?.connection.baseUrl === connection.baseUrl;
    if (before !== undefined && !isSame) {
      this.#hasAge = false;
    }
    const listed = new Set((isSame ? before.rows : []).map(({ id }) => id));
    const kept = new Set(rows.flatMap((row) => (listed.has(row.id) && canSelectRow(row) ? [row.id] : [])));
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

  /** Arrow keys move between rows, as in VS Code. */
  #handleKeydown(event: KeyboardEvent): void {
    const { target } = event;
    if (!(target instanceof HTMLElement) || target.closest('.indices tbody') === null) {
      return;
    }
    const last = this.rows.length - 1;
    const now = this.rows.findIndex(({ id }) => id === this.active);
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
      this.active = this.rows[Math.min(last, Math.max(0, next))]?.id;
      // Stay in the same column if it can be focused.
      const column = target.closest('th, td')?.classList[0] ?? 'name';
      const findFocusable = (place: string): HTMLElement | null =>
        this.querySelector(`.indices tbody ${place} [tabindex="0"]:not(:disabled)`);
      void this.updateComplete.then(() => (findFocusable(`.${column}`) ?? findFocusable('.row'))?.focus());
    }
  }
}

customElements.define('index-overview', IndexOverview);

const overview = new IndexOverview();
overview.className = 'page overview';
document.body.append(overview);
