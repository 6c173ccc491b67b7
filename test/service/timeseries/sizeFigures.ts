import type { Profile } from '../profiles.ts';

/** Decimal megabytes. */
export function megabytes(bytes: number): number {
  return bytes / 1e6;
}

/**
 * A size as the action reports it. The older field is `(float) (int) bytes / 1000`: kilobytes despite its name, and
 * from 2^31 bytes on a wrong, often negative number.
 */
export function sizeFigure(field: Profile['sizeField'], bytes: number): number {
  return field === 'sizeInMb' ? megabytes(bytes) : shortestFloat(Math.fround(Math.fround(bytes | 0) / 1000));
}

/** The shortest decimal number with the same single-precision value, as Java prints it. */
function shortestFloat(single: number): number {
  for (let digits = 1; digits <= 9; digits += 1) {
    const shorter = Number(single.toPrecision(digits));
    if (Math.fround(shorter) === single) {
      return shorter;
    }
  }
  return single;
}
