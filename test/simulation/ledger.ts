/** Compares the promises made to users with what really happens, while it happens. */
import type { TruncationRecord } from '../../src/truncation/sentTruncation.ts';
import { Confirmations, tokenIn } from './confirmations.ts';
import type { Execution, Yes } from './execution.ts';
import type { SentRequest } from './network.ts';
import { Promises } from './promises.ts';
import type { ReceivedPlan, Server, ServerDeletion } from './server.ts';
import type { FileKind } from './storage.ts';
import { jobOfJournal, StoredTruncations } from './storedTruncations.ts';
import type { Timeline } from './timeline.ts';

/** Statuses that do not say whether the server acted. */
const UNKNOWN_STATUSES: ReadonlySet<number | undefined> = new Set([408, 421, 425]);

/** Longest time between an execution's record and its request, in ms. */
const LONGEST_WAIT_MILLIS = 60_000;

export class Ledger {
  readonly #servers: readonly Server[];
  readonly #timeline: Pick<Timeline, 'now'>;
  readonly #promises: Promises;
  /** Tokens that users signed in with, and the origin of each. */
  readonly origins = new Map<string, string>();
  readonly confirmations: Confirmations;
  readonly stored: StoredTruncations;
  /** IDs of connections that the user removes or has removed. */
  readonly removedConnections = new Set<string>();
  readonly executions: Execution[] = [];
  /** Truncations whose rows were looked for, by ID. */
  readonly #reportedClean = new Set<string>();
  /** Time at which each truncation was reported finished, or seemed finished by its rows. */
  readonly #reportedOver = new Map<string, number>();

  /**
   * @param maxAge Oldest age of a dry run at the user's yes, and of the next one at sending, in ms.
   */
  constructor(servers: readonly Server[], maxAge: number, timeline: Pick<Timeline, 'now' | 'note'>) {
    this.#timeline = timeline;
    this.#servers = servers;
    this.#promises = new Promises(timeline);
    this.confirmations = new Confirmations(this.#promises, timeline, maxAge);
    this.stored = new StoredTruncations(timeline);
  }

  /** The first broken promise. */
  get violation(): string | undefined {
    return this.#promises.violation;
  }

  saidYes(yes: Omit<Yes, 'isUsed' | 'recount'>): void {
    this.confirmations.saidYes(yes);
  }

  /** A window has changed a file; undefined: it was removed. */
  fileChanged(kind: FileKind, name: string, text: string | undefined, window: number): void {
    if (kind !== 'jobs') {
      return;
    }
    this.stored.changed(name, text === undefined ? undefined : jobOfJournal(name, text), window);
  }

  /** A request leaves a window. */
  left(request: SentRequest): void {
    const token = tokenIn(request.authorization);
    const origin = token && this.origins.get(token);
    this.#must(
      token === undefined || origin === request.url.origin,
      `a credential of ${origin ?? 'nowhere'} is sent to ${request.url.origin}`,
    );
    if (request.body.includes('"dryRun":false')) {
      this.#executionLeft(request, JSON.parse(request.body) as ReceivedPlan);
    }
  }

  #executionLeft(request: SentRequest, plan: ReceivedPlan): void {
    const { window, url } = request;
    const yes = this.confirmations.used(request, plan);
    this.#mustHaveTurn(yes);
    const recordId = this.#recordedAs(window, plan, yes);
    const server = this.#serverAt(url);
    this.#must(server !== undefined, 'an execution is sent to no server');
    const going = server.rowsOf(plan).filter(({ at }) => at <= plan.endTimeMillis);
    this.executions.push({
      request,
      yes,
      at: this.#timeline.now,
      recordId,
      server,
      going: new Set(going.map(({ id }) => id)),
      reads: 0,
      deletion: undefined,
      status: undefined,
    });
  }

  /** @returns the ID of the record of an execution that leaves, by which new windows know of it */
  #recordedAs(window: number, plan: ReceivedPlan, { connection }: Yes): string {
    const record = this.stored.recordOf(window, plan, connection);
    const isSent = (id: string): boolean => this.executions.some(({ recordId }) => recordId === id);
    this.#must(
      !this.stored.isBlocked(plan, connection, record?.id, isSent),
      'an execution is sent to an index whose rows may be hidden, or which may be reindexed',
    );
    this.#must(record !== undefined, 'an execution is sent that no new window would know of');
    this.#must(
      this.#timeline.now - (this.stored.writtenAt(record.id) ?? 0) <= LONGEST_WAIT_MILLIS,
      'an execution is sent long after its record was written',
    );
    return record.id;
  }

  /** An item of a job is sent only once the previous one has finished, and none after a stop. */
  #mustHaveTurn({ job }: Yes): void {
    if (job === undefined) {
      return;
    }
    const before = this.executions.filter(({ yes }) => yes.job === job);
    this.#must(
      before.every(({ recordId }) => this.#reportedOver.has(recordId)),
      'an item of a job is sent before the previous one has finished',
    );
    const lastEnd = Math.max(0, ...before.map(({ recordId }) => this.#reportedOver.get(recordId) ?? 0));
    this.#must(lastEnd <= this.confirmations.stoppedAt(job), 'an item of a job is sent after it was stopped');
  }

  /** A server receives a request. */
  read(request: SentRequest): void {
    const execution = this.#executionOf(request);
    this.#must(execution === undefined || execution.reads++ === 0, 'a server receives an execution twice');
  }

  /** The response of a dry run has reached its window. */
  counted(request: SentRequest, toDelete: number): void {
    this.confirmations.counted(request, this.#serverAt(request.url)?.baseUrl ?? '', toDelete);
  }

  /** A response reaches the window. */
  answered(request: SentRequest, status: number): void {
    const execution = this.#executionOf(request);
    if (execution !== undefined) {
      execution.status = status;
    }
  }

  /** A run reports the result of its execution: a task, an unknown outcome, or that nothing happened. */
  concluded(window: number, { id }: TruncationRecord, isRefused: boolean): void {
    const execution = this.executions.findLast((one) => one.recordId === id && one.request.window === window);
    if (execution !== undefined && isRefused) {
      const { status, deletion } = execution;
      this.#must(
        !UNKNOWN_STATUSES.has(status),
        `an execution that was answered with ${status ?? 'nothing'} is reported as if nothing had happened`,
      );
      this.#must(deletion === undefined, 'an execution is reported as if nothing had happened, and a server deletes');
    }
  }

  /** A server has executed a request. */
  acted(request: SentRequest, deletion: ServerDeletion): void {
    const execution = this.#executionOf(request);
    this.#must(execution !== undefined && execution.deletion === undefined, 'a server acts on an execution twice');
    execution.deletion = deletion;
  }

  /** A window reports something about a truncation. */
  reported(record: TruncationRecord): void {
    const { id, ending } = record;
    if (ending?.kind !== 'finished') {
      return;
    }
    this.#reportedOver.set(id, this.#reportedOver.get(id) ?? this.#timeline.now);
    const execution = this.executions.find(({ recordId }) => recordId === id);
    // A correct first report need not stay correct after the next truncation.
    if (execution !== undefined && ending.readers === 'clean' && !this.#reportedClean.has(id)) {
      this.#reportedClean.add(id);
      const { going, server, request } = execution;
      const left = server.rowsOf(JSON.parse(request.body) as ReceivedPlan).filter((row) => going.has(row.id));
      this.#must(left.length === 0, 'a truncation is called finished, and not all of its rows are deleted');
    }
  }

  /** Compares the truncations that a new window finds with everything that servers did. */
  found(records: readonly TruncationRecord[]): void {
    const ids = new Set(records.map(({ id }) => id));
    for (const { id, taskId } of records) {
      const stored = this.stored.taskIdOf(id);
      this.#must(
        stored === undefined || stored === taskId,
        'the task of a truncation was stored, and a new window knows nothing of it',
      );
    }
    for (const { recordId, yes, deletion } of this.executions) {
      const isForgotten = this.stored.forgotten.has(recordId) || this.removedConnections.has(yes.connection.id);
      this.#must(
        deletion === undefined || isForgotten || ids.has(recordId),
        'a server deletes rows, and a new window knows nothing of it',
      );
    }
  }

  #serverAt(url: URL): Server | undefined {
    return this.#servers.find(({ baseUrl }) => (url.origin + url.pathname).startsWith(`${baseUrl}/`));
  }

  #executionOf(request: SentRequest): Execution | undefined {
    return this.executions.find((one) => one.request === request);
  }

  #must(holds: boolean, sentence: string): asserts holds {
    this.#promises.must(holds, sentence);
  }
}
