/** The overview's host side: its panel and its messages. Commands and the wizard do the rest. */
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Connection } from '../../../connections/connection.ts';
import { nameWithRole } from '../../../connections/role.ts';
import type { IndexReference } from '../../../indices/pickIndex.ts';
import { indicesById, type IndexList, type ListedIndex } from '../../../indices/indexList.ts';
import { type IndexName, indexNameKey, indexNameOf } from '../../../indices/indexName.ts';
import { COMMANDS, type CommandId } from '../../../manifest.ts';
import { runTreeCommand } from '../../kit/host/actions.ts';
import type { PagePanelContent } from '../../kit/host/panelRegistry.ts';
import { PagePanel, type MessageHandlers, type PageHost } from '../../kit/host/pagePanel.ts';
import { MAX_ITEMS } from '../../../truncation/jobSize.ts';
import type { TruncationRef } from '../../../truncation/commands.ts';
import { JobSession, type JobSessionParts } from './jobSession.ts';
import { rememberedView, type RememberedTicks } from './rememberedTicks.ts';
import { OVERVIEW_PAGE_MESSAGE, type JobIntent, type OverviewPageMessage, type OverviewPageView } from '../protocol.ts';
import { latestTruncations, overviewTableRows, overviewPageView } from './view.ts';

export interface OverviewPanelOptions extends PageHost, JobSessionParts {
  readonly rememberedTicks: RememberedTicks;
}

export class OverviewPanel implements PagePanelContent {
  readonly #connectionId: string;
  readonly #page: PagePanel<OverviewPageMessage, OverviewPageView>;
  readonly #parts: OverviewPanelOptions;
  readonly #connection: () => Connection;
  readonly #jobSession: JobSession;
  readonly #subscriptions: vscode.Disposable[];
  #looking: vscode.Disposable | undefined;
  #indices: ReadonlyMap<string, ListedIndex> = new Map();

  /** @param connection Current, or the last before its removal. */
  constructor(panel: vscode.WebviewPanel, connection: () => Connection, parts: OverviewPanelOptions) {
    this.#connection = connection;
    this.#connectionId = connection().id;
    this.#parts = parts;
    this.#jobSession = new JobSession(this.#connectionId, parts, {
      isVisible: () => this.#page.isVisible,
      changed: () => this.updatePage(),
      confirm: (question, heldBack) => this.#page.confirm(question, heldBack),
      findIndex: (id) => this.#indexNameOf(id),
      truncateAlone: (target) => this.#truncateAlone(target),
    });
    this.#page = new PagePanel(panel, {
      script: vscode.Uri.joinPath(parts.extensionUri, 'dist/overview.js'),
      tab: () => ({ title: this.#tabTitle, isProduction: this.#connection().role === 'production' }),
      view: () => this.#view,
      messages: OVERVIEW_PAGE_MESSAGE,
      handlers: { ...this.#handlers(), ...this.#jobSession.handlers() },
      notices: parts.notices,
    });
    this.#subscriptions = [
      this.#page,
      this.#page.onDidChangeVisibility(() => this.#watchWhileVisible()),
      this.#jobSession,
    ];
    this.#watchWhileVisible();
  }

  isShowing(recordId: string): boolean {
    const { isChoosing, isUnderWay } = this.#jobSession;
    const isMine = this.#jobSession.has(recordId);
    // The table has every truncation of the connection.
    const isListed = isChoosing && this.#parts.jobs.get(this.#connectionId, recordId) !== undefined;
    return this.#page.isVisible ? isMine || isListed : isMine && isUnderWay;
  }

  /** Reloads a list that was dropped, while the page is visible. */
  updatePage(): void {
    if (this.#page.isVisible) {
      void this.#indexList.ensureLoaded();
    }
    this.#page.update();
  }

  dispose(): void {
    vscode.Disposable.from(...this.#subscriptions).dispose();
    this.#looking?.dispose();
  }

  get #indexList(): IndexList {
    return this.#parts.indexLists.get(this.#connectionId);
  }

  get #tabTitle(): string {
    return l10n.t('Time Series Indices: {0}', nameWithRole(this.#connection()));
  }

  #handlers(): Omit<MessageHandlers<OverviewPageMessage>, JobIntent['type']> {
    return {
      ready: ({ timeZone }) => (this.#jobSession.timeZone = timeZone),
      refresh: () => this.#indexList.refresh(),
      remember: ({ ids, days }) => this.#remember(ids, days),
      truncate: ({ id }) => this.#runCommandOnIndex(COMMANDS.indexTruncate, id),
      showTruncation: ({ id }) => this.#showTruncation(id),
      addIndex: () => runTreeCommand(COMMANDS.indexAdd, { connectionId: this.#connectionId }),
      signIn: () => runTreeCommand(COMMANDS.connectionSignIn, { connectionId: this.#connectionId }),
      copyDetails: () =>
        runTreeCommand(COMMANDS.failureCopyDetails, {
          connectionId: this.#connectionId,
          failure: this.#indexList.failure,
        }),
    };
  }

  #remember(ids: readonly string[], days: number): Promise<void> {
    const { rememberedTicks } = this.#parts;
    const connection = this.#connection();
    const ticked = ids.flatMap((id) => this.#indexNameOf(id) ?? []);
    const listed = new Set([...this.#indices.values()].map((index) => keyOf(indexNameOf(index))));
    // The user can't untick an index that isn't listed at the moment.
    const unlisted = rememberedTicks.of(connection)?.indices.filter((index) => !listed.has(indexNameKey(index))) ?? [];
    return rememberedTicks.keep(connection, { indices: [...ticked, ...unlisted].slice(0, MAX_ITEMS), days });
  }

  async #truncateAlone(target: IndexName): Promise<void> {
    const found = [...this.#indices].find(([id]) => {
      const name = this.#indexNameOf(id);
      return name !== undefined && indexNameKey(name) === indexNameKey(target);
    });
    if (found !== undefined) {
      await this.#runCommandOnIndex(COMMANDS.indexTruncate, found[0]);
    }
  }

  /** Undefined for an index that a truncation can't name. */
  #indexNameOf(id: string): IndexName | undefined {
    const index = this.#indices.get(id);
    return index && indexNameOf(index);
  }

  /** Runs a command of the tree with the tree's argument. */
  async #runCommandOnIndex(command: CommandId, id: string): Promise<void> {
    const index = this.#indices.get(id);
    if (index !== undefined) {
      const ref: IndexReference = { connectionId: this.#connectionId, index };
      await runTreeCommand(command, ref);
    }
  }

  async #showTruncation(id: string): Promise<void> {
    const target = this.#indexNameOf(id);
    if (target !== undefined) {
      const records = this.#parts.jobs.of(this.#connectionId);
      const record = latestTruncations(records, this.#connection()).get(indexNameKey(target));
      if (record !== undefined) {
        const ref: TruncationRef = { connectionId: this.#connectionId, recordId: record.id };
        await runTreeCommand(COMMANDS.taskShow, ref);
      }
    }
  }

  get #view(): OverviewPageView {
    const { jobs, watch, indexLists, rememberedTicks } = this.#parts;
    const connection = this.#connection();
    const list = this.#indexList;
    this.#indices = indicesById(list.indices);
    return {
      ...overviewPageView(connection, list),
      remembered: rememberedView(rememberedTicks.of(connection), this.#indices),
      job: this.#jobSession.view,
      rows: overviewTableRows(this.#indices, {
        connection,
        records: jobs.of(this.#connectionId),
        watch,
        growthOf: (target) => indexLists.growthOfIndex(this.#connectionId, target),
        now: Date.now(),
      }),
    };
  }

  /** Watches tasks while the panel is visible. */
  #watchWhileVisible(): void {
    if (this.#page.isVisible) {
      this.#looking ??= this.#parts.watch.keepWatching();
      this.updatePage();
      void this.#parts.jobs.reload();
    } else {
      this.#looking?.dispose();
      this.#looking = undefined;
    }
  }
}

function keyOf(target: IndexName | undefined): string | undefined {
  return target && indexNameKey(target);
}
