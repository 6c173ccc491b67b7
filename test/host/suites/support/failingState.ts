/** VS Code's storage with failing writes of records. */
import type * as vscode from 'vscode';

/** Keys that record a change on the server, or a copy to the clipboard. */
const BOOKKEEPING = /^(?:createdToken|supersededToken|copiedToken|connection)\./;

export type FailingState = vscode.ExtensionContext['globalState'] & {
  /** Decides which writes fail from now on. The first one has number 1. */
  failing: (write: number) => boolean;
  /** Restarts the count. */
  restart(): void;
  /** Keys whose writes have failed since then. */
  readonly failed: readonly string[];
};

export function failingState(real: vscode.ExtensionContext['globalState']): FailingState {
  let writes = 0;
  const failed: string[] = [];
  const state = {
    failing: (): boolean => false,
    failed,
    restart: () => {
      writes = 0;
      failed.length = 0;
    },
    keys: () => real.keys(),
    get: (key: string, otherwise?: unknown) => real.get(key, otherwise),
    setKeysForSync: (keys: readonly string[]) => real.setKeysForSync(keys),
    update: (key: string, value: unknown): Thenable<void> => {
      writes += Number(BOOKKEEPING.test(key));
      if (BOOKKEEPING.test(key) && (state.failing as FailingState['failing'])(writes)) {
        failed.push(key);
        return Promise.reject(new Error('the disk is full'));
      }
      return real.update(key, value);
    },
  };
  return state as FailingState;
}
