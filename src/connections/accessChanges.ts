/** When what was loaded for a connection is worth nothing any more. */
import { disposeAll } from '../platform/events.ts';
import type { Disposable } from '../platform/events.ts';
import { sessionOf } from './connection.ts';
import type { ConnectionStore } from './connectionStore.ts';
import type { CredentialStore } from './credentialStore.ts';

/** Calls `drop` with a connection's id when its credential, its server or its actor changed, or when it is gone. */
export function onAccessChanged(
  store: ConnectionStore,
  credentials: CredentialStore,
  drop: (connectionId: string) => void,
): Disposable {
  const seen = new Map(store.all().map((connection) => [connection.id, sessionOf(connection)]));
  const subscriptions = [
    credentials.onDidChange(drop),
    store.onDidChange(() => {
      const now = new Map(store.all().map((connection) => [connection.id, sessionOf(connection)]));
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
  ];
  return { dispose: () => disposeAll(subscriptions) };
}
