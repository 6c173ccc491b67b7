/** What a screen reader says of several indices when something has changed. Pure. */
import * as l10n from '@vscode/l10n';
import { plural } from '../../../language.ts';
import type { Formats } from '../../../ui/formats.ts';
import type { SeveralView } from '../../several/protocol.ts';

export function severalAnnouncement({ phase, sum, outcome, items }: SeveralView, formats: Formats): string {
  switch (phase) {
    case 'choosing':
    case 'confirming':
      return '';
    case 'dryRunning':
      return l10n.t('counting…');
    case 'planned':
      return sum.count === 0 ? whyNone(items) : countsOf(sum, formats);
    case 'executing':
      return items.find(({ status }) => status?.is === 'working')?.name ?? '';
    case 'ended':
      return outcome?.sentence ?? '';
  }
}

/** In the words for one index alone. */
function countsOf({ rows, total, percent }: SeveralView['sum'], formats: Formats): string {
  const counts = [formats.number(rows), formats.number(total), formats.percent(percent)] as const;
  return plural(
    total,
    l10n.t('Dry run complete. {0} of {1} row, {2}, would be deleted.', ...counts),
    l10n.t('Dry run complete. {0} of {1} rows, {2}, would be deleted.', ...counts),
  );
}

/** What stands beside each, once. */
function whyNone(items: SeveralView['items']): string {
  return [...new Set(items.flatMap(({ remark, status }) => remark ?? status?.text ?? []))].join(' ');
}
