/** A window with the real stores, services and runs, for tests of what a truncation does step by step. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import type { Connection } from '../../../src/connections/connection.ts';
import { ConnectionStore } from '../../../src/connections/connectionStore.ts';
import { ServicePool } from '../../../src/connections/servicePool.ts';
import { saveSignedIn } from '../../../src/connections/signIn.ts';
import { CredentialStore, type SecretStorage } from '../../../src/connections/credentialStore.ts';
import { durableFolder, type DurableFolder } from '../../../src/platform/durableFolder.ts';
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

/** Changes that a test makes to a window before anything runs in it. */
interface WindowOptions {
  readonly folder?: (real: DurableFolder) => DurableFolder;
  readonly clock?: Partial<typeof systemClock>;
}

export class RunningWindow {
  readonly folder: DurableFolder;
  readonly memento: Memory;
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
  readonly #path: string;
  readonly #secrets: SecretStorage;

  private constructor(
    path: string,
    { folder = (real) => real, clock = {} }: WindowOptions,
    memento = new Memory(),
    secrets = secretsInMemory(),
  ) {
    this.#path = path;
    this.memento = memento;
    this.#secrets = secrets;
    this.clock = { ...systemClock, ...clock };
    this.folder = folder(durableFolder(path));
    this.store = new ConnectionStore(this.memento, new Memory(), this.folder, this.clock);
    this.credentials = new CredentialStore(secrets, this.memento, this.folder, this.clock);
    this.services = new ServicePool(this.store, this.credentials, this.memento, {
      timeoutMillis: () => 20_000,
      // Requests keep their real time limits.
      network: { ...systemNetwork, clock: { ...this.clock, after: systemClock.after } },
      log: { exchange: () => undefined, bug: () => undefined },
    });
    // Other windows get a second to learn of a truncation, and readers are counted for minutes: no test needs to wait.
    const fast = acceleratedClock(this.clock, 1_000);
    this.records = new TruncationStore(this.memento, this.folder, fast);
    this.batches = new BatchStore(this.memento, this.folder, fast, this.records);
    this.watch = new TaskWatch(this.records, this.services, this.store, fast);
  }

  /** A window with one connection, signed in. */
  static async open(context: TestContext, baseUrl: string, options: WindowOptions = {}): Promise<RunningWindow> {
    const home = await mkdtemp(join(tmpdir(), 'metadata-service-window-'));
    context.after(() => rm(home, { recursive: true, force: true }));
    const window = new RunningWindow(join(home, 'records'), options);
    context.after(() => window.dispose());
    const connection: Connection = {
      id: crypto.randomUUID(),
      name: 'Production',
      baseUrl,
      actorUrn: 'urn:li:corpuser:jdoe',
      plainHttpConsent: false,
      createdAt: Date.now(),
    };
    ({ connection: window.connection } = await saveSignedIn(window, connection, CREDENTIAL));
    return window;
  }

  /** A second window of the same person. */
  another(context: TestContext): RunningWindow {
    const window = new RunningWindow(this.#path, {}, this.memento, this.#secrets);
    context.after(() => window.dispose());
    window.connection = this.connection;
    return window;
  }

  /** A window on another machine: VS Code's storage and the secrets are the same, the folder isn't. */
  async remote(context: TestContext): Promise<RunningWindow> {
    const home = await mkdtemp(join(tmpdir(), 'metadata-service-window-'));
    context.after(() => rm(home, { recursive: true, force: true }));
    const window = new RunningWindow(join(home, 'records'), {}, this.memento, this.#secrets);
    context.after(() => window.dispose());
    window.connection = this.connection;
    await Promise.all([window.store.load(), window.records.load()]);
    return window;
  }

  /** A window of the same folder that isn't notified of values that this one stores in VS Code. */
  async elsewhere(context: TestContext): Promise<RunningWindow> {
    const memento = new Memory();
    for (const key of this.memento.keys()) {
      await memento.update(key, this.memento.get(key));
    }
    const window = new RunningWindow(this.#path, {}, memento, this.#secrets);
    context.after(() => window.dispose());
    window.connection = this.connection;
    await Promise.all([window.store.load(), window.records.load()]);
    return window;
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
    const records = new TruncationStore(new Memory(), this.folder, this.clock);
    await records.load();
    return records.of(this.connection.id);
  }

  /** The batches that a window opened now finds on disk. */
  async batchesOnDisk(): Promise<readonly BatchRecord[]> {
    const records = new TruncationStore(new Memory(), this.folder, this.clock);
    await records.load();
    const batches = new BatchStore(new Memory(), this.folder, this.clock, records);
    await batches.reload();
    return batches.of(this.connection.id);
  }

  dispose(): void {
    this.#batchRuns.forEach((batch) => batch.dispose());
    this.watch.dispose();
    this.services.dispose();
    this.credentials.dispose();
    this.store.dispose();
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
