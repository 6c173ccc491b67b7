/**
 * The journals of all jobs. Each truncation is there before it is sent, so that a window that closes or crashes loses
 * none, and of two windows that want one index at most one sends. Which jobs were interrupted.
 */
import { indexNameKey, type IndexName } from '../indices/indexName.ts';
import { Emitter, type Disposable } from '../platform/events.ts';
import type { UnreadableFile } from '../platform/files.ts';
import { JournalStore } from '../platform/journalStore.ts';
import type { Folder } from '../platform/folder.ts';
import type { ConnectionStore } from '../connections/connectionStore.ts';
import type { CredentialStore } from '../connections/credentialStore.ts';
import {
  isOver,
  itemOf,
  itemsAt,
  itemsDone,
  itemsLeft,
  itemsToContinue,
  jobFrom,
  mayStillBeWritten,
  shownTruncations,
  successorOf,
  truncationsOf,
  type Job,
  type JobItem,
  type JobRef,
  type SentTo,
} from './job.ts';
import { learnedFrom, type JobFact, type PlannedFact } from './jobFacts.ts';
import { blockingReason, isTaskUnderWay, type TruncationRecord } from './record.ts';

/** Jobs that are over, kept for each connection. Older ones are deleted. */
const MOST_OVER = 100;
/** A server, by a connection to it. */
interface ServerRef {
  readonly id: string;
  readonly baseUrl: string;
}

/** A job of the overview of which not all was sent. */
export interface InterruptedJob {
  readonly job: Job;
  /** The items to continue with. */
  readonly left: readonly JobItem[];
}

export class JobStore implements Disposable {
  readonly #files: JournalStore<Job>;
  readonly #changed = new Emitter<string>();
  /** Fires with the ID of a connection whose jobs changed. */
  readonly onDidChange = this.#changed.event;
  /** Of all connections, until the files change. */
  #truncations: readonly TruncationRecord[] = [];
  #byIndex: ReadonlyMap<string, readonly TruncationRecord[]> = new Map();
  /** The files, as they were announced last. */
  #announced: ReadonlyMap<string, Job | UnreadableFile> = new Map();
  constructor(folder: Folder) {
    this.#files = new JournalStore(folder, (key, first, lines) => jobFrom(jobOfKey(key), first, lines));
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
    await this.#files.reload();
    this.#announceChanges();
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
    const refs = [...this.#files.unreadable().keys()].map(jobOfKey);
    return refs.flatMap((ref) => (ref.connectionId === connectionId ? [ref.id] : []));
  }

  /**
   * Jobs of a server that were interrupted and that no other one continues, the latest first.
   * @param now Unix time in ms.
   */
  interrupted(server: ServerRef, now: number): readonly InterruptedJob[] {
    const sentTo = this.#sentToAnyone(server);
    return this.#all()
      .filter(({ connectionId, baseUrl }) => connectionId === server.id && baseUrl === server.baseUrl)
      .filter((job) => this.#successorOf(job, now) === undefined)
      .toSorted((a, b) => b.confirmedAt - a.confirmedAt)
      .map((job) => ({ job, left: itemsAt(job, itemsToContinue(job, sentTo)) }))
      .filter(({ left }) => left.length > 0);
  }

  /**
   * Returns another truncation of the same index on the same server, by any connection or window, that is being sent,
   * runs, or may have hidden rows. `unreadable` if the connection has a job that can't be read.
   * @param except ID of the truncation that is about to be sent. @param now Unix time in ms.
   */
  inTheWay(
    server: ServerRef,
    index: IndexName,
    except: string,
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

  /** @returns false if another window created it before. @throws what the file system throws. */
  async create(ref: JobRef, planned: PlannedFact, ...facts: readonly JobFact[]): Promise<boolean> {
    const isMine = await this.#files.create(keyOf(ref), planned, ...facts);
    this.#announce(ref.connectionId);
    return isMine;
  }

  /** @returns false if the file is gone, with its connection. @throws what the file system throws. */
  async append(ref: JobRef, fact: JobFact): Promise<boolean> {
    const isThere = await this.#files.append(keyOf(ref), fact);
    this.#announce(ref.connectionId);
    return isThere;
  }

  /** True if this job may continue another one: none else does, and the user hasn't dismissed it. */
  mayContinue(ref: JobRef, jobId: string, now: number): boolean {
    const job = this.job(ref);
    return job !== undefined && !job.isDismissed && [undefined, jobId].includes(this.#successorOf(job, now));
  }

  /**
   * Writes a job that continues another one. Of several windows, one does.
   * @param places Of its items in the other one. `create` gets the items that the user left out.
   * @param now Unix time in ms.
   * @returns false if another window continues or has dismissed the other one, or has sent one of the items since.
   * @throws what the file system throws.
   */
  async continueWith(
    ref: JobRef,
    next: { readonly ref: JobRef; readonly create: (others: readonly JobItem[]) => Promise<boolean> },
    places: readonly number[],
    now: () => number,
  ): Promise<boolean> {
    const at = now();
    const { id } = next.ref;
    // Before it writes anything, since the window that sends the other one stops there.
    if (!(await this.#isNext(ref, id, places, now()))) {
      return false;
    }
    await this.append(ref, { kind: 'continuedBy', at, jobId: id });
    if (!(await this.#isNext(ref, id, places, now())) || !(await next.create(this.#itemsBeside(ref, places)))) {
      return false;
    }
    // If the disk hung, the user may have dismissed it, or another window may have taken its place.
    if (!(await this.#isNext(ref, id, places, now())) || !mayStillBeWritten(at, now())) {
      await this.remove(next.ref);
      return false;
    }
    // So that nothing of it comes back once the next one is pruned. Until then, that one is there.
    await this.dismissRest(ref, now()).catch(() => undefined);
    return true;
  }

  /** @param now From before the files are read, in Unix time in ms. */
  async #isNext(ref: JobRef, jobId: string, places: readonly number[], now: number): Promise<boolean> {
    await this.readAgain();
    const job = this.job(ref);
    const left = new Set(job === undefined ? [] : itemsLeft(job));
    return this.mayContinue(ref, jobId, now) && places.every((place) => left.has(place));
  }

  /** Items that could be continued too. */
  #itemsBeside(ref: JobRef, places: readonly number[]): readonly JobItem[] {
    const job = this.job(ref);
    if (job === undefined) {
      return [];
    }
    const left = itemsToContinue(job, this.#sentToAnyone({ id: job.connectionId, baseUrl: job.baseUrl }));
    return itemsAt(
      job,
      left.filter((place) => !places.includes(place)),
    );
  }

  /** Stores what a window counted. @param now Unix time in ms. @throws what the file system throws. */
  async saveCounted(record: TruncationRecord, now: number): Promise<void> {
    const { id, item } = itemOf(record.id);
    const kind = record.ending === undefined ? 'counted' : 'ended';
    await this.append({ connectionId: record.connectionId, id }, { kind, at: now, item, ...learnedFrom(record) });
    await this.tidyUp(record.baseUrl, now);
  }

  /**
   * Dismisses items that another truncation on that server has done or another job continues, since that other file may
   * be pruned. Deletes old jobs that are over. @param now Unix time in ms. @throws what the file system throws.
   */
  async tidyUp(baseUrl: string, now: number): Promise<void> {
    const there = this.#all().filter((job) => job.baseUrl === baseUrl);
    for (const job of there.filter(({ origin, isDismissed }) => origin === 'overview' && !isDismissed)) {
      if (job.continuedBy.some(({ jobId }) => this.#isThere(job, jobId))) {
        await this.dismissRest(job, now);
      }
      for (const item of itemsDone(job, this.#sentToAnyone({ id: job.connectionId, baseUrl }))) {
        await this.append(job, { kind: 'dismissed', at: now, item, isDone: true });
      }
    }
    for (const jobs of Map.groupBy(there, ({ connectionId }) => connectionId).values()) {
      const over = jobs.filter((job) => isOver(job)).toSorted((a, b) => b.confirmedAt - a.confirmedAt);
      await Promise.all(over.slice(MOST_OVER).map((job) => this.remove(job)));
    }
  }

  /** Dismisses a truncation that was sent. @param now Unix time in ms. @throws what the file system throws. */
  async dismiss({ id, connectionId }: Pick<TruncationRecord, 'id' | 'connectionId'>, now: number): Promise<void> {
    const { id: jobId, item } = itemOf(id);
    await this.append({ connectionId, id: jobId }, { kind: 'dismissed', at: now, item });
  }

  /** Dismisses what was never sent of a job. @param now Unix time in ms. @throws what the file system throws. */
  async dismissRest(ref: JobRef, now: number): Promise<void> {
    await this.append(ref, { kind: 'dismissed', at: now });
  }

  /** For a job that can't be read. @throws what the file system throws. */
  async remove(ref: JobRef): Promise<void> {
    await this.#files.remove(keyOf(ref));
    this.#announce(ref.connectionId);
  }

  async forgetConnection(connectionId: string): Promise<void> {
    await this.#files.reload();
    const keys = [...this.#files.all().keys(), ...this.#files.unreadable().keys()];
    const refs = keys.map(jobOfKey).filter((ref) => ref.connectionId === connectionId);
    await Promise.all(refs.map((ref) => this.remove(ref)));
  }

  dispose(): void {
    this.#changed.dispose();
  }

  #all(): readonly Job[] {
    return [...this.#files.all().values()];
  }

  /** All truncations of an index, even those that the user dismissed. */
  #sentToAnyone(server: ServerRef): SentTo {
    const sent = (): readonly TruncationRecord[] =>
      this.#all().flatMap((job) => truncationsOf(job).filter((record) => isSentTo(record, server)));
    // Grouped when it is needed: most jobs have nothing left.
    let byIndex: ReadonlyMap<string, readonly TruncationRecord[]> | undefined;
    return (index) => {
      byIndex ??= Map.groupBy(sent(), ({ plan }) => indexNameKey(plan));
      return byIndex.get(indexNameKey(index)) ?? [];
    };
  }

  #successorOf(job: Job, now: number): string | undefined {
    return successorOf(job, (id) => this.#isThere(job, id), now);
  }

  #isThere({ connectionId }: JobRef, id: string): boolean {
    const key = keyOf({ connectionId, id });
    return this.#files.get(key) !== undefined || this.#files.unreadable().has(key);
  }

  #announce(connectionId: string): void {
    this.#see();
    this.#changed.fire(connectionId);
  }

  /** Tells of the connections whose files changed. */
  #announceChanges(): void {
    const before = this.#announced;
    this.#see();
    const keys = new Set([...before.keys(), ...this.#announced.keys()]);
    const changed = [...keys].filter((key) => before.get(key) !== this.#announced.get(key));
    for (const connectionId of new Set(changed.map((key) => jobOfKey(key).connectionId))) {
      this.#changed.fire(connectionId);
    }
  }

  #see(): void {
    this.#announced = new Map<string, Job | UnreadableFile>([...this.#files.all(), ...this.#files.unreadable()]);
    this.#truncations = this.#all().flatMap((job) => shownTruncations(job));
    this.#byIndex = Map.groupBy(this.#truncations, ({ plan }) => indexNameKey(plan));
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
