/** The limit that a cut-off was found by, and whether a dry run still keeps it: rows may have come since. Pure. */
import * as l10n from '@vscode/l10n';
import { exceeds } from '../model/fit.ts';
import type { CountedGoal } from '../model/fitSearch.ts';
import type { Failing } from '../model/state.ts';

export interface Bound {
  readonly goal: CountedGoal;
  /** Of the index when the cut-off was looked for; undefined: not known. */
  readonly bytes: number | undefined;
}

/** @returns why the rows of a dry run are not within a limit; undefined where they are. */
export function exceeded(
  { goal, bytes }: Bound,
  rows: { readonly toDelete: number; readonly total: number },
): Failing | undefined {
  return exceeds(goal, rows, bytes)
    ? {
        sentence: l10n.t('No longer within your limit, because rows have been added.'),
        next: l10n.t('Run the dry run again.'),
      }
    : undefined;
}
