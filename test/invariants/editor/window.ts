/** Opens and ends windows: an extension host with its own copy of the extension, on what the machine has stored. */
import { readFileSync } from 'node:fs';
import type * as vscode from 'vscode';
import { loadExtension } from './extension.ts';
import { Host, type OpenPanel } from './host.ts';
import type { Machine } from './machine.ts';
import { secretStorage, type StateCopy } from './storage.ts';

const ROOT = new URL('../../../', import.meta.url);
const MANIFEST = JSON.parse(readFileSync(new URL('package.json', ROOT), 'utf8')) as {
  readonly version: string;
  readonly contributes: {
    readonly configuration: { readonly properties: Readonly<Record<string, { readonly default?: unknown }>> };
  };
};
const SETTINGS = new Map(
  Object.entries(MANIFEST.contributes.configuration.properties).map(([key, setting]) => [key, setting.default]),
);

type StandIn = typeof import('./vscode.ts');

export interface OpenWindow {
  readonly host: Host;
  readonly vscode: StandIn;
  /** Deactivates the extension, and writes what VS Code still holds. */
  close(): Promise<void>;
}

/** Opens a window and activates the extension. */
export async function openWindow(machine: Machine): Promise<OpenWindow> {
  const host = new Host(machine, SETTINGS);
  const standIn = (await copyFor(host, 'vscode')) as StandIn;
  const states: readonly StateCopy[] = [machine.globalState.openIn(host), machine.workspaceState.openIn(host)];
  const [globalState, workspaceState] = states;
  const context = {
    subscriptions: host.subscriptions,
    globalState,
    workspaceState,
    secrets: secretStorage(machine, host),
    globalStorageUri: standIn.Uri.file(machine.globalStorage),
    extensionUri: standIn.Uri.file(ROOT.pathname),
    extensionMode: standIn.ExtensionMode.Production,
    extension: { packageJSON: MANIFEST },
  } as unknown as vscode.ExtensionContext;
  const standIns = {
    vscode: standIn,
    'node:fs/promises': await copyFor(host, 'files'),
    'node:os': await copyFor(host, 'home'),
  };
  const globals = (await copyFor(host, 'globals')) as typeof import('./globals.ts');
  await loadExtension(standIns, globals).activate(context);
  return {
    host,
    vscode: standIn,
    close: async () => {
      host.panels.forEach((panel: OpenPanel) => (panel.isOpen = false));
      for (const one of host.subscriptions.splice(0).toReversed()) {
        one.dispose();
      }
      await machine.rests();
      await Promise.all(states.map((state) => state.flush()));
      host.die();
    },
  };
}

/** A window's copy of a stand-in. */
function copyFor(host: Host, name: 'vscode' | 'files' | 'home' | 'globals'): Promise<object> {
  return import(`./${name}.ts?window=${host.id}`) as Promise<object>;
}
