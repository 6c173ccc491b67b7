/** Long enough for a window on a busy machine. Nothing waits this long unless something is broken, in ms. */
export const PATIENCE_MS = 60_000;
