/** A window with the real stores, services and runs, for tests of what a truncation does step by step. */
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import type { Connection, StoredConnection } from '../../../src/connections/connection.ts';
import { ConnectionStore } from '../../../src/connections/connectionStore.ts';
import { removeConnection } from '../../../src/connections/removal.ts';
import type { StoredRole } from '../../../src/connections/role.ts';
import { ServicePool } from '../../../src/connections/servicePool.ts';
import { CredentialStore, type SecretStorage } from '../../../src/connections/credentialStore.ts';
import { foldersIn, type Folder, type Folders } from '../../../src/platform/folder.ts';
import { Emitter } from '../../../src/platform/events.ts';
import { systemClock } from '../../../src/time.ts';
import type { TruncationPlan } from '../../../src/service/indices/truncation.ts';
import { systemNetwork } from '../../../src/service/http/network.ts';
import type { PlanDraft } from '../../../src/truncation/plan.ts';
import type { Confirmation, RunOptions } from '../../../src/truncation/runEnvironment.ts';
import { type BatchRecord, BatchStore } from '../../../src/batch/batchStore.ts';
import { type BatchConfirmation, type BatchEnvironment, BatchRun } from '../../../src/batch/batchRun.ts';
import { TaskWatch } from '../../../src/truncation/watch.ts';
import { TruncationStore } from '../../../src/truncation/truncationStore.ts';
import type { TruncationRecord } from '../../../src/truncation/record.ts';
import type { Problem } from '../../../src/truncation/outcome.ts';
import { executeReviewed } from '../../../src/truncation/executeReviewed.ts';
import { TruncationRun } from '../../../src/truncation/run.ts';
import { acceleratedClock } from '../acceleratedClock.ts';
import { Memory } from '../memory.ts';
import { CREDENTIAL } from '../service/clients.ts';
import { reply, wireServer, type SeenRequest, type WireServer } from '../service/wireServer.ts';
import { MAX_AGE, dryRunText } from './samples.ts';

/** The body of a truncation. */
export interface Body {
  readonly aspect: string;
  readonly endTimeMillis: number;
  readonly dryRun: boolean;
}

/** A truncation server scripted by the test. */
export interface ScriptedServer extends WireServer {
  /** Of each dry run from now on. */
  dryRun: (body: Body) => string | Promise<string>;
  /** The date of each response to a dry run, Unix time in ms; undefined: the time by this machine. */
  answeredAt: number | undefined;
  /** The user that it takes for the token's owner; undefined: it doesn't say. */
  caller: string | undefined;
  /** It says that it is a DataHub, which lets the user choose the strategy. */
  isDataHub: boolean;
  /** Dry runs are refused from now on. */
  refusesDryRuns: boolean;
  execute: (response: Parameters<Parameters<typeof wireServer>[1]>[1], body?: Body) => unknown;
  /** The status of each task from now on. */
  taskStatus: () => object;
  dryRuns(): readonly Body[];
  executions(): readonly Body[];
}

export async function scriptedServer(context: Pick<TestContext, 'after'>): Promise<ScriptedServer> {
  const server = await wireServer(context, async (request, response) => {
    if (request.path.endsWith('/config') && !scripted.isDataHub) {
      reply(response, 404, { message: 'Not Found', status: 404 });
    } else if (request.path.endsWith('/config')) {
      reply(response, 200, { noCode: 'true', versions: { x: { version: 'v1.7.0.1' } } });
    } else if (request.path.endsWith('/graphql') && scripted.caller !== undefined) {
      const platformPrivileges = { generatePersonalAccessTokens: true, manageTokens: true };
      reply(response, 200, { data: { me: { corpUser: { urn: scripted.caller }, platformPrivileges } } });
    } else if (request.path.includes('getEsTaskStatus')) {
      reply(response, 200, { value: JSON.stringify(scripted.taskStatus()) });
    } else if (!request.path.includes('truncateTimeseriesAspect')) {
      reply(response, 200, { value: { indexSizes: [] } });
    } else if (bodyOf(request).dryRun && scripted.refusesDryRuns) {
      reply(response, 403, { message: 'User is unauthorized to truncate timeseries index', status: 403 });
    } else if (bodyOf(request).dryRun) {
      const { answeredAt } = scripted;
      const headers = answeredAt === undefined ? {} : { date: new Date(answeredAt).toUTCString() };
      reply(response, 200, { value: await scripted.dryRun(bodyOf(request)) }, headers);
    } else {
      const body = bodyOf(request);
      const end = response.end.bind(response);
      // Rows go once a task was started, and stay where the test refuses or cuts the execution.
      Object.assign(response, {
        end: (text: string) => void (text.includes('node:') && executed.add(body.aspect), end(text)),
      });
      scripted.execute(response, body);
    }
  });
  const executed = new Set<string>();
  const truncations = (): Body[] =>
    server.requests.filter(({ path }) => path.includes('truncateTimeseriesAspect')).map(bodyOf);
  const scripted: ScriptedServer = {
    ...server,
    dryRun: ({ aspect, endTimeMillis }) => rowsText(executed.has(aspect) ? 0 : 20, endTimeMillis),
    answeredAt: undefined,
    caller: undefined,
    isDataHub: true,
    refusesDryRuns: false,
    execute: (response) => reply(response, 200, { value: 'node:1' }),
    taskStatus: () => taskStatus(20, true),
    dryRuns: () => truncations().filter(({ dryRun }) => dryRun),
    executions: () => truncations().filter(({ dryRun }) => !dryRun),
  };
  return scripted;
}

/** Of 20 old rows, or those that are left of them, and 181 others that are dated before now. */
function rowsText(old: number, endTimeMillis: number): string {
  const isUpToNow = endTimeMillis > Date.now() - 60_000;
  return dryRunText(isUpToNow ? old + 181 : old, old + 181, 'deleteByQuery');
}

/** A server's status of a task that deletes 20 rows. */
export function taskStatus(deleted: number, completed: boolean): object {
  const status = JSON.stringify({ total: 20, updated: 0, created: 0, deleted, version_conflicts: 0 });
  return { completed, taskId: 'node:1', runTimeNanos: 1, status };
}

function bodyOf({ body }: SeenRequest): Body {
  return JSON.parse(body) as Body;
}

type Kind = Parameters<Folders>[0];

/** Changes that a test makes to a window before anything runs in it. */
export interface WindowOptions {
  readonly folder?: (real: Folder, kind: Kind) => Folder;
  readonly clock?: Partial<typeof systemClock>;
}

/** What all windows of a person share. */
interface Shared {
  readonly path: string;
  readonly memento: Memory;
  readonly secrets: SecretStorage;
}

export class RunningWindow {
  readonly folders: Folders;
  readonly store: ConnectionStore;
  readonly credentials: CredentialStore;
  readonly services: ServicePool;
  readonly records: TruncationStore;
  readonly batches: BatchStore;
  readonly watch: TaskWatch;
  /** The questions asked before rows are deleted. */
  readonly asked: Confirmation[] = [];
  readonly askedForBatch: BatchConfirmation[] = [];
  closedUnderQuestion = 0;
  /** How often the user saw that the outcome of a truncation could not be stored. */
  notStored = 0;
  /** Number of lookups of a blocking reason for a batch. */
  lookups = 0;
  /** Blocking reason of a plan in a batch. */
  blocked: (plan: TruncationPlan) => Problem | undefined = () => undefined;
  /** Size of each index, if the server reports it. */
  indexBytes: number | undefined;
  /** Receives the outcome of each execution. */
  concluded: (record: TruncationRecord) => void = () => undefined;
  /** Answers the last question. */
  answer: (asked: Confirmation) => boolean | Promise<boolean> = () => true;
  answerForBatch: (asked: BatchConfirmation) => boolean | Promise<boolean> = () => true;
  connection!: Connection;
  readonly clock: typeof systemClock;

  readonly #batchRuns: ShownBatch[] = [];
  readonly #shared: Shared;

  private constructor(shared: Shared, { folder = (real) => real, clock = {} }: WindowOptions = {}) {
    this.#shared = shared;
    this.clock = { ...systemClock, ...clock };
    const real = foldersIn(shared.path);
    this.folders = (kind) => folder(real(kind), kind);
    this.store = new ConnectionStore(this.folders, shared.memento, new Memory());
    this.credentials = new CredentialStore(shared.secrets, this.store, this.clock);
    this.services = new ServicePool(this.store, this.credentials, shared.memento, {
      timeoutMillis: () => 20_000,
      // Requests keep their real time limits.
      network: { ...systemNetwork, clock: { ...this.clock, after: systemClock.after } },
      log: { exchange: () => undefined, bug: () => undefined },
    });
    this.records = new TruncationStore(this.folders('truncations'));
    this.batches = new BatchStore(this.folders('batches'), this.records);
    // Rows are counted for minutes: no test needs to wait.
    this.watch = new TaskWatch(this.records, this.services, this.store, acceleratedClock(this.clock, 1_000));
  }

  /** A window with one connection, signed in. */
  static async open(context: TestContext, baseUrl: string, options?: WindowOptions): Promise<RunningWindow> {
    const path = await mkdtemp(join(tmpdir(), 'metadata-service-window-'));
    context.after(() => rm(path, { recursive: true, force: true }));
    const window = new RunningWindow({ path, memento: new Memory(), secrets: secretsInMemory() }, options);
    context.after(() => window.dispose());
    const id = crypto.randomUUID();
    await window.store.add(
      { id, name: 'Production', baseUrl, typedUser: 'urn:li:corpuser:jdoe', createdAt: Date.now() },
      { role: 'development', chosen: false },
    );
    window.connection = window.store.get(id) ?? assert.fail();
    await window.signIn();
    return window;
  }

  /** A second window of the same person. */
  async another(context: TestContext): Promise<RunningWindow> {
    const window = new RunningWindow(this.#shared);
    context.after(() => window.dispose());
    await Promise.all([window.store.load(), window.records.load(), window.batches.reload()]);
    window.connection = window.store.get(this.connection.id) ?? this.connection;
    return window;
  }

  /** Signs in to the connection as it is stored now. */
  async signIn(token = CREDENTIAL): Promise<void> {
    await this.credentials.store(this.store.get(this.connection.id) ?? this.connection, token);
    this.connection = this.store.get(this.connection.id) ?? this.connection;
  }

  change(fields: Partial<StoredConnection>): Promise<unknown> {
    return this.store.change(this.connection.id, () => fields);
  }

  setRole(role: StoredRole['role']): Promise<void> {
    return this.store.setRole(this.connection.id, { role, chosen: true });
  }

  /** Removes the connection with what the window keeps for it. */
  remove(): Promise<void> {
    const forgetConnection = async (id: string): Promise<void> => {
      await Promise.all([this.records.forgetConnection(id), this.batches.forgetConnection(id)]);
    };
    const { store, credentials, services } = this;
    return removeConnection({ store, credentials, services, forgetConnection }, this.connection.id);
  }

  /** Leaves the file of a truncation that nobody can read. @returns its ID. */
  async leaveUnreadable(text = 'damaged', connectionId = this.connection.id): Promise<string> {
    const id = crypto.randomUUID();
    await foldersIn(this.#shared.path)('truncations').create(`${connectionId}.${id}.json`, text);
    return id;
  }

  /** Asks the last question. */
  readonly ask = (confirmation: Confirmation): Promise<boolean> => {
    this.asked.push(confirmation);
    return Promise.resolve(this.answer(confirmation));
  };

  run(from: PlanDraft | TruncationRecord, options: RunOptions = {}): Promise<TruncationRun> {
    return TruncationRun.open(
      {
        store: this.store,
        credentials: this.credentials,
        services: this.services,
        records: this.records,
        watch: this.watch,
        log: { failure: () => undefined },
        clock: this.clock,
        maxAgeMillis: () => MAX_AGE,
        sizeOf: () => ({ bytes: this.indexBytes, precision: 'exact' }),
        sent: () => undefined,
        concluded: (record) => this.concluded(record),
        notifyPageClosed: () => void this.closedUnderQuestion++,
        notifyNotStored: () => void this.notStored++,
      },
      this.connection.id,
      from,
      options,
    );
  }

  /** A batch that is disposed with its page or this window. */
  newBatchRun(): ShownBatch {
    const environment: BatchEnvironment = {
      store: this.store,
      newRun: (draft, options) => this.run(draft, options),
      records: this.records,
      batches: this.batches,
      watch: this.watch,
      blockingProblem: ({ plan }) => {
        this.lookups++;
        return this.blocked(plan);
      },
      notifyPageClosed: () => void this.closedUnderQuestion++,
      clock: this.clock,
      log: { failure: () => undefined },
    };
    const batch = new ShownBatch(this.connection.id, environment, (confirmation) => {
      this.askedForBatch.push(confirmation);
      return Promise.resolve(this.answerForBatch(confirmation));
    });
    this.#batchRuns.push(batch);
    return batch;
  }

  /** The truncations that a window opened now finds on disk. */
  async recordsOnDisk(): Promise<readonly TruncationRecord[]> {
    return (await this.#storesOnDisk()).records.of(this.connection.id);
  }

  /** The batches that a window opened now finds on disk. */
  async batchesOnDisk(): Promise<readonly BatchRecord[]> {
    return (await this.#storesOnDisk()).batches.of(this.connection.id);
  }

  dispose(): void {
    this.#batchRuns.forEach((batch) => batch.dispose());
    this.watch.dispose();
    this.services.dispose();
    this.credentials.dispose();
    this.store.dispose();
  }

  async #storesOnDisk(): Promise<Pick<RunningWindow, 'records' | 'batches'>> {
    const folders = foldersIn(this.#shared.path);
    const records = new TruncationStore(folders('truncations'));
    const batches = new BatchStore(folders('batches'), records);
    await Promise.all([records.load(), batches.reload()]);
    return { records, batches };
  }
}

function secretsInMemory(): SecretStorage {
  const secrets = new Map<string, string>();
  return {
    get: (key) => Promise.resolve(secrets.get(key)),
    store: (key, value) => Promise.resolve(void secrets.set(key, value)),
    delete: (key) => Promise.resolve(void secrets.delete(key)),
    onDidChange: new Emitter<{ key: string }>().event as SecretStorage['onDidChange'],
  };
}

/** A batch with the question of its page. */
export class ShownBatch extends BatchRun {
  readonly #ask: (confirmation: BatchConfirmation) => Promise<boolean>;

  constructor(
    connectionId: string,
    environment: BatchEnvironment,
    ask: (confirmation: BatchConfirmation) => Promise<boolean>,
  ) {
    super(connectionId, environment);
    this.#ask = ask;
  }

  execute(): Promise<void> {
    return executeReviewed(this, this.#ask);
  }
}
