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

/** The reasons beside the indices, each once; or that none is ticked. */
function emptyPlanText(items: JobView['items']): string {
  const reasons = items.flatMap(({ remark, cautions, status }) => [
    ...cautions.map(({ text }) => text),
    ...(remark === undefined ? (status === undefined ? [] : [status.text]) : [remark]),
  ]);
  const isTickable = items.some(({ canBeSelected }) => canBeSelected);
  return [...(isTickable ? [l10n.t('No index is ticked')] : []), ...new Set(reasons)].join('. ');
}
