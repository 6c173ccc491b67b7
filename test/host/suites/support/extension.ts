/**
 * The extension under test, as VS Code itself activates it, with its real context at hand: its storage, and how often a secret
 * is read. VS Code gives the context to the extension alone, which hands it on in tests.
 */
import * as vscode from 'vscode';
import type { ExtensionApi } from '../../../../src/integrations/api.ts';
import { COMMANDS } from '../../../../src/manifest.ts';
import { until } from './until.ts';

/** One activation: what the extension was given, and what it made of it. */
interface Activation {
  readonly context: vscode.ExtensionContext;
  readonly subscriptions: vscode.Disposable[];
  readonly api: ExtensionApi;
  /** Counted after `reloadExtension` only. */
  readonly secretReads?: number;
}

/** The last of `reloadExtension`. */
let reloaded: Activation | undefined;

/** The installed extension, whether it is active or not. */
export function installedExtension(): vscode.Extension<ExtensionApi> {
  const extension = vscode.extensions.getExtension<ExtensionApi>('metadata-service-tools.metadata-service');
  if (extension === undefined) {
    throw new Error('VS Code does not know the extension under test.');
  }
  return extension;
}

/** Has VS Code activate the extension unless it is active. */
export async function activated(): Promise<Activation> {
  await installedExtension().activate();
  return currentActivation();
}

/** The activation in force: VS Code's own, or the last of `reloadExtension`. */
export function currentActivation(): Activation {
  return reloaded ?? activationByVSCode();
}

/**
 * Ends the extension and activates it again over the same stored state: what a reload of the window does to it.
 *
 * @param instead storage that fails, where that is what the test is about
 */
export async function reloadExtension(
  instead: Partial<Pick<vscode.ExtensionContext, 'secrets' | 'globalState'>> = {},
): Promise<Activation> {
  const { context } = activationByVSCode();
  disposeCurrent();
  // VS Code lets go a little later; a view that is made before that would be taken away with the old one.
  await until(
    'VS Code to let go of the extension',
    async () => !(await vscode.commands.getCommands(true)).includes(COMMANDS.connectionAdd),
  );
  const subscriptions: vscode.Disposable[] = [];
  const counted = { secretReads: 0 };
  const own = Object.create(context, {
    subscriptions: { value: subscriptions },
    globalState: { value: instead.globalState ?? context.globalState },
    secrets: { value: countReads(instead.secrets ?? context.secrets, () => counted.secretReads++) },
  }) as vscode.ExtensionContext;
  const { activate } = await extensionModule();
  const api = activate(own);
  if (reloaded === undefined) {
    context.subscriptions.push(new vscode.Disposable(disposeCurrent));
  }
  return (reloaded = Object.assign(counted, { context, subscriptions, api }));
}

function activationByVSCode(): Activation {
  const { isActive, exports: api } = installedExtension();
  if (!isActive || api.context === undefined) {
    throw new Error('The extension is not active.');
  }
  return { context: api.context, subscriptions: api.context.subscriptions as vscode.Disposable[], api };
}

/** The module that VS Code has loaded, not another copy: it is imported by the same address. */
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
