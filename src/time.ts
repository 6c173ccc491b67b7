/** Lengths of time in ms. A day always has 24 hours, even if clocks change that night. */
export const MILLIS_PER_SECOND = 1_000;
export const MILLIS_PER_MINUTE = 60 * MILLIS_PER_SECOND;
export const MILLIS_PER_HOUR = 60 * MILLIS_PER_MINUTE;
export const MILLIS_PER_DAY = 24 * MILLIS_PER_HOUR;
