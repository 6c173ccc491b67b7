/** The wizard's host side: its panel, its messages and its job. The page sends only intents and a draft. */
import * as vscode from 'vscode';
import { systemClock } from '../../../time.ts';
import { failureReport } from '../../../service/failure/failure.ts';
import { hasSameSpelling, type IndexName, indexNameText } from '../../../indices/indexName.ts';
import type { ReportedIndexSize } from '../../../service/indices/indexSize.ts';
import * as l10n from '@vscode/l10n';
import type { Clipboard } from '../../../ui/clipboard.ts';
import type { Log } from '../../../ui/log.ts';
import type { Notices } from '../../../ui/notices.ts';
import { cancelRequest, mergeRequest, repairRequests } from '../../../truncation/clusterRequests.ts';
import {
  GENTLE_BATCH_SIZE,
  hasIndexNames,
  withPostgresStrategy,
  withoutTokens,
  type PlanDraft,
} from '../../../truncation/plan.ts';
import { confirmJob } from '../../../truncation/confirmJob.ts';
import type { FitGoal } from '../../../rowsByAge/fitGoal.ts';
import { truncationReceipt, receiptFileName, type ReceiptFileFormat } from '../../../truncation/receipt.ts';
import { AgeHistogramSession, type AgeHistogramSessionOptions } from '../../../rowsByAge/ageHistogramSession.ts';
import type { TruncationRecord } from '../../../truncation/record.ts';
import type { TaskWatch } from '../../../truncation/watch.ts';
import type { JobItem } from '../../../truncation/jobItem.ts';
import type { JobQuestion, JobRun } from '../../../truncation/jobRun.ts';
import type { Problem } from '../../../truncation/outcome.ts';
import { showInformation, showWarning } from '../../../ui/messages.ts';
import type { PagePanelContent } from '../../kit/host/panelRegistry.ts';
import { WebviewPage, type MessageHandlers } from '../../kit/host/webviewPage.ts';
import {
  planDraftFrom,
  parsePageMessage,
  type ClusterRequestKind,
  type WizardHostMessage,
  type WizardPageMessage,
} from '../protocol.ts';
import { MaintenanceNote, serverNoteTexts } from './serverNotes.ts';
import { wizardPageView, type WizardViewFacts } from './view.ts';
import { language } from '../../../language.ts';
import { saveFile } from '../../../ui/saveFile.ts';

interface WizardPanelOptions {
  readonly extensionUri: vscode.Uri;
  readonly watch: TaskWatch;
  readonly clipboard: Clipboard;
  readonly notices: Notices;
  readonly log: Log;
  readonly counting: Pick<AgeHistogramSessionOptions, 'connection' | 'service' | 'store'>;
  /** Called when the page is shown, hidden or shows another truncation. */
  readonly showingChanged: () => void;
  /** Called with each edit, because drafts outlive the panel. */
  readonly draftChanged: (draft: PlanDraft) => void;
  /** Asks the user to sign in. */
  readonly signIn: () => Thenable<unknown>;
  /** Looks up the current name on the search cluster, which a reindex changes. Undefined if unlisted. */
  readonly listIndexName: (target: IndexName) => Promise<string | undefined>;
  /** Facts for the page besides the state of the job. */
  readonly currentFacts: () => Pick<
    WizardViewFacts,
    'connection' | 'isSignedOut' | 'indices' | 'forceFlagsKnown' | 'isOnPostgres'
  > & {
    readonly sizeOf: (draft: PlanDraft) => ReportedIndexSize;
    /** Name on the search cluster, if the server reports it. */
    readonly physicalName: (target: IndexName) => string | undefined;
    /** From storage, since it is measured after the end. */
    /** Truncations that are running on that server. */
    readonly underWay: readonly TruncationRecord[];
  };
}

export class WizardPanel implements PagePanelContent {
  readonly #page: WebviewPage<WizardPageMessage, WizardHostMessage>;
  readonly #job: JobRun;
  readonly #parts: WizardPanelOptions;
  readonly #counts: AgeHistogramSession;
  readonly #maintenance: MaintenanceNote;
  readonly #subscriptions: vscode.Disposable[];
  #looking: vscode.Disposable | undefined;
  #isOpen = false;
  /**
   * Set if the draft was replaced while the page was hidden. VS Code drops messages to hidden pages, so theirs
   * is older.
   */
  #isDraftUnseen = false;

  constructor(panel: vscode.WebviewPanel, job: JobRun, parts: WizardPanelOptions) {
    this.#job = job;
    this.#parts = parts;
    this.#counts = new AgeHistogramSession({
      ...parts.counting,
      sizeOf: (target) => parts.currentFacts().sizeOf({ ...this.item.state.draft, ...target }),
      counted: (connection, target) => parts.watch.judgeAgain(connection, target),
      clock: systemClock,
      observe: (failure) => parts.log.failure(failure),
    });
    this.#maintenance = new MaintenanceNote(() => {
      const connection = parts.counting.connection();
      return connection && parts.counting.service(connection);
    });
    this.#page = new WebviewPage(panel, {
      ...parts,
      name: 'wizard',
      tabTitle: l10n.t('Truncate Index'),
      parse: parsePageMessage,
      messageHandlers: this.#messageHandlers(),
    });
    this.#subscriptions = [
      this.#page,
      this.#counts,
      this.#counts.onDidChange(() => this.updatePage()),
      this.#maintenance,
      this.#maintenance.onDidChange(() => this.updatePage()),
      job.onDidChange(() => {
        if (this.item.record !== undefined) {
          // The counts are outdated once rows are deleted.
          this.#counts.leave();
        }
        void this.#maintenance.followReview(this.item.state);
        this.updatePage();
        parts.showingChanged();
      }),
      this.#page.onDidChangeVisibility(() => {
        this.#watchWhileVisible();
        parts.showingChanged();
      }),
    ];
    this.#watchWhileVisible();
    this.#updateTitle();
  }

  /** The only one of the wizard's job. */
  get item(): JobItem {
    const [item] = this.#job.items;
    if (item === undefined) {
      throw new RangeError('The job of a wizard has one item.');
    }
    return item;
  }

  isShowing(recordId: string): boolean {
    return this.#page.isVisible && this.item.recordId === recordId;
  }

  /** True if it is for that index and sent nothing yet. */
  isAskingFor(target: Pick<PlanDraft, 'entityType' | 'aspect'>): boolean {
    const { state, record } = this.item;
    return record === undefined && hasSameSpelling(state.draft, target);
  }

  /** Redraws after sizes, connection or progress changed. */
  updatePage(): void {
    this.#updateTitle();
    this.#dropRefusedStrategy();
    if (this.#isOpen) {
      this.#page.sendMessage({ type: 'view', view: wizardPageView(this.#collectFacts()) });
    }
  }

  /** Leaves the task running on the server. */
  dispose(): void {
    vscode.Disposable.from(...this.#subscriptions).dispose();
    this.#looking?.dispose();
    this.#job.dispose();
  }

  /** Messages only choose among actions that are available anyway. */
  #messageHandlers(): MessageHandlers<WizardPageMessage> {
    const { item } = this;
    const job = this.#job;
    return {
      ready: ({ timeZone, draft }) => {
        job.timeZone = timeZone;
        // A page that is shown again may hold an edit that never arrived. A restored page holds older data than
        // the host.
        if (draft !== undefined && this.#isOpen && !this.#isDraftUnseen) {
          item.edit(withoutTokens(planDraftFrom(draft)));
        }
        this.#dropRefusedStrategy();
        this.#isOpen = true;
        this.#isDraftUnseen = false;
        this.#page.sendMessage({
          type: 'open',
          translations: vscode.l10n.bundle,
          locale: vscode.env.language,
          draft: item.state.draft,
          view: wizardPageView(this.#collectFacts()),
        });
      },
      edit: ({ draft }) => {
        const typed = planDraftFrom(draft);
        const kept = withoutTokens(typed);
        item.edit(kept);
        this.#counts.leave(item.state.draft);
        this.#parts.draftChanged(item.state.draft);
        // Always answer, because the page waits for it.
        this.updatePage();
        if (kept !== typed) {
          this.#replaceDraft();
          void showWarning(l10n.t("What you entered looks like an access token, so it wasn't kept."));
        }
      },
      dryRun: () => item.dryRun(),
      cancel: () => item.cancel(),
      goBack: () => item.goBack(),
      execute: () => job.execute((question, heldBack) => this.#confirm(question, heldBack)),
      startOver: () => {
        job.planAgain({ ...item.state.draft, acceptedCautions: [] });
        this.#replaceDraft();
      },
      useDeleteByQuery: () => {
        const draft: PlanDraft = { ...item.state.draft, strategy: 'deleteByQuery' };
        job.planAgain(draft);
        item.edit(draft);
        this.#replaceDraft();
        return item.dryRun();
      },
      useSmallBatches: () => {
        item.edit({ ...item.state.draft, batchSize: String(GENTLE_BATCH_SIZE) });
        this.#parts.draftChanged(item.state.draft);
        this.#replaceDraft();
        return item.dryRun();
      },
      copyRequests: async ({ for: kind }) =>
        this.#copyToClipboard(item.record && (await this.#clusterRequests(item.record, kind))),
      copyTaskId: () => this.#copyToClipboard(item.record?.taskId),
      copyDetails: () =>
        this.#copyToClipboard(
          item.lastFailure &&
            failureReport(item.lastFailure, {
              connection: this.#parts.currentFacts().connection?.name,
              when: Date.now(),
            }),
        ),
      signIn: () => this.#signInFromPage(),
      checkTask: () => (item.record === undefined ? undefined : this.#parts.watch.checkNow(item.record)),
      showRowsByAge: () => this.#withNamedIndex((target) => this.#counts.show(target)),
      refreshRowsByAge: () => this.#withNamedIndex((target) => this.#counts.refresh(target)),
      stopRowsByAge: () => this.#counts.stop(),
      fit: ({ goal }) => this.#withNamedIndex((target) => this.#fillInFittedCutoff(target, goal)),
      stopFit: () => this.#counts.stopFit(),
      copyReceipt: ({ format }) => this.#copyReceipt(format),
      saveReceipt: () => this.#saveReceipt(this.#collectFacts().record),
    };
  }

  /** Clears problems that signing in has solved. */
  async #signInFromPage(): Promise<void> {
    const signedInAt = (): number | undefined => this.#parts.currentFacts().connection?.signIn?.storedAt;
    const before = signedInAt();
    await this.#parts.signIn();
    if (signedInAt() === before) {
      return;
    }
    const { state, record } = this.item;
    if (state.phase === 'editing' && state.failing?.isSignedOut === true) {
      this.item.edit(state.draft);
    }
    if (record !== undefined && this.#parts.watch.watchProblem(record.id)?.isSignedOut === true) {
      await this.#parts.watch.checkNow(record);
    }
  }

  async #withNamedIndex(count: (target: IndexName) => Promise<void>): Promise<void> {
    const { draft } = this.item.state;
    if (hasIndexNames(draft)) {
      await count({ entityType: draft.entityType, aspect: draft.aspect });
    }
  }

  /** Counts as an edit, so it needs another dry run. */
  async #fillInFittedCutoff(target: IndexName, goal: FitGoal): Promise<void> {
    const endTimeMillis = await this.#counts.fit(target, goal);
    if (endTimeMillis !== undefined) {
      this.item.edit({ ...this.item.state.draft, endTimeMillis, acceptedCautions: [] });
      this.#parts.draftChanged(this.item.state.draft);
      this.#replaceDraft();
    }
  }

  async #clusterRequests(record: TruncationRecord, kind: ClusterRequestKind): Promise<string | undefined> {
    if (kind === 'repair') {
      const { ending } = record;
      const missing = ending?.kind === 'unknown' ? ending.missing : undefined;
      return missing && repairRequests(missing, record, await this.#parts.listIndexName(record.plan));
    }
    return kind === 'merge' ? mergeRequest(await this.#parts.listIndexName(record.plan)) : cancelRequest(record);
  }

  async #confirm(question: JobQuestion, heldBack: Problem | undefined): Promise<boolean> {
    if (heldBack !== undefined) {
      void showInformation(heldBack.sentence);
    }
    const isYes = await confirmJob(question);
    // VS Code may focus another editor after its questions.
    if (isYes && this.#page.isVisible) {
      this.#page.revealTab();
    }
    return isYes;
  }

  #receiptText(record: TruncationRecord, format: ReceiptFileFormat): string {
    return truncationReceipt(record, this.#parts.currentFacts().connection?.name ?? '', Date.now(), format);
  }

  #copyReceipt(format: ReceiptFileFormat): Promise<void> {
    const { record } = this.#collectFacts();
    return this.#copyToClipboard(record && this.#receiptText(record, format));
  }

  async #saveReceipt(record: TruncationRecord | undefined): Promise<void> {
    if (record === undefined) {
      return;
    }
    const question = {
      title: l10n.t('Save Receipt'),
      fileName: receiptFileName(record),
      folder: undefined,
      filters: { Markdown: ['md'], JSON: ['json'] },
      saveLabel: undefined,
    };
    const folder = await saveFile(question, (format) =>
      this.#receiptText(record, format === 'json' ? 'json' : 'markdown'),
    );
    if (folder !== undefined) {
      this.#parts.notices.done(l10n.t('Receipt saved'));
    }
  }

  async #copyToClipboard(text: string | undefined): Promise<void> {
    if (text !== undefined) {
      await this.#parts.clipboard.copy(text);
      this.#parts.notices.done(l10n.t('Copied'));
    }
  }

  #collectFacts(): WizardViewFacts {
    const { sizeOf, physicalName, underWay, ...facts } = this.#parts.currentFacts();
    const { state, record, recordId, cautions } = this.item;
    const others = underWay.filter(({ id }) => id !== recordId);
    return {
      ...facts,
      state,
      cautions,
      record,
      recordId,
      indexSize: sizeOf(state.draft),
      indexName: record && physicalName(record.plan),
      rowsByAge: this.#counts.of(state.draft),
      serverNotes: serverNoteTexts(this.#maintenance.current, others, state.draft),
      progress: record === undefined ? undefined : this.#parts.watch.progress(record.id),
      watchProblem: record === undefined ? undefined : this.#parts.watch.watchProblem(record.id),
      lastPoll: record && this.#parts.watch.lastPoll(record.id),
      canCheck: record !== undefined && this.#parts.watch.canCheck(record),
      now: Date.now(),
      locale: language(),
      timeZone: this.#job.timeZone,
    };
  }

  /** Drops a strategy that the listed server turns out not to support. */
  #dropRefusedStrategy(): void {
    const { state } = this.item;
    const { isOnPostgres, forceFlagsKnown } = this.#parts.currentFacts();
    const isEditable = state.phase === 'editing' || state.phase === 'reviewed';
    // No choice is sent to a server that may not support one, so only a reindex has to go.
    const isRefused = isOnPostgres && (forceFlagsKnown || state.draft.strategy === 'reindex');
    const draft = withPostgresStrategy(state.draft);
    if (isEditable && isRefused && draft.strategy !== state.draft.strategy) {
      this.item.edit(draft);
      this.#parts.draftChanged(draft);
      if (this.#isOpen) {
        this.#replaceDraft();
      }
    }
  }

  #replaceDraft(): void {
    this.#isDraftUnseen ||= !this.#page.isVisible;
    this.#page.sendMessage({ type: 'draft', draft: this.item.state.draft, view: wizardPageView(this.#collectFacts()) });
  }

  #updateTitle(): void {
    const { draft } = this.item.state;
    this.#page.renameTab(
      draft.entityType === '' || draft.aspect === ''
        ? l10n.t('Truncate Index')
        : l10n.t('Truncate {0}', indexNameText(draft)),
    );
  }

  /** Watches tasks while the panel is visible. */
  #watchWhileVisible(): void {
    if (this.#page.isVisible) {
      this.#looking ??= this.#parts.watch.keepWatching();
    } else {
      this.#looking?.dispose();
      this.#looking = undefined;
    }
  }
}
