/** What other extensions may read: which connections there are. Never a token, never a way to act. */
import type * as vscode from 'vscode';
import type { ConnectionStore } from '../connections/connectionStore.ts';

export interface Api {
  readonly version: 1;
  /** The connections by name, without anything secret. */
  connections(): readonly {
    readonly id: string;
    readonly name: string;
    readonly baseUrl: string;
    readonly actorUrn: string;
  }[];
  readonly onDidChangeConnections: vscode.Event<void>;
  /** The tree as its tests see it, and what VS Code gave the extension; only there when VS Code runs extension tests. */
  readonly explorer?: vscode.TreeDataProvider<unknown>;
  readonly context?: vscode.ExtensionContext;
}

export function createApi(store: ConnectionStore, forTests: Pick<Api, 'explorer' | 'context'>): Api {
  return Object.freeze({
    version: 1,
    connections: () => store.all().map(({ id, name, baseUrl, actorUrn }) => ({ id, name, baseUrl, actorUrn })),
    onDidChangeConnections: store.onDidChange,
    ...forTests,
  });
}
