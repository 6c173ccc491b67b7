/** Sizes for people. The server counts in decimal megabytes (PROTOCOL.md §9.2), so decimal units are used throughout. */

const UNITS = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte', 'petabyte'] as const;

/** "8.1 GB": three digits at most, in the units of the locale. */
export function sizeText(bytes: number, locale: string): string {
  let value = bytes;
  let unit = 0;
  // 999.5 kB would be rounded to "1,000 kB": it is 1 MB.
  while (value >= 999.5 && unit < UNITS.length - 1) {
    value /= 1_000;
    unit++;
  }
  return new Intl.NumberFormat(locale, {
    style: 'unit',
    unit: UNITS[unit] ?? 'byte',
    unitDisplay: 'short',
    maximumFractionDigits: value < 10 && unit > 0 ? 1 : 0,
  }).format(value);
}

/** The sum of what is known; undefined when nothing is. */
export function totalBytes(sizes: readonly (number | undefined)[]): number | undefined {
  const known = sizes.filter((size) => size !== undefined);
  return known.length === 0 ? undefined : known.reduce((sum, size) => sum + size, 0);
}
