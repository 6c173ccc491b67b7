/** A wizard driven by the messages of its page, so that tests need not wait for a page to load. */
import * as vscode from 'vscode';
import { emptyDraft, type PlanDraft } from '../../../../src/truncation/plan.ts';
import type { Problem } from '../../../../src/truncation/outcome.ts';
import type { WizardPageMessage, DryRunReportView, WizardPageView } from '../../../../src/pages/truncation/protocol.ts';
import type { ListenedPage } from './openPage.ts';
import { openWizard } from './openWizard.ts';
import type { Row } from './tree.ts';
import { until } from './until.ts';

const UNDER_WAY = new Set<WizardPageView['phase']>(['dryRunning', 'confirming', 'executing']);

export class DrivenWizard {
  readonly #page: ListenedPage;
  #cover: vscode.WebviewPanel | undefined;

  private constructor(page: ListenedPage) {
    this.#page = page;
  }

  /** Opens the wizard of an index from its row. */
  static async open(row: Row): Promise<DrivenWizard> {
    const { page } = await openWizard(row);
    const wizard = new DrivenWizard(page);
    wizard.says({ type: 'ready', timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone });
    await until('the wizard to open', () => page.told('open'));
    return wizard;
  }

  get view(): WizardPageView {
    return this.#page.view() as unknown as WizardPageView;
  }

  /** Drafts by which the extension replaced the user's input. */
  get drafts(): readonly PlanDraft[] {
    return this.#page.messages.filter(({ type }) => type === 'draft').map(({ draft }) => draft as PlanDraft);
  }

  /** The draft with which the page was last opened. */
  get draftShown(): PlanDraft | undefined {
    return this.#page.messages.findLast(({ type }) => type === 'open')?.['draft'] as PlanDraft | undefined;
  }

  says(message: WizardPageMessage): void {
    this.#page.says(message);
  }

  /** Fills in a plan with small batches, so that there are several, and runs the dry run. */
  dryRun(plan: Pick<PlanDraft, 'entityType' | 'aspect'> & Partial<PlanDraft> & { endTimeMillis: number }): void {
    this.says({ type: 'edit', draft: { ...emptyDraft(), batchSize: '100', ...plan } });
    this.says({ type: 'dryRun' });
  }

  /** Report of the dry run. */
  report(): Promise<DryRunReportView> {
    return until(
      () => `a report (the wizard: ${JSON.stringify(this.view)})`,
      () => this.view.phase === 'reviewed' && this.view.report,
    );
  }

  failure(): Promise<Problem> {
    return until(
      () => `a failure (the wizard: ${JSON.stringify(this.view)})`,
      () => !UNDER_WAY.has(this.view.phase) && this.view.failure,
    );
  }

  /** Waits until no question or request is pending. */
  async settled(): Promise<WizardPageView> {
    await until(
      () => `the end of ${this.view.phase}`,
      () => !UNDER_WAY.has(this.view.phase),
    );
    return this.view;
  }

  /** Covers the page by an editor, so that notifications appear. */
  async hide(): Promise<void> {
    this.#cover ??= vscode.window.createWebviewPanel('test.cover', 'Cover', vscode.ViewColumn.Active);
    await until('the wizard to be hidden', () => !this.#page.panel.visible);
  }

  /** Closes the page, which does not affect what was sent. */
  close(): void {
    this.#page.panel.dispose();
    this.#cover?.dispose();
  }
}
