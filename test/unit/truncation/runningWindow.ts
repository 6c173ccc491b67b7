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
import { systemNetwork } from '../../../src/service/http/network.ts';
import { draftFrom, type PlanDraft } from '../../../src/truncation/plan.ts';
import type { ItemQuestion } from '../../../src/truncation/itemReview.ts';
import type { JobEnvironment } from '../../../src/truncation/jobEnvironment.ts';
import type { JobItem } from '../../../src/truncation/jobItem.ts';
import { type JobQuestion, JobRun } from '../../../src/truncation/jobRun.ts';
import { type InterruptedJob, JobStore } from '../../../src/truncation/jobStore.ts';
import { TaskWatch } from '../../../src/truncation/watch.ts';
import type { TruncationRecord } from '../../../src/truncation/record.ts';
import { acceleratedClock } from '../acceleratedClock.ts';
import { Memory } from '../memory.ts';
import { CREDENTIAL } from '../service/clients.ts';
import { reply, wireServer, type SeenRequest, type WireServer } from '../service/wireServer.ts';
import { MAX_AGE, dryRunText } from './samples.ts';

/** The body of a truncation. */
export interface Body {
  readonly aspect: string;
  readonly endTimeMillis: number;
  readonly batchSize: number;
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
  readonly jobs: JobStore;
  readonly watch: TaskWatch;
  /** The questions asked before rows are deleted. */
  readonly asked: ItemQuestion[] = [];
  readonly askedOnOverview: JobQuestion[] = [];
  closedUnderQuestion = 0;
  /** How often the user saw that the outcome of a truncation could not be stored. */
  notStored = 0;
  /** Size of each index, if the server reports it. */
  indexBytes: number | undefined;
  /** Receives the outcome of each execution. */
  concluded: (record: TruncationRecord) => void = () => undefined;
  /** Answers the last question. */
  answer: (asked: ItemQuestion) => boolean | Promise<boolean> = () => true;
  answerOnOverview: (asked: JobQuestion) => boolean | Promise<boolean> = () => true;
  connection!: Connection;
  readonly clock: typeof systemClock;

  readonly #shown: JobRun[] = [];
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
    this.jobs = new JobStore(this.folders('jobs'));
    // Rows are counted for minutes: no test needs to wait.
    this.watch = new TaskWatch(this.jobs, this.services, this.store, acceleratedClock(this.clock, 1_000));
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
    await Promise.all([window.store.load(), window.jobs.load()]);
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
    const forgetConnection = (id: string): Promise<void> => this.jobs.forgetConnection(id);
    const { store, credentials, services } = this;
    return removeConnection({ store, credentials, services, forgetConnection }, this.connection.id);
  }

  /** Writes a job's file that can't be read. @returns its ID. */
  async leaveUnreadable(text = 'damaged', connectionId = this.connection.id): Promise<string> {
    const id = crypto.randomUUID();
    await foldersIn(this.#shared.path)('jobs').create(`${connectionId}.${id}.json`, text);
    return id;
  }

  /** The program around a job. */
  get environment(): JobEnvironment {
    const { store, credentials, services, jobs, watch } = this;
    return {
      store,
      credentials,
      services,
      jobs,
      watch,
      log: { failure: () => undefined },
      host: {
        maxAgeMillis: () => MAX_AGE,
        sizeOf: () => ({ bytes: this.indexBytes, precision: 'exact' }),
        sent: () => undefined,
        concluded: (record) => this.concluded(record),
        notifyPageClosed: () => void this.closedUnderQuestion++,
        notifyNotStored: () => void this.notStored++,
      },
    };
  }

  /** The job of a wizard. */
  async wizard(from: PlanDraft | TruncationRecord): Promise<WizardJob> {
    const job = await JobRun.ofOne(this.environment, this.connection.id, from);
    this.#shown.push(job);
    return new WizardJob(job, (question) => {
      this.asked.push(question);
      return Promise.resolve(this.answer(question));
    });
  }

  /** The job of an overview. */
  overview(): OverviewJob {
    const job = JobRun.ofMany(this.environment, this.connection.id);
    this.#shown.push(job);
    return new OverviewJob(job, (question) => {
      this.askedOnOverview.push(question);
      return Promise.resolve(this.answerOnOverview(question));
    });
  }

  /** The truncations that a window opened now finds on disk. */
  async recordsOnDisk(): Promise<readonly TruncationRecord[]> {
    return (await this.#jobsOnDisk()).of(this.connection.id);
  }

  /** The interrupted jobs that a window opened now finds on disk. */
  async interruptedOnDisk(): Promise<readonly InterruptedJob[]> {
    return (await this.#jobsOnDisk()).interrupted(this.connection, this.clock.now());
  }

  /** The interrupted jobs that this window knows. */
  interrupted(): readonly InterruptedJob[] {
    return this.jobs.interrupted(this.connection, this.clock.now());
  }

  dispose(): void {
    this.#shown.forEach((job) => job.dispose());
    this.watch.dispose();
    this.services.dispose();
    this.credentials.dispose();
    this.store.dispose();
  }

  async #jobsOnDisk(): Promise<JobStore> {
    const jobs = new JobStore(foldersIn(this.#shared.path)('jobs'));
    await jobs.load();
    return jobs;
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

/** A wizard's job with the question of its page. */
export class WizardJob {
  readonly job: JobRun;
  readonly item: JobItem;
  readonly #ask: (question: ItemQuestion) => Promise<boolean>;

  constructor(job: JobRun, ask: (question: ItemQuestion) => Promise<boolean>) {
    this.job = job;
    this.item = job.items[0] ?? assert.fail();
    this.#ask = ask;
  }

  get state(): JobItem['state'] {
    return this.item.state;
  }

  get recordId(): string {
    return this.item.recordId;
  }

  execute(): Promise<void> {
    return this.job.execute(({ items }) => this.#ask(items[0] ?? assert.fail()));
  }
}

/** An overview's job with the question of its page. */
export class OverviewJob {
  readonly job: JobRun;
  readonly #ask: (question: JobQuestion) => Promise<boolean>;

  constructor(job: JobRun, ask: (question: JobQuestion) => Promise<boolean>) {
    this.job = job;
    this.#ask = ask;
  }

  get phase(): JobRun['state']['phase'] {
    return this.job.state.phase;
  }

  get items(): readonly JobItem[] {
    return this.job.items;
  }

  get failing(): string {
    return this.job.state.failing?.sentence ?? '';
  }

  count(drafts: readonly PlanDraft[]): Promise<void> {
    return this.job.countAll(drafts.map((draft) => ({ draft })));
  }

  /** Counts what is left of an interrupted job. */
  continueWith({ job, left }: InterruptedJob): Promise<void> {
    const drafts = left.map(({ plan, confirmedRows }) => ({ draft: draftFrom(plan), confirmedBefore: confirmedRows }));
    return this.job.countAll(drafts, job);
  }

  /** Accepts what each item is warned of. */
  tickAll(): void {
    this.items.forEach((_, place) => this.tick(place, true));
  }

  /** @param at Time of the dry run that is shown. */
  tick(place: number, isTicked: boolean, at = this.items[place]?.review?.at ?? 0): void {
    const { cautions = [] } = this.items[place] ?? {};
    this.job.tick(
      place,
      isTicked,
      at,
      cautions.map(({ kind }) => kind),
    );
  }

  execute(): Promise<void> {
    return this.job.execute((question) => this.#ask(question));
  }

  /** Fulfilled with the next change after which `condition` holds. */
  until(condition: () => boolean): Promise<void> {
    return new Promise((resolve) => {
      const check = (): void => void (condition() && resolve());
      this.job.onDidChange(check);
      check();
    });
  }
}

/** Executes a job until its first task runs, which doesn't end. @returns the rest of the execution. */
export async function firstRuns(server: ScriptedServer, job: OverviewJob): Promise<{ executing: Promise<void> }> {
  server.taskStatus = () => taskStatus(7, false);
  const executing = job.execute();
  await job.until(() => job.items[0]?.status === 'running');
  return { executing };
}
