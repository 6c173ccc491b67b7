import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { parseConnection } from '../../../../src/connections/connection.ts';
import { CredentialStore, type SecretStorage } from '../../../../src/connections/credentialStore.ts';
import type { ConnectionRole } from '../../../../src/connections/role.ts';
import { ConnectionRoleStore } from '../../../../src/connections/roleStore.ts';
import { durableFolder, type DurableFolder } from '../../../../src/platform/durableFolder.ts';
import { systemClock } from '../../../../src/time.ts';
import { RetryingMemento, type Memento } from '../../../../src/platform/memento.ts';
import { until } from './until.ts';

/** Storage as another window writes it. A write is permanent once its promise is fulfilled. */
export function asAnotherWindow({ globalState }: vscode.ExtensionContext): RetryingMemento {
  return new RetryingMemento(globalState);
}

/**
 * Edits a connection like another window. Pending events of earlier writes in this window may undo the edit, so it is
 * repeated until it is permanent.
 */
export async function leadElsewhere(
  context: vscode.ExtensionContext,
  connectionId: string,
  baseUrl: string,
): Promise<void> {
  const key = `connection.${connectionId}`;
  const stored = (): { readonly baseUrl: string } => context.globalState.get(key) ?? assert.fail();
  await until('the edit of another window to hold', async () => {
    await asAnotherWindow(context).update(key, { ...stored(), baseUrl });
    await told();
    await told();
    return stored().baseUrl === baseUrl;
  });
}

/** Waits for pending events of VS Code, which arrive before the result of a command. */
async function told(): Promise<void> {
  await vscode.commands.executeCommand('setContext', 'test.told', true);
  await new Promise((resolve) => setTimeout(resolve, 0));
}

/** Signs out like another window that dies right after noting it, so that VS Code does not notify this window. */
export async function signOutElsewhere(context: vscode.ExtensionContext, connectionId: string): Promise<void> {
  const connection = parseConnection(context.globalState.get(`connection.${connectionId}`)) ?? assert.fail();
  const credentials = new CredentialStore(NO_SECRETS, NOTHING_KEPT, recordsOf(context), systemClock);
  await credentials.markSignedOut(connection);
  credentials.dispose();
}

/** Runs Set Connection Role like another window whose write to VS Code's storage was undone by a third one. */
export async function chooseRoleElsewhere(
  context: vscode.ExtensionContext,
  connectionId: string,
  role: ConnectionRole,
): Promise<void> {
  const roles = new ConnectionRoleStore(NOTHING_KEPT, recordsOf(context), systemClock);
  await roles.readRoleFiles();
  await roles.recordChoice(connectionId, role, roles.prevailingChoiceOf(connectionId, undefined).role, undefined);
  roles.dispose();
}

/** Files shared by all windows. */
export function recordsOf({ globalStorageUri }: vscode.ExtensionContext): DurableFolder {
  return durableFolder(vscode.Uri.joinPath(globalStorageUri, 'records').fsPath);
}

const NO_SECRETS: SecretStorage = {
  get: () => Promise.resolve(undefined),
  store: () => Promise.resolve(),
  delete: () => Promise.resolve(),
  onDidChange: () => ({ dispose: () => undefined }),
};
const NOTHING_KEPT: Memento = { keys: () => [], get: () => undefined, update: () => Promise.resolve() };
