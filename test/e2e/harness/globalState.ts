import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { eventually } from './conditions.ts';
import { storedSecrets } from './secretStorage.ts';

/**
 * globalState of this extension, as JSON. VS Code in the browser writes it a moment later, and a reload of the window
 * drops what it has not written.
 */
export async function globalState(page: Page): Promise<string> {
  return page.evaluate(async () => {
    const database = await new Promise<IDBDatabase>((resolve) => {
      const request = indexedDB.open('vscode-web-state-db-global');
      request.addEventListener('success', () => resolve(request.result));
    });
    const value = await new Promise((resolve) => {
      const request = database
        .transaction('ItemTable')
        .objectStore('ItemTable')
        .get('metadata-service-tools.metadata-service');
      request.addEventListener('success', () => resolve(request.result));
    });
    database.close();
    return String(value);
  });
}

interface StoredConnection {
  readonly id: string;
  readonly credentialId?: string;
}

/** Waits until a connection with this name is stored. */
export async function storedConnection(page: Page, name: string): Promise<StoredConnection> {
  return eventually(async () => {
    const stored = Object.values(
      JSON.parse(await globalState(page)) as Record<string, StoredConnection & { readonly name?: string }>,
    );
    const found = stored.find((value) => value.name === name);
    assert.ok(found);
    return found;
  });
}

/**
 * Signs in to a connection again, and waits until that is stored. A reload before its token and its connection both are
 * would sign out.
 */
export async function untilSignInIsStored(page: Page, name: string, signIn: () => Promise<void>): Promise<void> {
  const before = await storedConnection(page, name);
  await signIn();
  await eventually(async () => {
    const { id, credentialId } = await storedConnection(page, name);
    assert.notEqual(credentialId, before.credentialId);
    const record = (await storedSecrets(page)).get(`credential.${id}`) ?? '{}';
    assert.equal((JSON.parse(record) as { id?: string }).id, credentialId);
  });
}
