/** What other extensions may read: which connections there are. Never a token, never a way to act. */
import type * as vscode from 'vscode';
import type { ConnectionStore } from '../connections/connectionStore.ts';

export interface Api {
  readonly version: 1;
  /** The connections by name, without anything secret. */
  connections(): readonly { readonly id: string; readonly name: string; readonly baseUrl: string; readonly actorUrn: string }[];
  readonly onDidChangeConnections: vscode.Event<void>;
  /** The tree as its tests see it; only there when VS Code runs extension tests. */
  readonly explorer?: vscode.TreeDataProvider<unknown>;
}

export function createApi(store: ConnectionStore, explorer: vscode.TreeDataProvider<unknown> | undefined): Api {
  return Object.freeze({
    version: 1,
    connections: () => store.all().map(({ id, name, baseUrl, actorUrn }) => ({ id, name, baseUrl, actorUrn })),
    onDidChangeConnections: store.onDidChange,
    ...(explorer === undefined ? {} : { explorer }),
  });
}
