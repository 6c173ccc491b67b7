/**
 * Registers the extension with VS Code, and loads the rest: what runs from then on (startup.ts) at once, the features with
 * the first view, command or page. Touches no network, and no secret but those of 0.3.0, once (see migrate.ts).
 */
import * as vscode from 'vscode';
import { ExplorerTreeView } from './explorer/explorerView.ts';
import { createExtensionApi, type ExtensionApi } from './integrations/api.ts';
import { COMMANDS, OVERVIEW_VIEW_TYPE, WIZARD_VIEW_TYPE } from './manifest.ts';
import type { Startup } from './startup.ts';

export function activate(context: vscode.ExtensionContext): ExtensionApi {
  const startup: Lazy<Startup> = new Lazy(async () => {
    const { startUp } = await import('./startup.ts');
    return startUp(
      context,
      () => features.loaded,
      () => changed.fire(),
    );
  });
  const features = new Lazy(async () => {
    const [parts, { createFeatures }] = await Promise.all([startup.load(), import('./features.ts')]);
    return createFeatures(context, parts, explorer);
  });
  const changed = new vscode.EventEmitter<void>();
  const explorer: ExplorerTreeView = new ExplorerTreeView(async () => (await features.load()).explorer);
  const registered = vscode.Disposable.from(
    ...Object.values(COMMANDS).map((id) =>
      // The result is always void: what a command returns, any extension could read.
      vscode.commands.registerCommand(id, async (clicked: unknown, selected: unknown): Promise<void> => {
        await (await features.load()).commands.run(id, clicked, selected);
      }),
    ),
    vscode.window.registerWebviewPanelSerializer(WIZARD_VIEW_TYPE, {
      deserializeWebviewPanel: async (panel, state: unknown) =>
        (await (await features.load()).loadPages()).restoreTruncation(panel, state),
    }),
    vscode.window.registerWebviewPanelSerializer(OVERVIEW_VIEW_TYPE, {
      deserializeWebviewPanel: async (panel, state: unknown) =>
        (await (await features.load()).loadPages()).restoreOverview(panel, state),
    }),
  );
  const loadStore = async () => (await startup.load()).store;
  // Only then has VS Code counted the activation as ended.
  const starting = setImmediate(() => void loadStore());
  // In reverse order of need.
  const disposables = [registered, explorer, features, startup, changed];
  context.subscriptions.push(
    new vscode.Disposable(() => {
      clearImmediate(starting);
      disposables.forEach((one) => void one.dispose());
    }),
  );
  const isTest = context.extensionMode === vscode.ExtensionMode.Test;
  return createExtensionApi(
    loadStore,
    changed.event,
    isTest ? { explorer: explorer.provider, context, loadStore } : {},
  );
}

/** A part that is loaded with its first use. */
class Lazy<Part extends { dispose(): void }> implements vscode.Disposable {
  readonly #make: () => Promise<Part>;
  #loading: Promise<Part> | undefined;
  #loaded: Part | undefined;

  constructor(make: () => Promise<Part>) {
    this.#make = make;
  }

  get loaded(): Part | undefined {
    return this.#loaded;
  }

  load(): Promise<Part> {
    return (this.#loading ??= this.#make().then((part) => (this.#loaded = part)));
  }

  dispose(): void {
    if (this.#loaded === undefined) {
      void this.#loading?.then((part) => part.dispose());
    } else {
      this.#loaded.dispose();
    }
  }
}
