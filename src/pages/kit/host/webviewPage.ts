/** A page in a webview panel: files, policy, validated messages. */
import * as vscode from 'vscode';
import { toServiceFailure } from '../../../service/failure/failure.ts';
import { inPlainText } from '../../../ui/foreignText.ts';
import type { Log } from '../../../ui/log.ts';
import type { Notices } from '../../../ui/notices.ts';
import { language } from '../../../language.ts';
import { pageHtml } from './html.ts';

interface TypedPageMessage {
  readonly type: string;
}

/** A handler per type. A missing one doesn't compile. */
export type MessageHandlers<Message extends TypedPageMessage> = {
  readonly [Type in Message['type']]: (message: Extract<Message, { readonly type: Type }>) => Promise<void> | void;
};

interface WebviewPageOptions<Incoming extends TypedPageMessage> {
  readonly extensionUri: vscode.Uri;
  /** Names its files in `dist` and its log entries. */
  readonly name: string;
  /** For screen readers, until the panel has a title. */
  readonly tabTitle: string;
  /** @returns undefined for a message to ignore. */
  readonly parse: (data: unknown) => Incoming | undefined;
  readonly messageHandlers: MessageHandlers<Incoming>;
  readonly notices: Notices;
  readonly log: Log;
}

/**
 * @template Incoming Messages from the page.
 * @template Outgoing Messages to the page.
 */
export class WebviewPage<Incoming extends TypedPageMessage, Outgoing> implements vscode.Disposable {
  readonly #panel: vscode.WebviewPanel;
  readonly #parts: WebviewPageOptions<Incoming>;
  readonly #subscription: vscode.Disposable;

  /** Loads the page into a new or restored panel. */
  constructor(panel: vscode.WebviewPanel, parts: WebviewPageOptions<Incoming>) {
    this.#panel = panel;
    this.#parts = parts;
    const dist = vscode.Uri.joinPath(parts.extensionUri, 'dist');
    const { webview } = panel;
    // VS Code doesn't recolour tab icons for the theme.
    const media = vscode.Uri.joinPath(parts.extensionUri, 'media');
    panel.iconPath = {
      light: vscode.Uri.joinPath(media, 'tab-light.svg'),
      dark: vscode.Uri.joinPath(media, 'tab-dark.svg'),
    };
    webview.options = { enableScripts: true, localResourceRoots: [dist], enableCommandUris: false, enableForms: false };
    this.#subscription = webview.onDidReceiveMessage((data: unknown) => this.#receiveMessage(data));
    webview.html = pageHtml({
      cspSource: webview.cspSource,
      nonce: Buffer.from(crypto.getRandomValues(new Uint8Array(24))).toString('base64'),
      scriptUri: webview.asWebviewUri(vscode.Uri.joinPath(dist, `${parts.name}.js`)).toString(),
      styleUri: webview.asWebviewUri(vscode.Uri.joinPath(dist, `${parts.name}.css`)).toString(),
      title: parts.tabTitle,
      language: language(),
    });
  }

  get isVisible(): boolean {
    return this.#panel.visible;
  }

  /** Sets the title of the tab. */
  renameTab(title: string): void {
    this.#panel.title = inPlainText(title);
  }

  revealTab(): void {
    this.#panel.reveal();
  }

  onDidChangeVisibility(listener: () => void): vscode.Disposable {
    return this.#panel.onDidChangeViewState(listener);
  }

  sendMessage(message: Outgoing): void {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- not window.postMessage
    void this.#panel.webview.postMessage(message);
  }

  /** Stops listening. The user or VS Code closes the panel. */
  dispose(): void {
    this.#subscription.dispose();
  }

  #receiveMessage(data: unknown): void {
    const message = this.#parts.parse(data);
    if (message !== undefined) {
      this.#handleMessage(message).catch((thrown: unknown) => {
        this.#parts.log.bug(`${this.#parts.name}: ${message.type}`, thrown);
        this.#parts.notices.failure(toServiceFailure(thrown));
      });
    }
  }

  async #handleMessage(message: Incoming): Promise<void> {
    const handler = this.#parts.messageHandlers[message.type as Incoming['type']] as (
      received: Incoming,
    ) => Promise<void> | void;
    await handler(message);
  }
}
