/** Replaces VS Code in tests that run without it: tooltips, tree rows, quick inputs, failures, and the log. */
import { registerHooks } from 'node:module';

const VSCODE = `
  export class MarkdownString {
    value = '';
    appendMarkdown(text) { this.value += text; return this; }
    // Keeps addresses, as VS Code does.
    appendText(text) { return this.appendMarkdown(text.replace(/[\\\\\`*_{}[\\]()#+\\-!~]/g, '\\\\$&').replaceAll(' ', '&nbsp;')); }
  }
  export const written = [];
  const write = (line) => written.push(line);
  export class TreeItem {
    constructor(label, collapsibleState) { Object.assign(this, { label, collapsibleState }); }
  }
  export class ThemeIcon { constructor(id, color) { Object.assign(this, { id, color }); } }
  export class ThemeColor {}
  export class EventEmitter {
    #listeners = new Set();
    event = (listener) => { this.#listeners.add(listener); return { dispose: () => this.#listeners.delete(listener) }; };
    fire(value) { for (const listener of this.#listeners) listener(value); }
    dispose() { this.#listeners.clear(); }
  }
  export const TreeItemCollapsibleState = { None: 0, Collapsed: 1, Expanded: 2 };
  export const QuickPickItemKind = { Separator: -1, Default: 0 };
  export const QuickInputButtons = { Back: {} };
  export const shownInputs = [];
  const createInput = () => {
    const listeners = {};
    const on = (name) => (listener) => { listeners[name] = listener; return { dispose: () => delete listeners[name] }; };
    return {
      buttons: [], items: [], activeItems: [], selectedItems: [], value: '',
      onDidAccept: on('accept'), onDidHide: on('hide'), onDidTriggerButton: on('button'), onDidChangeValue: on('value'),
      fire: (name) => listeners[name]?.(),
      show() { shownInputs.push(this); },
      hide() {},
      dispose() {},
    };
  };
  export const notices = [];
  export const executed = [];
  export const commands = { executeCommand: async (...command) => void executed.push(command) };
  const showMessage = (message, ...buttons) => new Promise((press) => notices.push({ message, buttons, press }));
  export const window = {
    showErrorMessage: showMessage,
    showInformationMessage: showMessage,
    createOutputChannel: () => ({ info: write, warn: write, error: write }),
    createQuickPick: createInput,
    createInputBox: createInput,
  };
`;
const url = `data:text/javascript,${encodeURIComponent(VSCODE)}`;

registerHooks({
  resolve: (name, context, next) => (name === 'vscode' ? { url, shortCircuit: true } : next(name, context)),
});

export interface ShownInput {
  value: string;
  readonly busy?: boolean;
  readonly prompt?: string;
  readonly placeholder?: string;
  readonly items: readonly { readonly label: string; readonly description?: string }[];
  readonly activeItems: ShownInput['items'];
  selectedItems: ShownInput['items'];
  readonly fire: (name: 'accept' | 'hide') => void;
}

export async function shownInputs(): Promise<readonly ShownInput[]> {
  return ((await import(url)) as { shownInputs: ShownInput[] }).shownInputs;
}

export interface ShownNotice {
  readonly message: string;
  readonly buttons: readonly string[];
  readonly press: (button: string | undefined) => void;
}

export async function shownNotices(): Promise<readonly ShownNotice[]> {
  return ((await import(url)) as { notices: ShownNotice[] }).notices;
}

export async function executed(): Promise<readonly (readonly unknown[])[]> {
  return ((await import(url)) as { executed: unknown[][] }).executed;
}

export async function written(): Promise<readonly string[]> {
  return ((await import(url)) as { written: string[] }).written;
}
