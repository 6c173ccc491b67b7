/** What another window of the same user does: it shares the files, and VS Code reports none of their changes. */
import assert from 'node:assert/strict';
import { ConnectionStore } from '../../../../src/connections/connectionStore.ts';
import type { ConnectionRole } from '../../../../src/connections/role.ts';
import { foldersIn, type Folders } from '../../../../src/platform/folder.ts';
import type { Memento } from '../../../../src/platform/storage.ts';
import { currentActivation } from './extension.ts';

export function sharedFolders(): Folders {
  return foldersIn(currentActivation().context.globalStorageUri.fsPath);
}

export async function leadElsewhere(connectionId: string, baseUrl: string): Promise<void> {
  await inStoreOfAnotherWindow(async (store) => {
    assert.ok(await store.change(connectionId, () => ({ baseUrl })), 'there is no such connection');
  });
}

export async function chooseRoleElsewhere(connectionId: string, role: ConnectionRole): Promise<void> {
  await inStoreOfAnotherWindow((store) => store.setRole(connectionId, role));
}

async function inStoreOfAnotherWindow(act: (store: ConnectionStore) => Promise<void>): Promise<void> {
  const store = new ConnectionStore(sharedFolders(), NOTHING_KEPT, NOTHING_KEPT);
  await store.load();
  await act(store);
  store.dispose();
}

/** Only files are shared with another browser. */
const NOTHING_KEPT: Memento = { keys: () => [], get: () => undefined, update: () => Promise.resolve() };
