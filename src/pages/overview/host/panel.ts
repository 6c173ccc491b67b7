/** The overview's host side: its panel, its intents and its job. Commands and the wizard do the rest. */
import * as l10n from '@vscode/l10n';
import type * as vscode from 'vscode';
import type { Connection } from '../../../connections/connection.ts';
import { nameWithRole } from '../../../connections/role.ts';
import { indicesById, type IndexList, type ListedIndex } from '../../../indices/indexList.ts';
import { type IndexName, indexNameKey, indexNameOf } from '../../../indices/indexName.ts';
import type { IndexReference } from '../../../indices/pickIndex.ts';
import { COMMANDS } from '../../../manifest.ts';
import type { TruncationRef } from '../../../truncation/truncationCommands.ts';
import { cutoffDaysBefore } from '../../../truncation/cutoff.ts';
import { JobRun } from '../../../truncation/jobRun.ts';
import { MAX_ITEMS } from '../../../truncation/jobState.ts';
import { emptyDraft } from '../../../truncation/plan.ts';
import type { FollowedTruncations } from '../../../truncation/watching/follow.ts';
import { showInformation, showWarning } from '../../../ui/messages.ts';
import { runTreeCommand } from '../../kit/host/actions.ts';
import { PagePanel, type MessageHandlers, type PageParts } from '../../kit/host/pagePanel.ts';
import { OVERVIEW_PAGE_MESSAGE, type OverviewPageMessage, type OverviewPageView } from '../protocol.ts';
import { jobEndMessage } from './jobEnd.ts';
import { jobView } from './jobView.ts';
import { rememberedView, type RememberedTicks } from './rememberedTicks.ts';
import { overviewTableRows, overviewPageView } from './view.ts';

export interface OverviewPanelOptions extends PageParts {
  readonly rememberedTicks: RememberedTicks;
  readonly followed: Pick<FollowedTruncations, 'isInTree'>;
}

export class OverviewPanel extends PagePanel<OverviewPageMessage, OverviewPageView, OverviewPanelOptions> {
  protected readonly name = 'overview';
  protected readonly messages = OVERVIEW_PAGE_MESSAGE;
  protected readonly handlers: MessageHandlers<OverviewPageMessage>;
  #indices: ReadonlyMap<string, ListedIndex> = new Map();

  constructor(panel: vscode.WebviewPanel, connection: Connection, parts: OverviewPanelOptions) {
    super(panel, connection, JobRun.ofMany(parts, connection.id), parts);
    this.handlers = { ...this.#tableIntents(), ...this.#jobIntents() };
    this.subscriptions.push(parts.indexLists.onDidChange((id) => this.updatePageOf(id)));
    this.load();
  }

  isShowing(recordId: string): boolean {
    const { phase } = this.job.state;
    const isMine = this.job.has(recordId);
    // The table has every truncation of the connection.
    const isListed = phase === 'choosing' && this.parts.jobs.get(this.connectionId, recordId) !== undefined;
    // A running job reports all its truncations in one message at its end.
    return this.isVisible ? isMine || isListed : isMine && phase === 'executing';
  }

  /** Reloads a list that was dropped. */
  override updatePage(): void {
    if (this.isVisible && this.connection !== undefined) {
      void this.#indexList.ensureLoaded();
    }
    super.updatePage();
  }

  protected get title(): string {
    return l10n.t('Time Series Indices: {0}', nameWithRole(this.shownConnection));
  }

  protected get view(): OverviewPageView {
    const { jobs, watch, host, indexLists, rememberedTicks } = this.parts;
    const connection = this.shownConnection;
    const list = this.#indexList;
    const now = Date.now();
    this.#indices = indicesById(list.indices);
    return {
      ...overviewPageView(connection, list),
      remembered: rememberedView(rememberedTicks.of(connection), this.#indices),
      job: jobView({
        connection,
        job: this.job,
        sizeOf: (target) => host.sizeOf(this.connectionId, target),
        physicalName: (target) => list.physicalName(target),
        watch,
        now,
      }),
      rows: overviewTableRows(this.#indices, {
        connection,
        records: jobs.of(this.connectionId),
        watch,
        growthOf: (target) => indexLists.growthOfIndex(this.connectionId, target),
        now,
      }),
    };
  }

  /** Reads again what other windows may have stored, once the page is visible. */
  protected override followVisibility(): void {
    super.followVisibility();
    if (this.isVisible) {
      this.updatePage();
      void this.parts.jobs.reload();
    }
  }

  get #indexList(): IndexList {
    return this.parts.indexLists.get(this.connectionId);
  }

  #tableIntents() {
    const { connectionId } = this;
    return {
      ready: ({ timeZone }) => (this.job.timeZone = timeZone),
      refresh: () => this.#indexList.refresh(),
      remember: ({ ids, days }) => this.#remember(ids, days),
      truncate: ({ id }) => {
        const index = this.#indices.get(id);
        return index && runTreeCommand(COMMANDS.indexTruncate, { connectionId, index } satisfies IndexReference);
      },
      showTruncation: ({ recordId }) =>
        runTreeCommand(COMMANDS.taskShow, { connectionId, recordId } satisfies TruncationRef),
      addIndex: () => runTreeCommand(COMMANDS.indexAdd, { connectionId }),
      signIn: () => runTreeCommand(COMMANDS.connectionSignIn, { connectionId }),
      copyDetails: () =>
        runTreeCommand(COMMANDS.failureCopyDetails, { connectionId, failure: this.#indexList.failure }),
    } satisfies Partial<MessageHandlers<OverviewPageMessage>>;
  }

  #jobIntents() {
    const { job } = this;
    return {
      dryRun: ({ ids, days }) => this.#dryRun(ids, days),
      dryRunAgain: () => job.countAgain(),
      automate: () => this.automate(),
      receipt: () => this.copyReceipt(job.plannedItems),
      cancel: () => job.cancel(),
      tick: ({ place, isTicked, at, cautions }) => job.tick(place, isTicked, at, cautions),
      copyRequests: (message) => this.copyRequests(message),
      execute: async () => this.#notifyEnd(await this.execute()),
      stop: () => job.stop(),
      startOver: () => job.startOver(),
    } satisfies Partial<MessageHandlers<OverviewPageMessage>>;
  }

  #remember(ids: readonly string[], days: number): Promise<void> {
    const { rememberedTicks } = this.parts;
    const connection = this.shownConnection;
    const ticked = ids.flatMap((id) => this.#indexNameOf(id) ?? []);
    const listed = new Set([...this.#indices.keys()].map((id) => this.#keyOf(id)));
    // The user can't untick an index that isn't listed at the moment.
    const unlisted = rememberedTicks.of(connection)?.indices.filter((index) => !listed.has(indexNameKey(index))) ?? [];
    return rememberedTicks.keep(connection, { indices: [...ticked, ...unlisted].slice(0, MAX_ITEMS), days });
  }

  async #dryRun(ids: readonly string[], days: number): Promise<void> {
    const endTimeMillis = cutoffDaysBefore(days, Date.now());
    // Two IDs can be two spellings of one index.
    const targets = new Map(ids.map((id) => [this.#keyOf(id), this.#indexNameOf(id)])).values();
    const drafts = [...targets].flatMap((target) =>
      target === undefined ? [] : { draft: { ...emptyDraft(target.entityType, target.aspect), endTimeMillis } },
    );
    if (drafts.length > 0) {
      await this.job.countAll(drafts);
    }
  }

  /** Says how it ended, or why the rest was not sent, unless the user sees it or removed the connection. */
  #notifyEnd(isAgreed: boolean): void {
    const { connection, job, isClosed: isPageClosed } = this;
    const { state, plannedItems } = job;
    // A yes that came too late: the dry runs are outdated.
    const isWithdrawn = isAgreed && state.phase === 'planned';
    if (connection === undefined || this.isVisible || (state.phase !== 'ended' && !isWithdrawn)) {
      return;
    }
    const items = isWithdrawn ? job.items.filter(({ isSelected }) => isSelected) : plannedItems;
    const message = jobEndMessage(items, {
      isStopping: state.isStopping,
      isPageClosed,
      connectionName: connection.name,
      sizeOf: (target) => this.parts.host.sizeOf(this.connectionId, target),
      now: Date.now(),
    });
    // The tree shows how each ended, but not what was left out.
    const isInTree = items.every(({ record }) => record !== undefined && this.parts.followed.isInTree(record));
    if (message !== undefined && !isInTree) {
      const show = l10n.t('Show');
      void (message.isTrouble ? showWarning : showInformation)(message.text, show).then((chosen) => {
        if (chosen === show) {
          void runTreeCommand(COMMANDS.indexOverview, { connectionId: connection.id });
        }
      });
    }
  }

  /** Undefined for an index that a truncation can't name. */
  #indexNameOf(id: string): IndexName | undefined {
    const index = this.#indices.get(id);
    return index && indexNameOf(index);
  }

  #keyOf(id: string): string | undefined {
    const name = this.#indexNameOf(id);
    return name && indexNameKey(name);
  }
}
