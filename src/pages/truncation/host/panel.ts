/** The truncation page's host side: its panel, its intents and its job. The page sends only intents and a draft. */
import type * as vscode from 'vscode';
import type { Connection } from '../../../connections/connection.ts';
import { hasSameSpelling, type IndexName } from '../../../indices/indexName.ts';
import type { AgeHistogramStore } from '../../../rowsByAge/ageHistogramStore.ts';
import { RowsByAge } from '../../../rowsByAge/rowsByAge.ts';
import { COMMANDS } from '../../../manifest.ts';
import type { JobItem } from '../../../truncation/jobItem.ts';
import { JobRun } from '../../../truncation/jobRun.ts';
import { type PlanDraft, withAge } from '../../../truncation/plan.ts';
import type { TruncationRecord } from '../../../truncation/sentTruncation.ts';
import { PagePanel, type MessageHandlers, type PageParts } from '../../kit/host/pagePanel.ts';
import { copyText, runTreeCommand } from '../../kit/host/actions.ts';
import {
  TRUNCATION_PAGE_MESSAGE,
  type TruncationIntent,
  type TruncationPageMessage,
  type TruncationPageView,
} from '../protocol.ts';
import { requestFailure, type TruncationFacts, truncationPageView, truncationTabTitle } from './view.ts';

/** The extension around the page. */
export interface TruncationParts extends PageParts {
  readonly rowsByAge: AgeHistogramStore;
  readonly isOverviewOpen: (connectionId: string) => boolean;
}

export class TruncationPanel extends PagePanel<TruncationPageMessage, TruncationPageView, TruncationParts> {
  protected readonly name = 'wizard';
  protected readonly messages = TRUNCATION_PAGE_MESSAGE;
  protected readonly handlers: MessageHandlers<TruncationPageMessage>;
  readonly #rowsByAge: RowsByAge;
  /** Set until the page is loaded, if the user opened it to truncate the index. */
  #shouldCount = false;

  /** @param from A draft, or a truncation to show. */
  constructor(
    panel: vscode.WebviewPanel,
    connection: Connection,
    from: PlanDraft | TruncationRecord,
    parts: TruncationParts,
  ) {
    super(panel, connection, JobRun.ofOne(parts, connection.id, from), parts);
    this.#rowsByAge = new RowsByAge(this.item.state.draft, connection.id, parts);
    this.handlers = {
      ready: ({ timeZone }) => this.#open(timeZone),
      ...this.#planIntents(),
      ...this.#outcomeIntents(),
    };
    this.subscriptions.push(
      this.#rowsByAge.onDidChange(() => this.updatePage()),
      parts.indexLists.onDidChange((id) => this.updatePageOf(id)),
    );
    this.load();
  }

  /** The only one of the page's job. */
  get item(): JobItem {
    const [item] = this.job.items;
    if (item === undefined) {
      throw new RangeError('The job of this page has one item.');
    }
    return item;
  }

  isShowing(recordId: string): boolean {
    return this.isVisible && this.item.record?.id === recordId;
  }

  /** True if it is for that index and sent nothing yet. */
  isAskingFor(connectionId: string, target: IndexName): boolean {
    const { state, record } = this.item;
    return this.connectionId === connectionId && record === undefined && hasSameSpelling(state.draft, target);
  }

  /** Counts rows once the page is loaded, as far as that is cheap. */
  countWhenLoaded(): void {
    this.#shouldCount = true;
  }

  override dispose(): void {
    super.dispose();
    this.#rowsByAge.dispose();
  }

  protected get title(): string {
    const { state } = this.item;
    const isNamedByUser = this.parts.indexLists.get(this.connectionId).needsIndexNames;
    return truncationTabTitle({ connection: this.shownConnection, state, isNamedByUser, now: Date.now() });
  }

  protected get view(): TruncationPageView {
    return truncationPageView(this.#facts);
  }

  get #facts(): TruncationFacts {
    const { state, record, cautions, blocking } = this.item;
    const { services, indexLists, watch, isOverviewOpen } = this.parts;
    const connection = this.shownConnection;
    const indices = indexLists.get(connection.id);
    const { server } = services.get(connection);
    return {
      connection,
      blocking,
      indexSize: indices.sizeBytesOf(state.draft),
      indexName: indices.physicalName(state.draft),
      isNamedByUser: indices.needsIndexNames,
      forceFlagsKnown: server.forceFlags === true,
      release: server.release,
      isOverviewOpen: isOverviewOpen(this.connectionId),
      state,
      cautions,
      rowsByAge: this.#rowsByAge.state,
      lastPoll: record && watch.lastPoll(record.id),
      canCheck: record !== undefined && watch.canCheck(record),
      now: Date.now(),
      timeZone: this.job.timeZone,
    };
  }

  #open(timeZone: string): void {
    this.job.timeZone = timeZone;
    if (this.#shouldCount) {
      this.#shouldCount = false;
      void this.#countWhileCheap();
    }
  }

  /** Counts nothing unasked where the server may refuse it. */
  async #countWhileCheap(): Promise<void> {
    const { connection } = this;
    if (connection === undefined || connection.role === 'readOnly' || this.#rowsByAge.state?.phase !== 'idle') {
      return;
    }
    const service = this.parts.services.get(connection);
    const rights = await service.server.fact('rights').catch(() => undefined);
    const isStillChoosing = this.isVisible && this.item.state.phase === 'editing';
    if (rights !== undefined && rights.truncate !== false && isStillChoosing) {
      this.#judgeAgain(await this.#rowsByAge.count('background'));
    }
  }

  /** @param isCounted The rows were counted, which may change the outcome of the index's last truncation. */
  #judgeAgain(isCounted: boolean): void {
    const connection = this.connection;
    if (isCounted && connection !== undefined) {
      this.parts.watch.judgeAgain(connection, this.item.state.draft);
    }
  }

  /** Once the user asks the server for something: a restored page asks nothing, and the tree may be closed. */
  #loadSizes(): void {
    void this.parts.indexLists.get(this.connectionId).ensureShown();
  }

  #planIntents() {
    return {
      dryRun: ({ draft }) => {
        this.#loadSizes();
        const { item } = this;
        // The index of a page is always the same.
        const { entityType, aspect } = item.state.draft;
        item.edit({ ...draft, entityType, aspect });
        // Of a draft with a problem, which its field says, there is none.
        return item.dryRun();
      },
      tick: ({ caution, isTicked, at }) => {
        const { item } = this;
        const { state } = item;
        // A tick of another response comes too late.
        if (state.phase === 'reviewed' && state.review.at === at) {
          const others = state.draft.acceptedCautions.filter((one) => one !== caution);
          item.edit({ ...state.draft, acceptedCautions: isTicked ? [...others, caution] : others });
        }
      },
      cancel: () => this.item.cancel(),
      goBack: () => this.item.goBack(),
      execute: () => this.execute(),
      countRowsByAge: async () => {
        this.#loadSizes();
        this.#judgeAgain(await this.#rowsByAge.count());
      },
      stopCounting: () => this.#rowsByAge.stop(),
    } satisfies Partial<MessageHandlers<TruncationIntent>>;
  }

  #outcomeIntents() {
    const { job } = this;
    const { watch, isOverviewOpen } = this.parts;
    return {
      startOver: () => job.startOver(withAge(this.item.state.draft, Date.now())),
      close: async () => {
        if (isOverviewOpen(this.connectionId)) {
          await runTreeCommand(COMMANDS.indexOverview, { connectionId: this.connectionId });
        }
        this.panel.dispose();
      },
      automate: () => this.automate(),
      receipt: () => this.copyReceipt(job.items),
      copyRequests: (message) => this.copyRequests(message),
      copyTaskId: () => copyText(this.item.record?.taskId, this.parts),
      copyDetails: () =>
        runTreeCommand(COMMANDS.failureCopyDetails, {
          connectionId: this.connectionId,
          failure: requestFailure(this.item.state)?.failure,
        }),
      signIn: () => this.#signIn(),
      checkTask: () => this.item.record && watch.checkNow(this.item.record),
    } satisfies Partial<MessageHandlers<TruncationIntent>>;
  }

  /** Clears problems that signing in has solved. */
  async #signIn(): Promise<void> {
    const signedInAt = (): number | undefined => this.connection?.signIn?.storedAt;
    const before = signedInAt();
    await runTreeCommand(COMMANDS.connectionSignIn, { connectionId: this.connectionId });
    if (signedInAt() === before) {
      return;
    }
    // It drops the sizes, which the tree loads only while it is open.
    this.#loadSizes();
    const { state, record } = this.item;
    if (state.phase === 'editing' && state.failing?.isSignedOut === true) {
      this.item.edit(state.draft);
    }
    if (record !== undefined && this.parts.watch.lastPoll(record.id)?.problem?.isSignedOut === true) {
      await this.parts.watch.checkNow(record);
    }
  }

  /** Counts nothing while it is hidden. */
  protected override followVisibility(): void {
    super.followVisibility();
    if (!this.isVisible) {
      this.#rowsByAge.stopBackground();
    }
  }
}
