/**
 * Every truncation that was sent, written down before it is sent: a window that is closed or crashes a moment later must not lose
 * what it started.
 */
import { isSameIndex } from '../indices/indexName.ts';
import { DurableStore } from '../platform/durableStore.ts';
import type { DurableFolder } from '../platform/durableFolder.ts';
import { Emitter } from '../platform/events.ts';
import type { Disposable } from '../platform/events.ts';
import type { Memento } from '../platform/memento.ts';
import type { Clock } from '../service/clock.ts';
import type { TruncationPlan } from '../service/indices/truncation.ts';
import { blockingReason, parseRecord, statusOf } from './record.ts';
import type { TruncationRecord } from './record.ts';

const PREFIX = 'truncation.';
/** Ended ones beyond these are forgotten, the oldest first: a list that only grows is read by nobody. */
const MOST_ENDED = 100;

export class TruncationStore implements Disposable {
  readonly #stored: DurableStore<TruncationRecord>;
  readonly #changed = new Emitter<string>();
  /** The id of a connection whose truncations are to be shown anew. */
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

  /** Reads the files, once: before that, what another window lost from VS Code's storage is missing. */
  async load(): Promise<void> {
    if (!this.#stored.isLoaded) {
      await this.#stored.load();
      this.#announceChange();
    }
  }

  /** Another window may have sent or ended one: nothing tells when. */
  async reload(): Promise<void> {
    if (this.#stored.isLoaded) {
      await this.#stored.reload();
      this.#announceChange();
    }
  }

  /** The latest first. */
  of(connectionId: string): readonly TruncationRecord[] {
    return this.#all()
      .filter((record) => record.connectionId === connectionId)
      .toSorted((a, b) => b.sentAt - a.sentAt);
  }

  get(connectionId: string, id: string): TruncationRecord | undefined {
    return this.#stored.get(key({ connectionId, id }));
  }

  /**
   * A truncation of the same index on the same server, whichever connection or window sent it, because of which nothing may be deleted
   * from that index. @param except Id of the one that is about to be sent itself.
   */
  blocking(
    server: { readonly id: string; readonly baseUrl: string },
    plan: TruncationPlan,
    except: string,
  ): TruncationRecord | undefined {
    return this.sentTo(server, plan).find((record) => record.id !== except && blockingReason(record) !== undefined);
  }

  /**
   * All truncations of an index that were sent to a server, or may have been, whichever connection or window sent them: a connection
   * may have been another server's at the time. A reason not to delete, but no proof of what was done on that server.
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

  /** Those that run on a server, or are being sent to it, as far as is known here. @param now Unix time in ms. */
  underWayOn(server: { readonly id: string; readonly baseUrl: string }, now: number): readonly TruncationRecord[] {
    return this.#all().filter(
      (record) =>
        ['running', 'sending'].includes(statusOf(record, now)) &&
        (record.baseUrl === undefined ? record.connectionId === server.id : record.baseUrl === server.baseUrl),
    );
  }

  /**
   * Writes down a truncation that is about to be sent, once, whichever window of this machine tries.
   * @returns false if another window wrote it down before. @throws what the file system throws.
   */
  async claim(record: TruncationRecord): Promise<boolean> {
    await this.load();
    const isMine = await this.#stored.create(key(record), record);
    this.#announce(record.connectionId);
    return isMine;
  }

  /**
   * Waits until windows of other machines know of a claim too.
   * @returns false if one of them sends the same truncation; the claim is withdrawn then. @throws ServiceFailure `storage`.
   */
  async settle(record: TruncationRecord): Promise<boolean> {
    const isMine = await this.#stored.settle(key(record));
    if (!isMine) {
      await this.#stored.removeFile(key(record));
    }
    this.#announceChange();
    return isMine;
  }

  /**
   * Forgets a truncation that this window was about to send. One of another window's stays.
   * @returns whether its ID is used up.
   */
  async takeBack(record: TruncationRecord): Promise<boolean> {
    const isUsedUp = await this.#stored.deleteOwn(key(record));
    this.#announce(record.connectionId);
    return isUsedUp;
  }

  /** On disk once it is fulfilled. @throws what the file system throws; VS Code has it all the same. */
  async save(record: TruncationRecord): Promise<void> {
    await this.load();
    await this.#stored.putOrCopy(key(record), record);
    const forgotten = this.of(record.connectionId)
      .filter((one) => one.ending !== undefined && blockingReason(one) === undefined)
      .slice(MOST_ENDED);
    await Promise.all(forgotten.map((one) => this.#stored.delete(key(one))));
    this.#announce(record.connectionId);
  }

  /** Whether a truncation was written down and taken back or forgotten since, in whichever window. */
  async isForgotten(record: Pick<TruncationRecord, 'connectionId' | 'id'>): Promise<boolean> {
    await this.#stored.reload();
    return this.#stored.isDeleted(key(record));
  }

  async forget(record: Pick<TruncationRecord, 'connectionId' | 'id'>): Promise<void> {
    await this.load();
    await this.#stored.delete(key(record));
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

  /** @returns whether anything changed since it was called last. */
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

function key({ connectionId, id }: Pick<TruncationRecord, 'connectionId' | 'id'>): string {
  return `${connectionId}.${id}`;
}
