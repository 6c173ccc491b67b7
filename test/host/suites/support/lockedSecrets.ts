import type * as vscode from 'vscode';
import { currentActivation } from './extension.ts';

export type LockedSecrets = vscode.SecretStorage & { isLocked: boolean };

/** VS Code's secret storage, which refuses to store anything while it is locked. */
export function lockedSecrets(): LockedSecrets {
  const real = currentActivation().context.secrets;
  const secrets: LockedSecrets = {
    isLocked: true,
    keys: () => real.keys(),
    get: (key) => real.get(key),
    store: (key, value) => (secrets.isLocked ? Promise.reject(new Error('locked')) : real.store(key, value)),
    delete: (key) => real.delete(key),
    onDidChange: real.onDidChange,
  };
  return secrets;
}
