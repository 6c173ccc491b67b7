/** What a dry run found: how much goes, how it goes, and what the server said itself. */
import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit';
import { plural } from '../../../language.ts';
import type { ReportView } from '../protocol.ts';
import { icons } from '../../../webview/page/icons.ts';
import type { Page } from './page.ts';

export function reportSection(page: Page): TemplateResult | typeof nothing {
  const { formats, view } = page;
  const { report } = view;
  if (report === undefined) {
    return nothing;
  }
  return html`<section class="report" aria-labelledby="report-heading">
    <h2 id="report-heading" tabindex="-1">${l10n.t('Dry run')}</h2>
    ${report.notice === undefined ? nothing : html`<div class="callout warning">${icons.warning}<p>${report.notice}</p></div>`}
    ${counts(page, report)} ${strategy(page, report)}
    <dl>
      <div>
        <dt>${l10n.t('Server response')}</dt>
        <dd class="quoted">${report.serverText}</dd>
      </div>
      <div>
        <dt>${l10n.t('Dry run at')}</dt>
        <dd>${formats.exactTime(report.at)}</dd>
      </div>
    </dl>
  </section>`;
}

function counts({ formats }: Page, report: ReportView): TemplateResult {
  const { rowsToDelete, rowsTotal, percent } = report;
  if (rowsToDelete === undefined || rowsTotal === undefined) {
    return html`<div class="callout warning">${icons.warning}<p>${l10n.t("This extension couldn't interpret the server's response. Read it before continuing.")}</p></div>`;
  }
  const share = percent === undefined ? '' : formats.percent(percent);
  const [toDelete, total] = [formats.number(rowsToDelete), formats.number(rowsTotal)];
  const text = plural(
    rowsTotal,
    l10n.t('{0} of {1} row ({2})', toDelete, total, share),
    l10n.t('{0} of {1} rows ({2})', toDelete, total, share),
  );
  return html`<dl class="figures">
      <div>
        <dt>${l10n.t('Rows to delete')}</dt>
        <dd>${toDelete}</dd>
      </div>
      <div>
        <dt>${l10n.t('Rows in total')}</dt>
        <dd>${total}</dd>
      </div>
      <div>
        <dt>${l10n.t('Share of rows to delete')}</dt>
        <dd>${share}</dd>
      </div>
    </dl>
    ${
      percent === undefined
        ? nothing
        : html`<svg
          class="share"
          role="meter"
          aria-label=${l10n.t('Share of rows to delete')}
          aria-valuemin="0"
          aria-valuemax="100"
          aria-valuenow=${percent}
          aria-valuetext=${text}
        >
          <rect width="${Math.min(100, Math.max(0, percent))}%" height="100%"></rect>
        </svg>`
    }`;
}

function strategy(page: Page, report: ReportView): TemplateResult {
  const text = html`<div>
    <p><strong>${l10n.t('Strategy: {0}', report.strategy)}</strong></p>
    <p>${report.strategyMeaning}</p>
    ${
      report.canForceDeleteByQuery
        ? html`<button type="button" class="secondary" @click=${() => page.send('useDeleteByQuery')}>${l10n.t('Use Delete by Query')}</button>`
        : nothing
    }
  </div>`;
  return report.strategyIsRisky ? html`<div class="callout warning">${icons.warning}${text}</div>` : text;
}
