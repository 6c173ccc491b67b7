/** The overview's host side: its panel and its messages. Commands and the wizard do the rest. */
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { accessOf, type Connection } from '../../connections/connection.ts';
import type { IndexReference } from '../../indices/pickIndex.ts';
import { indicesById, type IndexList, type ListedIndex } from '../../indices/indexList.ts';
import { type IndexName, indexNameKey, indexNameOf } from '../../indices/indexName.ts';
import { COMMANDS, type CommandId } from '../../manifest.ts';
import { failureReport } from '../../service/failure/failure.ts';
import type { Clipboard } from '../../ui/clipboard.ts';
import { handleOf } from '../../ui/handles.ts';
import type { Notices } from '../../ui/notices.ts';
import type { PagePanelContent } from '../../webview/host/panelRegistry.ts';
import { WebviewPage, type MessageHandlers } from '../../webview/host/webviewPage.ts';
import type { TruncationRef } from '../../truncation/commands.ts';
import { BatchSession, type BatchSessionParts } from '../../batch/batchSession.ts';
import {
  parsePageMessage,
  type OverviewHostMessage,
  type OverviewTableRow,
  type OverviewPageView,
  type OverviewPageMessage,
} from '../protocol.ts';
import { lastTimeView, latestTruncations, overviewTableRows, overviewPageView } from './view.ts';

export interface OverviewPanelOptions extends BatchSessionParts {
  readonly extensionUri: vscode.Uri;
  readonly clipboard: Clipboard;
  readonly notices: Notices;
}

export class OverviewPanel implements PagePanelContent {
  readonly #connectionId: string;
  readonly #page: WebviewPage<OverviewPageMessage, OverviewHostMessage>;
  readonly #parts: OverviewPanelOptions;
  readonly #connection: () => Connection;
  readonly #batchSession: BatchSession;
  readonly #subscriptions: vscode.Disposable[];
  #looking: vscode.Disposable | undefined;
  #indices: ReadonlyMap<string, ListedIndex> = new Map();
  /** Load time of the sizes whose limits were read. */
  #limitsReadFor: number | undefined;
  /** Last messages as JSON; undefined before the page is loaded. */
  #lastSent: { readonly view: string; readonly rows: string } | undefined;

  /** @param connection Current, or the last before its removal. */
  constructor(panel: vscode.WebviewPanel, connection: () => Connection, parts: OverviewPanelOptions) {
    this.#connection = connection;
    this.#connectionId = connection().id;
    this.#parts = parts;
    this.#batchSession = new BatchSession(this.#connectionId, parts, {
      isVisible: () => this.#page.isVisible,
      changed: () => this.updatePage(),
      reveal: () => this.#page.revealTab(),
    });
    this.#page = new WebviewPage(panel, {
      ...parts,
      name: 'overview',
      tabTitle: this.#tabTitle,
      parse: parsePageMessage,
      messageHandlers: this.#messageHandlers(),
    });
    this.#subscriptions = [
      this.#page,
      this.#batchSession,
      this.#page.onDidChangeVisibility(() => this.#watchWhileVisible()),
    ];
    this.#page.renameTab(this.#tabTitle);
    this.#watchWhileVisible();
  }

  isShowing(recordId: string): boolean {
    return this.#page.isVisible && this.#batchSession.has(recordId);
  }

  /** Sends changes to a visible page; a hidden one gets them once it is shown. Reloads a list that was dropped. */
  updatePage(): void {
    this.#page.renameTab(this.#tabTitle);
    if (!this.#page.isVisible) {
      return;
    }
    void this.#indexList.ensureLoaded();
    this.#readRetentionLimits();
    if (this.#lastSent !== undefined) {
      const { view, rows } = this.#currentContent();
      const now = { view: JSON.stringify(view), rows: JSON.stringify(rows) };
      if (now.view !== this.#lastSent.view) {
        this.#page.sendMessage({ type: 'view', view });
      }
      if (now.rows !== this.#lastSent.rows) {
        this.#page.sendMessage({ type: 'rows', rows });
      }
      this.#lastSent = now;
    }
  }

  dispose(): void {
    vscode.Disposable.from(...this.#subscriptions).dispose();
    this.#looking?.dispose();
  }

  get #indexList(): IndexList {
    return this.#parts.indexLists.get(this.#connectionId);
  }

  get #tabTitle(): string {
    return l10n.t('Index Overview: {0}', this.#connection().name);
  }

  #messageHandlers(): MessageHandlers<OverviewPageMessage> {
    const { clipboard, notices } = this.#parts;
    return {
      ready: ({ timeZone }) => {
        this.#batchSession.timeZone = timeZone;
        const { view, rows } = this.#currentContent();
        this.#lastSent = { view: JSON.stringify(view), rows: JSON.stringify(rows) };
        this.#page.sendMessage({
          type: 'open',
          translations: vscode.l10n.bundle,
          locale: vscode.env.language,
          view,
          rows,
        });
      },
      refresh: () => this.#indexList.refresh(),
      batch: ({ intent }) => this.#batchSession.handle(intent, (id) => this.#indexNameOf(id)),
      truncate: ({ id }) => this.#runCommandOnIndex(COMMANDS.indexTruncate, id),
      copyName: ({ id }) => this.#runCommandOnIndex(COMMANDS.indexCopyName, id),
      showTruncation: ({ id }) => this.#showTruncation(id),
      addIndex: () => runTreeCommand(COMMANDS.indexAdd, { connectionId: this.#connectionId }),
      signIn: () => runTreeCommand(COMMANDS.connectionSignIn, { connectionId: this.#connectionId }),
      copyDetails: async () => {
        const { failure } = this.#indexList;
        if (failure !== undefined) {
          await clipboard.copy(failureReport(failure, { connection: this.#connection().name, when: Date.now() }));
          notices.done(l10n.t('Copied'));
        }
      },
    };
  }

  /** Reads limits once per load. The lists fire when done. */
  #readRetentionLimits(): void {
    const { loadedAt } = this.#indexList;
    if (loadedAt !== undefined && loadedAt !== this.#limitsReadFor) {
      this.#limitsReadFor = loadedAt;
      void this.#parts.indexLists.readRetentionLimits(this.#connectionId);
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
      const records = this.#parts.records.of(this.#connectionId);
      const record = latestTruncations(records, this.#connection()).get(indexNameKey(target));
      if (record !== undefined) {
        const ref: TruncationRef = { connectionId: this.#connectionId, recordId: record.id };
        await runTreeCommand(COMMANDS.taskShow, ref);
      }
    }
  }

  #currentContent(): { readonly view: OverviewPageView; readonly rows: readonly OverviewTableRow[] } {
    const { records, rowsByAge, watch, indexLists, lastBatches } = this.#parts;
    const connection = this.#connection();
    const list = this.#indexList;
    this.#indices = indicesById(list.indices);
    return {
      view: {
        ...overviewPageView({ connection, list }),
        lastTime: lastTimeView(lastBatches.of(connection), list.isLoaded ? this.#indices : undefined),
        batch: this.#batchSession.view,
      },
      rows: overviewTableRows(this.#indices, {
        connection,
        records: records.of(this.#connectionId),
        watch,
        limitOf: indexLists.retentionLimits(this.#connectionId),
        counted: rowsByAge.all(this.#connectionId, accessOf(connection)),
        growthOf: (target) => indexLists.growthOfIndex(this.#connectionId, target),
        now: Date.now(),
      }),
    };
  }

  /** Watches tasks while the panel is visible. */
  #watchWhileVisible(): void {
    this.#parts.showingChanged();
    if (this.#page.isVisible) {
      this.#looking ??= this.#parts.watch.keepWatching();
      this.updatePage();
      void this.#parts.batches.reload().then(() => this.updatePage());
    } else {
      this.#looking?.dispose();
      this.#looking = undefined;
    }
  }
}

async function runTreeCommand(command: CommandId, subject: object): Promise<void> {
  await vscode.commands.executeCommand(command, handleOf(subject));
}
