/**
 * The extension under test as VS Code activates it, with access to its real context: its storage, and the number of
 * secret reads. VS Code gives the context only to the extension, which exposes it in tests.
 */
import * as vscode from 'vscode';
import type { ConnectionStore } from '../../../../src/connections/connectionStore.ts';
import type { ExtensionApi } from '../../../../src/integrations/api.ts';
import { COMMANDS } from '../../../../src/manifest.ts';
import { until } from './until.ts';

/** One activation: the context of the extension, and its API. */
interface Activation {
  readonly context: vscode.ExtensionContext;
  readonly subscriptions: vscode.Disposable[];
  readonly api: ExtensionApi;
  readonly store: ConnectionStore;
  /** Counted after `reloadExtension` only. */
  readonly secretReads?: number;
}

let first: Activation | undefined;
let reloaded: Activation | undefined;

export function installedExtension(): vscode.Extension<ExtensionApi> {
  const extension = vscode.extensions.getExtension<ExtensionApi>('metadata-service-tools.metadata-service');
  if (extension === undefined) {
    throw new Error('VS Code does not know the extension under test.');
  }
  return extension;
}

export async function activated(): Promise<Activation> {
  const api = await installedExtension().activate();
  if (api.context === undefined) {
    throw new Error('The extension is not in a test.');
  }
  const { context } = api;
  first ??= { context, subscriptions: context.subscriptions as vscode.Disposable[], api, store: await storeOf(api) };
  return currentActivation();
}

/** VS Code's own activation, or that of the last `reloadExtension`. After `activated`. */
export function currentActivation(): Activation {
  return reloaded ?? activationByVSCode();
}

/**
 * Deactivates the extension and activates it again with the same stored state, like a reload of the window.
 *
 * @param instead failing storage, for tests of that
 * @param changeStored changes what is stored while nothing runs that could notice
 */
export async function reloadExtension(
  instead: Partial<Pick<vscode.ExtensionContext, 'secrets' | 'globalState'>> = {},
  changeStored: () => Promise<void> = () => Promise.resolve(),
): Promise<Activation> {
  const { context } = activationByVSCode();
  disposeCurrent();
  // VS Code disposes of the old view a little later. A view created before that would be removed too.
  await until(
    'VS Code to let go of the extension',
    async () => !(await vscode.commands.getCommands(true)).includes(COMMANDS.connectionAdd),
  );
  await changeStored();
  const subscriptions: vscode.Disposable[] = [];
  const counted = { secretReads: 0 };
  const own = Object.create(context, {
    subscriptions: { value: subscriptions },
    globalState: { value: instead.globalState ?? context.globalState },
    secrets: { value: countReads(instead.secrets ?? context.secrets, () => counted.secretReads++) },
  }) as vscode.ExtensionContext;
  const { activate } = await extensionModule();
  const api = activate(own);
  const store = await storeOf(api);
  if (reloaded === undefined) {
    context.subscriptions.push(new vscode.Disposable(disposeCurrent));
  }
  return (reloaded = Object.assign(counted, { context, subscriptions, api, store }));
}

function activationByVSCode(): Activation {
  if (first === undefined) {
    throw new Error('The extension is not active.');
  }
  return first;
}

async function storeOf({ loadStore }: ExtensionApi): Promise<ConnectionStore> {
  if (loadStore === undefined) {
    throw new Error('The extension is not in a test.');
  }
  return loadStore();
}

/** The same module that VS Code has loaded, not a copy, because it is imported by the same address. */
function extensionModule(): Promise<{ activate(context: vscode.ExtensionContext): ExtensionApi }> {
  const { extensionUri, packageJSON } = installedExtension();
  return import(vscode.Uri.joinPath(extensionUri, (packageJSON as { main: string }).main).toString(true));
}

function disposeCurrent(): void {
  for (const disposable of currentActivation().subscriptions.splice(0).toReversed()) {
    disposable.dispose();
  }
}

function countReads(secrets: vscode.SecretStorage, count: () => void): vscode.SecretStorage {
  return {
    get: (key) => {
      count();
      return secrets.get(key);
    },
    keys: () => {
      count();
      return secrets.keys();
    },
    store: (key, value) => secrets.store(key, value),
    delete: (key) => secrets.delete(key),
    onDidChange: secrets.onDidChange,
  };
}
