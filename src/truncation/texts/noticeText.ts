/** Why a review has come back although it was confirmed. */
import * as l10n from '@vscode/l10n';
import type { Review } from '../state.ts';

/** One sentence or two; undefined for a review that nobody sent back. */
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
