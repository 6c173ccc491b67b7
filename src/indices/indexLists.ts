/** Indices of each connection. */
import type { ConnectionStore } from '../connections/connectionStore.ts';
import { ConnectionLists } from '../connections/loadableList.ts';
import type { ServicePool } from '../connections/servicePool.ts';
import type { CredentialStore } from '../connections/credentialStore.ts';
import type { Folders } from '../platform/folder.ts';
import { Storage, type Memento } from '../platform/storage.ts';
import { AddedIndices } from './addedIndices.ts';
import { IndexList, type IndexListOrder } from './indexList.ts';
import type { IndexName } from './indexName.ts';
import { type IndexSizeGrowth, SizeHistoryStore } from './sizeHistory.ts';

export class IndexLists extends ConnectionLists<IndexList> {
  readonly #store: ConnectionStore;
  readonly #services: ServicePool;
  readonly #added: AddedIndices;
  readonly #order: Storage<IndexListOrder>;
  readonly #history: SizeHistoryStore;

  constructor(
    store: ConnectionStore,
    credentials: CredentialStore,
    services: ServicePool,
    folders: Folders,
    shared: Memento,
  ) {
    super(store, credentials);
    this.#store = store;
    this.#services = services;
    this.#added = new AddedIndices(folders('addedIndices'));
    this.#history = new SizeHistoryStore(folders('sizes'));
    this.#order = new Storage(shared, 'indexOrder', (stored) => (stored === 'name' ? 'name' : undefined));
  }

  /** Growth since earlier days; undefined if unknown. Sends nothing. */
  growthOfIndex(connectionId: string, target: IndexName): IndexSizeGrowth | undefined {
    const connection = this.#store.get(connectionId);
    return connection && this.#history.growthOfIndex(connection, target);
  }

  get order(): IndexListOrder {
    return this.#order.get('') ?? 'size';
  }

  async changeOrder(order: IndexListOrder): Promise<void> {
    await this.#order.set('', order);
    for (const id of this.lists.keys()) {
      this.announce(id);
    }
  }

  /** @throws what the file system throws. */
  async addIndexName(connectionId: string, target: IndexName): Promise<void> {
    await this.#added.add(connectionId, target);
    this.announce(connectionId);
  }

  /** @throws what the file system throws. */
  async forgetIndexName(connectionId: string, target: IndexName): Promise<void> {
    await this.#added.forget(connectionId, target);
    this.announce(connectionId);
  }

  /** Reads what other windows added. Never throws. */
  async reloadAdded(): Promise<void> {
    for (const connectionId of await this.#added.reload()) {
      this.announce(connectionId);
    }
  }

  async forgetConnection(connectionId: string): Promise<void> {
    await Promise.all([this.#added, this.#history].map((one) => one.forgetConnection(connectionId)));
  }

  protected override createList(connectionId: string): IndexList {
    let seenAt: number | undefined;
    const list = new IndexList(
      async (signal) => {
        await this.#added.load();
        const connection = this.#store.get(connectionId);
        return connection === undefined ? [] : this.#services.get(connection).indices.listIndexSizes(signal);
      },
      () => this.#added.of(connectionId),
      () => {
        if (list.loadedAt !== seenAt) {
          seenAt = list.loadedAt;
          void this.#recordSizes(connectionId, list);
        }
        this.announce(connectionId);
      },
    );
    return list;
  }

  async #recordSizes(connectionId: string, list: IndexList): Promise<void> {
    const connection = this.#store.get(connectionId);
    const { loadedAt, indices } = list;
    // A dropped list may belong to another server.
    if (connection !== undefined && loadedAt !== undefined && this.lists.get(connectionId) === list) {
      const stillExists = (): boolean => this.#store.get(connectionId) !== undefined;
      await this.#history.recordSizes(connection, indices, loadedAt, stillExists);
      this.announce(connectionId);
    }
  }
}
