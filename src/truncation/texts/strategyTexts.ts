/** Names of the strategies, and what each means for the rows. */
import * as l10n from '@vscode/l10n';
import type { ServerStrategy } from '../dryRun.ts';

export const strategyTexts: Readonly<
  Record<ServerStrategy, { readonly name: () => string; readonly meaning: () => string }>
> = {
  reindex: {
    name: () => l10n.t('Reindex'),
    meaning: () =>
      l10n.t(
        "A reindex points searches at a new index before it copies the rows to keep into it. With DataHub 1.2.0 or later, these rows usually stay hidden until an administrator refreshes the new index or DataHub is upgraded. If the copy fails, they're only in the old index, which DataHub's next upgrade can delete.",
      ),
  },
  deleteByQuery: {
    name: () => l10n.t('Delete by query'),
    meaning: () =>
      l10n.t(
        'Rows are deleted in batches; the others stay searchable. The index grows at first and may keep its size afterward.',
      ),
  },
  unknown: {
    name: () => l10n.t('Unknown strategy'),
    meaning: () =>
      l10n.t(
        "This extension couldn't interpret the dry run. Read the server's response under Details before continuing.",
      ),
  },
};
