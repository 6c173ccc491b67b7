/**
 * The journals of all jobs. Each truncation is there before it is sent, so that a window that closes or crashes loses
 * none, and of two windows that want one index at most one sends.
 */
import { indexNameKey, type IndexName } from '../indices/indexName.ts';
import { Emitter, type Disposable } from '../platform/events.ts';
import { FileStore } from '../platform/fileStore.ts';
import type { Folder } from '../platform/folder.ts';
import type { ConnectionStore } from '../connections/connectionStore.ts';
import type { CredentialStore } from '../connections/credentialStore.ts';
import { isOver, itemOf, jobFrom, recordId, shownTruncations, type Job, type JobRef } from './storedJob.ts';
import { learnedFrom, type JobFact, type PlannedFact } from './jobFacts.ts';
import { blockingReason, isTaskUnderWay, type TruncationRecord } from './sentTruncation.ts';

/** Jobs that are over, kept for each connection. Older ones are deleted. */
const MOST_OVER = 100;
/** A server, by a connection to it. */
interface ServerRef {
  readonly id: string;
  readonly baseUrl: string;
}

export class JobStore implements Disposable {
  /** A journal each. */
  readonly #files: FileStore<Job, PlannedFact>;
  readonly #changed = new Emitter<string>();
  /** Fires with the ID of a connection whose jobs changed. */
  readonly onDidChange = this.#changed.event;
  /** Of all connections, until the files change. */
  #truncations: readonly TruncationRecord[] = [];
  #byIndex: ReadonlyMap<string, readonly TruncationRecord[]> = new Map();
  constructor(folder: Folder) {
    this.#files = new FileStore(folder, (first, lines, key) => jobFrom(jobOfKey(key), first, lines));
  }

  /** Reads the files once. Before, no job is known. Never throws. */
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
    const keys = await this.#files.reload();
    this.#see();
    for (const connectionId of new Set(keys.map((key) => jobOfKey(key).connectionId))) {
      this.#changed.fire(connectionId);
    }
  }

  job(ref: JobRef): Job | undefined {
    return this.#files.get(keyOf(ref));
  }

  /** Returns the truncations of a connection, the latest first, without those that the user dismissed. */
  of(connectionId: string): readonly TruncationRecord[] {
    return this.#truncations
      .filter((record) => record.connectionId === connectionId)
      .toSorted((a, b) => b.sentAt - a.sentAt);
  }

  get(connectionId: string, id: string): TruncationRecord | undefined {
    return this.#truncations.find((record) => record.id === id && record.connectionId === connectionId);
  }

  /** IDs of a connection's jobs whose files can't be read: each may be running, on any index. */
  unreadable(connectionId: string): readonly string[] {
    const refs = this.#files.unreadable().map(jobOfKey);
    return refs.flatMap((ref) => (ref.connectionId === connectionId ? [ref.id] : []));
  }

  /**
   * Returns another truncation of the same index on the same server, by any connection or window, that is being sent,
   * runs, or may have hidden rows. `unreadable` if the connection has a job that can't be read.
   * @param except ID of the truncation that is about to be sent, if it is written. @param now Unix time in ms.
   */
  inTheWay(
    server: ServerRef,
    index: IndexName,
    except: string | undefined,
    now: number,
  ): TruncationRecord | 'unreadable' | undefined {
    if (this.unreadable(server.id).length > 0) {
      return 'unreadable';
    }
    const isUnderWay = (one: TruncationRecord): boolean => one.baseUrl === server.baseUrl && isTaskUnderWay(one, now);
    return this.sentTo(server, index).find(
      (record) => record.id !== except && (isUnderWay(record) || blockingReason(record) !== undefined),
    );
  }

  /**
   * Returns all truncations of an index that were, or may have been, sent to a server by any connection or
   * window. Not a proof: the connection may have had another server then. But a reason not to delete.
   */
  sentTo(server: ServerRef, index: IndexName): readonly TruncationRecord[] {
    return (this.#byIndex.get(indexNameKey(index)) ?? []).filter((record) => isSentTo(record, server));
  }

  /**
   * Returns the truncations that, as far as is known, run on a server or are being sent. @param now Unix time
   * in ms.
   */
  underWayOn({ baseUrl }: Pick<ServerRef, 'baseUrl'>, now: number): readonly TruncationRecord[] {
    return this.#truncations.filter((record) => isTaskUnderWay(record, now) && record.baseUrl === baseUrl);
  }

  /** No other window has its ID. @throws what the file system throws. */
  async create(ref: JobRef, planned: PlannedFact, ...facts: readonly JobFact[]): Promise<void> {
    await this.#files.create(keyOf(ref), planned, ...facts);
    this.#announce(ref.connectionId);
  }

  /** Does nothing if the file is gone, with its connection. @throws what the file system throws. */
  async append(ref: JobRef, fact: JobFact): Promise<void> {
    await this.#files.append(keyOf(ref), fact);
    this.#announce(ref.connectionId);
  }

  /** Stores what a window counted. @param now Unix time in ms. @throws what the file system throws. */
  async saveCounted(record: TruncationRecord, now: number): Promise<void> {
    const { id, item } = itemOf(record.id);
    const kind = record.ending === undefined ? 'counted' : 'ended';
    await this.append({ connectionId: record.connectionId, id }, { kind, at: now, item, ...learnedFrom(record) });
    await this.#removeOld(record.connectionId);
  }

  async #removeOld(connectionId: string): Promise<void> {
    const over = this.#all().filter((job) => job.connectionId === connectionId && isOver(job));
    const old = over.toSorted((a, b) => b.confirmedAt - a.confirmedAt).slice(MOST_OVER);
    await Promise.all(old.map((job) => this.remove(job)));
  }

  /** Dismisses a truncation that was sent. @param now Unix time in ms. @throws what the file system throws. */
  async dismiss({ id, connectionId }: Pick<TruncationRecord, 'id' | 'connectionId'>, now: number): Promise<void> {
    const { id: jobId, item } = itemOf(id);
    await this.append({ connectionId, id: jobId }, { kind: 'dismissed', at: now, item });
  }

  /** For a job that can't be read. @throws what the file system throws. */
  async remove(ref: JobRef): Promise<void> {
    await this.#files.remove(keyOf(ref));
    this.#announce(ref.connectionId);
  }

  async forgetConnection(connectionId: string): Promise<void> {
    await this.readAgain();
    const keys = [...this.#files.all().keys(), ...this.#files.unreadable()];
    const refs = keys.map(jobOfKey).filter((ref) => ref.connectionId === connectionId);
    await Promise.all(refs.map((ref) => this.remove(ref)));
  }

  dispose(): void {
    this.#changed.dispose();
  }

  #all(): readonly Job[] {
    return [...this.#files.all().values()];
  }

  #announce(connectionId: string): void {
    this.#see();
    this.#changed.fire(connectionId);
  }

  #see(): void {
    this.#truncations = this.#all().flatMap((job) => shownTruncations(job));
    this.#byIndex = Map.groupBy(this.#truncations, ({ plan }) => indexNameKey(plan));
  }
}

/** Without what every fact has. */
type WithoutPlace<Fact> = Fact extends unknown ? Omit<Fact, 'at' | 'item'> : never;

/** The journal of a job that this window sends. */
export class JobJournal {
  readonly ref: JobRef;
  readonly #jobs: JobStore;
  readonly #planned: PlannedFact;
  readonly #now: () => number;
  #isWritten = false;

  /** @param now Unix time in ms. */
  constructor(jobs: JobStore, connectionId: string, planned: PlannedFact, now: () => number) {
    this.#jobs = jobs;
    this.ref = { connectionId, id: crypto.randomUUID() };
    this.#planned = planned;
    this.#now = now;
  }

  /**
   * Writes that an item is sent, and the job with its first one.
   * @returns undefined if another window dismissed the item. @throws what the file system throws.
   */
  async writeSent(
    dryRun: Extract<JobFact, { kind: 'dryRun' }>,
    sent: Extract<JobFact, { kind: 'sent' }>,
  ): Promise<TruncationRecord | undefined> {
    if (!this.#isWritten) {
      await this.#jobs.create(this.ref, this.#planned, dryRun, sent);
      this.#isWritten = true;
      return this.#truncation(sent.item);
    }
    await this.#jobs.append(this.ref, dryRun);
    await this.#jobs.append(this.ref, sent);
    if (this.#truncation(sent.item) === undefined) {
      // The last reading may have failed.
      await this.#jobs.readAgain();
    }
    return this.#truncation(sent.item);
  }

  /** @throws what the file system throws. */
  async write(item: number, fact: WithoutPlace<JobFact>): Promise<void> {
    await this.#jobs.append(this.ref, { ...fact, at: this.#now(), item } as JobFact);
  }

  /**
   * Says of each item without a *sent* that it isn't sent, if another line can't be read, which would be in doubt.
   * @throws what the file system throws.
   */
  async conclude(): Promise<void> {
    if (!this.#isWritten) {
      return;
    }
    await this.#jobs.readAgain();
    const job = this.#jobs.job(this.ref);
    for (const [item, { status }] of job?.hasUnreadableLine === true ? job.items.entries() : []) {
      if (status === 'planned') {
        await this.write(item, { kind: 'notSent' });
      }
    }
  }

  #truncation(item: number): TruncationRecord | undefined {
    return this.#jobs.get(this.ref.connectionId, recordId(this.ref.id, item));
  }
}

function keyOf({ connectionId, id }: JobRef): string {
  return `${connectionId}.${id}`;
}

function jobOfKey(key: string): JobRef {
  const dot = key.indexOf('.');
  return { connectionId: key.slice(0, dot), id: key.slice(dot + 1) };
}

function isSentTo(record: TruncationRecord, server: ServerRef): boolean {
  return record.connectionId === server.id || record.baseUrl === server.baseUrl;
}

/** Stores that tell what may be sent. Their files are shared with other windows. */
export interface SharedStores {
  readonly store: ConnectionStore;
  readonly credentials: CredentialStore;
  readonly jobs: JobStore;
}

/**
 * Reads what other windows changed. Called on focus, when the tree is shown or refreshed, and before a truncation is
 * sent: not every platform reports changes, and none at once. Never throws.
 */
export async function reloadSharedStores({ store, credentials, jobs }: SharedStores): Promise<void> {
  // Credentials first, so that a changed connection isn't loaded with its former credential.
  await credentials.reload().catch(() => undefined);
  await Promise.all([store.reload(), jobs.reload()]);
}
