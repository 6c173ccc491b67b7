/** Stores every truncation before it is sent, so that a window that closes or crashes loses none. */
import { isSameIndex } from '../indices/indexName.ts';
import type { DurableFolder } from '../platform/durableFolder.ts';
import { DurableStore } from '../platform/durableStore.ts';
import { Emitter, type Disposable } from '../platform/events.ts';
import type { Memento } from '../platform/memento.ts';
import type { Clock } from '../time.ts';
import type { TruncationPlan } from '../service/indices/truncation.ts';
import { blockingReason, isTaskUnderWay, parseRecord, type TruncationRecord } from './record.ts';
import type { ConnectionStore } from '../connections/connectionStore.ts';
import type { CredentialStore } from '../connections/credentialStore.ts';

const PREFIX = 'truncation.';
/** Ended truncations kept for each connection. Older ones are deleted. */
const MOST_ENDED = 100;

export class TruncationStore implements Disposable {
  readonly #stored: DurableStore<TruncationRecord>;
  readonly #changed = new Emitter<string>();
  /** Fires with the ID of a connection whose truncations changed. */
  readonly onDidChange = this.#changed.event;
  #seen = '';
  #seenConnections: ReadonlySet<string> = new Set();

  constructor(memento: Memento, folder: DurableFolder, clock: Clock) {
    this.#stored = new DurableStore({
      folder,
      memento,
      prefix: PREFIX,
      parse: parseRecord,
      clock,
      deletionIsFinal: true,
    });
  }

  /** Reads the files once. Before, a truncation lost from VS Code's storage is missing. */
  async load(): Promise<void> {
    if (!this.#stored.isLoaded) {
      await this.#stored.load();
      this.#announceChange();
    }
  }

  /** Reads changes of other windows, which are not reported. */
  async reload(): Promise<void> {
    if (this.#stored.isLoaded) {
      await this.#stored.reload();
      this.#announceChange();
    }
  }

  /** The same. @throws what the file system throws. */
  async readAgain(): Promise<void> {
    await this.#stored.readAgain();
    this.#announceChange();
  }

  /** Returns the truncations of a connection, the latest first. */
  of(connectionId: string): readonly TruncationRecord[] {
    return this.#all()
      .filter((record) => record.connectionId === connectionId)
      .toSorted((a, b) => b.sentAt - a.sentAt);
  }

  get(connectionId: string, id: string): TruncationRecord | undefined {
    return this.#stored.get(recordKey({ connectionId, id }));
  }

  /**
   * Returns another truncation of the same index on the same server, by any connection or window, that is being sent,
   * runs, or may have hidden rows.
   * @param except ID of the truncation that is about to be sent. @param now Unix time in ms.
   */
  inTheWay(
    server: { readonly id: string; readonly baseUrl: string },
    plan: TruncationPlan,
    except: string,
    now: number,
  ): TruncationRecord | undefined {
    const running = new Set(this.underWayOn(server, now).map(({ id }) => id));
    return this.sentTo(server, plan).find(
      (record) => record.id !== except && (running.has(record.id) || blockingReason(record) !== undefined),
    );
  }

  /**
   * Returns all truncations of an index that were, or may have been, sent to a server by any connection or
   * window. Not a proof: the connection may have had another server then. But a reason not to delete.
   */
  sentTo(
    server: { readonly id: string; readonly baseUrl: string },
    index: Pick<TruncationPlan, 'entityType' | 'aspect'>,
  ): readonly TruncationRecord[] {
    return this.#all().filter(
      (record) =>
        isSameIndex(record.plan, index) && (record.connectionId === server.id || record.baseUrl === server.baseUrl),
    );
  }

  /**
   * Returns the truncations that, as far as is known, run on a server or are being sent. @param now Unix time
   * in ms.
   */
  underWayOn(server: { readonly id: string; readonly baseUrl: string }, now: number): readonly TruncationRecord[] {
    return this.#all().filter(
      (record) =>
        isTaskUnderWay(record, now) &&
        (record.baseUrl === undefined ? record.connectionId === server.id : record.baseUrl === server.baseUrl),
    );
  }

  /**
   * Stores a truncation that is about to be sent. Of several windows of this machine, one succeeds.
   * @returns false if another window stored it before. @throws what the file system throws.
   */
  async claim(record: TruncationRecord): Promise<boolean> {
    await this.load();
    const isMine = await this.#stored.create(recordKey(record), record);
    this.#announce(record.connectionId);
    return isMine;
  }

  /**
   * Waits until windows of other machines can know a claim.
   * @returns false if one of them sends the same truncation. Then the claim is removed. @throws ServiceFailure
   * `storage`.
   */
  async settle(record: TruncationRecord): Promise<boolean> {
    const isMine = await this.#stored.settle(recordKey(record));
    if (!isMine) {
      await this.#stored.removeFile(recordKey(record));
    }
    this.#announceChange();
    return isMine;
  }

  /** Deletes a truncation that this window was about to send, but not one of another window. */
  async takeBack(record: TruncationRecord): Promise<void> {
    await this.#stored.deleteIfOwn(recordKey(record));
    this.#announce(record.connectionId);
  }

  /** Stores a truncation on disk. @throws what the file system throws. Even then, VS Code's storage has it. */
  async save(record: TruncationRecord): Promise<void> {
    await this.load();
    await this.#stored.putOrCopy(recordKey(record), record);
    const forgotten = this.of(record.connectionId)
      .filter((one) => one.ending !== undefined && blockingReason(one) === undefined)
      .slice(MOST_ENDED);
    await Promise.all(forgotten.map((one) => this.#stored.delete(recordKey(one))));
    this.#announce(record.connectionId);
  }

  /** Returns true if any window stored the truncation and deleted it since. */
  async isForgotten(record: Pick<TruncationRecord, 'connectionId' | 'id'>): Promise<boolean> {
    await this.#stored.reload();
    return this.#stored.isDeleted(recordKey(record));
  }

  async forget(record: Pick<TruncationRecord, 'connectionId' | 'id'>): Promise<void> {
    await this.load();
    await this.#stored.delete(recordKey(record));
    this.#announce(record.connectionId);
  }

  async forgetConnection(connectionId: string): Promise<void> {
    await this.load();
    await Promise.all(this.of(connectionId).map((record) => this.forget(record)));
  }

  dispose(): void {
    this.#changed.dispose();
  }

  #all(): TruncationRecord[] {
    return [...this.#stored.all().values()];
  }

  #announce(connectionId: string): void {
    this.#see();
    this.#changed.fire(connectionId);
  }

  #announceChange(): void {
    const before = this.#seenConnections;
    if (this.#see()) {
      for (const connectionId of new Set([...before, ...this.#seenConnections])) {
        this.#changed.fire(connectionId);
      }
    }
  }

  /** @returns true if anything changed since the last call. */
  #see(): boolean {
    const fingerprint = this.#fingerprint();
    const hasChanged = fingerprint !== this.#seen;
    this.#seen = fingerprint;
    this.#seenConnections = new Set(this.#all().map(({ connectionId }) => connectionId));
    return hasChanged;
  }

  #fingerprint(): string {
    return JSON.stringify(this.#all());
  }
}

function recordKey({ connectionId, id }: Pick<TruncationRecord, 'connectionId' | 'id'>): string {
  return `${connectionId}.${id}`;
}

/**
 * Stores whose files are shared with other windows. Batches aren't among them: the overview and a batch read them by
 * themselves. Nor are tokens: VS Code's storage is always current.
 */
export interface SharedStores {
  readonly store: ConnectionStore;
  readonly credentials: CredentialStore;
  readonly records: TruncationStore;
}

/**
 * Reads what other windows changed. Called on focus, when the tree is shown or refreshed, and before a truncation is
 * sent or its record updated: not every platform reports changes, and none at once. Never throws.
 */
export async function reloadSharedStores({ store, credentials, records }: SharedStores): Promise<void> {
  // Credentials first, so that a changed connection isn't loaded with its former credential.
  await credentials.reload(store.all()).catch(() => undefined);
  await Promise.all([store.reload(), records.reload()]).catch(() => undefined);
}
