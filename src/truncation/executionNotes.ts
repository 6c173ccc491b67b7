/** Notes shown before an execution is confirmed, for every strategy. Pure but for the translated words. */
import * as l10n from '@vscode/l10n';
import { MANY_ROWS } from './plan.ts';

/** @param toDelete Undefined when the rows couldn't be counted. */
export function executionNotes(toDelete: number | undefined): readonly string[] {
  return [
    l10n.t(
      "It can't be paused or stopped from here, puts load on the search cluster or database, and needs more disk space at first.",
    ),
    ...(isVeryMuch(toDelete)
      ? [l10n.t('For so many rows, use small batches and go in steps from the oldest age on: the presets do.')]
      : []),
  ];
}

export function isVeryMuch(toDelete: number | undefined): boolean {
  return toDelete !== undefined && toDelete > MANY_ROWS;
}
