/** What a screen reader says of a job. Pure but for the translated words. */
import * as l10n from '@vscode/l10n';
import { countsText } from '../../../truncation/texts/reviewTexts.ts';
import type { LocalizedFormats } from '../../../ui/formats.ts';
import type { JobView } from '../jobProtocol.ts';

export function jobAnnouncement({ phase, sum, outcome, items, outdated }: JobView, formats: LocalizedFormats): string {
  switch (phase) {
    case 'choosing':
    case 'confirming':
      return '';
    case 'dryRunning':
      return l10n.t('counting…');
    case 'planned':
      return outdated ?? (sum.count === 0 ? emptyPlanText(items) : countsText(sum, formats));
    case 'executing':
      return items.find(({ status }) => status?.kind === 'working')?.name ?? '';
    case 'ended':
      return outcome?.headline ?? '';
  }
}

/** The reasons beside the indices, each once. */
function emptyPlanText(items: JobView['items']): string {
  return [
    ...new Set(
      items.flatMap(
        ({ remark, cautions, status }) => remark ?? (cautions.length > 0 ? cautions : (status?.text ?? [])),
      ),
    ),
  ].join(' ');
}
