/** The used part of VS Code's API in one window: what the extension shows, the driver reads and answers. */
import { join } from 'node:path';
import type * as vscode from 'vscode';
import { Emitter } from '../../../src/platform/events.ts';
import { hostOf, MANIFEST, never, type Question } from './host.ts';

const host = hostOf(import.meta.url);
const { machine } = host;

/** Nothing is heard in a window that has ended. */
export class EventEmitter<T> extends Emitter<T> {
  override fire(value: T): void {
    if (host.isAlive) super.fire(value);
  }
}

export class Disposable {
  readonly #dispose: () => unknown;

  constructor(dispose: () => unknown) {
    this.#dispose = dispose;
  }

  static from(...all: readonly { dispose(): unknown }[]): Disposable {
    return new Disposable(() => all.forEach((one) => one.dispose()));
  }

  dispose(): void {
    this.#dispose();
  }
}

/** Of files only. */
export class Uri {
  readonly fsPath: string;

  private constructor(path: string) {
    this.fsPath = path;
  }

  static file(path: string): Uri {
    return new Uri(path);
  }

  static joinPath(base: Uri, ...parts: string[]): Uri {
    return new Uri(join(base.fsPath, ...parts));
  }

  toString(): string {
    return `file://${this.fsPath}`;
  }
}

export class TreeItem {
  label: unknown;
  collapsibleState: number;

  constructor(label: unknown, collapsibleState = 0) {
    this.label = label;
    this.collapsibleState = collapsibleState;
  }
}

class NamedThing {
  readonly id: string;
  readonly color: unknown;

  constructor(id: string, color?: unknown) {
    this.id = id;
    this.color = color;
  }
}
export { NamedThing as ThemeColor, NamedThing as ThemeIcon };

export class MarkdownString {
  value: string;

  constructor(value = '') {
    this.value = value;
  }

  appendMarkdown(text: string): this {
    this.value += text;
    return this;
  }
}

export const TreeItemCollapsibleState = { None: 0, Collapsed: 1, Expanded: 2 };
export const QuickPickItemKind = { Separator: -1, Default: 0 };
export const QuickInputButtons = { Back: { iconPath: new NamedThing('arrow-left'), tooltip: 'Back' } };
export const InputBoxValidationSeverity = { Info: 1 };
export const ProgressLocation = { Notification: 15 };
export const StatusBarAlignment = { Left: 1 };
export const ViewColumn = { Active: -1 };
export const ExtensionMode = { Production: 1, Test: 3 };
export const LogLevel = { Trace: 1, Info: 3 };
export const UIKind = { Desktop: 1, Web: 2 };

const noEvent = new EventEmitter<never>().event;
const nothing = (): void => undefined;

/** A quick pick or an input box. The extension sets more of it than is declared here. */
export class QuickInput {
  readonly kind: 'pick' | 'box';
  readonly title?: string;
  readonly prompt?: string;
  readonly placeholder?: string;
  readonly password?: boolean;
  value = '';
  buttons: readonly vscode.QuickInputButton[] = [];
  activeItems: readonly vscode.QuickPickItem[] = [];
  selectedItems: readonly vscode.QuickPickItem[] = [];
  #items: readonly vscode.QuickPickItem[] = [];
  #validationMessage: unknown;
  #isShown = false;
  readonly #changedValue = new EventEmitter<string>();
  readonly #changedSelection = new EventEmitter<readonly vscode.QuickPickItem[]>();
  readonly #accepted = new EventEmitter<void>();
  readonly #hidden = new EventEmitter<void>();
  readonly onDidChangeValue = this.#changedValue.event;
  readonly onDidChangeSelection = this.#changedSelection.event;
  readonly onDidAccept = this.#accepted.event;
  readonly onDidHide = this.#hidden.event;
  readonly onDidTriggerButton = noEvent;

  constructor(kind: QuickInput['kind']) {
    this.kind = kind;
  }

  get items(): readonly vscode.QuickPickItem[] {
    return this.#items;
  }

  set items(items: readonly vscode.QuickPickItem[]) {
    this.#items = items;
    this.activeItems = items.filter(({ kind }) => kind !== QuickPickItemKind.Separator).slice(0, 1);
    this.selectedItems = [];
    this.#note();
  }

  set validationMessage(message: unknown) {
    this.#validationMessage = message;
    this.#note();
  }

  /** What it asks for. */
  get question(): string {
    return [this.title, this.prompt, this.placeholder].filter(Boolean).join(' | ');
  }

  choose(item: vscode.QuickPickItem): void {
    this.activeItems = [item];
    this.selectedItems = [item];
    this.#changedSelection.fire(this.selectedItems);
  }

  typed(text: string): void {
    this.value = text;
    this.#changedValue.fire(text);
  }

  accept(): void {
    const wasShown = this.#isShown;
    this.#accepted.fire();
    // A text that is taken closes the box.
    if (this.kind === 'box' && wasShown && !this.#isShown) {
      host.noteAnswer(this.title ?? '', this.value);
    }
  }

  show(): void {
    if (host.input !== this) {
      host.input?.hide();
      host.input = this;
    }
    this.#isShown = true;
    host.asked.push(this.password === true ? '' : this.value);
    this.#note();
  }

  hide(): void {
    if (this.#isShown) {
      this.#note();
      this.#isShown = false;
      if (host.input === this) host.input = undefined;
      this.#hidden.fire();
    }
  }

  dispose(): void {
    this.hide();
  }

  #note(): void {
    const { title, prompt, placeholder, buttons, items } = this;
    const validationMessage = this.#validationMessage;
    host.asked.push(JSON.stringify({ title, prompt, placeholder, buttons, items, validationMessage }));
  }
}

/** A page, without the browser that draws it. */
export class Panel {
  title: string;
  isOpen = true;
  /** Messages from the extension, oldest first. */
  readonly received: Readonly<Record<string, unknown>>[] = [];
  readonly visible = true;
  readonly active = true;
  readonly #message = new EventEmitter<unknown>();
  readonly #disposed = new EventEmitter<void>();
  readonly onDidDispose = this.#disposed.event;
  readonly onDidChangeViewState = noEvent;
  readonly reveal = nothing;
  readonly webview = {
    options: {},
    html: '',
    onDidReceiveMessage: this.#message.event,
    postMessage: (message: Readonly<Record<string, unknown>>) => {
      this.received.push(structuredClone(message));
      return Promise.resolve(true);
    },
  };

  constructor(title: string) {
    this.title = title;
    host.panels.push(this);
  }

  /** The extension has filled it. */
  get isLoaded(): boolean {
    return this.webview.html !== '';
  }

  /** Delivers a message of the page. */
  send(message: unknown): void {
    this.#message.fire(structuredClone(message));
  }

  dispose(): void {
    if (this.isOpen) {
      this.isOpen = false;
      this.#disposed.fire();
    }
  }
}

type Button = string | vscode.MessageItem;

function showMessage(message: string, ...rest: (Button | vscode.MessageOptions)[]): Promise<Button | undefined> {
  const [first] = rest;
  const options = typeof first === 'object' && !('title' in first) ? first : undefined;
  const items = rest.filter((one): one is Button => one !== options);
  const buttons = items.map((one) => (typeof one === 'string' ? one : one.title));
  if (options?.modal !== true) {
    host.notices.push({ message, buttons });
    return never();
  }
  const closing = items.find((one) => typeof one === 'object' && one.isCloseAffordance === true);
  const { promise, resolve } = Promise.withResolvers<Button | undefined>();
  const answer = (button: string | undefined): void => {
    const at = host.questions.indexOf(question);
    if (at !== -1 && host.isAlive) {
      host.questions.splice(at, 1);
      host.noteAnswer(message, button);
      resolve(button === undefined ? closing : items[buttons.indexOf(button)]);
    }
  };
  const question: Question = { message, buttons, answer };
  host.questions.push(question);
  host.asked.push(message, options.detail ?? '', ...buttons);
  return promise;
}

/** A text that passes by. */
function showText(message: string): void {
  host.notices.push({ message, buttons: [] });
}

export const window = {
  state: { focused: true, active: true },
  onDidChangeWindowState: noEvent,
  activeTextEditor: undefined,
  showInformationMessage: showMessage,
  showWarningMessage: showMessage,
  showErrorMessage: showMessage,
  setStatusBarMessage: (message: string) => {
    showText(message);
    return new Disposable(nothing);
  },
  withProgress: (
    options: { readonly title: string },
    work: (progress: { report: (step: { message?: string }) => void }, stop: unknown) => Promise<unknown>,
  ) => {
    showText(options.title);
    const report = ({ message }: { message?: string }): void => {
      if (message !== undefined) showText(message);
    };
    return work({ report }, { isCancellationRequested: false, onCancellationRequested: noEvent });
  },
  createQuickPick: () => new QuickInput('pick'),
  createInputBox: () => new QuickInput('box'),
  createStatusBarItem: () => {
    const item = { text: '', tooltip: undefined, show: nothing, hide: nothing, dispose: nothing };
    host.statusBar.push(item);
    return item;
  },
  createOutputChannel: () => {
    const write = (line: string): void => void host.log.push(line);
    return { info: write, warn: write, error: write, debug: write, trace: write, show: nothing, dispose: nothing };
  },
  createTreeView: (_id: string, options: { readonly treeDataProvider: vscode.TreeDataProvider<unknown> }) => {
    host.tree = options.treeDataProvider;
    return {
      visible: true,
      onDidChangeVisibility: noEvent,
      onDidExpandElement: noEvent,
      onDidCollapseElement: noEvent,
      reveal: () => Promise.resolve(),
      dispose: nothing,
    };
  },
  createWebviewPanel: (_viewType: string, title: string) => new Panel(title),
  registerWebviewPanelSerializer: (viewType: string, serializer: vscode.WebviewPanelSerializer) => {
    host.serializers.set(viewType, serializer);
    return new Disposable(() => host.serializers.delete(viewType));
  },
  showTextDocument: () => Promise.resolve(),
  onDidCloseTerminal: noEvent,
  onDidChangeTerminalState: noEvent,
  onDidChangeTerminalShellIntegration: noEvent,
};

export const workspace = {
  workspaceFolders: undefined,
  // So that no terminal is asked what its profile changes: there is none.
  isTrusted: false,
  getConfiguration: () => ({
    get: nothing,
    inspect: (key: string) => ({ defaultValue: MANIFEST.contributes.configuration.properties[key]?.default }),
  }),
  openTextDocument: ({ content }: { content: string }) => Promise.resolve({ content }),
  fs: {
    readFile: () => Promise.reject(new Error('no such file')),
    isWritableFileSystem: () => true,
  },
};

export const commands = {
  registerCommand: (id: string, run: (...given: unknown[]) => unknown) => {
    host.commands.set(id, run);
    return new Disposable(() => host.commands.delete(id));
  },
  executeCommand: async (id: string, ...given: unknown[]) => {
    if (id === 'setContext') host.contextKeys.set(String(given[0]), given[1]);
    return host.commands.get(id)?.(...given);
  },
};

export const env = {
  language: 'en',
  remoteName: host.place.remoteName,
  uiKind: UIKind.Desktop,
  logLevel: LogLevel.Info,
  clipboard: {
    readText: () => host.read(() => Promise.resolve(machine.clipboard)),
    writeText: (text: string) => host.read(() => Promise.resolve(void (machine.clipboard = text))),
  },
};

export const l10n = { bundle: undefined };
