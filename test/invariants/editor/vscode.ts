/** The used part of VS Code's API in one window: what the extension shows, the driver reads and answers. */
import { join } from 'node:path';
import type * as vscode from 'vscode';
import { hostOf, type OpenInput, type OpenPanel, type Question } from './host.ts';

const host = hostOf(import.meta.url);
const { machine } = host;

export class EventEmitter<T> {
  readonly #listeners = new Set<(value: T) => unknown>();

  readonly event = (listener: (value: T) => unknown, self?: unknown, disposables?: Disposable[]): Disposable => {
    const bound = (value: T): unknown => listener.call(self, value);
    this.#listeners.add(bound);
    const subscription = new Disposable(() => this.#listeners.delete(bound));
    disposables?.push(subscription);
    return subscription;
  };

  fire(value: T): void {
    for (const listener of Array.from(this.#listeners)) {
      if (host.isAlive) listener(value);
    }
  }

  dispose(): void {
    this.#listeners.clear();
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

export class ThemeIcon {
  readonly id: string;
  readonly color: unknown;

  constructor(id: string, color?: unknown) {
    this.id = id;
    this.color = color;
  }
}

export class ThemeColor {
  readonly id: string;

  constructor(id: string) {
    this.id = id;
  }
}

export class MarkdownString {
  value: string;
  isTrusted = false;
  supportThemeIcons = false;

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
export const QuickInputButtons = { Back: { iconPath: new ThemeIcon('arrow-left'), tooltip: 'Back' } };
export const InputBoxValidationSeverity = { Info: 1, Warning: 2, Error: 3 };
export const ProgressLocation = { SourceControl: 1, Window: 10, Notification: 15 };
export const StatusBarAlignment = { Left: 1, Right: 2 };
export const ViewColumn = { Active: -1, One: 1 };
export const ExtensionMode = { Production: 1, Development: 2, Test: 3 };
export const LogLevel = { Off: 0, Trace: 1, Debug: 2, Info: 3, Warning: 4, Error: 5 };
export const UIKind = { Desktop: 1, Web: 2 };

class QuickInput implements OpenInput {
  readonly kind: 'pick' | 'box';
  title: string | undefined;
  prompt: string | undefined;
  placeholder: string | undefined;
  step: number | undefined;
  totalSteps: number | undefined;
  value = '';
  password = false;
  busy = false;
  enabled = true;
  ignoreFocusOut = false;
  canSelectMany = false;
  matchOnDescription = false;
  matchOnDetail = false;
  keepScrollPosition = false;
  buttons: readonly vscode.QuickInputButton[] = [];
  activeItems: readonly vscode.QuickPickItem[] = [];
  selectedItems: readonly vscode.QuickPickItem[] = [];
  #items: readonly vscode.QuickPickItem[] = [];
  #validationMessage: string | vscode.InputBoxValidationMessage | undefined;
  #isShown = false;
  readonly #changedValue = new EventEmitter<string>();
  readonly #accepted = new EventEmitter<void>();
  readonly #hidden = new EventEmitter<void>();
  readonly #pressed = new EventEmitter<vscode.QuickInputButton>();
  readonly #changedActive = new EventEmitter<readonly vscode.QuickPickItem[]>();
  readonly #changedSelection = new EventEmitter<readonly vscode.QuickPickItem[]>();
  readonly onDidChangeValue = this.#changedValue.event;
  readonly onDidAccept = this.#accepted.event;
  readonly onDidHide = this.#hidden.event;
  readonly onDidTriggerButton = this.#pressed.event;
  readonly onDidTriggerItemButton = new EventEmitter<never>().event;
  readonly onDidChangeActive = this.#changedActive.event;
  readonly onDidChangeSelection = this.#changedSelection.event;

  constructor(kind: OpenInput['kind']) {
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

  get validationMessage(): string | vscode.InputBoxValidationMessage | undefined {
    return this.#validationMessage;
  }

  set validationMessage(message: string | vscode.InputBoxValidationMessage | undefined) {
    this.#validationMessage = message;
    this.#note();
  }

  choose(items: readonly vscode.QuickPickItem[]): void {
    this.activeItems = items.slice(0, 1);
    this.#changedActive.fire(this.activeItems);
    this.selectedItems = items;
    this.#changedSelection.fire(items);
  }

  typed(text: string): void {
    this.value = text;
    this.#changedValue.fire(text);
  }

  accept(): void {
    const question: Question = {
      message: this.title ?? '',
      detail: this.prompt ?? '',
      buttons: [],
      answer: () => undefined,
    };
    const given = {
      window: host.id,
      question,
      button: this.value,
      at: machine.time.real(),
      requestsBefore: machine.requests.length,
    };
    this.#accepted.fire();
    // A text that is taken closes the box.
    if (this.kind === 'box' && host.input !== this) {
      host.answers.push(given);
    }
  }

  press(button: vscode.QuickInputButton): void {
    this.#pressed.fire(button);
  }

  show(): void {
    if (host.input !== this) {
      host.input?.hide();
      host.input = this;
    }
    this.#isShown = true;
    host.asked.push(this.password ? '' : this.value);
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
    const { title, prompt, placeholder, buttons, items, validationMessage } = this;
    host.asked.push(JSON.stringify({ title, prompt, placeholder, buttons, items, validationMessage }));
  }
}

class Panel implements OpenPanel {
  readonly viewType: string;
  title: string;
  iconPath: unknown;
  isOpen = true;
  visible = true;
  readonly received: Readonly<Record<string, unknown>>[] = [];
  readonly #message = new EventEmitter<unknown>();
  readonly #disposed = new EventEmitter<void>();
  readonly #viewState = new EventEmitter<unknown>();
  readonly onDidDispose = this.#disposed.event;
  readonly onDidChangeViewState = this.#viewState.event;
  readonly webview = {
    options: {},
    html: '',
    cspSource: 'https://*.vscode-cdn.net',
    asWebviewUri: (uri: unknown) => uri,
    onDidReceiveMessage: this.#message.event,
    postMessage: (message: Readonly<Record<string, unknown>>) => {
      this.received.push(structuredClone(message));
      return Promise.resolve(true);
    },
  };

  constructor(viewType: string, title: string) {
    this.viewType = viewType;
    this.title = title;
    host.panels.push(this);
  }

  get active(): boolean {
    return this.visible;
  }

  get isLoaded(): boolean {
    return this.webview.html !== '';
  }

  reveal(): void {
    this.show(true);
  }

  send(message: unknown): void {
    this.#message.fire(structuredClone(message));
  }

  show(isVisible: boolean): void {
    this.visible = isVisible;
    this.#viewState.fire({ webviewPanel: this });
  }

  close(): void {
    this.dispose();
  }

  dispose(): void {
    if (this.isOpen) {
      this.isOpen = false;
      this.visible = false;
      this.#disposed.fire();
    }
  }
}

type Button = string | vscode.MessageItem;

function showMessage(message: string, ...rest: (Button | vscode.MessageOptions)[]): Promise<Button | undefined> {
  const [first] = rest;
  const options = typeof first === 'object' && !('title' in first) ? first : undefined;
  const items = (options === undefined ? rest : rest.slice(1)) as Button[];
  const titles = items.map((one) => (typeof one === 'string' ? one : one.title));
  return new Promise((resolve) => {
    const answer = (button: string | undefined): void => {
      const closing = items.find((one) => typeof one === 'object' && one.isCloseAffordance === true);
      if (host.isAlive) resolve(button === undefined ? closing : items[titles.indexOf(button)]);
    };
    if (options?.modal === true) {
      const question: Question = {
        message,
        detail: options.detail ?? '',
        buttons: titles,
        answer: (button: string | undefined) => {
          if (host.questions.includes(question)) {
            host.questions.splice(host.questions.indexOf(question), 1);
            const { time, requests } = machine;
            host.answers.push({ window: host.id, question, button, at: time.real(), requestsBefore: requests.length });
          }
          answer(button);
        },
      };
      host.questions.push(question);
      host.asked.push(message, question.detail, ...titles);
    } else {
      host.notices.push({ message, buttons: titles, press: answer });
    }
  });
}

const none = new EventEmitter<never>();

export const window = {
  get state() {
    return { focused: host.isFocused, active: host.isFocused };
  },
  onDidChangeWindowState: none.event,
  activeTextEditor: undefined,
  showInformationMessage: showMessage,
  showWarningMessage: showMessage,
  showErrorMessage: showMessage,
  setStatusBarMessage: (message: string) => {
    host.notices.push({ message, buttons: [], press: () => undefined });
    return new Disposable(() => undefined);
  },
  withProgress: async (
    options: { readonly title: string },
    work: (progress: { report: (step: { message?: string }) => void }, stop: unknown) => Promise<unknown>,
  ) => {
    host.notices.push({ message: options.title, buttons: [], press: () => undefined });
    const report = ({ message }: { message?: string }): void => {
      if (message !== undefined) host.notices.push({ message, buttons: [], press: () => undefined });
    };
    return work({ report }, { isCancellationRequested: false, onCancellationRequested: none.event });
  },
  createQuickPick: () => new QuickInput('pick'),
  createInputBox: () => new QuickInput('box'),
  createStatusBarItem: () => {
    const item = {
      text: '',
      tooltip: '' as unknown,
      show: () => undefined,
      hide: () => undefined,
      dispose: () => undefined,
    };
    host.statusBar.push(item);
    return item;
  },
  createOutputChannel: () => {
    const write = (line: string): void => void host.log.push(line);
    return {
      info: write,
      warn: write,
      error: write,
      debug: write,
      trace: write,
      show: () => undefined,
      dispose: () => undefined,
    };
  },
  createTreeView: (_id: string, options: { readonly treeDataProvider: vscode.TreeDataProvider<unknown> }) => {
    host.tree = options.treeDataProvider;
    return {
      visible: true,
      onDidChangeVisibility: none.event,
      onDidExpandElement: none.event,
      onDidCollapseElement: none.event,
      reveal: () => Promise.resolve(),
      dispose: () => undefined,
    };
  },
  createWebviewPanel: (viewType: string, title: string) => new Panel(viewType, title),
  registerWebviewPanelSerializer: (viewType: string, serializer: vscode.WebviewPanelSerializer) => {
    host.serializers.set(viewType, serializer);
    return new Disposable(() => host.serializers.delete(viewType));
  },
  showTextDocument: () => Promise.resolve(),
  showSaveDialog: () => Promise.resolve(undefined),
  createTerminal: () => {
    throw new Error('this machine has no terminal');
  },
  onDidCloseTerminal: none.event,
  onDidChangeTerminalState: none.event,
  onDidChangeTerminalShellIntegration: none.event,
};

export const workspace = {
  workspaceFolders: undefined,
  isTrusted: true,
  getConfiguration: () => ({
    get: (key: string) => host.settings.get(key),
    inspect: (key: string) => ({ globalValue: host.settings.get(key), defaultValue: host.defaultSettings.get(key) }),
  }),
  openTextDocument: ({ content }: { content: string }) => Promise.resolve({ content }),
  fs: {
    readFile: () => Promise.reject(new Error('no such file')),
    writeFile: () => Promise.reject(new Error('read only')),
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
    writeText: (text: string) =>
      host.read(() => {
        machine.clipboard = text;
        return Promise.resolve();
      }),
  },
};

export const l10n = { bundle: undefined };

/** A panel of the window before, which VS Code opens again. */
export function restoredPanel(viewType: string): OpenPanel {
  return new Panel(viewType, '');
}
