/** Sentences of a review, before anything was sent. Pure but for the translated words. */
import * as l10n from '@vscode/l10n';
import type { ServerStrategy } from '../dryRun.ts';
import type { CutOffCaution } from '../plan.ts';

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
