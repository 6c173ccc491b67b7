/**
 * The extension under test, as VS Code itself activates it, with its real context at hand: what is stored, and how often a secret
 * is read. VS Code gives a context to nobody but the extension, so the module's `activate` is listened to.
 */
import { createRequire } from 'node:module';
import { join } from 'node:path';
import * as vscode from 'vscode';
import type { Api } from '../../../../src/integrations/api.ts';
import { COMMANDS } from '../../../../src/manifest.ts';
import { until } from './until.ts';

interface ExtensionModule {
  activate(context: vscode.ExtensionContext): Api;
}

/** One activation: what the extension was given, and what it made of it. */
interface Activation {
  readonly context: vscode.ExtensionContext;
  readonly subscriptions: vscode.Disposable[];
  readonly api: Api;
  secretReads: number;
}

interface Tap {
  readonly module: ExtensionModule;
  current: Activation | undefined;
}

/** Each suite is a bundle of its own; what is listened to is the same for all. */
const TAP_KEY = Symbol.for('metadataService.test.tap');
const shared = globalThis as { [TAP_KEY]?: Tap };

/** The installed extension, whether it is active or not. */
export function installedExtension(): vscode.Extension<Api> {
  const extension = vscode.extensions.getExtension<Api>('metadata-service-tools.metadata-service');
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
  if (tap.current === undefined) {
    throw new Error('The extension is not active.');
  }
  return tap.current;
}

/**
 * Ends the extension and activates it again over the same stored state: what a reload of the window does to it.
 *
 * @param instead a secret storage that fails, where that is what the test is about
 */
export async function reloadExtension(instead: { readonly secrets?: vscode.SecretStorage } = {}): Promise<Activation> {
  const { context } = currentActivation();
  disposeCurrent();
  // VS Code lets go a little later; a view that is made before that would be taken away with the old one.
  await until(
    'VS Code to let go of the extension',
    async () => !(await vscode.commands.getCommands(true)).includes(COMMANDS.connectionAdd),
  );
  return activateOver(context, instead.secrets);
}

const tap: Tap = (shared[TAP_KEY] ??= listen());

function listen(): Tap {
  const { extensionPath, packageJSON } = installedExtension();
  const file = join(extensionPath, (packageJSON as { main: string }).main);
  const load = createRequire(file);
  const module = load(file) as ExtensionModule;
  const cached = load.cache[load.resolve(file)];
  if (cached === undefined) {
    throw new Error('The extension is loaded in a way that cannot be listened to.');
  }
  cached.exports = {
    ...module,
    activate: (context: vscode.ExtensionContext) => {
      context.subscriptions.push(new vscode.Disposable(disposeCurrent));
      return activateOver(context).api;
    },
  };
  return { module, current: undefined };
}

function activateOver(context: vscode.ExtensionContext, secrets = context.secrets): Activation {
  const subscriptions: vscode.Disposable[] = [];
  const counted = { secretReads: 0 };
  const own = Object.create(context, {
    subscriptions: { value: subscriptions },
    secrets: { value: countReads(secrets, () => counted.secretReads++) },
  }) as vscode.ExtensionContext;
  const api = tap.module.activate(own);
  return (tap.current = Object.assign(counted, { context, subscriptions, api }));
}

function disposeCurrent(): void {
  for (const disposable of tap.current?.subscriptions.splice(0).toReversed() ?? []) {
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
