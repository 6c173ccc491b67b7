import { rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type * as vscode from 'vscode';
import type { Folders } from '../../../../src/platform/folder.ts';
import { currentActivation } from './extension.ts';

export type FolderKind = Parameters<Folders>[0];

/**
 * Puts files in the place of folders, so that nothing in them can be read or written.
 * @returns what puts the folders back
 */
export async function breakFolders(...kinds: readonly FolderKind[]): Promise<() => Promise<void>> {
  const undo = await Promise.all(
    kinds.map(async (kind) => {
      const folder = join(currentActivation().context.globalStorageUri.fsPath, kind);
      const away = `${folder}.away`;
      // Not there before its first file.
      const isThere = await rename(folder, away).then(
        () => true,
        () => false,
      );
      await writeFile(folder, '');
      return async () => {
        await rm(folder, { force: true });
        if (isThere) {
          await rename(away, folder);
        }
      };
    }),
  );
  return async () => void (await Promise.all(undo.map((one) => one())));
}

export type FailingState = vscode.ExtensionContext['globalState'] & { isFailing: boolean };

/** VS Code's storage, whose writes fail on request. */
export function failingState(real: vscode.ExtensionContext['globalState']): FailingState {
  const state: FailingState = {
    isFailing: false,
    keys: () => real.keys(),
    get: (key: string, otherwise?: unknown) => real.get(key, otherwise),
    setKeysForSync: (keys) => real.setKeysForSync(keys),
    update: (key, value) => (state.isFailing ? Promise.reject(new Error('the disk is full')) : real.update(key, value)),
  };
  return state;
}

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
