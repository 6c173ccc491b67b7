import { median, spread, type Measurements } from './figures.ts';

/** A figure with nothing to compare it with. */
export interface BenchFigure {
  readonly what: string;
  readonly figure: string;
}

/** Measurements of the extension beside the minimum that does the same. */
export interface FigureComparison {
  readonly what: string;
  readonly unit: 'ms' | 'MB';
  readonly ours: Measurements;
  readonly beside: Measurements;
  /** A factor for times, a difference for sizes. */
  readonly aim?: number;
}

export function figureTable(figures: readonly BenchFigure[]): string {
  return table(
    ['what', 'figure'],
    figures.map(({ what, figure }) => [what, figure]),
  );
}

export function comparisonTable(comparisons: readonly FigureComparison[]): string {
  const cells = comparisons.map(({ what, unit, ours, beside, aim }) => {
    const isSize = unit === 'MB';
    const [relation, wanted] = isSize
      ? [`${signed(median(ours) - median(beside))} MB`, `≤ +${aim} MB`]
      : [`${(median(ours) / median(beside)).toFixed(2)} ×`, `≤ ${aim} ×`];
    const digits = isSize ? 2 : 1;
    return [
      `${what}, ${unit}`,
      spread(ours, digits),
      spread(beside, digits),
      relation,
      aim === undefined ? '' : wanted,
    ];
  });
  return table(['what', 'ours', 'beside it', 'relation', 'aim'], cells);
}

function signed(value: number): string {
  return (value < 0 ? '' : '+') + value.toFixed(2);
}

function table(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  return [line(heads), `|---|${'---:|'.repeat(heads.length - 1)}`, ...rows.map(line)].join('\n');
}
