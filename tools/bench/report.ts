/** Measurements of the extension beside those of the minimum that does the same, in one unit. */
export interface FigureComparison {
  readonly what: string;
  readonly unit: 'ms' | 'MB';
  readonly ours: readonly number[];
  readonly beside: readonly number[];
  /** A factor for times, a difference for sizes. */
  readonly aim?: number;
}

/** @param figures each with what it is */
export function figureTable(figures: readonly (readonly [what: string, figure: string])[]): string {
  return table(['what', 'figure'], figures);
}

export function comparisonTable(comparisons: readonly FigureComparison[]): string {
  const rows = comparisons.map(({ what, unit, ours, beside, aim }) => {
    const [difference, factor] = [median(ours) - median(beside), median(ours) / median(beside)];
    const [relation, wanted] =
      unit === 'MB'
        ? [`${difference < 0 ? '' : '+'}${difference.toFixed(2)} MB`, `≤ +${aim} MB`]
        : [`${factor.toFixed(2)} ×`, `≤ ${aim} ×`];
    return [`${what}, ${unit}`, spread(ours), spread(beside), relation, aim === undefined ? '' : wanted];
  });
  return table(['what', 'ours', 'beside it', 'relation', 'aim'], rows);
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const [low = Number.NaN, high = Number.NaN] = [Math.ceil(sorted.length / 2) - 1, Math.floor(sorted.length / 2)].map(
    (place) => sorted[place],
  );
  return (low + high) / 2;
}

/** The median with the minimum and maximum: `21.30 (19.80–30.10)`. */
function spread(values: readonly number[]): string {
  const [middle, least, most] = [median(values), Math.min(...values), Math.max(...values)].map((one) => one.toFixed(2));
  return `${middle} (${least}–${most})`;
}

function table(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  return [line(heads), `|---|${'---:|'.repeat(heads.length - 1)}`, ...rows.map(line)].join('\n');
}
