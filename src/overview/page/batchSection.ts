/** Sentences about batches around the table: interrupted ones, notes, and announcements. */
import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit';
import { optionalParagraph, type OptionalTemplate } from '../../webview/page/elements.ts';
import { icons } from '../../webview/page/icons.ts';
import type { BatchNote, BatchView, InterruptedBatchView } from '../../batch/protocol.ts';
import { countsText } from '../../truncation/texts/reviewTexts.ts';
import type { LocalizedFormats } from '../../ui/formats.ts';
import { batchButton } from './bottomBar.ts';
import type { OverviewPageModel } from './overviewPage.ts';

/** Indices left unsent by a reload or stop. */
export function interruptedCallouts(page: OverviewPageModel): readonly TemplateResult[] {
  return page.view.batch.interrupted.map((one) => interruptedCallout(one, page));
}

function interruptedCallout(
  { recordId, sentence, left, underWay }: InterruptedBatchView,
  page: OverviewPageModel,
): TemplateResult {
  const { phase } = page.view.batch;
  const isIdle = phase === 'choosing' || phase === 'planned' || phase === 'ended';
  const isEnabled = isIdle && underWay === undefined;
  const { timeZone } = page.formats;
  return html`<section class="callout warning">
    ${icons.warning}
    <div>
      <p>${sentence}</p>
      <p>${left}</p>
      ${optionalParagraph(underWay)}
      <div class="buttons">
        ${batchButton(page, { type: 'continue', recordId, timeZone }, l10n.t('Dry Run Those Left'), { isEnabled })}
        ${batchButton(page, { type: 'dismiss', recordId }, l10n.t('Dismiss'))}
      </div>
    </div>
  </section>`;
}

/** Below the table, where they move nothing: what to know before deleting, then how it ended. */
export function batchNotes(page: OverviewPageModel): OptionalTemplate {
  const { notes, outcome, phase } = page.view.batch;
  if (phase === 'choosing' || (notes.length === 0 && outcome?.next === undefined)) {
    return nothing;
  }
  const content = html`<div class="notes">
    ${optionalParagraph(outcome?.next)} ${notes.map(noteParagraph)}
  </div>`;
  return outcome?.kind === 'trouble' && notes.length > 0
    ? html`<div class="callout warning">${icons.warning}${content}</div>`
    : content;
}

function noteParagraph({ text, names }: BatchNote): TemplateResult {
  return html`<p>
    ${names.map((name, place) => html`${place === 0 ? nothing : ', '}<bdi>${name}</bdi>`)}
    <span>${text}</span>
  </p>`;
}

export function batchAnnouncement({ phase, sum, outcome, items }: BatchView, formats: LocalizedFormats): string {
  switch (phase) {
    case 'choosing':
    case 'confirming':
      return '';
    case 'dryRunning':
      return l10n.t('counting…');
    case 'planned':
      return sum.count === 0 ? emptyPlanText(items) : countsText({ ...sum, toDelete: sum.rows }, formats);
    case 'executing':
      return items.find(({ status }) => status?.kind === 'working')?.name ?? '';
    case 'ended':
      return outcome?.sentence ?? '';
  }
}

/** The reasons beside the indices, each once. */
function emptyPlanText(items: BatchView['items']): string {
  return [...new Set(items.flatMap(({ remark, status }) => remark ?? status?.text ?? []))].join(' ');
}
