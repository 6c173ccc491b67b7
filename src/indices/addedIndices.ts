/** Indices that the user added by name, since the server doesn't list them. A file for each connection. */
import * as v from 'valibot';
import { parsedAs } from '../json.ts';
import { FileStore } from '../platform/fileStore.ts';
import type { Folder } from '../platform/folder.ts';
import { hasSameSpelling, indexNameProblem, type IndexName } from './indexName.ts';

const NAME = v.pipe(
  v.string(),
  v.check((text) => indexNameProblem(text) === undefined),
);
const ADDED = v.object({ indices: v.array(v.object({ entityType: NAME, aspect: NAME })) });

interface StoredIndices {
  readonly indices: readonly IndexName[];
}

export class AddedIndices {
  readonly #files: FileStore<StoredIndices>;

  constructor(folder: Folder) {
    this.#files = new FileStore(folder, (stored) => parsedAs(ADDED, stored));
  }

  /** Reads the files once. Before, none is known. Never throws. */
  async load(): Promise<void> {
    await this.#files.load().catch(() => undefined);
  }

  /** Reads what other windows added. Never throws. @returns the IDs of the connections that it changed. */
  async reload(): Promise<readonly string[]> {
    return this.#files.reload().catch(() => []);
  }

  of(connectionId: string): readonly IndexName[] {
    return this.#files.get(connectionId)?.indices ?? [];
  }

  /** @throws what the file system throws. */
  async add(connectionId: string, { entityType, aspect }: IndexName): Promise<void> {
    await this.#change(connectionId, (others) => [...without(others, { entityType, aspect }), { entityType, aspect }]);
  }

  /** @throws what the file system throws. */
  async forget(connectionId: string, target: IndexName): Promise<void> {
    await this.#change(connectionId, (indices) => without(indices, target));
  }

  async forgetConnection(connectionId: string): Promise<void> {
    await this.#files.remove(connectionId);
  }

  async #change(connectionId: string, change: (indices: readonly IndexName[]) => readonly IndexName[]): Promise<void> {
    await this.#files.change(connectionId, (stored) => ({ indices: change(stored?.indices ?? []) }));
  }
}

function without(indices: readonly IndexName[], target: IndexName): readonly IndexName[] {
  return indices.filter((one) => !hasSameSpelling(one, target));
}
