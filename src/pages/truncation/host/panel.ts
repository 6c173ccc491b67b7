/** The truncation page's host side: its panel, its intents and its job. The page sends only intents and a draft. */
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Connection } from '../../../connections/connection.ts';
import { hasSameSpelling, type IndexName, indexNameText } from '../../../indices/indexName.ts';
import { localizedRoleName } from '../../../connections/role.ts';
import type { RowsByAge } from '../../../rowsByAge/rowsByAge.ts';
import { failureReport } from '../../../service/failure/failure.ts';
import type { MetadataService } from '../../../service/service.ts';
import type { JobItem } from '../../../truncation/jobItem.ts';
import type { JobRun } from '../../../truncation/jobRun.ts';
import { withAge, withoutTokens, type PlanDraft } from '../../../truncation/plan.ts';
import { receiptFileName, truncationReceipt } from '../../../truncation/receipt.ts';
import type { TaskWatch } from '../../../truncation/watch.ts';
import { showWarning } from '../../../ui/messages.ts';
import { PagePanel, pageReport, type MessageHandlers, type PageHost } from '../../kit/host/pagePanel.ts';
import { offerReceipt } from '../../kit/host/receipt.ts';
import type { PagePanelContent } from '../../kit/host/panelRegistry.ts';
import {
  planDraftFrom,
  TRUNCATION_PAGE_MESSAGE,
  type TruncationIntent,
  type TruncationPageMessage,
  type TruncationPageView,
} from '../protocol.ts';
import { clusterRequests } from '../../../truncation/clusterRequests.ts';
import { truncationPageView, type TruncationFacts } from './view.ts';

/** The connection and its lists. */
export interface TruncationServer {
  /** Undefined once it was removed. */
  readonly connection: () => Connection | undefined;
  readonly service: () => MetadataService | undefined;
  /** @param except ID of the truncation of the page itself. */
  readonly facts: (
    target: IndexName,
    except: string,
  ) => Pick<
    TruncationFacts,
    | 'blocking'
    | 'connection'
    | 'isSignedOut'
    | 'indexSize'
    | 'indexName'
    | 'forceFlagsKnown'
    | 'isOnPostgres'
    | 'isOverviewOpen'
  >;
  /** Looks up the current name on the search cluster, which a reindex changes. Undefined if unlisted. */
  readonly listIndexName: (target: IndexName) => Promise<string | undefined>;
}

/** Actions of the extension that the page triggers. */
export interface TruncationActions {
  /** Called with each edit, because drafts outlive the panel. */
  readonly draftChanged: (draft: PlanDraft) => void;
  /** Asks the user to sign in. */
  readonly signIn: () => Thenable<unknown>;
  /** Offers what repeats this truncation without a user. */
  readonly automate: (page: TruncationPanel) => Promise<void>;
  /** Shows the overview, if it is open. */
  readonly showOverview: () => Thenable<unknown>;
}

interface TruncationPanelOptions {
  readonly host: PageHost;
  readonly watch: TaskWatch;
  readonly server: TruncationServer;
  readonly actions: TruncationActions;
}

export class TruncationPanel implements PagePanelContent {
  readonly #page: PagePanel<TruncationPageMessage, TruncationPageView>;
  readonly #job: JobRun;
  readonly #rowsByAge: RowsByAge;
  readonly #parts: TruncationPanelOptions;
  readonly #subscriptions: vscode.Disposable;
  #watching: vscode.Disposable | undefined;
  #draftRevision = 0;
  #hasOfferedStrategies = false;
  /** Set until the page is loaded, if the user opened it to truncate the index. */
  #shouldCount = false;

  constructor(panel: vscode.WebviewPanel, job: JobRun, rowsByAge: RowsByAge, parts: TruncationPanelOptions) {
    this.#job = job;
    this.#rowsByAge = rowsByAge;
    this.#parts = parts;
    this.#page = new PagePanel(panel, {
      script: vscode.Uri.joinPath(parts.host.extensionUri, 'dist/wizard.js'),
      tab: () => ({ title: this.#title, isProduction: this.#connection?.role === 'production' }),
      view: () => this.#view,
      messages: TRUNCATION_PAGE_MESSAGE,
      handlers: {
        ready: ({ timeZone }) => this.#open(timeZone),
        ...this.#planIntents(),
        ...this.#outcomeIntents(),
      },
      report: pageReport(parts.host),
    });
    this.#subscriptions = vscode.Disposable.from(
      this.#page,
      this.#page.onDidChangeVisibility(() => this.#followVisibility()),
      rowsByAge,
      rowsByAge.onDidChange(() => this.updatePage()),
      job.onDidChange(() => this.updatePage()),
    );
    this.#followVisibility();
  }

  /** The only one of the page's job. */
  get item(): JobItem {
    const [item] = this.#job.items;
    if (item === undefined) {
      throw new RangeError('The job of this page has one item.');
    }
    return item;
  }

  isShowing(recordId: string): boolean {
    return this.#page.isVisible && this.item.recordId === recordId;
  }

  /** True if it is for that index and sent nothing yet. */
  isAskingFor(target: IndexName): boolean {
    const { state, record } = this.item;
    return record === undefined && hasSameSpelling(state.draft, target);
  }

  /** Counts rows once the page is loaded, as far as that is cheap. */
  countWhenLoaded(): void {
    this.#shouldCount = true;
  }

  /** Redraws after sizes, connection or progress changed. */
  updatePage(): void {
    this.#page.update();
  }

  /** Leaves the task running on the server. */
  dispose(): void {
    this.#subscriptions.dispose();
    this.#watching?.dispose();
    this.#job.dispose();
  }

  get #connection(): Connection | undefined {
    return this.#parts.server.connection();
  }

  /** With the connection: indices of several have the same names. */
  get #title(): string {
    const connection = this.#connection;
    const index = indexNameText(this.item.state.draft);
    if (connection === undefined) {
      return l10n.t('Truncate {0}', index);
    }
    const { name, role } = connection;
    const place = role === 'production' ? `${localizedRoleName(role)}: ${name}` : name;
    return l10n.t('Truncate {0}', `${index} (${place})`);
  }

  get #view(): TruncationPageView {
    const view = truncationPageView(this.#facts);
    this.#hasOfferedStrategies = view.canChooseStrategy;
    return view;
  }

  get #facts(): TruncationFacts {
    const { state, record, recordId, cautions } = this.item;
    const { watch, server } = this.#parts;
    return {
      ...server.facts(state.draft, recordId),
      state,
      draftRevision: this.#draftRevision,
      cautions,
      hasOfferedStrategies: this.#hasOfferedStrategies,
      record,
      recordId,
      rowsByAge: this.#rowsByAge.state,
      progress: record && watch.progress(record.id),
      watchProblem: record && watch.watchProblem(record.id),
      lastPoll: record && watch.lastPoll(record.id),
      canCheck: record !== undefined && watch.canCheck(record),
      now: Date.now(),
      timeZone: this.#job.timeZone,
    };
  }

  #open(timeZone: string): void {
    this.#job.timeZone = timeZone;
    this.#hasOfferedStrategies = false;
    if (this.#shouldCount) {
      this.#shouldCount = false;
      void this.#countWhileCheap();
    }
  }

  /** Counts nothing unasked where the server may refuse it. */
  async #countWhileCheap(): Promise<void> {
    const { server } = this.#parts;
    const mayCount = (): boolean =>
      this.#page.isVisible &&
      this.item.state.phase === 'editing' &&
      this.#connection?.role !== 'readOnly' &&
      this.#rowsByAge.state?.histogram === undefined;
    const service = mayCount() ? server.service() : undefined;
    const rights = await service?.callerRights().catch(() => undefined);
    if (rights !== undefined && rights.truncate !== false && mayCount()) {
      await this.#rowsByAge.countWhileCheap();
    }
  }

  #planIntents(): Omit<MessageHandlers<TruncationIntent>, keyof OutcomeIntents> {
    const { item } = this;
    const job = this.#job;
    return {
      edit: ({ draft, revision }) => {
        if (revision === this.#draftRevision) {
          this.#edit(planDraftFrom(draft));
        }
      },
      dryRun: () => item.dryRun(),
      tick: ({ caution, isTicked, at }) => {
        const { state } = item;
        // A tick of another response comes too late.
        if (state.phase === 'reviewed' && state.review.at === at) {
          const others = state.draft.acceptedCautions.filter((one) => one !== caution);
          item.edit({ ...state.draft, acceptedCautions: isTicked ? [...others, caution] : others });
        }
      },
      cancel: () => item.cancel(),
      goBack: () => item.goBack(),
      execute: () => job.execute((question, heldBack) => this.#page.confirm(question, heldBack)),
      useDeleteByQuery: () => {
        const draft: PlanDraft = { ...item.state.draft, strategy: 'deleteByQuery' };
        job.planAgain(draft);
        this.#replaceDraft(draft);
        return item.dryRun();
      },
      countRowsByAge: () => this.#rowsByAge.count(),
      stopCounting: () => this.#rowsByAge.stop(),
    };
  }

  #outcomeIntents(): OutcomeIntents {
    const { item } = this;
    const job = this.#job;
    const { actions, watch, server, host } = this.#parts;
    return {
      startOver: () => {
        job.planAgain(withAge(item.state.draft, Date.now()));
        this.#replaceDraft(item.state.draft);
      },
      close: async () => {
        await actions.showOverview();
        this.#page.close();
      },
      automate: () => actions.automate(this),
      receipt: () => {
        const { record } = item;
        const text = record && truncationReceipt(record, this.#connection?.name ?? '', Date.now());
        return text && offerReceipt(receiptFileName(record), text, host);
      },
      copyRequests: async ({ for: kind }) =>
        this.#copy(item.record && (await clusterRequests(item.record, kind, (index) => server.listIndexName(index)))),
      copyTaskId: () => this.#copy(item.record?.taskId),
      copyDetails: () =>
        this.#copy(
          item.lastFailure && failureReport(item.lastFailure, { connection: this.#connection?.name, when: Date.now() }),
        ),
      signIn: () => this.#signIn(),
      checkTask: () => (item.record === undefined ? undefined : watch.checkNow(item.record)),
    };
  }

  /** The index of a page is always the same. */
  #edit(typed: PlanDraft): void {
    const { entityType, aspect, acceptedCautions } = this.item.state.draft;
    const draft = { ...typed, entityType, aspect, acceptedCautions };
    const kept = withoutTokens(draft);
    if (kept === draft) {
      this.#setDraft(draft);
    } else {
      this.#replaceDraft(kept);
      void showWarning(l10n.t("What you entered looks like an access token, so it wasn't kept."));
    }
  }

  #setDraft(draft: PlanDraft): void {
    this.item.edit(draft);
    this.#parts.actions.draftChanged(this.item.state.draft);
    this.updatePage();
  }

  /** The page takes it over from what was typed. */
  #replaceDraft(draft: PlanDraft): void {
    this.#draftRevision++;
    this.#setDraft(draft);
  }

  /** Clears problems that signing in has solved. */
  async #signIn(): Promise<void> {
    const signedInAt = (): number | undefined => this.#connection?.signIn?.storedAt;
    const before = signedInAt();
    await this.#parts.actions.signIn();
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

  async #copy(text: string | undefined): Promise<void> {
    const { clipboard, notices } = this.#parts.host;
    if (text !== undefined) {
      await clipboard.copy(text);
      notices.done(l10n.t('Copied'));
    }
  }

  /** Watches tasks while the panel is visible, and counts nothing while it isn't. */
  #followVisibility(): void {
    if (this.#page.isVisible) {
      this.#watching ??= this.#parts.watch.keepWatching();
    } else {
      this.#rowsByAge.stopBackground();
      this.#watching?.dispose();
      this.#watching = undefined;
    }
  }
}

type OutcomeIntents = Pick<
  MessageHandlers<TruncationIntent>,
  | 'startOver'
  | 'close'
  | 'automate'
  | 'receipt'
  | 'copyRequests'
  | 'copyTaskId'
  | 'copyDetails'
  | 'signIn'
  | 'checkTask'
>;
