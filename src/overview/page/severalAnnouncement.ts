/** What a screen reader says of several indices when something has changed. Pure. */
import * as l10n from '@vscode/l10n';
import type { Formats } from '../../ui/formats.ts';
import { countsText } from '../../truncation/texts/reviewTexts.ts';
import type { BatchView } from '../../batch/protocol.ts';

export function severalAnnouncement({ phase, sum, outcome, items }: BatchView, formats: Formats): string {
  switch (phase) {
    case 'choosing':
    case 'confirming':
      return '';
    case 'dryRunning':
      return l10n.t('counting…');
    case 'planned':
      return sum.count === 0 ? whyNone(items) : countsText({ ...sum, toDelete: sum.rows }, formats);
    case 'executing':
      return items.find(({ status }) => status?.is === 'working')?.name ?? '';
    case 'ended':
      return outcome?.sentence ?? '';
  }
}

/** What stands beside each, once. */
function whyNone(items: BatchView['items']): string {
  return [...new Set(items.flatMap(({ remark, status }) => remark ?? status?.text ?? []))].join(' ');
}
