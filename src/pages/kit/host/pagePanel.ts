/** A page in a webview panel: files, policy, validated intents, and the view that it draws. */
import * as vscode from 'vscode';
import { language } from '../../../language.ts';
import { toServiceFailure } from '../../../service/failure/failure.ts';
import { confirmJob } from '../../../truncation/confirmJob.ts';
import type { JobQuestion } from '../../../truncation/jobRun.ts';
import type { Problem } from '../../../truncation/outcome.ts';
import type { Clipboard } from '../../../ui/clipboard.ts';
import { inPlainText } from '../../../ui/foreignText.ts';
import type { Log } from '../../../ui/log.ts';
import type { Notices } from '../../../ui/notices.ts';
import { viewChanges, type HostMessage } from '../protocol.ts';
import { pageHtml } from './html.ts';

interface TypedMessage {
  readonly type: string;
}

interface Ready {
  readonly type: 'ready';
  readonly timeZone: string;
}

/** A handler per intent. A missing one doesn't compile. */
export type IntentHandlers<Intent extends TypedMessage> = {
  readonly [Type in Intent['type']]: (intent: Extract<Intent, { readonly type: Type }>) => Promise<unknown> | unknown;
};

/** Parts of the extension that each page uses. */
export interface PageHost {
  readonly extensionUri: vscode.Uri;
  readonly clipboard: Clipboard;
  readonly notices: Notices;
  readonly log: Log;
}

export interface PageContent<Intent extends TypedMessage, View extends object> {
  /** Names its files in `dist` and its log entries. */
  readonly name: string;
  readonly title: () => string;
  /** Shows in the tab that rows of production can be lost. */
  readonly isProduction: () => boolean;
  readonly view: () => View;
  /** @returns undefined for a message to ignore. */
  readonly parse: (data: unknown) => Intent | Ready | undefined;
  readonly handlers: IntentHandlers<Intent>;
  /** Called before each `view` of a page that was just loaded. */
  readonly opened: (timeZone: string) => void;
  /** Called when it is shown or hidden. */
  readonly visibilityChanged: () => void;
}

/**
 * @template Intent Messages from the page besides `ready`.
 * @template View What the page draws. Sent again where it changes, as long as the page is visible.
 */
export class PagePanel<Intent extends TypedMessage, View extends object> implements vscode.Disposable {
  readonly #panel: vscode.WebviewPanel;
  readonly #host: PageHost;
  readonly #content: PageContent<Intent, View>;
  readonly #subscriptions: vscode.Disposable;
  /** The parts of the view that the page has, as JSON. Undefined before it is loaded, and while it is hidden. */
  #sent: ReadonlyMap<string, string> | undefined;
  #isClosed = false;
  #icon: string | undefined;

  /** Loads the page into a new or restored panel. */
  constructor(panel: vscode.WebviewPanel, host: PageHost, content: PageContent<Intent, View>) {
    this.#panel = panel;
    this.#host = host;
    this.#content = content;
    const dist = vscode.Uri.joinPath(host.extensionUri, 'dist');
    const { webview } = panel;
    webview.options = { enableScripts: true, localResourceRoots: [dist], enableCommandUris: false, enableForms: false };
    this.#subscriptions = vscode.Disposable.from(
      webview.onDidReceiveMessage((data: unknown) => this.#receiveMessage(data)),
      panel.onDidDispose(() => (this.#isClosed = true)),
      panel.onDidChangeViewState(() => {
        // VS Code unloads a hidden page.
        this.#sent = panel.visible ? this.#sent : undefined;
        content.visibilityChanged();
      }),
    );
    this.#updateTab();
    webview.html = pageHtml({
      cspSource: webview.cspSource,
      nonce: Buffer.from(crypto.getRandomValues(new Uint8Array(24))).toString('base64'),
      scriptUri: webview.asWebviewUri(vscode.Uri.joinPath(dist, `${content.name}.js`)).toString(),
      styleUri: webview.asWebviewUri(vscode.Uri.joinPath(dist, `${content.name}.css`)).toString(),
      title: panel.title,
      language: language(),
    });
  }

  /** False also once it is closed, when VS Code says nothing more about it. */
  get isVisible(): boolean {
    return !this.#isClosed && this.#panel.visible;
  }

  /** Sends what has changed. */
  update(): void {
    this.#updateTab();
    if (this.#sent === undefined) {
      return;
    }
    const { changed, removed, now } = viewChanges(this.#sent, this.#content.view());
    if (Object.keys(changed).length > 0 || removed.length > 0) {
      this.#sent = now;
      this.#sendMessage({ type: 'view', changed, removed });
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
    const media = vscode.Uri.joinPath(this.#host.extensionUri, 'media');
    const icon = this.#content.isProduction() ? 'tab-production' : 'tab';
    if (icon !== this.#icon) {
      this.#icon = icon;
      this.#panel.iconPath = {
        light: vscode.Uri.joinPath(media, `${icon}-light.svg`),
        dark: vscode.Uri.joinPath(media, `${icon}-dark.svg`),
      };
    }
    this.#panel.title = inPlainText(this.#content.title());
  }

  #sendMessage(message: HostMessage<View>): void {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- not window.postMessage
    void this.#panel.webview.postMessage(message);
  }

  #receiveMessage(data: unknown): void {
    const message = this.#content.parse(data);
    if (message !== undefined) {
      this.#handleMessage(message).catch((thrown: unknown) => {
        this.#host.log.bug(`${this.#content.name}: ${message.type}`, thrown);
        this.#host.notices.failure(toServiceFailure(thrown));
      });
    }
  }

  async #handleMessage(message: Intent | Ready): Promise<void> {
    if (isReady(message)) {
      this.#content.opened(message.timeZone);
      const view = this.#content.view();
      this.#sent = viewChanges(new Map(), view).now;
      const { bundle: translations } = vscode.l10n;
      this.#sendMessage({ type: 'open', translations, locale: vscode.env.language, view });
      return;
    }
    const handler = this.#content.handlers[message.type as Intent['type']] as (received: Intent) => unknown;
    await handler(message);
  }
}

function isReady<Intent extends TypedMessage>(message: Intent | Ready): message is Ready {
  return message.type === 'ready';
}
