/** What was promised to people and what really happened, compared as it happens. */
import type { Connection } from '../../src/connections/connection.ts';
import type { DryRunReport } from '../../src/truncation/model/dryRun.ts';
import type { TruncationPlan } from '../../src/service/indices/truncation.ts';
import { blockOf, hidesRows, parseRecord } from '../../src/truncation/model/record.ts';
import type { TruncationRecord } from '../../src/truncation/model/record.ts';
import { parseBulkRecord } from '../../src/truncation/several/bulkRecord.ts';
import type { BulkRecord } from '../../src/truncation/several/bulkRecord.ts';
import type { SentRequest } from './network.ts';
import type { Deed, ReceivedPlan, Server } from './server.ts';
import type { Timeline } from './timeline.ts';
import { rowsHidden, rowsSeen } from './visibleRows.ts';

/** A yes to the last question before rows are deleted. */
interface Yes {
  readonly window: number;
  readonly connection: Connection;
  readonly plan: TruncationPlan;
  readonly shown: DryRunReport;
  /** When the dry run that was shown was answered, and when the person said yes: ms that really passed since the beginning. */
  readonly shownAt: number;
  readonly at: number;
  /** Where the dry run that was shown was asked, and with which credential. */
  readonly source: DryRunSource | undefined;
  /** The same object for all that were confirmed at once. */
  readonly together: Together | undefined;
  isUsed: boolean;
  /** The last dry run of that plan that was answered since, on that server. */
  recount: { readonly toDelete: number; readonly at: number } | undefined;
}

/** Several that were confirmed at once, and what sends them in turn. */
export interface Together {
  readonly by: object;
}

/** Where a dry run was answered, and with which credential it was asked. */
export interface DryRunSource {
  readonly baseUrl: string;
  readonly credential: string | undefined;
}

interface Execution {
  readonly request: SentRequest;
  readonly yes: Yes;
  readonly recordId: string;
  readonly server: Server;
  /** Rows that were there to be deleted when it left the window. */
  readonly going: ReadonlySet<number>;
  deed: Deed | undefined;
}

/** What happens in so many ms before an execution leaves comes too late for it: the credential is read meanwhile. */
const LAST_MOMENT_MILLIS = 1_000;

export class Ledger {
  readonly #servers: readonly Server[];
  readonly #files: ReadonlyMap<string, string>;
  readonly #maxAge: number;
  readonly #timeline: Pick<Timeline, 'now' | 'wall' | 'note'>;
  readonly #isReadOnly: (window: number, connectionId: string) => boolean;
  readonly #yeses: Yes[] = [];
  /** Where each plan was last dry-run, by window. */
  readonly #dryRuns = new Map<string, DryRunSource>();
  readonly executions: Execution[] = [];
  /** Files of truncations because of which nothing may be deleted from their index, and since when they say so. */
  readonly #blocking = new Map<string, { readonly record: TruncationRecord; readonly since: number }>();
  /** The task of each truncation, as it was stored once, by the truncation's id. */
  readonly #taskIds = new Map<string, string>();
  /** What was said of truncations that finished, and held against what was seen then: each kind of end once. */
  readonly #toldFinished = new Set<string>();
  /** When each was told to have finished, or to seem so by the rows that are seen. */
  readonly #toldOver = new Map<string, number>();
  /** Several that were confirmed at once, as they were written down last. */
  readonly #interrupted = new Map<string, BulkRecord>();
  /** When those that are sent in turn were stopped. */
  readonly #stopped = new Map<Together, number>();
  /** Whether a truncation that hid rows no longer does. */
  hasLiftedBlock = false;
  /** A promise to people that was broken. */
  violation: string | undefined;
  /** The origin that each token is for. */
  readonly origins = new Map<string, string>();
  /** Origins that a person agreed to send a credential to in clear. */
  readonly consents = new Set<string>();
  /** Truncations that a person took from the list or went on with elsewhere, and connections that were removed. */
  readonly forgottenRecords = new Set<string>();
  readonly removedConnections = new Set<string>();

  /**
   * @param maxAge How old a dry run may be when a person says yes to it, and the one after that when it is sent, in ms.
   * @param isReadOnly Whether what VS Code has given a window of its storage calls a connection read-only.
   */
  constructor(
    servers: readonly Server[],
    files: ReadonlyMap<string, string>,
    maxAge: number,
    timeline: Pick<Timeline, 'now' | 'wall' | 'note'>,
    isReadOnly: (window: number, connectionId: string) => boolean,
  ) {
    this.#isReadOnly = isReadOnly;
    this.#timeline = timeline;
    this.#servers = servers;
    this.#files = files;
    this.#maxAge = maxAge;
  }

  /** A person stopped what sends several in turn, or closed its page: whatever has not had its turn never has. */
  stopped(by: object): void {
    const together = this.#yeses.findLast((yes) => yes.together?.by === by)?.together;
    if (together !== undefined) {
      this.#stopped.set(together, this.#timeline.now);
    }
  }

  saidYes(yes: Omit<Yes, 'isUsed' | 'recount'>): void {
    this.#yeses.push({ ...yes, isUsed: false, recount: undefined });
  }

  /** A dry run was answered and has reached its window. */
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

  /** Where a window's last dry run of a plan was answered. */
  sourceOf(window: number, plan: TruncationPlan): DryRunSource | undefined {
    return this.#dryRuns.get(dryRunKey(window, plan));
  }

  /** A durable file holds this from now on; undefined: it is gone. */
  stored(name: string, text: string | undefined): void {
    const bulk = text === undefined ? undefined : parseBulkRecord(JSON.parse(text));
    if (bulk !== undefined) {
      this.#interrupted.set(bulk.id, bulk);
    }
    const record = text === undefined ? undefined : parseRecord(JSON.parse(text));
    if (record?.taskId !== undefined) {
      this.#taskIds.set(record.id, record.taskId);
    }
    const before = this.#blocking.get(name);
    if (record !== undefined && blockOf(record) !== undefined) {
      this.#blocking.set(name, { record, since: before?.since ?? this.#timeline.now });
      return;
    }
    this.#blocking.delete(name);
    if (record !== undefined && before !== undefined) {
      this.hasLiftedBlock ||= hidesRows(before.record);
      this.#unblocked(record);
    }
  }

  /** A request leaves a window. */
  left(request: SentRequest): void {
    const { url, authorization, body } = request;
    const token = tokenIn(authorization);
    if (token !== undefined) {
      this.#must(
        this.origins.get(token) === url.origin,
        `a credential of ${this.origins.get(token) ?? 'nowhere'} is sent to ${url.origin}`,
      );
      this.#must(
        url.protocol === 'https:' || this.consents.has(url.origin),
        `a credential is sent in clear to ${url.origin}, which nobody agreed to`,
      );
    }
    if (body.includes('"dryRun":false')) {
      this.#executionLeft(request, token, JSON.parse(body) as ReceivedPlan);
    }
  }

  #executionLeft(request: SentRequest, token: string | undefined, plan: ReceivedPlan): void {
    const { window, url } = request;
    // What was said before came to nothing: only the last yes can be meant.
    const yes = this.#yeses.findLast((one) => one.window === window && isSame(plan, one.plan));
    this.#must(
      yes !== undefined && !yes.isUsed,
      'an execution is sent that nobody said yes to, or a second one for one yes',
    );
    yes.isUsed = true;
    const { connection } = yes;
    this.#must(!this.#isReadOnly(window, connection.id), 'an execution is sent through a connection that is read-only');
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
    const record = this.#recordOf(plan, connection);
    const isBlocked = [...this.#blocking.values()].some(
      ({ record: { id, connectionId, baseUrl, plan: other }, since }) => {
        const isSameServer = connectionId === connection.id || baseUrl === connection.baseUrl;
        const isSameIndex = isSameServer && other.aspect === plan.aspect;
        return id !== record?.id && isSameIndex && since < this.#timeline.now - LAST_MOMENT_MILLIS;
      },
    );
    this.#must(!isBlocked, 'an execution is sent to an index whose rows may be hidden, or which may be reindexed');
    this.#must(record !== undefined, 'an execution is sent that no new window would know of');
    const isMarked = this.#bulks().some(({ items }) =>
      items.some(({ recordId, isSent }) => recordId === record.id && isSent),
    );
    this.#must(yes.together === undefined || isMarked, 'one of several is sent that no new window would know of');
    const server = this.#serverAt(url);
    this.#must(server !== undefined, 'an execution is sent to no server');
    const going = new Set(
      server
        .rowsOf(plan)
        .filter(({ at }) => at <= plan.endTimeMillis)
        .map(({ id }) => id),
    );
    this.executions.push({ request, yes, recordId: record.id, server, going, deed: undefined });
  }

  /** Of several, the next is sent only when the one before is known to have finished, and none after a stop. */
  #mustHaveTurn({ together }: Yes): void {
    if (together === undefined) {
      return;
    }
    const stoppedAt = this.#stopped.get(together) ?? Number.POSITIVE_INFINITY;
    const before = this.executions.filter(({ yes }) => yes.together === together);
    this.#must(
      before.every(({ recordId }) => this.#toldOver.has(recordId)),
      'one of several is sent before the one before it has finished',
    );
    const lastEnd = Math.max(0, ...before.map(({ recordId }) => this.#toldOver.get(recordId) ?? 0));
    this.#must(lastEnd <= stoppedAt, 'one of several is sent after they were stopped');
  }

  /** What is written down of several, as a window would find it that is opened at this moment. */
  #bulks(): readonly BulkRecord[] {
    return [...this.#files.values()].flatMap((text) => parseBulkRecord(JSON.parse(text)) ?? []);
  }

  /** A server has done something for a request. */
  acted(request: SentRequest, deed: Deed): void {
    const execution = this.executions.find((one) => one.request === request);
    this.#must(execution !== undefined && execution.deed === undefined, 'a server acts on an execution twice');
    execution.deed = deed;
  }

  /** Something is told of a truncation. */
  told(record: TruncationRecord): void {
    const { id, ending } = record;
    const execution = this.executions.find(({ recordId }) => recordId === id);
    if (ending?.kind === 'finished') {
      this.#toldOver.set(id, this.#toldOver.get(id) ?? this.#timeline.now);
    }
    if (ending?.kind !== 'finished' || execution === undefined) {
      return;
    }
    // What was true when it was told first need not be true after the next truncation.
    const said = `${id} ${ending.readers ?? ''}`;
    if (this.#toldFinished.has(said) || ending.readers === undefined || ending.readers === 'notChecked') {
      return;
    }
    if (ending.readers === 'clean') {
      const { going, server, deed, request } = execution;
      const plan = deed?.plan ?? (JSON.parse(request.body) as ReceivedPlan);
      const left = rowsSeen(server, { plan }, going);
      this.#must(left === 0, `a truncation is called finished while ${left} of its rows are seen`);
    }
    const hidden = this.#hidden(execution, record);
    this.#must(hidden === 0, `a truncation is called finished while ${hidden} rows that should stay are hidden`);
    this.#toldFinished.add(said);
  }

  /** An index in which nothing could be deleted may be truncated again: nothing of what was to stay is out of sight by then. */
  #unblocked(record: TruncationRecord): void {
    const execution = this.executions.find(({ recordId }) => recordId === record.id);
    const hidden = execution === undefined ? 0 : this.#hidden(execution, record);
    this.#must(hidden === 0, `an index may be truncated again while ${hidden} rows that should stay are hidden`);
  }

  /** @returns how many rows should stay and were hidden when it was counted last. */
  #hidden({ server, deed }: Execution, record: TruncationRecord): number {
    const countedAgo = Math.max(0, this.#timeline.wall - (record.readers?.at ?? this.#timeline.wall));
    return deed === undefined ? 0 : rowsHidden(server, deed, record, countedAgo);
  }

  /** Connections of which several truncations were written down at once. */
  get connectionsOfSeveral(): readonly string[] {
    return [...new Set([...this.#interrupted.values()].map(({ connectionId }) => connectionId))];
  }

  /** What a window that is opened now finds of several, against all that servers did. */
  foundSeveral(bulks: readonly BulkRecord[]): void {
    const notSent = new Set(
      bulks.flatMap(({ items }) => items.filter(({ isSent }) => !isSent).map((item) => item.recordId)),
    );
    for (const { recordId, deed } of this.executions) {
      this.#must(
        deed === undefined || !notSent.has(recordId),
        'one of several is called not sent, and a server deletes its rows',
      );
    }
    const found = new Set(bulks.map(({ id }) => id));
    for (const { id, connectionId, items } of this.#interrupted.values()) {
      const isForgotten = this.forgottenRecords.has(id) || this.removedConnections.has(connectionId);
      this.#must(
        found.has(id) || isForgotten || items.every(({ isSent }) => isSent),
        'some of several were not sent, and a new window knows nothing of it',
      );
    }
  }

  /** What a window that is opened now finds, against all that servers did. */
  found(records: readonly TruncationRecord[]): void {
    const ids = new Set(records.map(({ id }) => id));
    for (const { id, taskId } of records) {
      this.#must(
        taskId === this.#taskIds.get(id) || !this.#taskIds.has(id),
        'the task of a truncation was stored, and a new window knows nothing of it',
      );
    }
    for (const { recordId, yes, deed } of this.executions) {
      const isForgotten = this.forgottenRecords.has(recordId) || this.removedConnections.has(yes.connection.id);
      this.#must(
        deed === undefined || isForgotten || ids.has(recordId),
        'a server deletes rows, and a new window knows nothing of it',
      );
    }
  }

  /** No token stands in any text. */
  searched(where: string, text: string): void {
    for (const token of this.origins.keys()) {
      this.#must(!text.includes(token), `a token stands in ${where}`);
    }
  }

  #serverAt(url: URL): Server | undefined {
    return this.#servers.find(({ baseUrl }) => (url.origin + url.pathname).startsWith(`${baseUrl}/`));
  }

  /** The first promise that is broken is kept: what follows from it says little. */
  #must(holds: boolean, sentence: string): asserts holds {
    if (!holds) {
      this.#timeline.note(`BROKEN: ${sentence}`);
      this.violation ??= sentence;
      throw new Error(sentence);
    }
  }

  /** As a window would find it that is opened at this moment. */
  #recordOf(plan: ReceivedPlan, connection: Connection): TruncationRecord | undefined {
    return [...this.#files.values()]
      .flatMap((text) => parseRecord(JSON.parse(text)) ?? [])
      .find(
        (record) =>
          record.connectionId === connection.id &&
          record.baseUrl === connection.baseUrl &&
          record.ending === undefined &&
          isSame(plan, record.plan),
      );
  }
}

function dryRunKey(
  window: number,
  { aspect, endTimeMillis }: Pick<TruncationPlan, 'aspect' | 'endTimeMillis'>,
): string {
  return `${window} ${aspect} ${endTimeMillis}`;
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
