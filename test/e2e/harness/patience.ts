/** Long enough for a window on a busy machine, in ms. Only a failing test waits this long. */
export const PATIENCE_MS = 60_000;
