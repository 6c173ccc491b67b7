/**
 * How old the rows are: a chart with the cutoff as a handle.
 * Rows to delete are left of the handle and hatched, rows to keep right of it and solid; without a cutoff, all are gray.
 * The handle is a native slider over the picture, so that touch, pointer, keyboard and screen readers work.
 */
import * as l10n from '@vscode/l10n';
import { html, nothing, svg, type TemplateResult } from 'lit';
import { live } from 'lit/directives/live.js';
import { plural } from '../../../language.ts';
import { MILLIS_PER_DAY } from '../../../time.ts';
import type { RowsByAgeState } from '../../../rowsByAge/ageHistogram.ts';
import { daysBetween } from '../../../truncation/cutoff.ts';
import type { LocalizedFormats } from '../../../ui/formats.ts';
import { problemCallout, button, waitingBar } from '../../kit/page/elements.ts';
import { countedRows } from './readCutoff.ts';
import type { TruncationPageModel } from './frame.ts';
import { barPartFill, barPartSample, hatchPattern, type BarPart } from '../../kit/page/rowFigures.ts';
import {
  ageChartBarsOf,
  ageChartSpanOf,
  deletedRowsText,
  placeOfTime,
  sliderDays,
  sliderRange,
  splitBarAtPlace,
  timeAtPlace,
  type AgeChartTimeSpan,
  type AgeChartBar,
} from './ageChartLayout.ts';

/** Its place and that of every line below it are there from the start, so that nothing moves. */
export function rowsByAgeSection(page: TruncationPageModel): TemplateResult {
  const { view, formats } = page;
  const { rowsByAge } = view;
  const figures = countedRows(view);
  const span = figures && ageChartSpanOf(figures);
  return html`<section class="tight" aria-labelledby="ages-heading">
    <div class="ages-title">
      <h2 id="ages-heading">${l10n.t('Rows by age')}</h2>
      ${rowsByAge === undefined ? nothing : countButton(page, rowsByAge)}
    </div>
    <div class="plot">
      ${figures && span ? rowsByAgeChart(page, figures, span) : chartPlaceholder(page)}
      ${rowsByAge?.phase === 'counting' ? waitingBar() : nothing}
    </div>
    <div class="axis" aria-hidden="true">
      ${span && [0, 0.5, 1].map((at) => html`<span>${formats.date(timeAtPlace(at, span))}</span>`)}
    </div>
    <p class="legend help">${figures && span && page.reading.endTimeMillis !== undefined ? chartLegend() : nothing}
    ${figures && rowsByAge ? html`<span>${countedAtText(rowsByAge, formats)}</span>` : nothing}</p>
    ${
      rowsByAge?.failing === undefined
        ? nothing
        : problemCallout(html`<p>${rowsByAge.failing.sentence}</p>`, rowsByAge.failing.next)
    }
  </section>`;
}

/** One button for every state keeps the keyboard focus. */
function countButton({ send, formats }: TruncationPageModel, { phase, left }: RowsByAgeState): TemplateResult {
  const [intent, label] =
    phase === 'counting'
      ? (['stopCounting', l10n.t('Stop')] as const)
      : (['countRowsByAge', phase === 'complete' ? l10n.t('Count Again') : countLabel(left, formats)] as const);
  return button(label, () => send({ type: intent }));
}

function countLabel(left: number, { number }: LocalizedFormats): string {
  return plural(
    left,
    l10n.t('See How Old the Rows Are (up to {0} dry run)', number(left)),
    l10n.t('See How Old the Rows Are (up to {0} dry runs)', number(left)),
  );
}

/** Says what the empty place is for, and what is known without a chart. */
function chartPlaceholder({ view, formats }: TruncationPageModel): TemplateResult {
  const { rowsByAge } = view;
  const { phase, samples = [], total = 0 } = rowsByAge ?? {};
  const text =
    phase === 'complete' && total > 0
      ? l10n.t('All rows are dated in the future.')
      : samples.length > 0
        ? plural(
            total,
            l10n.t('{0} row in all.', formats.number(total)),
            l10n.t('{0} rows in all.', formats.number(total)),
          )
        : l10n.t('Dry runs at several cutoffs show how old the rows are. They delete nothing.');
  return html`<p class="placeholder quiet">${text}</p>`;
}

/** Says how old the counts are, since they are remembered. */
function countedAtText({ at }: RowsByAgeState, formats: LocalizedFormats): string {
  const now = Date.now();
  return now - at < MILLIS_PER_DAY
    ? l10n.t('as of {0}', formats.moment(at, now))
    : l10n.t('counted {0}', formats.distance(at, now));
}

function chartLegend(): TemplateResult {
  return html`<span>${barPartSample('deleted', AGE_HATCH)}${l10n.t('Rows to delete')}</span>
    <span>${barPartSample('kept', AGE_HATCH)}${l10n.t('Rows to keep')}</span>`;
}

/** ID of the chart's hatch pattern. */
const AGE_HATCH = 'age-hatch';
/** Height of the highest bar. In px. */
const HEIGHT = 120;
/** Keeps a bar of few rows visible. In px. */
const LOWEST_BAR = 2;

function rowsByAgeChart(page: TruncationPageModel, figures: RowsByAgeState, span: AgeChartTimeSpan): TemplateResult {
  const cutoff = page.reading.endTimeMillis;
  const bars = ageChartBarsOf(figures, span);
  const most = Math.max(...bars.map(({ rows }) => rows));
  const place = cutoff === undefined ? undefined : placeOfTime(cutoff, span);
  const drawBarPart = (name: BarPart, bar: AgeChartBar | undefined): TemplateResult<2> | typeof nothing =>
    bar === undefined || bar.rows === 0 ? nothing : ageBarRect(name, bar, most);
  return html`<svg aria-hidden="true" height=${HEIGHT}>
      ${hatchPattern(AGE_HATCH)}
      ${bars.map((bar) => {
        if (place === undefined) {
          return drawBarPart('undecided', bar);
        }
        const { deleted, kept } = splitBarAtPlace(bar, place);
        return svg`${drawBarPart('deleted', deleted)}${drawBarPart('kept', kept)}`;
      })}
      ${place === undefined ? nothing : cutoffHandle(place)}
    </svg>
    ${cutoffSlider(page, figures, span)}`;
}

function ageBarRect(name: BarPart, { from, to, rows }: AgeChartBar, most: number): TemplateResult<2> {
  const height = Math.max(LOWEST_BAR, (rows / most) * HEIGHT);
  return svg`<rect
    class=${name}
    x="${from * 100}%"
    width="${(to - from) * 100}%"
    y=${HEIGHT - height}
    height=${height}
    fill=${barPartFill(name, AGE_HATCH)}
  ></rect>`;
}

function cutoffHandle(place: number): TemplateResult<2> {
  return svg`<svg class="handle" x="${place * 100}%" overflow="visible">
    <line y2=${HEIGHT}></line>
    <rect x="-5" y=${HEIGHT / 2 - 14} width="10" height="28" rx="5"></rect>
  </svg>`;
}

/** Ages are counted from now, which may be days after the newest count. */
function cutoffSlider(page: TruncationPageModel, figures: RowsByAgeState, span: AgeChartTimeSpan): TemplateResult {
  const { editable, formats, view } = page;
  const cutoff = page.reading.endTimeMillis;
  const now = Date.now();
  const { min, max } = sliderRange(span, now);
  return html`<input
    id="cutoff-handle"
    type="range"
    aria-label=${l10n.t('Cutoff')}
    aria-valuetext=${cutoff === undefined ? l10n.t('No cutoff') : l10n.t('{0}: {1}', formats.date(cutoff), deletedRowsText(figures, cutoff, view.indexBytes, formats))}
    min=${min}
    max=${max}
    ?disabled=${!editable}
    .value=${live(String(-daysBetween(cutoff ?? span.start, now)))}
    @input=${({ target }: InputEvent & { target: HTMLInputElement }) =>
      page.edit({ cutoff: { ...page.cutoff, kind: 'days', days: String(sliderDays(target.valueAsNumber)) } })}
    @focusout=${() => page.leaveField('endTimeMillis')}
  />`;
}
