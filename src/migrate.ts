/** To be removed with 1.0: takes over connections of 0.3.0, signed out and read-only, and deletes all else of that version. */
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type * as vscode from 'vscode';
import { parseConnection } from './connections/connection.ts';
import { FileStore } from './platform/fileStore.ts';
import type { Folders } from './platform/folder.ts';
import type { Memento } from './platform/storage.ts';
import { parseJson } from './json.ts';

const KEY = 'connection.';
/** A removal left a mark, since another window could write the connection again. */
const MARK = 'removing.';
/** Keys of this version, and marks, which are deleted last. */
const KEPT = /^(?:removing|signIn|capabilities)\./;

/** What fails is left for the next start. @param path Of the extension's global storage. */
export async function migrate(
  { secrets }: Pick<vscode.ExtensionContext, 'secrets'>,
  globalState: Memento,
  path: string,
  folders: Folders,
): Promise<void> {
  const records = join(path, 'records');
  const connections = new FileStore(folders('connections'), parseConnection);
  await connections.load();
  let isComplete = true;
  for (const key of globalState.keys().filter((one) => one.startsWith(KEY))) {
    const id = key.slice(KEY.length);
    try {
      if (connections.get(id) === undefined && !connections.unreadable().includes(id)) {
        // First: nothing else would find its secret. One that was taken over before has a new one.
        await secrets.delete(`credential.${id}`);
        const connection = parseConnection(globalState.get(key));
        if (connection !== undefined && !(await isRemoved(globalState, records, id))) {
          // Signed out, since its address may have meant another machine. Without a role it is read-only.
          const { plainHttpOrigin: _consent, ...kept } = connection;
          await connections.create(id, { ...kept, signedOutAt: Date.now() });
        }
      }
      await folders('sizes').remove(`${id}.json`);
      const others = globalState.keys().filter((one) => one.includes(id) && !KEPT.test(one) && one !== key);
      for (const old of [...others, key]) {
        await globalState.update(old, undefined);
      }
    } catch {
      isComplete = false;
    }
  }
  if (isComplete) {
    await rm(records, { recursive: true, force: true });
    // Last: without its mark, the next start would take over a connection that was removed.
    for (const mark of globalState.keys().filter((one) => one.startsWith(MARK))) {
      await globalState.update(mark, undefined);
    }
  }
}

async function isRemoved(globalState: Memento, records: string, id: string): Promise<boolean> {
  const name = MARK + id;
  const file = await readFile(join(records, `${name}.json`), 'utf8').catch(() => '');
  const marks = [globalState.get<unknown>(name), parseJson(file)].filter((mark) => mark !== undefined);
  return marks.some((mark) => typeof mark !== 'object' || mark === null || !('deletedAt' in mark));
}
