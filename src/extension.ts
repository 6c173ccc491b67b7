/**
 * Registers the extension with VS Code, and reads the connections. Loads the features when the first of them is used.
 * Touches no network, and no secret but those of 0.3.0, once (see migrate.ts).
 */
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { ConnectionStore } from './connections/connectionStore.ts';
import { showConnectionInUse } from './connections/statusBar.ts';
import { useExtensionPlace } from './connections/whereItRuns.ts';
import { ExplorerTreeView } from './explorer/explorerView.ts';
import { createExtensionApi, type ExtensionApi } from './integrations/api.ts';
import { useLanguage } from './language.ts';
import { OVERVIEW_VIEW_TYPE, WIZARD_VIEW_TYPE } from './manifest.ts';
import { foldersIn } from './platform/folder.ts';
import { QueuedMemento, type Memento } from './platform/storage.ts';
import { systemClock, type Clock } from './time.ts';
import { Clipboard } from './ui/clipboard.ts';
import { registerCommands } from './ui/commands.ts';
import { showWarning } from './ui/messages.ts';
import { settings } from './ui/settings.ts';

export async function activate(context: vscode.ExtensionContext): Promise<ExtensionApi> {
  useLanguage(vscode.env.language, vscode.l10n.bundle);
  useExtensionPlace({
    extensionKind: context.extension.extensionKind,
    remoteName: vscode.env.remoteName,
    authority: vscode.workspace.workspaceFolders?.[0]?.uri.authority,
  });
  const folders = foldersIn(context.globalStorageUri.fsPath);
  const shared = new QueuedMemento(context.globalState);
  const store = new ConnectionStore(folders, shared, context.workspaceState);
  const clipboard = createClipboard(shared, systemClock);

  const statusItem = showConnectionInUse(store, systemClock);
  const importFeatures = async () => {
    const { createFeatures } = await import('./features.ts');
    return createFeatures(context, { folders, shared, store, clipboard, explorer });
  };
  let features: Awaited<ReturnType<typeof importFeatures>> | undefined;
  let loading: ReturnType<typeof importFeatures> | undefined;
  const loadFeatures = () => (loading ??= importFeatures().then((loaded) => (features = loaded)));

  const explorer: ExplorerTreeView = new ExplorerTreeView(store, async () => (await loadFeatures()).explorer);
  const registered = vscode.Disposable.from(
    registerCommands(async () => (await loadFeatures()).commands),
    vscode.window.registerWebviewPanelSerializer(WIZARD_VIEW_TYPE, {
      deserializeWebviewPanel: async (panel, state: unknown) =>
        (await loadFeatures()).wizards.restorePanel(panel, state),
    }),
    vscode.window.registerWebviewPanelSerializer(OVERVIEW_VIEW_TYPE, {
      deserializeWebviewPanel: async (panel, state: unknown) =>
        (await loadFeatures()).overviews.restorePanel(panel, state),
    }),
    statusItem,
    onWindowFocus(() => {
      // Before the features are there, only connections are shown.
      void (features ?? store).reload();
      statusItem.update();
      void clipboard.clearDueTokens();
    }),
  );
  void clipboard.clearDueTokens();
  // In reverse order of need.
  const disposables = [
    registered,
    explorer,
    { dispose: () => (features === undefined ? void loading?.then((one) => one.dispose()) : features.dispose()) },
    clipboard,
    store,
  ];
  context.subscriptions.push(new vscode.Disposable(() => disposables.forEach((one) => void one.dispose())));
  if (needsMigration(shared)) {
    // Not awaited, since a keychain may ask for its password.
    void import('./features.ts')
      .then(({ migrate }) => migrate(context, shared, context.globalStorageUri.fsPath, folders))
      .catch(() => undefined)
      .then(() => store.reload());
  }
  await store.load();
  return createExtensionApi(store, isTest(context) ? { explorer, context, store } : {});
}

function isTest(context: vscode.ExtensionContext): boolean {
  return context.extensionMode === vscode.ExtensionMode.Test;
}

/** True while the storage holds connections, or a removal, of 0.3.0. */
function needsMigration(shared: Memento): boolean {
  return shared.keys().some((key) => key.startsWith('connection.') || key.startsWith('removing.'));
}

/** @param memory Shared by all windows: keeps when the clipboard has to be cleared. */
function createClipboard(memory: Memento, clock: Clock): Clipboard {
  return new Clipboard({
    system: {
      readText: () => vscode.env.clipboard.readText(),
      writeText: (text) => vscode.env.clipboard.writeText(text),
      mayWithhold: vscode.env.uiKind === vscode.UIKind.Web,
    },
    memory,
    clock,
    clearMillis: settings.clipboardClearMillis,
    isFocused: () => vscode.window.state.focused,
    notifyNotCleared: () =>
      void showWarning(l10n.t("Couldn't clear the clipboard. Copy something else to replace the token.")),
    notifyNotStored: () =>
      void showWarning(
        l10n.t(
          "Couldn't save when to clear the clipboard. If this window closes before it's cleared, the token stays on the clipboard.",
        ),
      ),
  });
}

/** The other window may still be writing. */
const AFTERTHOUGHT_MILLIS = 2_000;

/**
 * Calls `look` when the window gets the focus, and again a moment later: not every platform announces changes of
 * other windows.
 */
function onWindowFocus(look: () => void): vscode.Disposable {
  let timer: NodeJS.Timeout | undefined;
  const subscription = vscode.window.onDidChangeWindowState(({ focused }) => {
    clearTimeout(timer);
    if (focused) {
      look();
      timer = setTimeout(look, AFTERTHOUGHT_MILLIS);
    }
  });
  return new vscode.Disposable(() => {
    clearTimeout(timer);
    subscription.dispose();
  });
}
