/** Compares the promises made to users with what really happens, while it happens. */
import type { Connection } from '../../src/connections/connection.ts';
import type { TruncationPlan } from '../../src/service/indices/truncation.ts';
import type { ItemQuestion } from '../../src/truncation/itemReview.ts';
import { parseJson } from '../../src/service/http/json.ts';
import { jobFrom, shownTruncations, type Job } from '../../src/truncation/job.ts';
import type { InterruptedJob } from '../../src/truncation/jobStore.ts';
import { blockingReason, hidesRows, type TruncationRecord } from '../../src/truncation/record.ts';
import { JobPromises, LAST_MOMENT_MILLIS, planKey, type ConfirmedJob } from './jobPromises.ts';
import type { DryRunSource, Execution, Yes } from './execution.ts';
import type { SentRequest } from './network.ts';
import { SignIns } from './signIns.ts';
import type { FileKind } from './storage.ts';
import type { ServerDeletion, ReceivedPlan, Server } from './server.ts';
import type { Timeline } from './timeline.ts';
import { RowCounts, rowsHidden, rowsSeen } from './visibleRows.ts';

/** Statuses that do not say whether the server acted. */
const UNKNOWN_STATUSES: ReadonlySet<number | undefined> = new Set([408, 421, 425]);

/** Longest time between an execution's record and its request, in ms. */
const LONGEST_WAIT_MILLIS = 60_000;

/** Size limit of a job. */
const MAX_ITEMS = 25;

export class Ledger {
  readonly #servers: readonly Server[];
  readonly #journals: () => ReadonlyMap<string, string>;
  readonly #sessionOf: (window: number) => string | undefined;
  readonly #maxAge: number;
  readonly #timeline: Pick<Timeline, 'now' | 'wall' | 'wallOffset' | 'note'>;
  readonly signIns: SignIns;
  readonly jobs: JobPromises;
  readonly #yeses: Yes[] = [];
  /** Origin of each plan's last dry run, by window. */
  readonly #dryRuns = new Map<string, DryRunSource>();
  readonly executions: Execution[] = [];
  /** Records that block their index, and since when. */
  readonly #blocking = new Map<string, { readonly record: TruncationRecord; readonly since: number }>();
  /** Time at which each truncation was first written, by ID. */
  readonly #writtenAt = new Map<string, number>();
  /** First stored task of each truncation, by the truncation's ID. */
  readonly #taskIds = new Map<string, string>();
  /** Reported ends that were already compared with the rows: each kind of end once. */
  readonly #reportedFinished = new Set<string>();
  /** Time at which each truncation was reported finished, or seemed finished by its rows. */
  readonly #reportedOver = new Map<string, number>();
  readonly #counts = new RowCounts();
  /** Time at which each job was stopped. */
  readonly #stopped = new Map<ConfirmedJob, number>();
  readonly #ticked = new WeakMap<object, readonly TruncationPlan[]>();
  /** A truncation had hidden rows, and no longer has. */
  hasLiftedBlock = false;
  /** The first broken promise. */
  violation: string | undefined;
  /** IDs of truncations that the user forgot, and of connections that the user removes or has removed. */
  readonly forgottenRecords = new Set<string>();
  /** IDs of the truncations in each journal. */
  readonly #truncationsOf = new Map<string, readonly string[]>();
  /** Each truncation as it was stored last, by ID. */
  readonly #lastRecords = new Map<string, TruncationRecord>();
  readonly #forgotten = new Map<string, { readonly record: TruncationRecord; readonly at: number }>();
  readonly removedConnections = new Set<string>();
  /** When the removal of a connection was reported, by its ID. */
  readonly reportedRemovals = new Map<string, number>();
  /** When each file was first written, by kind and name. */
  readonly #firstWritten = new Map<string, number>();

  /**
   * @param journals The files of jobs. @param sessionOf ID of a window in the records that it writes.
   * @param maxAge Oldest age of a dry run at the user's yes, and of the next one at sending, in ms.
   */
  constructor(
    servers: readonly Server[],
    journals: () => ReadonlyMap<string, string>,
    sessionOf: (window: number) => string | undefined,
    maxAge: number,
    timeline: Pick<Timeline, 'now' | 'wall' | 'wallOffset' | 'note'>,
  ) {
    this.#timeline = timeline;
    this.#servers = servers;
    this.#journals = journals;
    this.#sessionOf = sessionOf;
    this.#maxAge = maxAge;
    this.signIns = new SignIns();
    this.jobs = new JobPromises(timeline);
  }

  /** The user stopped a job or closed its page: no further item may be sent. */
  stopped(by: object): void {
    const job = this.#yeses.findLast((yes) => yes.job?.by === by)?.job;
    if (job !== undefined) {
      this.#stopped.set(job, this.#timeline.now);
    }
  }

  /** A page shows this many indices to truncate at once. */
  shownJob(count: number): void {
    this.#must(count <= MAX_ITEMS, `${count} indices are to be truncated at once`);
  }

  /** The boxes of a job that the user ticked last. */
  ticked(by: object, plans: readonly TruncationPlan[]): void {
    this.#ticked.set(by, plans);
  }

  /** A question about these is shown. */
  asks(by: object, items: readonly ItemQuestion[]): void {
    const ticked = this.#ticked.get(by) ?? [];
    for (const { review, cautions } of items) {
      const isTicked = ticked.includes(review.plan);
      this.#must(
        cautions.length === 0 || isTicked,
        'an index with a caution is to be truncated, although it is not ticked',
      );
    }
  }

  saidYes(yes: Omit<Yes, 'isUsed' | 'recount'>): void {
    this.#mustNot(yes.job && this.jobs.confirming(yes.plan, yes.job));
    this.#yeses.push({ ...yes, isUsed: false, recount: undefined });
  }

  /** The response of a dry run has reached its window. */
  counted({ window, url, authorization, body }: SentRequest, toDelete: number): void {
    const plan = JSON.parse(body) as ReceivedPlan;
    const baseUrl = this.#serverAt(url)?.baseUrl ?? '';
    this.#dryRuns.set(dryRunKey(window, plan), { baseUrl, credential: tokenIn(authorization) });
    for (const yes of this.#yeses) {
      if (yes.window === window && !yes.isUsed && isSame(plan, yes.plan) && baseUrl === yes.connection.baseUrl) {
        yes.recount = { toDelete, at: this.#timeline.now };
      }
    }
  }

  /** Origin of a window's last dry run of a plan. */
  sourceOf(window: number, plan: TruncationPlan): DryRunSource | undefined {
    return this.#dryRuns.get(dryRunKey(window, plan));
  }

  /** A file has changed; undefined: it was removed. */
  stored(kind: FileKind, name: string, text: string | undefined): void {
    const path = `${kind}/${name}`;
    this.#firstWritten.set(path, this.#firstWritten.get(path) ?? this.#timeline.now);
    if (kind === 'jobs') {
      this.#jobStored(name, text === undefined ? undefined : jobOfFile(name, text));
    }
  }

  #jobStored(name: string, job: Job | undefined): void {
    if (job?.origin === 'overview') {
      this.jobs.written(job);
    }
    const truncations = new Map((job ? shownTruncations(job) : []).map((record) => [record.id, record]));
    const before = this.#truncationsOf.get(name) ?? [];
    this.#truncationsOf.set(name, [...truncations.keys()]);
    for (const id of new Set([...before, ...truncations.keys()])) {
      this.#truncationStored(id, truncations.get(id));
    }
  }

  #truncationStored(name: string, record: TruncationRecord | undefined): void {
    if (record !== undefined && !this.#writtenAt.has(record.id)) {
      this.#writtenAt.set(record.id, this.#timeline.now);
    }
    if (record?.taskId !== undefined) {
      this.#taskIds.set(record.id, record.taskId);
    }
    this.#seeForgotten(name, record);
    const before = this.#blocking.get(name);
    if (record !== undefined && blockingReason(record) !== undefined) {
      this.#blocking.set(name, { since: this.#timeline.now, ...before, record });
      return;
    }
    this.#blocking.delete(name);
    if (record !== undefined && before !== undefined) {
      this.hasLiftedBlock ||= hidesRows(before.record);
      this.#unblocked(record);
    }
  }

  /** Notes the deletion of a record that the user forgot. */
  #seeForgotten(name: string, record: TruncationRecord | undefined): void {
    const last = this.#lastRecords.get(name);
    if (record !== undefined) {
      this.#lastRecords.set(name, record);
    } else if (last !== undefined && this.forgottenRecords.has(last.id) && !this.#forgotten.has(name)) {
      this.#forgotten.set(name, { record: last, at: this.#timeline.now });
    }
  }

  /** A request leaves a window. */
  left(request: SentRequest): void {
    const { authorization, body } = request;
    this.#mustNot(this.signIns.left(request));
    if (body.includes('"dryRun":false')) {
      this.#executionLeft(request, tokenIn(authorization), JSON.parse(body) as ReceivedPlan);
    }
  }

  #executionLeft(request: SentRequest, token: string | undefined, plan: ReceivedPlan): void {
    const { window, url } = request;
    // Earlier questions led to nothing: only the last yes counts.
    const yes = this.#yeses.findLast((one) => one.window === window && isSame(plan, one.plan));
    this.#must(yes !== undefined && !yes.isUsed, 'an execution is sent without a yes, or twice for one yes');
    yes.isUsed = true;
    const { connection } = yes;
    const address = url.origin + url.pathname;
    this.#must(
      address.startsWith(`${connection.baseUrl}/`),
      `the question named ${connection.baseUrl}, the execution is sent to ${address}`,
    );
    this.#must(
      yes.source !== undefined && address.startsWith(`${yes.source.baseUrl}/`),
      `the dry run was made on ${yes.source?.baseUrl ?? 'no server'}, the execution is sent to ${address}`,
    );
    this.#must(token === yes.source.credential, 'an execution is sent with another credential than its dry run');
    this.#must(
      yes.at - yes.shownAt <= this.#maxAge,
      'an execution is sent of a dry run that was older at the yes than the setting allows',
    );
    this.#must(yes.recount !== undefined, 'an execution is sent without counting again after the yes');
    this.#must(
      yes.shown.rows === undefined || yes.recount.toDelete <= yes.shown.rows.toDelete,
      'more rows are deleted than were shown',
    );
    this.#must(
      this.#timeline.now - yes.recount.at <= this.#maxAge + LAST_MOMENT_MILLIS,
      'an execution is sent long after its rows were counted',
    );
    this.#mustHaveTurn(yes);
    const record = this.#recordOf(window, plan, connection);
    const isBlocked = [...this.#blocking.values()].some(
      ({ record: { id, connectionId, baseUrl, plan: other }, since }) =>
        id !== record?.id &&
        (connectionId === connection.id || baseUrl === connection.baseUrl) &&
        other.aspect === plan.aspect &&
        // Of two that are written at the same time, at most one is sent.
        (since < this.#timeline.now - LAST_MOMENT_MILLIS || this.executions.some(({ recordId }) => recordId === id)),
    );
    this.#must(!isBlocked, 'an execution is sent to an index whose rows may be hidden, or which may be reindexed');
    this.#must(record !== undefined, 'an execution is sent that no new window would know of');
    this.#must(
      this.#timeline.now - (this.#writtenAt.get(record.id) ?? 0) <= LONGEST_WAIT_MILLIS,
      'an execution is sent long after its record was written',
    );
    const item = { recordId: record.id, aspect: plan.aspect, window };
    this.#mustNot(yes.job && this.jobs.sending(item, yes.job));
    const server = this.#serverAt(url);
    this.#must(server !== undefined, 'an execution is sent to no server');
    const going = new Set(
      server
        .rowsOf(plan)
        .filter(({ at }) => at <= plan.endTimeMillis)
        .map(({ id }) => id),
    );
    this.executions.push({
      request,
      yes,
      at: this.#timeline.now,
      counted: this.#counts.before(window, server, plan),
      recordId: record.id,
      server,
      going,
      reads: 0,
      deletion: undefined,
      status: undefined,
    });
  }

  /** An item of a job is sent only once the previous one has finished, and none after a stop. */
  #mustHaveTurn({ job }: Yes): void {
    if (job === undefined) {
      return;
    }
    const stoppedAt = this.#stopped.get(job) ?? Number.POSITIVE_INFINITY;
    const before = this.executions.filter(({ yes }) => yes.job === job);
    this.#must(
      before.every(({ recordId }) => this.#reportedOver.has(recordId)),
      'an item of a job is sent before the previous one has finished',
    );
    const lastEnd = Math.max(0, ...before.map(({ recordId }) => this.#reportedOver.get(recordId) ?? 0));
    this.#must(lastEnd <= stoppedAt, 'an item of a job is sent after it was stopped');
  }

  /** A server receives a request. */
  read(request: SentRequest): void {
    const { window, url, body } = request;
    const server = this.#serverAt(url);
    if (server !== undefined && body.includes('"dryRun":true')) {
      this.#counts.count(window, server, JSON.parse(body) as ReceivedPlan);
    }
    const execution = this.executions.find((one) => one.request === request);
    this.#must(execution === undefined || execution.reads++ === 0, 'a server receives an execution twice');
  }

  /** A response reaches the window. */
  answered(request: SentRequest, status: number): void {
    const execution = this.executions.find((one) => one.request === request);
    if (execution !== undefined) {
      execution.status = status;
    }
  }

  /** A run reports the result of its execution: a task, an unknown outcome, or that nothing happened. */
  concluded(window: number, { id, ending }: TruncationRecord): void {
    const execution = this.executions.findLast((one) => one.recordId === id && one.request.window === window);
    if (execution !== undefined && ending?.kind === 'failed') {
      const { status, deletion } = execution;
      this.#must(
        !UNKNOWN_STATUSES.has(status),
        `an execution that was answered with ${status ?? 'nothing'} is reported as if nothing had happened`,
      );
      this.#must(deletion === undefined, 'an execution is reported as if nothing had happened, and a server deletes');
      this.jobs.takenBack(window, id);
    }
  }

  /** A server has executed a request. */
  acted(request: SentRequest, deletion: ServerDeletion): void {
    const execution = this.executions.find((one) => one.request === request);
    this.#must(execution !== undefined && execution.deletion === undefined, 'a server acts on an execution twice');
    execution.deletion = deletion;
  }

  /** A window reports something about a truncation. */
  reported(record: TruncationRecord): void {
    const { id, ending } = record;
    const execution = this.executions.find(({ recordId }) => recordId === id);
    if (ending?.kind === 'finished') {
      this.#reportedOver.set(id, this.#reportedOver.get(id) ?? this.#timeline.now);
    }
    if (ending?.kind !== 'finished' || execution === undefined) {
      return;
    }
    // A correct first report need not stay correct after the next truncation.
    const said = `${id} ${ending.readers}`;
    if (this.#reportedFinished.has(said) || ending.readers === 'notChecked') {
      return;
    }
    if (ending.readers === 'clean') {
      const { going, server, deletion, request } = execution;
      const plan = deletion?.plan ?? (JSON.parse(request.body) as ReceivedPlan);
      const left = rowsSeen(server, { plan }, going, this.#countedAgo(record));
      this.#must(left === 0, `a truncation is called finished while ${left} of its rows are seen`);
    }
    const hidden = this.#hidden(execution, record);
    this.#must(hidden === 0, `a truncation is called finished while ${hidden} rows that should stay are hidden`);
    this.#reportedFinished.add(said);
  }

  /** An index from which nothing could be deleted may be truncated again only if no row that should stay is hidden. */
  #unblocked(record: TruncationRecord): void {
    const execution = this.executions.find(({ recordId }) => recordId === record.id);
    const hidden = execution === undefined ? 0 : this.#hidden(execution, record);
    this.#must(hidden === 0, `an index may be truncated again while ${hidden} rows that should stay are hidden`);
  }

  /** @returns how many rows that should stay were hidden at the last count */
  #hidden({ server, deletion, counted }: Execution, record: TruncationRecord): number {
    return deletion === undefined ? 0 : rowsHidden(server, deletion, record, counted, this.#countedAgo(record));
  }

  /** Age of the last count, in ms. */
  #countedAgo({ readers }: TruncationRecord): number {
    return Math.max(0, this.#timeline.wall - (readers?.at ?? this.#timeline.wall));
  }

  /** Compares the interrupted jobs that a new window finds with everything that servers did. */
  foundInterrupted(interrupted: readonly InterruptedJob[], records: readonly TruncationRecord[]): void {
    this.#mustNot(
      this.jobs.found(interrupted, {
        begun: records.map(({ id }) => id),
        acted: this.executions.flatMap(({ recordId, deletion }) => (deletion === undefined ? [] : [recordId])),
        sent: this.executions.map(({ yes }) => yes.plan),
        deleted: this.executions.flatMap(({ yes: { plan, connection }, deletion, at }) =>
          deletion === undefined
            ? []
            : [{ plan, server: { connectionId: connection.id, baseUrl: connection.baseUrl }, at }],
        ),
        removedConnections: this.removedConnections,
      }),
    );
  }

  /** Compares the truncations that a new window finds with everything that servers did. */
  found(records: readonly TruncationRecord[]): void {
    const ids = new Set(records.map(({ id }) => id));
    for (const { id, taskId } of records) {
      const stored = this.#taskIds.get(id);
      this.#must(
        stored === undefined || stored === taskId,
        'the task of a truncation was stored, and a new window knows nothing of it',
      );
    }
    for (const { recordId, yes, deletion } of this.executions) {
      const isForgotten = this.forgottenRecords.has(recordId) || this.removedConnections.has(yes.connection.id);
      this.#must(
        deletion === undefined || isForgotten || ids.has(recordId),
        'a server deletes rows, and a new window knows nothing of it',
      );
    }
  }

  /**
   * Nothing stays behind of a connection whose removal was reported, unless a window wrote it afterwards and died.
   * @param names Keys of secrets, and files by kind and name.
   */
  foundLeftovers(names: readonly string[], hasDied: boolean): void {
    for (const [id, reportedAt] of this.reportedRemovals) {
      const counts = (name: string): boolean => !hasDied || (this.#firstWritten.get(name) ?? 0) < reportedAt;
      const left = names.filter((name) => name.includes(id) && counts(name));
      this.#must(
        left.length === 0,
        `a connection was removed, and is still there: ${left.join().replaceAll(id, 'ID')}`,
      );
    }
  }

  /**
   * The user truncates an index some time after everything went wrong.
   * @param isSent whether that was sent
   */
  triedAgain(aspect: string, isSent: boolean): void {
    this.#must(isSent, `nothing can be deleted from ${aspect} any more`);
  }

  /** No token may occur in any text. */
  searched(where: string, text: string): void {
    for (const token of this.signIns.tokens) {
      this.#must(!text.includes(token), `a token stands in ${where}`);
    }
  }

  /** Files hold facts, so that they speak the language of whoever reads them. */
  foundWords(areFound: boolean): void {
    this.#must(!areFound, 'a file holds a sentence of ours');
  }

  #serverAt(url: URL): Server | undefined {
    return this.#servers.find(({ baseUrl }) => (url.origin + url.pathname).startsWith(`${baseUrl}/`));
  }

  /** Keeps the first broken promise: the following ones say little. */
  #must(holds: boolean, sentence: string): asserts holds {
    if (!holds) {
      this.#timeline.note(`BROKEN: ${sentence}`);
      this.violation ??= sentence;
      throw new Error(sentence);
    }
  }

  /** @param broken the promise, if one is broken */
  #mustNot(broken: string | undefined): void {
    this.#must(broken === undefined, broken ?? '');
  }

  /**
   * Finds the record of an execution, as a window opened now would: the latest of its window. A window can't know yet
   * that another one has just forgotten it.
   */
  #recordOf(window: number, plan: ReceivedPlan, connection: Connection): TruncationRecord | undefined {
    const justForgotten = [...this.#forgotten.values()]
      .filter(({ at }) => at > this.#timeline.now - LAST_MOMENT_MILLIS)
      .map(({ record }) => record);
    return [...[...this.#journals()].flatMap(([name, text]) => truncationsIn(name, text)), ...justForgotten]
      .filter(
        (record) =>
          record.sessionId === this.#sessionOf(window) &&
          record.connectionId === connection.id &&
          record.baseUrl === connection.baseUrl &&
          record.ending === undefined &&
          isSame(plan, record.plan),
      )
      .toSorted((a, b) => (this.#writtenAt.get(a.id) ?? 0) - (this.#writtenAt.get(b.id) ?? 0))
      .at(-1);
  }
}

function jobOfFile(name: string, text: string): Job | undefined {
  const [connectionId = '', id = ''] = name.split('.');
  const [first, ...lines] = text.split('\n').filter((line) => line !== '');
  return jobFrom({ connectionId, id }, parseJson(first ?? ''), lines.map(parseJson));
}

function truncationsIn(name: string, text: string): readonly TruncationRecord[] {
  const job = jobOfFile(name, text);
  return job === undefined ? [] : shownTruncations(job);
}

function dryRunKey(window: number, plan: Pick<TruncationPlan, 'aspect' | 'endTimeMillis'>): string {
  return `${window} ${planKey(plan)}`;
}

function tokenIn(authorization: string | undefined): string | undefined {
  return authorization?.slice('Bearer '.length);
}

function isSame(received: ReceivedPlan, plan: TruncationPlan): boolean {
  return (
    received.entityType === plan.entityType &&
    received.aspect === plan.aspect &&
    received.endTimeMillis === plan.endTimeMillis &&
    received.batchSize === plan.batchSize &&
    received.timeoutSeconds === plan.timeoutSeconds &&
    (received.forceDeleteByQuery === true) === (plan.strategy === 'deleteByQuery') &&
    (received.forceReindex === true) === (plan.strategy === 'reindex')
  );
}
