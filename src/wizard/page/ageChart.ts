/**
 * The chart of rows by age: the oldest at the left, now at the right, and the cut-off as a handle between them. What lies left of it is
 * deleted and hatched, what lies right of it is kept and solid. The handle is the browser's own slider over the picture: it brings
 * touch, the pointer and what screen readers know.
 */
import { html, nothing, svg, type TemplateResult } from 'lit';
import { live } from 'lit/directives/live.js';
import * as l10n from '@vscode/l10n';
import { plural } from '../../language.ts';
import type { Formats } from '../../ui/formats.ts';
import { toLocalText } from '../../webview/page/localTime.ts';
import { MILLIS_PER_DAY } from '../../time.ts';
import { barsOf, placeOf, splitAt, timeAt, type Bar, type Span } from './ageBars.ts';
import { movedByKey, nearestDay } from './cutOffMoves.ts';
import type { Page } from './page.ts';
import { deletedText, type AgeFigures } from './ageFigures.ts';
import { hatch, partFill, type Part } from './shareBar.ts';

/** The id of the chart's hatching. */
export const AGE_HATCH = 'age-hatch';
/** In px. */
const HEIGHT = 120;
/** A bar with a few of very many rows is still to be seen. In px. */
const LOWEST_BAR = 2;

export function ageChart(page: Page, figures: AgeFigures, span: Span): TemplateResult {
  const { formats, draft } = page;
  const bars = barsOf(figures.curve, span);
  const most = Math.max(...bars.map(({ rows }) => rows));
  const place = draft.endTimeMillis === undefined ? 0 : placeOf(draft.endTimeMillis, span);
  const draw = (name: Part, bar: Bar | undefined): TemplateResult<2> | typeof nothing =>
    bar === undefined || bar.rows === 0 ? nothing : drawn(name, bar, most);
  return html`<div class="age-chart">
    <p class="help">${peakText(most, bars.length, span, formats)}</p>
    <div class="plot">
      <svg aria-hidden="true" height=${HEIGHT}>
        ${hatch(AGE_HATCH)}
        ${bars.map((bar) => {
          const { deleted, kept } = splitAt(bar, place);
          return svg`${draw('deleted', deleted)}${draw('kept', kept)}`;
        })}
        ${draft.endTimeMillis === undefined ? nothing : handle(place)}
      </svg>
      ${slider(page, figures, span)}
    </div>
    <div class="ages" aria-hidden="true">
      ${[0, 0.5, 1].map((at) => html`<span>${formats.date(timeAt(at, span))}</span>`)}
    </div>
  </div>`;
}

function drawn(name: Part, { from, to, rows }: Bar, most: number): TemplateResult<2> {
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

function handle(place: number): TemplateResult<2> {
  return svg`<svg class="handle" x="${place * 100}%" overflow="visible">
    <line y2=${HEIGHT}></line>
    <rect x="-5" y=${HEIGHT / 2 - 14} width="10" height="28" rx="5"></rect>
  </svg>`;
}

function slider(page: Page, figures: AgeFigures, span: Span): TemplateResult {
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
    @input=${(event: InputEvent & { target: HTMLInputElement }) => move(nearestDay(event.target.valueAsNumber, span))}
    @keydown=${(event: KeyboardEvent) => {
      const moved = movedByKey(event.key, draft.endTimeMillis ?? start, span);
      if (moved !== undefined) {
        event.preventDefault();
        move(moved);
      }
    }}
    @focusout=${() => page.leave('endTimeMillis')}
  />`;
}

/** What the highest bar stands for: what its rows make a day, of which a single one may have had more. */
function peakText(most: number, bars: number, { start, end }: Span, formats: Formats): string {
  const perDay = Math.round(most / Math.max(1, (end - start) / MILLIS_PER_DAY / bars));
  const rows = formats.number(perDay);
  return plural(
    perDay,
    l10n.t('Highest bar: about {0} row a day', rows),
    l10n.t('Highest bar: about {0} rows a day', rows),
  );
}
