// Chooses few colours that stand for all of a user interface's.

/** The colours of pictures, each with its number of pixels. */
export function coloursOf(pictures: readonly Uint32Array[]): Map<number, number> {
  const counts = new Map<number, number>();
  for (const pixels of pictures) for (const colour of pixels) counts.set(colour, (counts.get(colour) ?? 0) + 1);
  return counts;
}

/** Chooses one colour after another: frequent, and far from those already chosen. */
export function paletteOf(counts: ReadonlyMap<number, number>, most: number): number[] {
  const palette: number[] = [];
  let left = [...counts].map(([colour, count]) => ({ colour, count, distance: 1 }));
  while (palette.length < most && left.length > 0) {
    const chosen = left.reduce((best, one) => (weightOf(one) > weightOf(best) ? one : best)).colour;
    palette.push(chosen);
    left = left
      .filter(({ colour }) => colour !== chosen)
      .map(({ colour, count, distance }) => ({
        colour,
        count,
        distance: palette.length === 1 ? distanceOf(colour, chosen) : Math.min(distance, distanceOf(colour, chosen)),
      }));
  }
  return palette;
}

/**
 * Text has few pixels beside its background, and must stay readable, so distance counts more than the number of
 * pixels.
 */
function weightOf({ count, distance }: { readonly count: number; readonly distance: number }): number {
  return Math.sqrt(count) * distance;
}

export function nearest(palette: readonly number[], colour: number): number {
  const distances = palette.map((candidate) => distanceOf(candidate, colour));
  return distances.indexOf(Math.min(...distances));
}

/** Distance between two colours: the sum of the squared differences of their channels. */
function distanceOf(one: number, other: number): number {
  return [16, 8, 0].reduce((sum, shift) => sum + (((one >> shift) & 0xff) - ((other >> shift) & 0xff)) ** 2, 0);
}
