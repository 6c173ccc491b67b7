/** Sentences about jobs around the table: notes and announcements. */
import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit';
import { calloutBox, optionalParagraph, type OptionalTemplate } from '../../kit/page/elements.ts';
import type { JobNote, JobView } from '../jobProtocol.ts';
import { countsText } from '../../../truncation/texts/reviewTexts.ts';
import type { LocalizedFormats } from '../../../ui/formats.ts';
import type { OverviewPageModel } from './overviewPage.ts';

/** Below the table, where they move nothing: what to know before deleting, then how it ended. */
export function jobNotes(page: OverviewPageModel): OptionalTemplate {
  const { notes, outcome, phase } = page.view.job;
  if (phase === 'choosing' || (notes.length === 0 && outcome?.next === undefined)) {
    return nothing;
  }
  const content = html`<div class="notes">
    ${optionalParagraph(outcome?.next)} ${notes.map(noteParagraph)}
  </div>`;
  const box = outcome?.kind === 'failed' ? 'error' : outcome?.kind === 'trouble' ? 'warning' : undefined;
  return box !== undefined && notes.length > 0 ? calloutBox(box, content) : content;
}

function noteParagraph({ text, names }: JobNote): TemplateResult {
  return html`<p>
    ${names.map((name, place) => html`${place === 0 ? nothing : ', '}<bdi>${name}</bdi>`)}
    <span>${text}</span>
  </p>`;
}

export function jobAnnouncement({ phase, sum, outcome, items, outdated }: JobView, formats: LocalizedFormats): string {
  switch (phase) {
    case 'choosing':
    case 'confirming':
      return '';
    case 'dryRunning':
      return l10n.t('counting…');
    case 'planned':
      return outdated ?? (sum.count === 0 ? emptyPlanText(items) : countsText({ ...sum, toDelete: sum.rows }, formats));
    case 'executing':
      return items.find(({ status }) => status?.kind === 'working')?.name ?? '';
    case 'ended':
      return outcome?.sentence ?? '';
  }
}

/** The reasons beside the indices, each once. */
function emptyPlanText(items: JobView['items']): string {
  return [...new Set(items.flatMap(({ remark, status }) => remark ?? status?.text ?? []))].join(' ');
}
