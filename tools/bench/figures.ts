/** Statistics of several measurements in one unit. */
export type Measurements = readonly number[];

export function median(values: Measurements): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const [low = Number.NaN, high = Number.NaN] = [sorted[Math.ceil(sorted.length / 2) - 1], sorted[middle]];
  return (low + high) / 2;
}

/** The median with the minimum and maximum: `21.3 (19.8–30.1)`. */
export function spread(values: Measurements, digits = 1): string {
  const [middle, least, most] = [median(values), Math.min(...values), Math.max(...values)].map((value) =>
    value.toFixed(digits),
  );
  return `${middle} (${least}–${most})`;
}
