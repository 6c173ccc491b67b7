/** Indices that the user added by name, since the server doesn't list them. */
import * as v from 'valibot';
import { parsedAs } from '../json.ts';
import { Storage, type Memento } from '../platform/storage.ts';
import { hasSameSpelling, indexNameProblem, type IndexName } from './indexName.ts';

const NAME = v.pipe(
  v.string(),
  v.check((text) => indexNameProblem(text) === undefined),
);
const ADDED = v.array(v.object({ entityType: NAME, aspect: NAME }));

export class AddedIndices {
  readonly #names: Storage<readonly IndexName[]>;

  constructor(shared: Memento) {
    this.#names = new Storage(shared, 'addedIndices.', (stored) => parsedAs(ADDED, stored));
  }

  of(connectionId: string): readonly IndexName[] {
    return this.#names.get(connectionId) ?? [];
  }

  async add(connectionId: string, { entityType, aspect }: IndexName): Promise<void> {
    const added = { entityType, aspect };
    await this.#names.set(connectionId, [...this.#others(connectionId, added), added]);
  }

  async forget(connectionId: string, target: IndexName): Promise<void> {
    await this.#names.set(connectionId, this.#others(connectionId, target));
  }

  async forgetConnection(connectionId: string): Promise<void> {
    await this.#names.set(connectionId, undefined);
  }

  #others(connectionId: string, target: IndexName): readonly IndexName[] {
    return this.of(connectionId).filter((one) => !hasSameSpelling(one, target));
  }
}
