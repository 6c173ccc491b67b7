/** The API for other extensions: connections, no tokens, no actions. */
import type * as vscode from 'vscode';
import type { Connection } from '../connections/connection.ts';
import type { ConnectionStore } from '../connections/connectionStore.ts';

export interface ExtensionApi {
  readonly version: 1;
  /** Connections by name, without secrets. */
  connections(): readonly Readonly<Pick<Connection, 'id' | 'name' | 'baseUrl' | 'actorUrn'>>[];
  readonly onDidChangeConnections: vscode.Event<void>;
  /** For the extension's own tests only. */
  readonly explorer?: vscode.TreeDataProvider<unknown>;
  readonly context?: vscode.ExtensionContext;
  readonly store?: ConnectionStore;
}

export function createExtensionApi(
  store: ConnectionStore,
  forTests: Pick<ExtensionApi, 'explorer' | 'context' | 'store'>,
): ExtensionApi {
  return Object.freeze({
    version: 1,
    connections: () => store.all().map(({ id, name, baseUrl, actorUrn }) => ({ id, name, baseUrl, actorUrn })),
    onDidChangeConnections: store.onDidChange,
    ...forTests,
  });
}
