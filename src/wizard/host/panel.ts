/** The wizard's host side: its panel, its messages and its run. The page sends only intents and a draft. */
import * as vscode from 'vscode';
import { systemClock } from '../../service/clock.ts';
import { failureReport } from '../../service/failure/failureReport.ts';
import { hasSameSpelling, type IndexName, indexNameText } from '../../indices/indexName.ts';
import type { ReportedSize } from '../../service/indices/indexSize.ts';
import * as l10n from '@vscode/l10n';
import type { Clipboard } from '../../ui/clipboard.ts';
import type { Log } from '../../ui/log.ts';
import type { Notices } from '../../ui/notices.ts';
import { cancelRequest, mergeRequest, repairRequests, throttleRequest } from '../../truncation/clusterRequests.ts';
import {
  GENTLE_BATCH_SIZE,
  hasIndexNames,
  withPostgresStrategy,
  withoutTokens,
  type PlanDraft,
} from '../../truncation/plan.ts';
import { confirmTruncation } from '../../truncation/confirmTruncation.ts';
import type { FitGoal } from '../../rowsByAge/fitGoal.ts';
import { receipt, receiptFileName, type ReceiptFormat } from './receipt.ts';
import { AgeHistogramSession, type AgeHistogramSessionOptions } from '../../rowsByAge/ageHistogramSession.ts';
import type { TruncationRecord } from '../../truncation/record.ts';
import type { TaskWatch } from '../../truncation/watch.ts';
import type { TruncationRun } from '../../truncation/run.ts';
import { showWarning } from '../../ui/messages.ts';
import type { PanelContent } from '../../webview/host/panelRegistry.ts';
import { WebviewPage, type MessageHandlers } from '../../webview/host/webviewPage.ts';
import {
  draftFrom,
  parsePageMessage,
  type ClusterRequestKind,
  type HostMessage,
  type PageMessage,
} from '../protocol.ts';
import { MaintenanceNote, serverNotes } from './serverNotes.ts';
import { wizardView, type WizardFacts } from './view.ts';
import { language } from '../../language.ts';
import { saveFile } from '../../ui/saveFile.ts';

interface WizardPanelOptions {
  readonly extensionUri: vscode.Uri;
  readonly watch: TaskWatch;
  readonly clipboard: Clipboard;
  readonly notices: Notices;
  readonly log: Log;
  readonly counting: Pick<AgeHistogramSessionOptions, 'connection' | 'service' | 'store'>;
  /** Called when the page is shown or hidden, and when it may show another truncation. */
  readonly showingChanged: () => void;
  /** Called with each edit, so that the draft outlives the panel. */
  readonly draftChanged: (draft: PlanDraft) => void;
  /** Asks the user to sign in. */
  readonly signIn: () => Thenable<unknown>;
  /** Looks up the current name on the search cluster, which a reindex changes. Undefined if unlisted. */
  readonly listIndexName: (target: IndexName) => Promise<string | undefined>;
  /** Facts for the page besides the state of the run. */
  readonly facts: () => Pick<WizardFacts, 'connection' | 'indices' | 'forceFlagsKnown' | 'isOnPostgres'> & {
    readonly sizeOf: (draft: PlanDraft) => ReportedSize;
    /** Name of the index on the search cluster, if the server reports it. */
    readonly physicalName: (target: IndexName) => string | undefined;
    /** From storage, since it is measured after the end. */
    readonly laterSizeOf: (recordId: string) => TruncationRecord['laterSize'];
    /** Truncations that are running on that server. */
    readonly underWay: readonly TruncationRecord[];
  };
}

export class WizardPanel implements PanelContent {
  readonly #page: WebviewPage<PageMessage, HostMessage>;
  readonly #run: TruncationRun;
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

  constructor(panel: vscode.WebviewPanel, run: TruncationRun, parts: WizardPanelOptions) {
    this.#run = run;
    this.#parts = parts;
    this.#counts = new AgeHistogramSession({
      ...parts.counting,
      sizeOf: (target) => parts.facts().sizeOf({ ...run.state.draft, ...target }),
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
      title: l10n.t('Truncate Index'),
      parse: parsePageMessage,
      handlers: this.#handlers(),
    });
    this.#subscriptions = [
      this.#page,
      this.#counts,
      this.#counts.onDidChange(() => this.update()),
      this.#maintenance,
      this.#maintenance.onDidChange(() => this.update()),
      run.onDidChange(() => {
        if (run.record !== undefined) {
          // The counts are outdated once rows are deleted.
          this.#counts.leave();
        }
        void this.#maintenance.follow(run.state);
        this.update();
        parts.showingChanged();
      }),
      this.#page.onDidChangeVisibility(() => {
        this.#look();
        parts.showingChanged();
      }),
      parts.watch.onDidChange((record) => run.follow(record)),
    ];
    this.#look();
    this.#setTitle();
  }

  get run(): TruncationRun {
    return this.#run;
  }

  isShowing(recordId: string): boolean {
    return this.#page.isVisible && this.#run.recordId === recordId;
  }

  /** True if this wizard is for that index and has sent nothing yet. */
  isAskingFor(target: Pick<PlanDraft, 'entityType' | 'aspect'>): boolean {
    const { state, record } = this.#run;
    return record === undefined && hasSameSpelling(state.draft, target);
  }

  /** Redraws after sizes, the connection or the progress of the task changed. */
  update(): void {
    this.#setTitle();
    this.#dropRefusedStrategy();
    if (this.#isOpen) {
      this.#page.post({ type: 'view', view: wizardView(this.#facts()) });
    }
  }

  /** Leaves the task running on the server. */
  dispose(): void {
    vscode.Disposable.from(...this.#subscriptions).dispose();
    this.#looking?.dispose();
    this.#run.dispose();
  }

  /** Trusts no message with more than a choice among actions that are available anyway. */
  #handlers(): MessageHandlers<PageMessage> {
    const run = this.#run;
    return {
      ready: ({ timeZone, draft }) => {
        run.timeZone = timeZone;
        // A page that is shown again may hold an edit that never arrived. A restored page holds older data than
        // the host.
        if (draft !== undefined && this.#isOpen && !this.#isDraftUnseen) {
          run.edit(withoutTokens(draftFrom(draft)));
        }
        this.#dropRefusedStrategy();
        this.#isOpen = true;
        this.#isDraftUnseen = false;
        this.#page.post({
          type: 'open',
          translations: vscode.l10n.bundle,
          locale: vscode.env.language,
          draft: run.state.draft,
          view: wizardView(this.#facts()),
        });
      },
      edit: ({ draft }) => {
        const typed = draftFrom(draft);
        const kept = withoutTokens(typed);
        run.edit(kept);
        this.#counts.leave(run.state.draft);
        this.#parts.draftChanged(run.state.draft);
        // Answer even if nothing changed, because the page waits for it.
        this.update();
        if (kept !== typed) {
          this.#replaceDraft();
          void showWarning(l10n.t("What you entered looks like an access token, so it wasn't kept."));
        }
      },
      dryRun: () => run.dryRun(),
      cancel: () => run.cancel(),
      execute: () =>
        run.execute(confirmTruncation, () => {
          // After its questions, VS Code may focus another editor than this page.
          if (this.#page.isVisible) {
            this.#page.reveal();
          }
        }),
      startOver: () => {
        run.startOver({ ...run.state.draft, cautionAccepted: false });
        this.#replaceDraft();
      },
      useDeleteByQuery: () => {
        const draft: PlanDraft = { ...run.state.draft, strategy: 'deleteByQuery' };
        run.startOver(draft);
        run.edit(draft);
        this.#replaceDraft();
        return run.dryRun();
      },
      useSmallBatches: () => {
        run.edit({ ...run.state.draft, batchSize: String(GENTLE_BATCH_SIZE) });
        this.#parts.draftChanged(run.state.draft);
        this.#replaceDraft();
        return run.dryRun();
      },
      copyRequests: async ({ for: kind }) => this.#copy(run.record && (await this.#requests(run.record, kind))),
      copyTaskId: () => this.#copy(run.record?.taskId),
      copyDetails: () =>
        this.#copy(
          run.lastFailure &&
            failureReport(run.lastFailure, { connection: this.#parts.facts().connection?.name, when: Date.now() }),
        ),
      signIn: () => this.#signIn(),
      checkTask: () => (run.record === undefined ? undefined : this.#parts.watch.checkNow(run.record)),
      showRowsByAge: () => this.#ofIndex((target) => this.#counts.show(target)),
      refreshRowsByAge: () => this.#ofIndex((target) => this.#counts.refresh(target)),
      stopRowsByAge: () => this.#counts.stop(),
      fit: ({ goal }) => this.#ofIndex((target) => this.#fit(target, goal)),
      stopFit: () => this.#counts.stopFit(),
      copyReceipt: ({ format }) => this.#copyReceipt(format),
      saveReceipt: () => this.#saveReceipt(this.#facts().record),
    };
  }

  /** Clears problems that signing in has solved. */
  async #signIn(): Promise<void> {
    const credentialId = (): string | undefined => this.#parts.facts().connection?.credentialId;
    const before = credentialId();
    await this.#parts.signIn();
    if (credentialId() === before) {
      return;
    }
    const { state, record } = this.#run;
    if (state.phase === 'editing' && state.failing?.isSignedOut === true) {
      this.#run.edit(state.draft);
    }
    if (record !== undefined && this.#parts.watch.trouble(record.id)?.isSignedOut === true) {
      await this.#parts.watch.checkNow(record);
    }
  }

  async #ofIndex(count: (target: IndexName) => Promise<void>): Promise<void> {
    const { draft } = this.#run.state;
    if (hasIndexNames(draft)) {
      await count({ entityType: draft.entityType, aspect: draft.aspect });
    }
  }

  /** Counts as an edit: a fitted cutoff needs a dry run before anything can be deleted. */
  async #fit(target: IndexName, goal: FitGoal): Promise<void> {
    const endTimeMillis = await this.#counts.fit(target, goal);
    if (endTimeMillis !== undefined) {
      this.#run.edit({ ...this.#run.state.draft, endTimeMillis, cautionAccepted: false });
      this.#parts.draftChanged(this.#run.state.draft);
      this.#replaceDraft();
    }
  }

  async #requests(record: TruncationRecord, kind: ClusterRequestKind): Promise<string | undefined> {
    if (kind === 'repair') {
      const { ending } = record;
      const missing = ending?.kind === 'unknown' ? ending.missing : undefined;
      return missing && repairRequests(missing, record, await this.#parts.listIndexName(record.plan));
    }
    if (kind === 'merge') {
      return mergeRequest(await this.#parts.listIndexName(record.plan));
    }
    return kind === 'cancel' ? cancelRequest(record) : throttleRequest(record);
  }

  #receipt(record: TruncationRecord, format: ReceiptFormat): string {
    return receipt(record, this.#parts.facts().connection?.name ?? '', Date.now(), format);
  }

  #copyReceipt(format: ReceiptFormat): Promise<void> {
    const { record } = this.#facts();
    return this.#copy(record && this.#receipt(record, format));
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
    const folder = await saveFile(question, (format) => this.#receipt(record, format === 'json' ? 'json' : 'markdown'));
    if (folder !== undefined) {
      this.#parts.notices.done(l10n.t('Receipt saved'));
    }
  }

  async #copy(text: string | undefined): Promise<void> {
    if (text !== undefined) {
      await this.#parts.clipboard.copy(text);
      this.#parts.notices.done(l10n.t('Copied'));
    }
  }

  #facts(): WizardFacts {
    const { sizeOf, physicalName, laterSizeOf, underWay, ...facts } = this.#parts.facts();
    const { state, record, recordId } = this.#run;
    const others = underWay.filter(({ id }) => id !== recordId);
    return {
      ...facts,
      state,
      record: record && { ...record, laterSize: laterSizeOf(record.id) },
      recordId,
      indexSize: sizeOf(state.draft),
      indexName: record && physicalName(record.plan),
      rowsByAge: this.#counts.of(state.draft),
      serverNotes: serverNotes(this.#maintenance.current, others, state.draft),
      progress: record === undefined ? undefined : this.#parts.watch.progress(record.id),
      trouble: record === undefined ? undefined : this.#parts.watch.trouble(record.id),
      lastLook: record && this.#parts.watch.lastLook(record.id),
      canCheck: record !== undefined && this.#parts.watch.canCheck(record),
      now: Date.now(),
      locale: language(),
      timeZone: this.#run.timeZone,
    };
  }

  /** Drops a strategy that the server turns out not to support once its indices are listed. */
  #dropRefusedStrategy(): void {
    const { state } = this.#run;
    const { isOnPostgres, forceFlagsKnown } = this.#parts.facts();
    const isEditable = state.phase === 'editing' || state.phase === 'reviewed';
    // No choice is sent to a server that may not support one, so only a reindex has to go.
    const isRefused = isOnPostgres && (forceFlagsKnown || state.draft.strategy === 'reindex');
    const draft = withPostgresStrategy(state.draft);
    if (isEditable && isRefused && draft.strategy !== state.draft.strategy) {
      this.#run.edit(draft);
      this.#parts.draftChanged(draft);
      if (this.#isOpen) {
        this.#replaceDraft();
      }
    }
  }

  #replaceDraft(): void {
    this.#isDraftUnseen ||= !this.#page.isVisible;
    this.#page.post({ type: 'draft', draft: this.#run.state.draft, view: wizardView(this.#facts()) });
  }

  #setTitle(): void {
    const { draft } = this.#run.state;
    this.#page.rename(
      draft.entityType === '' || draft.aspect === ''
        ? l10n.t('Truncate Index')
        : l10n.t('Truncate {0}', indexNameText(draft)),
    );
  }

  /** Watches tasks while the panel is visible. */
  #look(): void {
    if (this.#page.isVisible) {
      this.#looking ??= this.#parts.watch.look();
    } else {
      this.#looking?.dispose();
      this.#looking = undefined;
    }
  }
}
