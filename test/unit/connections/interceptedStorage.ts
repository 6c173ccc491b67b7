/** Storage whose writes a test watches, refuses, holds back, or ends at one of them. */
import type { Folders } from '../../../src/platform/folder.ts';
import { Memory } from '../memory.ts';
import type { SharedStorage } from './window.ts';

/** Called before each write with its name: `connections.put`, `secrets.store`, `memory.update`. */
type BeforeWrite = (write: string) => void | Promise<void>;

export function interceptedStorage(
  { path, folders, memory, secrets }: SharedStorage,
  before: BeforeWrite,
): SharedStorage {
  return {
    path,
    folders: interceptedFolders(folders, before),
    memory: interceptedMemory(memory, before),
    secrets: {
      ...secrets,
      store: async (key, value) => {
        await before('secrets.store');
        await secrets.store(key, value);
      },
      delete: async (key) => {
        await before('secrets.delete');
        await secrets.delete(key);
      },
    },
  };
}

export function recordedStorage(shared: SharedStorage): { readonly storage: SharedStorage; readonly writes: string[] } {
  const writes: string[] = [];
  return { storage: interceptedStorage(shared, (write) => void writes.push(write)), writes };
}

export function refusing(shared: SharedStorage, ...refused: readonly string[]): SharedStorage {
  return interceptedStorage(shared, (write) => {
    if (refused.includes(write)) throw new Error(`refused: ${write}`);
  });
}

function interceptedFolders(folders: Folders, before: BeforeWrite): Folders {
  return (kind) => {
    const folder = folders(kind);
    const writes = (['create', 'put', 'append', 'remove'] as const).map((name) => {
      const write = async (...values: [string, string]): Promise<unknown> => {
        await before(`${kind}.${name}`);
        return folder[name](...values);
      };
      return [name, write] as const;
    });
    return { ...folder, ...Object.fromEntries(writes) };
  };
}

function interceptedMemory(memory: Memory, before: BeforeWrite): Memory {
  return Object.assign(new Memory(), {
    keys: () => memory.keys(),
    get: memory.get.bind(memory),
    update: async (key: string, value: unknown): Promise<void> => {
      await before('memory.update');
      await memory.update(key, value);
    },
  });
}
