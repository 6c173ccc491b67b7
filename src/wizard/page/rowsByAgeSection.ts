/**
 * Rows by age on request: a chart with the cutoff as a handle, and the figures as a table.
 * Rows to delete are left of the handle and hatched, rows to keep right of it and solid. The handle is a native
 * slider over the picture, so that touch, pointer, keyboard and screen readers work.
 */
import * as l10n from '@vscode/l10n';
import { html, nothing, svg, type TemplateResult } from 'lit';
import { waitingBar } from '../../webview/page/buttons.ts';
import { icons } from '../../webview/page/icons.ts';
import type { RowsByAgeView } from '../protocol.ts';
import {
  chartSpanOf,
  ageBarsOf,
  placeOfTime,
  splitBarAt,
  timeAtPlace,
  moveByKey,
  nearestDayStart,
  type AgeChartBar,
  type AgeChartSpan,
} from './ageChartGeometry.ts';
import {
  ageFigures,
  ageTable,
  deletedBy,
  growthText,
  outsideText,
  deletedText,
  type RowsByAgeFigures,
} from './ageFigures.ts';
import { signInButton } from './frame.ts';
import type { WizardPage } from './wizardPage.ts';
import { partSample, hatchPattern, partFill, type BarPart } from './shareBar.ts';
import { live } from 'lit/directives/live.js';
import { plural } from '../../language.ts';
import { aboutText, type LocalizedFormats } from '../../ui/formats.ts';
import { toLocalText } from '../../webview/page/localTime.ts';
import { MILLIS_PER_DAY } from '../../time.ts';

export function rowsByAgeSection(page: WizardPage): TemplateResult {
  const { rowsByAge } = page.view;
  return html`<div class="field" role="group" aria-labelledby="ages-heading">
    <div class="ages-title">
      ${
        rowsByAge === undefined
          ? nothing
          : html`<h3 id="ages-heading">${l10n.t('Rows by age')}</h3>
              ${rowsByAge.samples.length === 0 ? nothing : html`<span class="quiet">${countedAtText(page, rowsByAge)}</span>`}`
      }
      ${toggleButton(page)}
    </div>
    ${rowsByAge === undefined ? nothing : histogramContent(page, rowsByAge)}
  </div>`;
}

/** One button shows, stops and counts again, so that it keeps the keyboard focus. */
function toggleButton({ view, send }: WizardPage): TemplateResult {
  const [intent, label] =
    view.rowsByAge === undefined
      ? (['showRowsByAge', l10n.t('Show Rows by Age')] as const)
      : view.rowsByAge.state === 'loading'
        ? (['stopRowsByAge', l10n.t('Stop')] as const)
        : (['refreshRowsByAge', l10n.t('Refresh')] as const);
  return html`<button type="button" class="secondary" id="ages-button" @click=${() => send(intent)}>${label}</button>`;
}

function histogramContent(page: WizardPage, rowsByAge: RowsByAgeView): TemplateResult {
  const { formats, view } = page;
  const { state, failure } = rowsByAge;
  const figures = ageFigures(view);
  const span = figures && chartSpanOf(figures.curve);
  const growth = growthText(rowsByAge, formats);
  return html`${state === 'loading' ? waitingBar() : nothing}
    ${failure === undefined ? nothing : html`<div class="callout error">${icons.error}<div><p>${failure.sentence}</p>${failure.next === undefined ? nothing : html`<p>${failure.next}</p>`}${failure.isSignedOut === true ? html`<div class="buttons">${signInButton(failure, page.send)}</div>` : nothing}</div></div>`}
    ${state === 'complete' && figures === undefined ? html`<p>${l10n.t('There are no rows.')}</p>` : nothing}
    ${figures === undefined || span === undefined ? nothing : html`${ageChart(page, figures, span)} ${chartLegend(page)}`}
    ${figures === undefined ? nothing : outsideText(span?.older ?? 0, span?.start ?? 0, figures, formats)}
    ${growth === undefined ? nothing : html`<p>${growth}</p>`}
    ${rowsByAge.changedMeanwhile ? html`<p class="help">${l10n.t('The rows changed while they were counted.')}</p>` : nothing}
    ${figures === undefined ? nothing : ageTable(figures, formats)}`;
}

function chartLegend({ view, draft, formats }: WizardPage): TemplateResult | typeof nothing {
  const figures = ageFigures(view);
  if (figures === undefined || draft.endTimeMillis === undefined) {
    return nothing;
  }
  const { rows, isExact, share } = deletedBy(draft.endTimeMillis, figures, formats);
  const text = (count: number): string => aboutText(formats.number(count), isExact);
  return html`<p class="names">
    <span>${partSample('deleted', AGE_HATCH)}${l10n.t('To delete: {0}', `${text(rows)} · ${share}`)}</span>
    <span>${partSample('kept', AGE_HATCH)}${l10n.t('To keep: {0}', text(figures.curve.total - rows))}</span>
  </p>`;
}

function countedAtText({ formats }: WizardPage, { at }: RowsByAgeView): string {
  return l10n.t('as of {0}', formats.moment(at, Date.now()));
}

/** ID of the chart's hatch pattern. */
export const AGE_HATCH = 'age-hatch';
/** In px. */
const HEIGHT = 120;
/** Keeps a bar of few rows visible. In px. */
const LOWEST_BAR = 2;

export function ageChart(page: WizardPage, figures: RowsByAgeFigures, span: AgeChartSpan): TemplateResult {
  const { formats, draft } = page;
  const bars = ageBarsOf(figures.curve, span);
  const most = Math.max(...bars.map(({ rows }) => rows));
  const place = draft.endTimeMillis === undefined ? 0 : placeOfTime(draft.endTimeMillis, span);
  const draw = (name: BarPart, bar: AgeChartBar | undefined): TemplateResult<2> | typeof nothing =>
    bar === undefined || bar.rows === 0 ? nothing : barRect(name, bar, most);
  return html`<div class="age-chart">
    <p class="help">${peakText(most, bars.length, span, formats)}</p>
    <div class="plot">
      <svg aria-hidden="true" height=${HEIGHT}>
        ${hatchPattern(AGE_HATCH)}
        ${bars.map((bar) => {
          const { deleted, kept } = splitBarAt(bar, place);
          return svg`${draw('deleted', deleted)}${draw('kept', kept)}`;
        })}
        ${draft.endTimeMillis === undefined ? nothing : cutOffHandle(place)}
      </svg>
      ${cutOffSlider(page, figures, span)}
    </div>
    <div class="ages" aria-hidden="true">
      ${[0, 0.5, 1].map((at) => html`<span>${formats.date(timeAtPlace(at, span))}</span>`)}
    </div>
  </div>`;
}

function barRect(name: BarPart, { from, to, rows }: AgeChartBar, most: number): TemplateResult<2> {
  const height = Math.max(LOWEST_BAR, (rows / most) * HEIGHT);
  return svg`<rect
    class=${name}
    x="${from * 100}%"
    width="${(to - from) * 100}%"
    y=${HEIGHT - height}
    height=${height}
    fill=${partFill(name, AGE_HATCH)}
  ></rect>`;
}

function cutOffHandle(place: number): TemplateResult<2> {
  return svg`<svg class="handle" x="${place * 100}%" overflow="visible">
    <line y2=${HEIGHT}></line>
    <rect x="-5" y=${HEIGHT / 2 - 14} width="10" height="28" rx="5"></rect>
  </svg>`;
}

function cutOffSlider(page: WizardPage, figures: RowsByAgeFigures, span: AgeChartSpan): TemplateResult {
  const { draft, editable, formats } = page;
  const { start, end } = span;
  const move = (millis: number): void => page.editCutOff(toLocalText(millis));
  return html`<input
    id="cutOff-handle"
    type="range"
    aria-label=${l10n.t('Cut-off')}
    aria-valuetext=${draft.endTimeMillis === undefined ? l10n.t('None') : deletedText(draft.endTimeMillis, figures, formats)}
    min=${start}
    max=${end}
    step="any"
    ?disabled=${!editable}
    .value=${live(String(draft.endTimeMillis === undefined ? start : Math.min(end, Math.max(start, draft.endTimeMillis))))}
    @input=${(event: InputEvent & { target: HTMLInputElement }) => move(nearestDayStart(event.target.valueAsNumber, span))}
    @keydown=${(event: KeyboardEvent) => {
      const moved = moveByKey(event.key, draft.endTimeMillis ?? start, span);
      if (moved !== undefined) {
        event.preventDefault();
        move(moved);
      }
    }}
    @focusout=${() => page.leave('endTimeMillis')}
  />`;
}

/** Labels the highest bar with its average per day. */
function peakText(most: number, bars: number, { start, end }: AgeChartSpan, formats: LocalizedFormats): string {
  const perDay = Math.round(most / Math.max(1, (end - start) / MILLIS_PER_DAY / bars));
  const rows = formats.number(perDay);
  return plural(
    perDay,
    l10n.t('Highest bar: about {0} row a day', rows),
    l10n.t('Highest bar: about {0} rows a day', rows),
  );
}
