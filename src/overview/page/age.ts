/** The one age by which the cut-off of several indices is set, as a person types it. Pure. */

/** As the wizard proposes it. */
export const USUAL_AGE = '90';

/** In characters. */
export const LONGEST_AGE = 32;

/** The text of a page that is brought back. */
export function parseAge(kept: unknown): string {
  return typeof kept === 'string' && kept.length <= LONGEST_AGE ? kept : USUAL_AGE;
}
