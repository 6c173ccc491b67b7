/** A page in a webview panel: its HTML, validated intents, its job, and the view that it draws. */
import { readFile } from 'node:fs/promises';
import * as l10n from '@vscode/l10n';
import type * as v from 'valibot';
import * as vscode from 'vscode';
import type { Connection } from '../../../connections/connection.ts';
import type { IndexLists } from '../../../indices/indexLists.ts';
import type { IndexName } from '../../../indices/indexName.ts';
import { language } from '../../../language.ts';
import { clusterRequests } from '../../../truncation/clusterRequests.ts';
import { confirmDeletion } from '../../../truncation/confirmDeletion.ts';
import { ServiceFailure } from '../../../service/failure/failure.ts';
import type { JobEnvironment } from '../../../truncation/jobEnvironment.ts';
import type { JobItem } from '../../../truncation/jobItem.ts';
import type { JobRun } from '../../../truncation/jobRun.ts';
import { jobReceipt } from '../../../truncation/receipt.ts';
import type { ReviewedIndex } from '../../../truncation/dryRun.ts';
import { inPlainText } from '../../../ui/foreignText.ts';
import { offerToOpen } from '../../../ui/messages.ts';
import type { CopyRequests, HostMessage } from '../protocol.ts';
import { parsedAs } from '../../../json.ts';
import { copyText, offerAutomation, type CopyingHost } from './actions.ts';
import { pageHtml } from './html.ts';

interface TypedMessage {
  readonly type: string;
}

/** A handler per message. A missing one doesn't compile. */
export type MessageHandlers<Message extends TypedMessage> = {
  readonly [Type in Message['type']]: (
    message: Extract<Message, { readonly type: Type }>,
  ) => Promise<unknown> | unknown;
};

/** Parts of the extension that each page uses. */
export interface PageParts extends JobEnvironment, CopyingHost {
  readonly extensionUri: vscode.Uri;
  readonly indexLists: IndexLists;
  /** Copies cutoffs, one at least, as a recipe for the server's own cleanup. @throws ServiceFailure */
  readonly copyRecipe: (connection: Connection, reviewed: readonly ReviewedIndex[]) => Promise<void>;
  /** Copies a job that repeats truncations. @throws ServiceFailure */
  readonly copyJob: (connection: Connection, reviewed: readonly ReviewedIndex[]) => Promise<void>;
}

/**
 * @template Message From the page, with `ready`.
 * @template View What the page draws. Sent again when it changes, as long as the page is visible.
 * @template Parts Of the extension.
 */
export abstract class PagePanel<Message extends TypedMessage, View extends object, Parts extends PageParts>
  implements vscode.Disposable
{
  readonly panel: vscode.WebviewPanel;
  protected readonly job: JobRun;
  protected readonly parts: Parts;
  readonly #opened: Connection;
  protected readonly subscriptions: vscode.Disposable[];
  #watching: vscode.Disposable | undefined;
  /** The view that the page has, as JSON. Undefined before it is loaded, and while it is hidden. */
  #sent: string | undefined;
  #isClosed = false;
  #icon: string | undefined;

  /** Of the script and the style sheet in `dist`. */
  protected abstract readonly name: string;
  /** Others are ignored. */
  protected abstract readonly messages: v.GenericSchema<unknown, Message>;
  /** `ready` is handled before each `view` of a page that was just loaded. */
  protected abstract readonly handlers: MessageHandlers<Message>;
  protected abstract get title(): string;
  protected abstract get view(): View;

  /**
   * @param panel A new or restored one, which `load` fills.
   * @param connection Of the job.
   */
  constructor(panel: vscode.WebviewPanel, connection: Connection, job: JobRun, parts: Parts) {
    this.panel = panel;
    this.#opened = connection;
    this.job = job;
    this.parts = parts;
    this.subscriptions = [
      panel.webview.onDidReceiveMessage((data: unknown) => this.#receiveMessage(data)),
      panel.onDidDispose(() => (this.#isClosed = true)),
      panel.onDidChangeViewState(() => {
        // VS Code unloads a hidden page.
        this.#sent = panel.visible ? this.#sent : undefined;
        this.followVisibility();
      }),
      job.onDidChange(() => this.updatePage()),
    ];
  }

  get connectionId(): string {
    return this.job.connectionId;
  }

  /** As it is stored now. Undefined if it was removed, or can't be read. */
  protected get connection(): Connection | undefined {
    return this.parts.store.get(this.connectionId);
  }

  /** The one that it was opened with, while a page whose connection was removed is closing, or that one can't be read. */
  protected get shownConnection(): Connection {
    return this.connection ?? this.#opened;
  }

  /** False also once it is closed, when VS Code says nothing more about it. */
  protected get isVisible(): boolean {
    return !this.#isClosed && this.panel.visible;
  }

  protected get isClosed(): boolean {
    return this.#isClosed;
  }

  /** True if the user sees this truncation's progress now. */
  abstract isShowing(recordId: string): boolean;

  /** Sends the view, if it has changed. Closes the page of a removed connection, but not of one that can't be read now. */
  updatePage(): void {
    if (this.connection === undefined && !this.parts.store.unreadable().includes(this.connectionId)) {
      this.panel.dispose();
      return;
    }
    this.#updateTab();
    if (this.#sent === undefined) {
      return;
    }
    const { view } = this;
    const now = JSON.stringify(view);
    if (now !== this.#sent) {
      this.#sent = now;
      this.#sendMessage({ type: 'view', view });
    }
  }

  protected updatePageOf(connectionId: string): void {
    if (connectionId === this.connectionId) {
      this.updatePage();
    }
  }

  /** Of the truncations as they are now: the page may show others before the user has chosen. */
  protected async automate(): Promise<void> {
    const { connection } = this;
    const { copyRecipe, copyJob } = this.parts;
    const reviewed = this.#repeatable;
    if (connection === undefined || reviewed.length === 0) {
      throw new ServiceFailure('badRequest', l10n.t('Run a dry run first.'));
    }
    await offerAutomation(
      () => copyRecipe(connection, reviewed),
      () => copyJob(connection, reviewed),
    );
  }

  /** Of this server: the connection may have another address since. */
  get #repeatable(): readonly ReviewedIndex[] {
    const { connection } = this;
    return this.job.items.flatMap(({ repeatable, record }) =>
      record === undefined || record.baseUrl === connection?.baseUrl ? (repeatable ?? []) : [],
    );
  }

  /** @param items The confirmed ones. */
  protected async copyReceipt(items: readonly JobItem[]): Promise<void> {
    const receipt = jobReceipt(items, this.shownConnection.name, Date.now());
    await this.parts.clipboard.copy(receipt);
    void offerToOpen(l10n.t('Copied'), receipt, 'markdown');
  }

  /** Copies the requests about an item for an administrator. */
  protected async copyRequests({ place, for: kind }: CopyRequests): Promise<void> {
    const record = this.job.items[place]?.record;
    const text = record && (await clusterRequests(record, kind, (index) => this.#currentName(index)));
    await copyText(text, this.parts);
  }

  /** The name on the search cluster, which a reindex changes. Undefined if unlisted. */
  async #currentName(index: IndexName): Promise<string | undefined> {
    const list = this.parts.indexLists.get(this.connectionId);
    await list.refresh();
    return list.failure === undefined ? list.physicalName(index) : undefined;
  }

  /** Stops listening and sends nothing more. Tasks keep running on the server. */
  dispose(): void {
    this.#isClosed = true;
    vscode.Disposable.from(...this.subscriptions).dispose();
    this.#watching?.dispose();
    this.job.dispose();
  }

  /** Loads the page. Call once, at the end of the constructor. */
  protected load(): void {
    this.#updateTab();
    void this.#fill().catch((thrown: unknown) => this.parts.notices.thrown('page', thrown));
    this.followVisibility();
  }

  /** With its script and style, since each file that a page loads passes VS Code's service worker. */
  async #fill(): Promise<void> {
    const { webview } = this.panel;
    webview.options = { enableScripts: true, localResourceRoots: [], enableCommandUris: false, enableForms: false };
    const read = (file: string): Promise<string> =>
      readFile(vscode.Uri.joinPath(this.parts.extensionUri, 'dist', file).fsPath, 'utf8');
    const [script, style] = await Promise.all([read(`${this.name}.js`), read(`${this.name}.css`)]);
    if (!this.#isClosed) {
      webview.html = pageHtml({
        nonce: Buffer.from(crypto.getRandomValues(new Uint8Array(24))).toString('base64'),
        script,
        style,
        title: this.panel.title,
        language: language(),
      });
    }
  }

  /** Watches tasks while the page is visible. */
  protected followVisibility(): void {
    if (this.isVisible) {
      this.#watching ??= this.parts.watch.keepWatching();
    } else {
      this.#watching?.dispose();
      this.#watching = undefined;
    }
  }

  /**
   * Executes what was reviewed, after the last question. VS Code may focus another editor after its questions.
   * @returns whether the user has agreed.
   */
  protected async execute(): Promise<boolean> {
    let isAgreed = false;
    await this.job.execute(async (question, heldBack) => {
      isAgreed = await confirmDeletion(question, heldBack);
      if (isAgreed && this.isVisible) {
        this.panel.reveal();
      }
      return isAgreed;
    });
    return isAgreed;
  }

  /** VS Code doesn't recolour tab icons for the theme. */
  #updateTab(): void {
    const icon = this.shownConnection.role === 'production' ? 'tab-production' : 'tab';
    if (icon !== this.#icon) {
      this.#icon = icon;
      const media = vscode.Uri.joinPath(this.parts.extensionUri, 'media');
      this.panel.iconPath = {
        light: vscode.Uri.joinPath(media, `${icon}-light.svg`),
        dark: vscode.Uri.joinPath(media, `${icon}-dark.svg`),
      };
    }
    this.panel.title = inPlainText(this.title);
  }

  #sendMessage(message: HostMessage<View>): void {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- not window.postMessage
    void this.panel.webview.postMessage(message);
  }

  async #receiveMessage(data: unknown): Promise<void> {
    const message = parsedAs(this.messages, data);
    if (message === undefined) {
      return;
    }
    try {
      const handler = this.handlers[message.type as Message['type']] as (received: Message) => unknown;
      await handler(message);
      if (message.type === 'ready') {
        const { view } = this;
        this.#sent = JSON.stringify(view);
        const { bundle: translations } = vscode.l10n;
        this.#sendMessage({ type: 'open', translations, locale: vscode.env.language, view });
      }
    } catch (thrown) {
      const { notices } = this.parts;
      if (thrown instanceof ServiceFailure) {
        notices.failure(thrown, this.connection);
      } else {
        notices.thrown(`page: ${message.type}`, thrown);
      }
    }
  }
}
