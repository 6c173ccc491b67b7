/** Sizes over time as a small line. The number beside it says the same. */
import { html, svg, type TemplateResult } from 'lit';

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
      return `${round(x)},${round(y)}`;
    })
    .join(' ');
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
