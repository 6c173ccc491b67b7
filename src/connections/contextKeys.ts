/** The context keys by which menus and the palette decide what to offer. */
import * as vscode from 'vscode';
import { CONTEXT_KEYS } from '../manifest.ts';
import type { ConnectionStore } from './connectionStore.ts';
import { remoteBeside } from './whereItRuns.ts';

/** Sets them, and again with each change of the connections. */
export function keepContextKeys(store: ConnectionStore): vscode.Disposable {
  const countConnections = (): void => {
    const connections = store.all();
    setContext('connectionCount', connections.length);
    setContext('writableConnectionCount', connections.filter(({ role }) => role !== 'readOnly').length);
  };
  countConnections();
  setContext('isBesideRemote', remoteBeside() !== undefined);
  return store.onDidChange(countConnections);
}

function setContext(key: keyof typeof CONTEXT_KEYS, value: number | boolean): void {
  void vscode.commands.executeCommand('setContext', CONTEXT_KEYS[key], value);
}
