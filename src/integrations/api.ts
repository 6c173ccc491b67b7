/** The API for other extensions: connections, no tokens, no actions. */
import type * as vscode from 'vscode';
import type { Connection } from '../connections/connection.ts';
import type { ConnectionStore } from '../connections/connectionStore.ts';

export interface ExtensionApi {
  readonly version: 2;
  /** Returns the connections by name, without secrets. */
  connections(): Promise<readonly Readonly<Pick<Connection, 'id' | 'name' | 'baseUrl' | 'actorUrn'>>[]>;
  readonly onDidChangeConnections: vscode.Event<void>;
  /** For the extension's own tests only. */
  readonly explorer?: vscode.TreeDataProvider<unknown>;
  readonly context?: vscode.ExtensionContext;
  readonly loadStore?: () => Promise<ConnectionStore>;
}

export function createExtensionApi(
  loadStore: () => Promise<ConnectionStore>,
  onDidChangeConnections: vscode.Event<void>,
  forTests: Pick<ExtensionApi, 'explorer' | 'context' | 'loadStore'>,
): ExtensionApi {
  return Object.freeze({
    version: 2,
    connections: async () => {
      const store = await loadStore();
      return store.all().map(({ id, name, baseUrl, actorUrn }) => ({ id, name, baseUrl, actorUrn }));
    },
    onDidChangeConnections,
    ...forTests,
  });
}
