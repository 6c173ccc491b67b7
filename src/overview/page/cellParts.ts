/** Contents of table cells: short text with a longer sentence behind it, and a small line of sizes over time. */
import { html, svg, type nothing, type TemplateResult } from 'lit';
import type { OverviewRow } from '../protocol.ts';
import type { OverviewPage } from './overviewPage.ts';

export type CellContent = TemplateResult | string | typeof nothing;

/** In px, without the line's own width. */
const WIDTH = 48;
const HEIGHT = 14;

export function sparkline(figures: readonly (readonly [day: number, bytes: number])[]): TemplateResult {
  return html`<svg class="sparkline" viewBox="-1 -1 ${WIDTH + 2} ${HEIGHT + 2}" aria-hidden="true">
    ${svg`<polyline points=${sparkPoints(figures)} />`}
  </svg>`;
}

/** From left to right by day, from the bottom (the smallest) to the top (the largest). */
export function sparkPoints(figures: readonly (readonly [day: number, bytes: number])[]): string {
  const days = figures.map(([day]) => day);
  const sizes = figures.map(([, bytes]) => bytes);
  const [firstDay, smallest] = [Math.min(...days), Math.min(...sizes)];
  const [width, height] = [Math.max(...days) - firstDay, Math.max(...sizes) - smallest];
  return figures
    .map(([day, bytes]) => {
      const x = width === 0 ? 0 : ((day - firstDay) / width) * WIDTH;
      const y = height === 0 ? HEIGHT / 2 : HEIGHT - ((bytes - smallest) / height) * HEIGHT;
      return `${roundToTenth(x)},${roundToTenth(y)}`;
    })
    .join(' ');
}

function roundToTenth(value: number): number {
  return Math.round(value * 10) / 10;
}

interface SentenceOptions {
  /** On the page there once. */
  readonly id: string;
  readonly text: string;
  /** Undefined where the words say it all. */
  readonly sentence: string | undefined;
  readonly tabIndex: 0 | -1;
}

interface SignOptions {
  /** On the page there once. */
  readonly id: string;
  readonly icon: TemplateResult;
  /** Its name for a screen reader. */
  readonly label: string;
  readonly sentence: string;
  readonly tabIndex: 0 | -1;
}

/** The same with a sign in place of words: its name is read by a screen reader. */
export function signWithSentence({ id, icon, label, sentence, tabIndex }: SignOptions): TemplateResult {
  return html`<button type="button" class="tool" tabindex=${tabIndex} aria-label=${label} title=${sentence} popovertarget=${id}>${icon}</button>
    <div class="sentence" id=${id} popover>${sentence}</div>`;
}

/** A press of the words, with the mouse or by keyboard, opens the sentence and closes it; so does Escape. */
export function withSentence({ id, text, sentence, tabIndex }: SentenceOptions): TemplateResult {
  return sentence === undefined || sentence === text
    ? html`<span>${text}</span>`
    : html`<button type="button" class="link" tabindex=${tabIndex} title=${sentence} popovertarget=${id}>${text}</button>
        <div class="sentence" id=${id} popover>${sentence}</div>`;
}

/** Makes one row of the table reachable by the Tab key, the others by arrows. */
export function rowTabIndex(row: OverviewRow, page: OverviewPage): 0 | -1 {
  return row.id === page.active ? 0 : -1;
}
