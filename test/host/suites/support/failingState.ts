/** VS Code's storage with failing writes of records. */
import type * as vscode from 'vscode';

/** Keys that record a change on the server, or a copy to the clipboard. */
const BOOKKEEPING = /^(?:createdToken|supersededToken|copiedToken|connection)\./;

export type FailingState = vscode.ExtensionContext['globalState'] & {
  /** Decides by the key which writes fail from now on. */
  failing: (key: string) => boolean;
  /** Forgets what has failed. */
  restart(): void;
  /** Keys whose writes have failed since then. */
  readonly failed: readonly string[];
};

export function failingState(real: vscode.ExtensionContext['globalState']): FailingState {
  const failed: string[] = [];
  const state = {
    failing: (): boolean => false,
    failed,
    restart: () => {
      failed.length = 0;
    },
    keys: () => real.keys(),
    get: (key: string, otherwise?: unknown) => real.get(key, otherwise),
    setKeysForSync: (keys: readonly string[]) => real.setKeysForSync(keys),
    update: (key: string, value: unknown): Thenable<void> => {
      if (BOOKKEEPING.test(key) && (state.failing as FailingState['failing'])(key)) {
        failed.push(key);
        return Promise.reject(new Error('the disk is full'));
      }
      return real.update(key, value);
    },
  };
  return state as FailingState;
}
