/** A page in a webview panel: its files, its policy, and its messages, each checked before it reaches anything. */
import * as vscode from 'vscode';
import { toServiceFailure } from '../../service/failure/failure.ts';
import { inPlainText } from '../../ui/foreignText.ts';
import type { Log } from '../../ui/log.ts';
import type { Notices } from '../../ui/notices.ts';
import { language } from '../../language.ts';
import { pageHtml } from './html.ts';

interface TypedMessage {
  readonly type: string;
}

/** What is done about each type of message. A type without a handler does not compile. */
export type MessageHandlers<Message extends TypedMessage> = {
  readonly [Type in Message['type']]: (message: Extract<Message, { readonly type: Type }>) => Promise<void> | void;
};

interface WebviewPageParts<Incoming extends TypedMessage> {
  readonly extensionUri: vscode.Uri;
  /** Of its script and its style sheet in `dist`, and in the log. */
  readonly name: string;
  /** For screen readers, until the panel has a title of its own. */
  readonly title: string;
  /** @returns the message, or undefined when it is none of this page's: then nothing happens. */
  readonly parse: (data: unknown) => Incoming | undefined;
  readonly handlers: MessageHandlers<Incoming>;
  readonly notices: Notices;
  readonly log: Log;
}

/**
 * @template Incoming What the page may say.
 * @template Outgoing What it is told.
 */
export class WebviewPage<Incoming extends TypedMessage, Outgoing> implements vscode.Disposable {
  readonly #panel: vscode.WebviewPanel;
  readonly #parts: WebviewPageParts<Incoming>;
  readonly #subscription: vscode.Disposable;

  /** Loads the page into the panel, which stays VS Code's: it may have made it itself, after a reload. */
  constructor(panel: vscode.WebviewPanel, parts: WebviewPageParts<Incoming>) {
    this.#panel = panel;
    this.#parts = parts;
    const dist = vscode.Uri.joinPath(parts.extensionUri, 'dist');
    const { webview } = panel;
    // A tab's icon is a picture as it is: VS Code colours it for no theme.
    const media = vscode.Uri.joinPath(parts.extensionUri, 'media');
    panel.iconPath = {
      light: vscode.Uri.joinPath(media, 'tab-light.svg'),
      dark: vscode.Uri.joinPath(media, 'tab-dark.svg'),
    };
    webview.options = { enableScripts: true, localResourceRoots: [dist], enableCommandUris: false, enableForms: false };
    this.#subscription = webview.onDidReceiveMessage((data: unknown) => this.#receive(data));
    webview.html = pageHtml({
      cspSource: webview.cspSource,
      nonce: Buffer.from(crypto.getRandomValues(new Uint8Array(24))).toString('base64'),
      scriptUri: webview.asWebviewUri(vscode.Uri.joinPath(dist, `${parts.name}.js`)).toString(),
      styleUri: webview.asWebviewUri(vscode.Uri.joinPath(dist, `${parts.name}.css`)).toString(),
      title: parts.title,
      language: language(),
    });
  }

  get isVisible(): boolean {
    return this.#panel.visible;
  }

  /** Names the panel's tab. */
  rename(title: string): void {
    this.#panel.title = inPlainText(title);
  }

  reveal(): void {
    this.#panel.reveal();
  }

  onDidChangeVisibility(listener: () => void): vscode.Disposable {
    return this.#panel.onDidChangeViewState(listener);
  }

  post(message: Outgoing): void {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- VS Code's own channel to the page, not window.postMessage
    void this.#panel.webview.postMessage(message);
  }

  /** Stops listening. The panel itself is closed by the person, or by VS Code. */
  dispose(): void {
    this.#subscription.dispose();
  }

  #receive(data: unknown): void {
    const message = this.#parts.parse(data);
    if (message !== undefined) {
      this.#handle(message).catch((thrown: unknown) => {
        this.#parts.log.bug(`${this.#parts.name}: ${message.type}`, thrown);
        this.#parts.notices.failure(toServiceFailure(thrown));
      });
    }
  }

  async #handle(message: Incoming): Promise<void> {
    const handler = this.#parts.handlers[message.type as Incoming['type']] as (
      received: Incoming,
    ) => Promise<void> | void;
    await handler(message);
  }
}
