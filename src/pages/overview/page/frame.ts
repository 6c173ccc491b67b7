/** The frame of both stages, and the page that they are given. */
import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit';
import { connectionLine } from '../../kit/page/elements.ts';
import { plural } from '../../../language.ts';
import type { LocalizedFormats } from '../../../ui/formats.ts';
import type { OverviewIntent, OverviewPageView, OverviewTableRow } from '../protocol.ts';
import type { TableSorting } from './tableRows.ts';

/** State and actions of the page, for its sections. The page's element implements it. */
export interface OverviewPageModel {
  readonly formats: LocalizedFormats;
  readonly view: OverviewPageView;
  /** Filtered and ordered rows. */
  readonly rows: readonly OverviewTableRow[];
  filter: string;
  sorting: TableSorting;
  /** ID of the row that the Tab key reaches. */
  active: string | undefined;
  readonly largestBytes: number;
  /** IDs of the indices that are ticked. */
  readonly ticked: readonly string[];
  /** In days, as typed. */
  readonly age: string;
  /** True if the user has continued with this age. */
  readonly isAgeAsked: boolean;
  tickIndices(ids: readonly string[], isTicked: boolean): void;
  setCutoffAge(age: string): void;
  /** Starts the dry runs, or shows what prevents them. */
  startDryRuns(): void;
  readonly send: (intent: OverviewIntent) => void;
}

/** Always visible: the server, and what is listed there or truncated. */
export function overviewHeader(page: OverviewPageModel): TemplateResult {
  const { view } = page;
  const isChoosing = view.job.phase === 'choosing';
  return html`<header>
    <h1>${isChoosing ? l10n.t('Time series indices') : l10n.t('Truncate indices')}</h1>
    ${connectionLine(view.connection)}
    ${isChoosing ? html`<p class="quiet facts" role="status">${listFacts(page)}</p>` : nothing}
  </header>`;
}

function listFacts({ view, formats, rows }: OverviewPageModel): string {
  const { loadedAt, isLoading } = view;
  if (loadedAt === undefined && isLoading) {
    return l10n.t('loading…');
  }
  // Only filtered indices, like their number.
  const sizes = rows.flatMap(({ bytes }) => bytes ?? []);
  const count = formats.number(rows.length);
  return [
    sizes.length > 0 ? formats.size(sizes.reduce((sum, bytes) => sum + bytes, 0)) : '',
    plural(rows.length, l10n.t('{0} index', count), l10n.t('{0} indices', count)),
    loadedAt === undefined ? '' : l10n.t('as of {0}', formats.moment(loadedAt, Date.now())),
  ]
    .filter((fact) => fact !== '')
    .join(' · ');
}
