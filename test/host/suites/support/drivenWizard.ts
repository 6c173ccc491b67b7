/** A wizard driven by the messages of its page, so that tests need not wait for a page to load. */
import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { COMMANDS, WIZARD_VIEW_TYPE } from '../../../../src/manifest.ts';
import type { Caution } from '../../../../src/truncation/cautions.ts';
import type { PlanDraft } from '../../../../src/truncation/plan.ts';
import type {
  DryRunReportView,
  TruncationPageMessage,
  TruncationPageView,
} from '../../../../src/pages/truncation/protocol.ts';
import { openPage, type ListenedPage } from './openPage.ts';
import type { Row } from './tree.ts';
import { until } from './until.ts';

export function wizardTabs(): readonly string[] {
  return vscode.window.tabGroups.all
    .flatMap(({ tabs }) => tabs)
    .filter(({ input }) => input instanceof vscode.TabInputWebview && input.viewType.endsWith(WIZARD_VIEW_TYPE))
    .map(({ label }) => label)
    .toSorted();
}

const UNDER_WAY = new Set<TruncationPageView['phase']>(['dryRunning', 'confirming', 'executing']);

/** Opens the wizard of an index, or of a truncation, from its row. */
export async function openWizard(row: Row, command: string = COMMANDS.indexTruncate): Promise<ListenedPage> {
  const page = await openPage(command, row);
  assert.ok(page !== undefined, 'a wizard was open');
  return page;
}

export class DrivenWizard {
  readonly page: ListenedPage;
  #cover: vscode.WebviewPanel | undefined;

  private constructor(page: ListenedPage) {
    this.page = page;
  }

  /** Opens the wizard of an index, or of a truncation, from its row. */
  static async open(row: Row, command?: string): Promise<DrivenWizard> {
    const page = await openWizard(row, command);
    const wizard = new DrivenWizard(page);
    wizard.load();
    await until('the wizard to open', () => page.view());
    return wizard;
  }

  get view(): TruncationPageView {
    const view: unknown = this.page.view() ?? assert.fail('the page is not loaded');
    return view as TruncationPageView;
  }

  /** Like a page that VS Code has just loaded. */
  load(timeZone = Intl.DateTimeFormat().resolvedOptions().timeZone): void {
    this.says({ type: 'ready', timeZone });
  }

  says(message: TruncationPageMessage): void {
    this.page.says(message);
  }

  /** Fills in a plan with small batches, so that there are several, and runs the dry run. */
  dryRun(plan: Partial<PlanDraft> & { readonly endTimeMillis: number }): void {
    // Like the page: cautions are accepted for that plan only.
    const typed = { ...this.view.draft, acceptedCautions: [], cutoff: undefined, batchSize: '100', ...plan };
    this.says({ type: 'dryRun', draft: typed });
  }

  /** Ticks boxes of the review, and no others. */
  tick(...cautions: readonly Caution['kind'][]): void {
    for (const caution of cautions) {
      this.says({ type: 'tick', caution, isTicked: true, at: this.view.report?.at ?? 0 });
    }
  }

  report(): Promise<DryRunReportView> {
    return until(
      () => `a report (the wizard: ${JSON.stringify(this.view)})`,
      () => this.view.phase === 'reviewed' && this.view.report,
    );
  }

  /** Waits until no question or request is pending. */
  async settled(): Promise<TruncationPageView> {
    await until(
      () => `the end of ${this.view.phase}`,
      () => !UNDER_WAY.has(this.view.phase),
    );
    return this.view;
  }

  /** Waits until the rows by age are counted, so that this page requests nothing more by itself. */
  async counted(): Promise<void> {
    await until(
      () => `the rows by age (the wizard: ${JSON.stringify(this.view.rowsByAge)})`,
      () => !['idle', 'counting'].includes(this.view.rowsByAge?.phase ?? 'idle'),
    );
  }

  /** Covers the page by an editor, so that notifications appear. */
  async hide(): Promise<void> {
    this.#cover ??= vscode.window.createWebviewPanel('test.cover', 'Cover', vscode.ViewColumn.Active);
    await until('the wizard to be hidden', () => !this.page.panel.visible);
    // A hidden page is unloaded. This one goes on.
    this.load();
  }

  /** Closes the page, which does not affect what was sent. */
  close(): void {
    this.page.panel.dispose();
    this.#cover?.dispose();
  }
}
