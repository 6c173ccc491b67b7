/** Registers the extension with VS Code. The features are loaded when the first of them is used; no network and no secret is touched here. */
import * as vscode from 'vscode';
import { ConnectionStore } from './connections/connectionStore.ts';
import { showConnectionInUse } from './connections/statusBar.ts';
import { ExplorerView } from './explorer/explorerView.ts';
import type { Features } from './features.ts';
import { createApi, type ExtensionApi } from './integrations/api.ts';
import { useLanguage } from './language.ts';
import { OVERVIEW_VIEW_TYPE, WIZARD_VIEW_TYPE } from './manifest.ts';
import { durableFolder } from './platform/durableFolder.ts';
import { SteadyMemento } from './platform/memento.ts';
import { systemClock } from './service/clock.ts';
import { createClipboard } from './ui/systemClipboard.ts';
import { registerCommands } from './ui/commands.ts';
import { onWindowFocus } from './ui/windowFocus.ts';

export function activate(context: vscode.ExtensionContext): ExtensionApi {
  useLanguage(vscode.env.language, vscode.l10n.bundle);
  const shared = new SteadyMemento(context.globalState);
  const folder = durableFolder(vscode.Uri.joinPath(context.globalStorageUri, 'records').fsPath);
  const store = new ConnectionStore(shared, context.workspaceState, folder, systemClock);
  const clipboard = createClipboard(shared, systemClock);

  let features: Features | undefined;
  let loading: Promise<Features> | undefined;
  const load = (): Promise<Features> =>
    (loading ??= import('./features.ts').then(
      ({ createFeatures }) => (features = createFeatures(context, { shared, folder, store, clipboard, explorer })),
    ));

  const explorer = new ExplorerView(store, async () => (await load()).explorer);
  const registered = vscode.Disposable.from(
    registerCommands(async () => (await load()).commands),
    vscode.window.registerWebviewPanelSerializer(WIZARD_VIEW_TYPE, {
      deserializeWebviewPanel: async (panel, state: unknown) => (await load()).wizards.restore(panel, state),
    }),
    vscode.window.registerWebviewPanelSerializer(OVERVIEW_VIEW_TYPE, {
      deserializeWebviewPanel: async (panel, state: unknown) => (await load()).overviews.restore(panel, state),
    }),
    showConnectionInUse(store),
    onWindowFocus(() => {
      // Before the features are there, connections are all that is shown.
      void (features ?? store).reload();
      void clipboard.clearDue();
    }),
  );
  void clipboard.clearDue();
  // In reverse order of need.
  const disposables = [
    registered,
    explorer,
    { dispose: () => (features === undefined ? void loading?.then((one) => one.dispose()) : features.dispose()) },
    clipboard,
    store,
  ];
  context.subscriptions.push(new vscode.Disposable(() => disposables.forEach((one) => void one.dispose())));
  return createApi(store, context.extensionMode === vscode.ExtensionMode.Test ? { explorer, context } : {});
}
