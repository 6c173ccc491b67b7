/** The second stage: what a dry run found, and the decision. */
import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit';
import { live } from 'lit/directives/live.js';
import { calloutBox, optionalParagraph, button, foldedDetails, icons } from '../../kit/page/elements.ts';
import { rowFigures } from '../../kit/page/rowFigures.ts';
import type { DryRunReportView, TruncationPageView } from '../protocol.ts';
import { cancelButton, failureNotice, primaryButton, progressLine, type TruncationPageModel } from './frame.ts';

export function reviewStage(page: TruncationPageModel): TemplateResult {
  const { view, send, report } = page;
  const mayGoBack = view.phase === 'reviewed' && view.primary.intent !== 'goBack';
  return html`${report === undefined ? nothing : reportSection(page, report)}
    <section>
      ${primaryButton(
        page,
        view.phase === 'dryRunning'
          ? cancelButton(page)
          : mayGoBack
            ? button(l10n.t('Back'), () => send({ type: 'goBack' }))
            : nothing,
      )}
      ${progressLine(page)}
    </section>
    ${failureNotice(page)} ${report === undefined ? nothing : foldedDetails(report.details, send)}`;
}

function reportSection(page: TruncationPageModel, report: DryRunReportView): TemplateResult {
  return html`<section aria-labelledby="report-heading">
    <div class="tight stack">
      <h2 id="report-heading" tabindex="-1">${report.heading}</h2>
      <p>${report.scope}</p>
    </div>
    ${report.notice === undefined ? nothing : calloutBox('warning', html`<p>${report.notice}</p>`)}
    ${report.rows === undefined ? nothing : rowFigures(report.rows, page.formats)}
    ${optionalParagraph(report.consequences)} ${page.view.cautions.map((caution) => cautionBox(page, caution))}
  </section>`;
}

/** A box to tick before the rows can be deleted. */
function cautionBox(
  { view, report, send }: TruncationPageModel,
  { kind, text }: TruncationPageView['cautions'][number],
): TemplateResult {
  return html`<label class="callout warning check">
    ${icons.warning}
    <input
      type="checkbox"
      id="caution-${kind}"
      ?disabled=${view.phase !== 'reviewed'}
      .checked=${live(view.draft.acceptedCautions.includes(kind))}
      @change=${({ target }: Event & { target: HTMLInputElement }) =>
        send({ type: 'tick', caution: kind, isTicked: target.checked, at: report?.at ?? 0 })}
    />
    <span>${text}</span>
  </label>`;
}
