/**
 * Long enough for a window on a busy machine, and shorter than the limit of a test: the wait reports what is missing.
 * In ms.
 */
export const PATIENCE_MS = 45_000;
