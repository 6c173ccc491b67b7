/** What a dry run found: how much goes, how it goes, and what the server said itself. */
import { html, nothing, type TemplateResult } from 'lit';
import type { ReportView } from '../protocol.ts';
import { fill } from '../../../webview/page/formats.ts';
import { icons } from '../../../webview/page/icons.ts';
import type { Page } from './page.ts';

export function reportSection(page: Page): TemplateResult | typeof nothing {
  const { words, formats, view } = page;
  const { report } = view;
  if (report === undefined) {
    return nothing;
  }
  return html`<section class="report" aria-labelledby="report-heading">
    <h2 id="report-heading" tabindex="-1">${words.report}</h2>
    ${report.notice === undefined ? nothing : html`<div class="callout warning">${icons.warning}<p>${report.notice}</p></div>`}
    ${counts(page, report)} ${strategy(page, report)}
    <dl>
      <div>
        <dt>${words.serverSays}</dt>
        <dd class="quoted">${report.serverText}</dd>
      </div>
      <div>
        <dt>${words.dryRunAt}</dt>
        <dd>${formats.shortTime(report.at)}</dd>
      </div>
    </dl>
  </section>`;
}

function counts({ words, formats }: Page, report: ReportView): TemplateResult {
  const { rowsToDelete, rowsTotal, percent } = report;
  if (rowsToDelete === undefined || rowsTotal === undefined) {
    return html`<div class="callout warning">${icons.warning}<p>${words.reportNotUnderstood}</p></div>`;
  }
  const share = percent === undefined ? '' : formats.percent(percent);
  const text = fill(words.shareOfRows, formats.count(rowsToDelete), formats.count(rowsTotal), share);
  return html`<dl class="figures">
      <div>
        <dt>${words.rowsToDelete}</dt>
        <dd>${formats.count(rowsToDelete)}</dd>
      </div>
      <div>
        <dt>${words.rowsTotal}</dt>
        <dd>${formats.count(rowsTotal)}</dd>
      </div>
      <div>
        <dt>${words.share}</dt>
        <dd>${share}</dd>
      </div>
    </dl>
    ${percent === undefined
      ? nothing
      : html`<svg
          class="share"
          role="meter"
          aria-label=${words.share}
          aria-valuemin="0"
          aria-valuemax="100"
          aria-valuenow=${percent}
          aria-valuetext=${text}
        >
          <rect width="${Math.min(100, Math.max(0, percent))}%" height="100%"></rect>
        </svg>`}`;
}

function strategy(page: Page, report: ReportView): TemplateResult {
  const text = html`<div>
    <p><strong>${page.words.strategy}: ${report.strategy}</strong></p>
    <p>${report.strategyMeaning}</p>
    ${report.canForceDeleteByQuery
      ? html`<button type="button" class="secondary" @click=${() => page.send('useDeleteByQuery')}>${page.words.useDeleteByQuery}</button>`
      : nothing}
  </div>`;
  return report.strategyIsRisky ? html`<div class="callout warning">${icons.warning}${text}</div>` : text;
}
