/** A test that failed. */
export type Failure = { readonly title: string; readonly message: string };

/** Results of a suite. */
export type Tally = { readonly passed: number; readonly skipped: number; readonly failures: readonly Failure[] };

export const EMPTY_TALLY: Tally = { passed: 0, skipped: 0, failures: [] };

/** A suite that could not run, or ran no test, counts as one failure: silence is not success. */
export function failedSuite(title: string, message: string): Tally {
  return { ...EMPTY_TALLY, failures: [{ title, message }] };
}

export function addTallies(tallies: readonly Tally[]): Tally {
  return {
    passed: tallies.reduce((sum, { passed }) => sum + passed, 0),
    skipped: tallies.reduce((sum, { skipped }) => sum + skipped, 0),
    failures: tallies.flatMap(({ failures }) => failures),
  };
}

/** The last line of every run, such as `812 passed, 0 failed, 3 skipped`. */
export function tallyLine({ passed, failures, skipped }: Tally): string {
  return `${passed} passed, ${failures.length} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
}
