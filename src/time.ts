/** How many milliseconds there are in what times are told in. A day has 24 hours here, whatever clocks are set to that night. */
export const MILLIS_PER_SECOND = 1_000;
export const MILLIS_PER_MINUTE = 60 * MILLIS_PER_SECOND;
export const MILLIS_PER_HOUR = 60 * MILLIS_PER_MINUTE;
export const MILLIS_PER_DAY = 24 * MILLIS_PER_HOUR;
