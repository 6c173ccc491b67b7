/** Runs at every start: reads the connections, shows the one in use in the status bar, and clears copied tokens. */
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Connection } from './connections/connection.ts';
import { ConnectionStore } from './connections/connectionStore.ts';
import { canRotate } from './connections/credentialLife.ts';
import { showConnectionInUse, type ConnectionStatusItem } from './connections/statusBar.ts';
import { remoteBeside, useExtensionPlace } from './connections/extensionPlace.ts';
import { useLanguage } from './language.ts';
import { CONTEXT_KEYS } from './manifest.ts';
import { foldersIn, type Folders } from './platform/folder.ts';
import { QueuedMemento, type Memento } from './platform/storage.ts';
import { systemClock, type Clock } from './time.ts';
import { Clipboard } from './ui/clipboard.ts';
import { showWarning } from './ui/messages.ts';
import { settings } from './ui/settings.ts';

export interface Startup extends vscode.Disposable {
  readonly folders: Folders;
  /** VS Code's global state. */
  readonly shared: Memento;
  readonly store: ConnectionStore;
  readonly statusItem: ConnectionStatusItem;
  readonly clipboard: Clipboard;
}

/** The part of the features that startup uses, once they are loaded. */
interface LoadedFeatures {
  /** Reads again what other windows may have stored. */
  reload(): Promise<void>;
  mayRotate(connection: Connection): boolean;
}

/**
 * Fulfilled once the connections are read.
 * @param connectionsChanged Called when any connection changes, or another one is used.
 */
export async function startUp(
  context: vscode.ExtensionContext,
  features: () => LoadedFeatures | undefined,
  connectionsChanged: () => void,
): Promise<Startup> {
  useLanguage(vscode.env.language, vscode.l10n.bundle);
  useExtensionPlace({
    extensionKind: context.extension.extensionKind,
    remoteName: vscode.env.remoteName,
  });
  const folders = foldersIn(context.globalStorageUri.fsPath);
  const shared = new QueuedMemento(context.globalState);
  const store = new ConnectionStore(folders, shared, context.workspaceState);
  const clipboard = createClipboard(shared, systemClock);
  const statusItem = showConnectionInUse(store, (one) => features()?.mayRotate(one) ?? canRotate(one));
  const subscriptions = vscode.Disposable.from(
    statusItem,
    store.onDidChange(connectionsChanged),
    vscode.window.onDidChangeWindowState(({ focused }) => {
      if (focused) {
        // Not every platform announces changes of other windows.
        void (features() ?? store).reload();
        statusItem.update();
        void clipboard.clearDueTokens();
      }
    }),
  );
  void clipboard.clearDueTokens();
  if (needsMigration(shared)) {
    // Not awaited, since a keychain may ask for its password.
    void import('./migrate.ts')
      .then(({ migrate }) => migrate(context, shared, context.globalStorageUri.fsPath, folders))
      .catch(() => undefined)
      .then(() => store.reload());
  }
  await store.load();
  // Only now: while the count is 0, the palette lacks commands and the view says that there are no connections.
  const contextKeys = keepContextKeys(store);
  const dispose = () => [contextKeys, subscriptions, clipboard, store].forEach((one) => void one.dispose());
  return { folders, shared, store, statusItem, clipboard, dispose };
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
  });
}

/** Sets the context keys by which menus and the palette decide what to offer, again with each change of the connections. */
function keepContextKeys(store: ConnectionStore): vscode.Disposable {
  const countConnections = (): void => {
    const connections = store.all();
    setContext('connectionCount', connections.length);
    setContext('writableConnectionCount', connections.filter(({ role }) => role !== 'readOnly').length);
  };
  countConnections();
  setContext('isBesideRemote', remoteBeside() !== undefined);
  return store.onDidChange(countConnections);
}

function setContext(key: keyof typeof CONTEXT_KEYS, value: number | boolean): void {
  void vscode.commands.executeCommand('setContext', CONTEXT_KEYS[key], value);
}
