/**
 * The plan: its fields while editing, and one line that unfolds once it is reviewed or sent.
 * The fields stay the same elements, so that the one being typed in keeps the focus.
 */
import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit';
import type { PlanDraft } from '../../truncation/plan.ts';
import { utcTimeText, type LocalizedFormats } from '../../ui/formats.ts';
import { icons } from '../../webview/page/icons.ts';
import type { ReportView, WizardView } from '../protocol.ts';
import type { WizardPage } from './wizardPage.ts';
import { reportFactRows } from './reportSection.ts';
import { advancedFields } from './advancedFields.ts';
import { cutOffFields } from './cutOffFields.ts';
import { indexFields } from './indexFields.ts';

type PlanSummaryView = Pick<WizardView, 'defaultBatchSize' | 'forceFlagsKnown'>;

export function planSummary(page: WizardPage): TemplateResult {
  const { draft, formats, view } = page;
  return html`<details class="plan">
    <summary>${icons.chevron}<span>${planLine(draft, view, formats)}</span></summary>
    <dl>
      ${factRow(l10n.t('Cut-off'), cutOffFact(page))} ${factRow(l10n.t('Strategy'), strategyName(draft, view))}
      ${factRow(l10n.t('Batch size'), batchSizeText(draft, view.defaultBatchSize, formats))}
      ${factRow(l10n.t('Timeout in seconds'), draft.timeoutSeconds.trim() || l10n.t('None'))}
      ${view.report === undefined ? nothing : dryRunFacts(page, view.report)}
    </dl>
  </details>`;
}

/** "Rows up to May 23, 2026, 2:05 PM · Automatic · batches of 10,000" */
export function planLine(draft: PlanDraft, view: PlanSummaryView, formats: LocalizedFormats): string {
  const time = draft.endTimeMillis === undefined ? '' : formats.time(draft.endTimeMillis);
  const parts = [time, strategyName(draft, view), batchSizeText(draft, view.defaultBatchSize, formats)];
  const timeout = draft.timeoutSeconds.trim();
  return timeout === ''
    ? l10n.t('Rows up to {0} · {1} · batches of {2}', ...parts)
    : l10n.t('Rows up to {0} · {1} · batches of {2} · timeout {3} s', ...parts, timeout);
}

function cutOffFact({ draft, formats }: WizardPage): TemplateResult | typeof nothing {
  const millis = draft.endTimeMillis;
  return millis === undefined
    ? nothing
    : html`${formats.longTime(millis)} <span class="quiet">${utcTimeText(millis)}</span>`;
}

function dryRunFacts(page: WizardPage, report: ReportView): TemplateResult {
  const { formats } = page;
  const { rowsToDelete, rowsTotal } = report;
  return html`${
    rowsToDelete === undefined || rowsTotal === undefined
      ? nothing
      : html`${factRow(l10n.t('Rows to delete'), formats.number(rowsToDelete))}
        ${factRow(l10n.t('Rows to keep'), formats.number(rowsTotal - rowsToDelete))}`
  }
  ${factRow(l10n.t('Strategy used'), report.strategy)} ${reportFactRows(page, report)}`;
}

function factRow(name: string, value: string | TemplateResult | typeof nothing): TemplateResult {
  return html`<div>
    <dt>${name}</dt>
    <dd>${value}</dd>
  </div>`;
}

function batchSizeText({ batchSize: typed }: PlanDraft, defaultBatchSize: number, formats: LocalizedFormats): string {
  return formats.number(typed.trim() === '' ? defaultBatchSize : Number(typed));
}

/** A server without a choice of strategy isn't sent the draft's. */
function strategyName({ strategy }: PlanDraft, { forceFlagsKnown }: PlanSummaryView): string {
  switch (forceFlagsKnown ? strategy : 'server') {
    case 'server':
      return l10n.t('As the server decides');
    case 'deleteByQuery':
      return l10n.t('Delete by query');
    case 'reindex':
      return l10n.t('Reindex');
  }
}

export function planFields(page: WizardPage): TemplateResult {
  const { draft, formats, stage, view } = page;
  return html`<details
    class="plan"
    .open=${stage === 'choose' || page.choicesOpen}
    @toggle=${(event: Event & { target: HTMLDetailsElement }) => page.toggleChoices(event.target.open)}
  >
    <summary ?hidden=${stage === 'choose'}>
      ${icons.chevron}<span>${planLine(draft, view, formats)}</span>
    </summary>
    ${indexFields(page)} ${cutOffFields(page)} ${advancedFields(page)}
  </details>`;
}
