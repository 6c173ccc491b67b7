/** Stores every truncation before it is sent, so that a window that closes or crashes loses none. */
import { isSameIndex } from '../indices/indexName.ts';
import { Emitter, type Disposable } from '../platform/events.ts';
import { FileStore } from '../platform/fileStore.ts';
import type { Folder } from '../platform/folder.ts';
import type { TruncationPlan } from '../service/indices/truncation.ts';
import { blockingReason, isTaskUnderWay, parseRecord, SESSION_ID, type TruncationRecord } from './record.ts';
import type { ConnectionStore } from '../connections/connectionStore.ts';
import type { CredentialStore } from '../connections/credentialStore.ts';

/** Ended truncations kept for each connection. Older ones are deleted. */
const MOST_ENDED = 100;

export class TruncationStore implements Disposable {
  readonly #files: FileStore<TruncationRecord>;
  readonly #changed = new Emitter<string>();
  /** Fires with the ID of a connection whose truncations changed. */
  readonly onDidChange = this.#changed.event;
  #seen = '';
  #seenConnections: ReadonlySet<string> = new Set();

  constructor(folder: Folder) {
    this.#files = new FileStore(folder, parseRecord);
  }

  /** Reads the files once. Before, none is known. Never throws. */
  async load(): Promise<void> {
    if (!this.#files.isLoaded) {
      await this.reload();
    }
  }

  /** Reads changes of other windows, which are not reported. Never throws. */
  async reload(): Promise<void> {
    await this.readAgain().catch(() => undefined);
  }

  /** The same. @throws what the file system throws. */
  async readAgain(): Promise<void> {
    await this.#files.reload();
    this.#announceChange();
  }

  /** Returns the truncations of a connection, the latest first. */
  of(connectionId: string): readonly TruncationRecord[] {
    return this.#all()
      .filter((record) => record.connectionId === connectionId)
      .toSorted((a, b) => b.sentAt - a.sentAt);
  }

  get(connectionId: string, id: string): TruncationRecord | undefined {
    return this.#files.get(recordKey({ connectionId, id }));
  }

  /** IDs of a connection's truncations whose files can't be read: each may be running, on any index. */
  unreadable(connectionId: string): readonly string[] {
    const prefix = recordKey({ connectionId, id: '' });
    return [...this.#files.unreadable().keys()].flatMap((key) =>
      key.startsWith(prefix) ? [key.slice(prefix.length)] : [],
    );
  }

  /**
   * Returns another truncation of the same index on the same server, by any connection or window, that is being sent,
   * runs, or may have hidden rows. `unreadable` if the connection has one that can't be read.
   * @param except ID of the truncation that is about to be sent. @param now Unix time in ms.
   */
  inTheWay(
    server: { readonly id: string; readonly baseUrl: string },
    plan: TruncationPlan,
    except: string,
    now: number,
  ): TruncationRecord | 'unreadable' | undefined {
    if (this.unreadable(server.id).length > 0) {
      return 'unreadable';
    }
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
   * Stores a truncation that is about to be sent. Of several windows, one succeeds.
   * @returns false if another window stored it before. @throws what the file system throws.
   */
  async claim(record: TruncationRecord): Promise<boolean> {
    const isMine = await this.#files.create(recordKey(record), record);
    this.#announce(record.connectionId);
    return isMine;
  }

  /** Deletes a truncation that this window was about to send, but not one of another window. */
  async takeBack(record: TruncationRecord): Promise<void> {
    await this.#files.reload();
    if (this.#files.get(recordKey(record))?.sessionId === SESSION_ID) {
      await this.#files.remove(recordKey(record));
    }
    this.#announce(record.connectionId);
  }

  /**
   * Stores what its sender learned, over what other windows counted. One that was forgotten meanwhile stays so.
   * @throws what the file system throws.
   */
  async save(record: TruncationRecord): Promise<void> {
    const known = Object.entries(record).filter(([, value]) => value !== undefined);
    await this.#change(record, Object.fromEntries(known));
  }

  /** Stores what any window counted, over what its sender knows. @throws what the file system throws. */
  async saveCounted(record: TruncationRecord): Promise<void> {
    await this.#change(record, Object.fromEntries(COUNTED.map((key) => [key, record[key]])));
  }

  async #change(record: TruncationRecord, change: Partial<TruncationRecord>): Promise<void> {
    await this.#files.change(recordKey(record), (stored) => stored && { ...stored, ...change });
    const forgotten = this.of(record.connectionId)
      .filter((one) => one.ending !== undefined && blockingReason(one) === undefined)
      .slice(MOST_ENDED);
    await Promise.all(forgotten.map((one) => this.#files.remove(recordKey(one))));
    this.#announce(record.connectionId);
  }

  /** Returns true if any window has forgotten it since. One that can't be read may have been sent. Never throws. */
  async isForgotten({ connectionId, id }: Pick<TruncationRecord, 'connectionId' | 'id'>): Promise<boolean> {
    const isRead = await this.readAgain().then(
      () => true,
      () => false,
    );
    return isRead && this.get(connectionId, id) === undefined && !this.unreadable(connectionId).includes(id);
  }

  async forget(record: Pick<TruncationRecord, 'connectionId' | 'id'>): Promise<void> {
    await this.#files.remove(recordKey(record));
    this.#announce(record.connectionId);
  }

  async forgetConnection(connectionId: string): Promise<void> {
    await this.#files.reload();
    const ids = [...this.of(connectionId).map(({ id }) => id), ...this.unreadable(connectionId)];
    await Promise.all(ids.map((id) => this.forget({ connectionId, id })));
  }

  dispose(): void {
    this.#changed.dispose();
  }

  #all(): TruncationRecord[] {
    return [...this.#files.all().values()];
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
    this.#seenConnections = new Set([
      ...this.#all().map(({ connectionId }) => connectionId),
      ...[...this.#files.unreadable().keys()].map(connectionIdOf),
    ]);
    return hasChanged;
  }

  #fingerprint(): string {
    return JSON.stringify([this.#all(), ...this.#files.unreadable()]);
  }
}

function recordKey({ connectionId, id }: Pick<TruncationRecord, 'connectionId' | 'id'>): string {
  return `${connectionId}.${id}`;
}

function connectionIdOf(key: string): string {
  return key.slice(0, key.indexOf('.'));
}

/** What any window may learn of a truncation by asking and counting. */
const COUNTED = [
  'taskEnd',
  'ending',
  'endedAt',
  'runTimeMillis',
  'readers',
  'writesRefused',
] as const satisfies readonly (keyof TruncationRecord)[];

/** Stores that tell what may be sent. Their files are shared with other windows. */
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
  await credentials.reload().catch(() => undefined);
  await Promise.all([store.reload(), records.reload()]);
}
