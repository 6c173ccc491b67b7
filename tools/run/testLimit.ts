/** No test may take longer, on a busy machine either, in ms. `invariants` and `cluster` have limits of their own. */
export const TEST_LIMIT_MS = 60_000;
