import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import type { RunningVSCode } from './vscode.ts';
import { everythingInPage } from './workbench.ts';

/** A place that may leak something, and its content: bytes as one character each. */
export type Place = { readonly where: string; readonly content: string };

/**
 * Everything that VS Code keeps about a user: files (settings, logs, caches), the browser's stores, and the content
 * of the window.
 */
export async function allPlaces(vscode: RunningVSCode, page: Page): Promise<Place[]> {
  const [files, stores, document] = await Promise.all([
    filesBelow(vscode.home),
    browserStores(page),
    everythingInPage(page),
  ]);
  return [
    ...files,
    ...stores,
    { where: 'page', content: latin1(document) },
    { where: 'server output', content: latin1(vscode.output()) },
  ];
}

export function placesWith(places: readonly Place[], text: string): string[] {
  return places.filter(({ content }) => content.includes(text)).map(({ where }) => where);
}

/** Logs of all extension hosts, in a folder for each start of VS Code. */
export async function extensionHostLogs(userFolder: string): Promise<Place[]> {
  const files = await filesBelow(join(userFolder, 'logs'));
  return files.filter(({ where }) => where.includes('exthost'));
}

/** Files with their paths below the folder. */
async function filesBelow(folder: string): Promise<Place[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return Promise.all(
    entries
      .filter((entry) => entry.isFile())
      .map(async (entry) => {
        const path = join(entry.parentPath, entry.name);
        // A rotated log is found under its new name.
        const content = await readFile(path, 'latin1').catch(() => '');
        return { where: path.slice(folder.length + 1), content };
      }),
  );
}

/** IndexedDB (where VS Code in the browser keeps globalState and workspaceState), local and session storage. */
export async function browserStores(page: Page): Promise<Place[]> {
  const dump = await page.evaluate(async () => {
    const found: [where: string, content: string][] = [];
    const result = <T>(request: IDBRequest<T>): Promise<T> =>
      new Promise((resolve, reject) => {
        request.addEventListener('success', () => resolve(request.result));
        request.addEventListener('error', () => reject(request.error ?? new Error('IndexedDB')));
      });
    const text = (value: unknown): string =>
      value instanceof Uint8Array
        ? new TextDecoder().decode(value)
        : typeof value === 'string'
          ? value
          : JSON.stringify(value);
    for (const { name = '' } of await indexedDB.databases()) {
      const database = await result(indexedDB.open(name));
      for (const storeName of database.objectStoreNames) {
        const store = database.transaction(storeName).objectStore(storeName);
        const [keys, values] = await Promise.all([result(store.getAllKeys()), result(store.getAll())]);
        keys.forEach((key, index) =>
          found.push([`IndexedDB ${name}/${storeName}/${String(key)}`, text(values[index])]),
        );
      }
      database.close();
    }
    for (const [key, value] of Object.entries(localStorage)) found.push([`localStorage ${key}`, String(value)]);
    for (const [key, value] of Object.entries(sessionStorage)) found.push([`sessionStorage ${key}`, String(value)]);
    return found;
  });
  return dump.map(([where, content]) => ({ where, content: latin1(content) }));
}

/** Same encoding as for files, for a common search. */
function latin1(text: string): string {
  return Buffer.from(text).toString('latin1');
}
