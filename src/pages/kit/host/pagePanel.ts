/** A page in a webview panel: files, policy, validated intents, and the view that it draws. */
import type * as v from 'valibot';
import * as vscode from 'vscode';
import { language } from '../../../language.ts';
import { Emitter } from '../../../platform/events.ts';
import { confirmJob } from '../../../truncation/confirmJob.ts';
import type { JobQuestion } from '../../../truncation/jobRun.ts';
import type { Problem } from '../../../truncation/outcome.ts';
import type { Clipboard } from '../../../ui/clipboard.ts';
import { inPlainText } from '../../../ui/foreignText.ts';
import type { Notices } from '../../../ui/notices.ts';
import { parsedAs, type HostMessage } from '../protocol.ts';
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
export interface PageHost {
  readonly extensionUri: vscode.Uri;
  readonly clipboard: Clipboard;
  readonly notices: Notices;
}

interface PageContent<Message extends TypedMessage, View extends object> {
  /** In `dist`, beside its style sheet. */
  readonly script: vscode.Uri;
  readonly tab: () => PageTab;
  readonly view: () => View;
  /** Others are ignored. */
  readonly messages: v.GenericSchema<unknown, Message>;
  /** `ready` is handled before each `view` of a page that was just loaded. */
  readonly handlers: MessageHandlers<Message>;
  readonly notices: Notices;
}

interface PageTab {
  readonly title: string;
  /** Rows of production can be lost. */
  readonly isProduction: boolean;
}

/**
 * @template Message From the page, with `ready`.
 * @template View What the page draws. Sent again where it changes, as long as the page is visible.
 */
export class PagePanel<Message extends TypedMessage, View extends object> implements vscode.Disposable {
  readonly #panel: vscode.WebviewPanel;
  readonly #content: PageContent<Message, View>;
  readonly #visibility = new Emitter<void>();
  readonly #subscriptions: vscode.Disposable;
  /** The view that the page has, as JSON. Undefined before it is loaded, and while it is hidden. */
  #sent: string | undefined;
  #isClosed = false;
  #icon: string | undefined;
  readonly onDidChangeVisibility = this.#visibility.event;

  /** Loads the page into a new or restored panel. */
  constructor(panel: vscode.WebviewPanel, content: PageContent<Message, View>) {
    this.#panel = panel;
    this.#content = content;
    const dist = vscode.Uri.joinPath(content.script, '..');
    const { webview } = panel;
    webview.options = { enableScripts: true, localResourceRoots: [dist], enableCommandUris: false, enableForms: false };
    this.#subscriptions = vscode.Disposable.from(
      this.#visibility,
      webview.onDidReceiveMessage((data: unknown) => this.#receiveMessage(data)),
      panel.onDidDispose(() => (this.#isClosed = true)),
      panel.onDidChangeViewState(() => {
        // VS Code unloads a hidden page.
        this.#sent = panel.visible ? this.#sent : undefined;
        this.#visibility.fire();
      }),
    );
    this.#updateTab();
    const scriptUri = webview.asWebviewUri(content.script).toString();
    webview.html = pageHtml({
      cspSource: webview.cspSource,
      nonce: Buffer.from(crypto.getRandomValues(new Uint8Array(24))).toString('base64'),
      scriptUri,
      styleUri: scriptUri.replace(/\.js$/, '.css'),
      title: panel.title,
      language: language(),
    });
  }

  /** False also once it is closed, when VS Code says nothing more about it. */
  get isVisible(): boolean {
    return !this.#isClosed && this.#panel.visible;
  }

  /** Sends the view, if it has changed. */
  update(): void {
    this.#updateTab();
    if (this.#sent === undefined) {
      return;
    }
    const view = this.#content.view();
    const now = JSON.stringify(view);
    if (now !== this.#sent) {
      this.#sent = now;
      this.#sendMessage({ type: 'view', view });
    }
  }

  /** Asks the last question. VS Code may focus another editor after its questions. */
  async confirm(question: JobQuestion, heldBack: Problem | undefined): Promise<boolean> {
    const isYes = await confirmJob(question, heldBack);
    if (isYes && this.isVisible) {
      this.#panel.reveal();
    }
    return isYes;
  }

  close(): void {
    this.#panel.dispose();
  }

  /** Stops listening. The user or VS Code closes the panel. */
  dispose(): void {
    this.#subscriptions.dispose();
  }

  /** VS Code doesn't recolour tab icons for the theme. */
  #updateTab(): void {
    const { title, isProduction } = this.#content.tab();
    const icon = isProduction ? 'tab-production' : 'tab';
    if (icon !== this.#icon) {
      this.#icon = icon;
      const media = vscode.Uri.joinPath(this.#content.script, '../../media');
      this.#panel.iconPath = {
        light: vscode.Uri.joinPath(media, `${icon}-light.svg`),
        dark: vscode.Uri.joinPath(media, `${icon}-dark.svg`),
      };
    }
    this.#panel.title = inPlainText(title);
  }

  #sendMessage(message: HostMessage<View>): void {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- not window.postMessage
    void this.#panel.webview.postMessage(message);
  }

  #receiveMessage(data: unknown): void {
    const message = parsedAs(this.#content.messages, data);
    if (message !== undefined) {
      this.#handleMessage(message).catch((thrown: unknown) =>
        this.#content.notices.thrown(`page: ${message.type}`, thrown),
      );
    }
  }

  async #handleMessage(message: Message): Promise<void> {
    const handler = this.#content.handlers[message.type as Message['type']] as (received: Message) => unknown;
    await handler(message);
    if (message.type === 'ready') {
      const view = this.#content.view();
      this.#sent = JSON.stringify(view);
      const { bundle: translations } = vscode.l10n;
      this.#sendMessage({ type: 'open', translations, locale: vscode.env.language, view });
    }
  }
}
