/** The result of a dry run: counts, strategy and the server's own text. */
import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit';
import { secondaryButton } from '../../webview/page/buttons.ts';
import type { ReportView } from '../protocol.ts';
import { cautionQuestion } from './cutOffFields.ts';
import { icons } from '../../webview/page/icons.ts';
import type { WizardPage } from './wizardPage.ts';
import { partSample, SHARE_HATCH, shareBar } from './shareBar.ts';

export function reportSection(page: WizardPage): TemplateResult | typeof nothing {
  const { report } = page.view;
  if (report === undefined) {
    return nothing;
  }
  return html`<section class="report" aria-labelledby="report-heading">
    <h2 id="report-heading" tabindex="-1">${l10n.t('Dry run')}</h2>
    ${report.notice === undefined ? nothing : html`<div class="callout warning">${icons.warning}<p>${report.notice}</p></div>`}
    ${countsSection(page, report)} ${strategy(page, report)} ${aspectLines(report)} ${serverNoteList(page)} ${cautionQuestion(page)}
    <dl>${reportFactRows(page, report)}</dl>
  </section>`;
}

/** Facts of a report besides its counts, as rows of a list. */
export function reportFactRows({ formats }: WizardPage, report: ReportView): TemplateResult {
  return html`<div>
      <dt>${l10n.t('Server response')}</dt>
      <dd class="quoted">${report.serverText}</dd>
    </div>
    <div>
      <dt>${l10n.t('Dry run at')}</dt>
      <dd>${formats.exactTime(report.at)}</dd>
    </div>`;
}

/** Rows to delete and to keep, in figures and as a bar. */
function countsSection(
  page: WizardPage,
  { rowsToDelete, rowsTotal, percent, sizeToDelete }: ReportView,
): TemplateResult {
  if (rowsToDelete === undefined || rowsTotal === undefined || percent === undefined) {
    return html`<div class="callout warning">${icons.warning}<p>${l10n.t("This extension couldn't interpret the server's response. Read it before continuing.")}</p></div>`;
  }
  const { draft, formats } = page;
  const shareKept = formats.percent(100 - percent);
  return html`<dl class="figures">
      <div>
        <dt>${partSample('deleted', SHARE_HATCH)}${l10n.t('Rows to delete')}</dt>
        <dd>${formats.number(rowsToDelete)}</dd>
        ${rowsTotal === 0 ? nothing : html`<dd class="when">${formats.percent(percent)}</dd>`}
      </div>
      <div>
        <dt>${partSample('kept', SHARE_HATCH)}${l10n.t('Rows to keep')}</dt>
        <dd>${formats.number(rowsTotal - rowsToDelete)}</dd>
        ${
          rowsTotal === 0 || draft.endTimeMillis === undefined
            ? nothing
            : html`<dd class="when">${shareKept} · ${l10n.t('since {0}', formats.date(draft.endTimeMillis))}</dd>`
        }
      </div>
      ${
        sizeToDelete === undefined
          ? nothing
          : html`<div>
              <dt>${l10n.t('Size of the rows to delete')}</dt>
              <dd>${sizeToDelete.bytes}</dd>
              <dd class="when">${sizeToDelete.ofAll}</dd>
            </div>`
      }
    </dl>
    ${rowsTotal === 0 ? nothing : shareBar(percent, formats)}`;
}

/** Other activity on the server. */
function serverNoteList({ view }: WizardPage): TemplateResult | typeof nothing {
  const { serverNotes = [] } = view;
  return serverNotes.length === 0
    ? nothing
    : html`<div class="callout warning">${icons.warning}<div>${serverNotes.map((note) => html`<p>${note}</p>`)}</div></div>`;
}

/** The purpose of the rows, and a reminder that they are the only copy. */
function aspectLines({ aspectLines: lines }: ReportView): TemplateResult {
  return html`<div class="lines">
    <p><strong>${l10n.t('Before you delete')}</strong></p>
    ${lines.map((line) => html`<p>${line}</p>`)}
  </div>`;
}

function strategy(page: WizardPage, report: ReportView): TemplateResult {
  const text = html`<div>
    <p><strong>${l10n.t('Strategy: {0}', report.strategy)}</strong></p>
    <p>${report.strategyMeaning}</p>
    ${report.spaceNeeded === undefined ? nothing : html`<p>${report.spaceNeeded}</p>`}
    ${report.executionNotes.map((note) => html`<p>${note}</p>`)}
    ${
      report.smallBatchSize === undefined
        ? nothing
        : secondaryButton(l10n.t('Use Batches of {0}', page.formats.number(report.smallBatchSize)), () =>
            page.send('useSmallBatches'),
          )
    }
    ${
      report.canForceDeleteByQuery
        ? secondaryButton(l10n.t('Use Delete by Query'), () => page.send('useDeleteByQuery'))
        : nothing
    }
  </div>`;
  return report.strategyIsRisky ? html`<div class="callout warning">${icons.warning}${text}</div>` : text;
}
