/** Opens and ends windows: an extension host with its own copy of the extension, on what the machine has stored. */
import { join } from 'node:path';
import type * as vscode from 'vscode';
import { root } from '../../../tools/paths.ts';
import { loadExtension } from './extension.ts';
import { filesOf } from './files.ts';
import { globalsOf } from './globals.ts';
import { Host, MANIFEST, type WindowPlace } from './host.ts';
import type { Machine } from './machine.ts';
import { secretStorage } from './storage.ts';

type StandIn = typeof import('./vscode.ts');

export interface OpenWindow {
  readonly host: Host;
  readonly vscode: StandIn;
  /** Deactivates the extension, and writes what VS Code still holds. */
  close(): Promise<void>;
}

/** Opens a window and activates the extension. */
export async function openWindow(machine: Machine, place: WindowPlace): Promise<OpenWindow> {
  const host = new Host(machine, place);
  // Evaluated once for each window.
  const standIn = (await import(`./vscode.ts?window=${host.id}`)) as StandIn;
  const globalState = machine.globalState.openIn(host);
  const workspaceState = machine.workspaceState.openIn(host);
  const subscriptions: vscode.Disposable[] = [];
  const context = {
    subscriptions,
    globalState,
    workspaceState,
    secrets: secretStorage(machine, host),
    globalStorageUri: standIn.Uri.file(join(machine.folder, 'storage')),
    extensionUri: standIn.Uri.file(root),
    extensionMode: standIn.ExtensionMode.Production,
    extension: { packageJSON: MANIFEST, extensionKind: place.extensionKind },
  } as unknown as vscode.ExtensionContext;
  const standIns = {
    vscode: standIn,
    'node:fs/promises': filesOf(host),
    'node:os': { homedir: () => machine.home },
  };
  await loadExtension(standIns, globalsOf(host)).activate(context);
  return {
    host,
    vscode: standIn,
    close: async () => {
      host.panels.forEach((panel) => (panel.isOpen = false));
      subscriptions.toReversed().forEach((one) => void one.dispose());
      await machine.rests();
      await Promise.all([globalState.flush(), workspaceState.flush()]);
      host.die();
    },
  };
}
