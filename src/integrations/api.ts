/** The API for other extensions: connections, no tokens, no actions. */
import type * as vscode from 'vscode';
import type { ConnectionStore } from '../connections/connectionStore.ts';

export interface ExtensionApi {
  readonly version: 1;
  /** Connections by name, without secrets. */
  connections(): readonly {
    readonly id: string;
    readonly name: string;
    readonly baseUrl: string;
    readonly actorUrn: string;
  }[];
  readonly onDidChangeConnections: vscode.Event<void>;
  /** For the extension's own tests only. */
  readonly explorer?: vscode.TreeDataProvider<unknown>;
  readonly context?: vscode.ExtensionContext;
}

export function createExtensionApi(
  store: ConnectionStore,
  forTests: Pick<ExtensionApi, 'explorer' | 'context'>,
): ExtensionApi {
  return Object.freeze({
    version: 1,
    connections: () => store.all().map(({ id, name, baseUrl, actorUrn }) => ({ id, name, baseUrl, actorUrn })),
    onDidChangeConnections: store.onDidChange,
    ...forTests,
  });
}
