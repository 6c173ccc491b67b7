/** Sentences of a review, before anything was sent. Pure but for the translated words. */
import * as l10n from '@vscode/l10n';
import { plural } from '../../language.ts';
import type { Formats } from '../../ui/formats.ts';
import type { ServerStrategy } from '../dryRun.ts';
import type { CutOffCaution } from '../plan.ts';
import type { Review } from '../state.ts';

/** Rows to delete at once, above which smaller batches and steps from the oldest age on are advised. */
const MANY_ROWS = 10_000_000;

export const strategyTexts: Readonly<
  Record<ServerStrategy, { readonly name: () => string; readonly meaning: () => string }>
> = {
  reindex: {
    name: () => l10n.t('Reindex'),
    meaning: () =>
      l10n.t(
        "The server points searches at a new index and then copies the rows to keep into it; on current servers they stay hidden until an administrator refreshes it. If the copy fails, they're only in the old index, which DataHub's next upgrade can delete.",
      ),
  },
  deleteByQuery: {
    name: () => l10n.t('Delete by query'),
    meaning: () =>
      l10n.t(
        'Rows are deleted in batches; the others stay searchable. The index grows at first and may keep its size afterwards.',
      ),
  },
  unknown: {
    name: () => l10n.t('Unknown strategy'),
    meaning: () =>
      l10n.t("The deletion strategy couldn't be determined. Read the server's response before continuing."),
  },
};

export function cautionText(caution: CutOffCaution): string {
  return caution === 'future'
    ? l10n.t('This cut-off is in the future. Every existing row will be deleted, and those written until then.')
    : l10n.t('This cut-off is less than 24 hours ago. Very recent rows will be deleted too.');
}

/** Why a review has come back although it was confirmed: One sentence or two; undefined for a review that nobody sent back. */
export function noticeText({ notice }: Review): string | undefined {
  switch (notice) {
    case undefined:
      return undefined;
    case 'grew':
      return l10n.t('Nothing was deleted. The row count grew since the dry run. Review the new numbers.');
    case 'shrank':
      return l10n.t(
        'Nothing was deleted. Fewer rows are visible than should stay. Review the new numbers, and what else is deleting rows there.',
      );
    case 'strategy':
      return l10n.t('Nothing was deleted. The server would now use a different strategy. Review it again.');
    case 'unreadable':
      return l10n.t("Nothing was deleted. The server's response has changed. Review it again.");
    case 'nothingLeft':
      return l10n.t('Nothing was deleted. There are no rows left to delete.');
    case 'tooOld':
      return l10n.t('This dry run is out of date. Run it again.');
  }
}

/** What a screen reader says of a dry run's counts. @param percent Undefined where it isn't told. */
export function countsText(
  {
    toDelete,
    total,
    percent,
  }: { readonly toDelete: number; readonly total: number; readonly percent: number | undefined },
  formats: Formats,
): string {
  const counts = [
    formats.number(toDelete),
    formats.number(total),
    percent === undefined ? '' : formats.percent(percent),
  ] as const;
  return plural(
    total,
    l10n.t('Dry run complete. {0} of {1} row, {2}, would be deleted.', ...counts),
    l10n.t('Dry run complete. {0} of {1} rows, {2}, would be deleted.', ...counts),
  );
}

/** Notes shown before an execution is confirmed, for every strategy. @param toDelete Undefined when the rows couldn't be counted. */
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
