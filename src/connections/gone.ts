/** When what was loaded for a connection is worth nothing any more. */
import * as vscode from 'vscode';
import { accessOf } from './connection.ts';
import type { ConnectionStore } from './connectionStore.ts';
import type { Vault } from './vault.ts';

/** Calls `drop` with a connection's id when its credential, its server or its actor changed, or when it is gone. */
export function signedOutOf(store: ConnectionStore, vault: Vault, drop: (connectionId: string) => void): vscode.Disposable {
  const seen = new Map(store.all().map((connection) => [connection.id, accessOf(connection)]));
  return vscode.Disposable.from(
    vault.onDidChange(drop),
    store.onDidChange(() => {
      const now = new Map(store.all().map((connection) => [connection.id, accessOf(connection)]));
      for (const [id, was] of seen) {
        if (now.get(id) !== was) {
          drop(id);
        }
      }
      seen.clear();
      for (const [id, is] of now) {
        seen.set(id, is);
      }
    }),
  );
}
