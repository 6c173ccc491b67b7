/** A window with the real stores, services and runs, for tests of what a truncation does step by step. */
import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import type { Connection, StoredConnection } from '../../../src/connections/connection.ts';
import { removeConnection } from '../../../src/connections/removal.ts';
import type { ConnectionRole } from '../../../src/connections/role.ts';
import type { Folder, Folders } from '../../../src/platform/folder.ts';
import { systemNetwork } from '../../../src/service/http/network.ts';
import { systemClock } from '../../../src/time.ts';
import type { JobEnvironment } from '../../../src/truncation/jobEnvironment.ts';
import type { JobItem } from '../../../src/truncation/jobItem.ts';
import { type JobQuestion, JobRun } from '../../../src/truncation/jobRun.ts';
import { JobStore } from '../../../src/truncation/jobStore.ts';
import type { PlanDraft } from '../../../src/truncation/plan.ts';
import type { TruncationRecord } from '../../../src/truncation/sentTruncation.ts';
import { endedStateProblem } from '../../../src/truncation/texts/endingTexts.ts';
import { TaskWatch } from '../../../src/truncation/watching/watch.ts';
import { acceleratedClock } from '../acceleratedClock.ts';
import { addConnection, connectionTo, sharedStorage, windowOn, type SharedStorage } from '../connections/window.ts';
import { CREDENTIAL } from '../service/clients.ts';
import { reply, wireServer, type SeenRequest, type WireServer } from '../service/wireServer.ts';
import { DAY, DRAFT, MAX_AGE, dryRunText } from './samples.ts';

export interface Body {
  readonly aspect: string;
  readonly endTimeMillis: number;
  readonly batchSize: number;
  readonly dryRun: boolean;
}

export interface ScriptedServer extends WireServer {
  /** Of each dry run from now on. */
  dryRun: (body: Body) => string | Promise<string>;
  /** The date of each response to a dry run, Unix time in ms; undefined: the time by this machine. */
  answeredAt: number | undefined;
  /** The user that it takes for the token's owner; undefined: it doesn't say. */
  caller: string | undefined;
  /** It says that it is a DataHub, which lets the user choose the strategy. */
  isDataHub: boolean;
  refusesDryRuns: boolean;
  execute: (response: Parameters<Parameters<typeof wireServer>[1]>[1], body?: Body) => unknown;
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
export interface WindowOptions {
  /** What the folder of the jobs does otherwise. */
  readonly folder?: (real: Folder) => Partial<Folder>;
  readonly connectionsFolder?: (real: Folder) => Partial<Folder>;
  readonly clock?: Partial<typeof systemClock>;
}

export class RunningWindow {
  readonly store: JobEnvironment['store'];
  readonly credentials: JobEnvironment['credentials'];
  readonly services: JobEnvironment['services'];
  readonly jobs: JobStore;
  readonly watch: TaskWatch;
  readonly asked: JobQuestion[] = [];
  readonly closedUnderQuestion: string[] = [];
  /** How often the user saw that the outcome of a truncation could not be stored. */
  notStored = 0;
  /** Size of each index, if the server reports it. */
  indexBytes: number | undefined;
  /** Receives the outcome of each execution. */
  concluded: JobEnvironment['host']['concluded'] = () => undefined;
  answer: () => boolean | Promise<boolean> = () => true;
  connection!: Connection;

  readonly #clock: typeof systemClock;
  readonly #shown: JobRun[] = [];
  readonly #shared: SharedStorage;

  private constructor(shared: SharedStorage, { folder, connectionsFolder, clock = {} }: WindowOptions = {}) {
    this.#shared = shared;
    this.#clock = { ...systemClock, ...clock };
    const changed = new Map([
      ['jobs', folder],
      ['connections', connectionsFolder],
    ]);
    const folders: Folders = (kind) => {
      const real = shared.folders(kind);
      return { ...real, ...changed.get(kind)?.(real) };
    };
    // Requests keep their real time limits.
    const network = { ...this.#clock, after: systemClock.after };
    const parts = windowOn({ ...shared, folders }, systemNetwork, network);
    ({ store: this.store, credentials: this.credentials, services: this.services, jobs: this.jobs } = parts);
    // Rows are counted for minutes: no test needs to wait.
    this.watch = new TaskWatch(this.jobs, this.services, this.store, acceleratedClock(this.#clock, 1_000));
  }

  /** A window with one connection, signed in. */
  static async open(context: TestContext, baseUrl: string, options?: WindowOptions): Promise<RunningWindow> {
    const window = new RunningWindow(await sharedStorage(context), options);
    context.after(() => window.dispose());
    window.connection = await addConnection(window, connectionTo(baseUrl, { name: 'Production' }), CREDENTIAL);
    return window;
  }

  async another(context: TestContext): Promise<RunningWindow> {
    const window = new RunningWindow(this.#shared);
    context.after(() => window.dispose());
    await Promise.all([window.store.load(), window.jobs.load()]);
    window.connection = window.store.get(this.connection.id) ?? this.connection;
    return window;
  }

  /** Signs in to the connection again, as it is stored now. */
  async signIn(): Promise<void> {
    const connection = this.store.get(this.connection.id) ?? this.connection;
    await this.credentials.store(connection, 'another-token-of-the-same-person');
  }

  change(fields: Partial<StoredConnection>): Promise<unknown> {
    return this.store.change(this.connection.id, () => fields);
  }

  setRole(role: ConnectionRole): Promise<void> {
    return this.store.setRole(this.connection.id, role);
  }

  /** Removes the connection with what the window keeps for it. */
  remove(): Promise<void> {
    const forgetConnection = (id: string): Promise<void> => this.jobs.forgetConnection(id);
    return removeConnection({ ...this.environment, forgetConnection }, this.connection.id);
  }

  /** Writes a job's file that can't be read. @returns its ID. */
  async leaveUnreadable(connectionId = this.connection.id): Promise<string> {
    const id = crypto.randomUUID();
    await this.#shared.folders('jobs').create(`${connectionId}.${id}.json`, 'damaged');
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
        sizeOf: () => this.indexBytes,
        sent: () => undefined,
        concluded: (record, refusal) => this.concluded(record, refusal),
        notifyPageClosed: (_, connectionName) => void this.closedUnderQuestion.push(connectionName),
        notifyNotStored: () => void this.notStored++,
      },
    };
  }

  async wizard(from: PlanDraft | TruncationRecord): Promise<ShownJob> {
    await Promise.all([this.environment.store.load(), this.environment.jobs.load()]);
    return this.#show(JobRun.ofOne(this.environment, this.connection.id, from));
  }

  overview(): ShownJob {
    return this.#show(JobRun.ofMany(this.environment, this.connection.id));
  }

  /** The truncations that a window opened now finds on disk. */
  async recordsOnDisk(): Promise<readonly TruncationRecord[]> {
    const jobs = new JobStore(this.#shared.folders('jobs'));
    await jobs.load();
    return jobs.of(this.connection.id);
  }

  dispose(): void {
    this.#shown.forEach((job) => job.dispose());
    this.watch.dispose();
    this.services.dispose();
    this.credentials.dispose();
    this.store.dispose();
  }

  #show(job: JobRun): ShownJob {
    this.#shown.push(job);
    return new ShownJob(job, (question) => {
      this.asked.push(question);
      return Promise.resolve(this.answer());
    });
  }
}

/** A job with the question of its page. */
export class ShownJob {
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

  /** The wizard's. */
  get item(): JobItem {
    return this.items[0] ?? assert.fail();
  }

  /** Of the wizard's item. */
  get state(): JobItem['state'] {
    return this.item.state;
  }

  get statuses(): readonly string[] {
    return this.items.map(({ status }) => status);
  }

  /** Why the items were not sent, or how they ended. */
  get sentences(): readonly string[] {
    return this.items.map(({ state }) => sentenceIn(state));
  }

  /** Why none of its items was sent. */
  get failing(): string {
    return this.sentences[0] ?? '';
  }

  count(drafts: readonly PlanDraft[]): Promise<void> {
    return this.job.countAll(drafts.map((draft) => ({ draft })));
  }

  /** Accepts what an item is warned of, or deselects it. @param at Time of the dry run that is shown. */
  tick(place: number, isTicked: boolean, at = this.items[place]?.review?.at ?? 0): void {
    const kinds = this.items[place]?.cautions.map(({ kind }) => kind) ?? [];
    this.job.tick(place, isTicked, at, kinds);
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

function sentenceIn(state: JobItem['state']): string {
  return ('failing' in state ? state.failing : endedStateProblem(state))?.sentence ?? '';
}

export interface Stage {
  readonly server: ScriptedServer;
  readonly window: RunningWindow;
  readonly job: ShownJob;
}

export const OLD: PlanDraft = { ...DRAFT, endTimeMillis: Date.now() - 90 * DAY };
/** Of the overview's job. */
export const ASPECTS = ['operation', 'datasetprofile', 'usage'];
/** Tasks are looked at without waiting between two looks. */
const IMPATIENT = { after: (_: number, run: () => void) => systemClock.after(5, run) };

export function draftOf(aspect: string): PlanDraft {
  return { ...OLD, aspect };
}

export async function reviewed(context: TestContext, draft = OLD, options?: WindowOptions): Promise<Stage> {
  const server = await scriptedServer(context);
  const window = await RunningWindow.open(context, server.url, options);
  const job = await window.wizard(draft);
  await job.item.dryRun();
  assert.equal(job.state.phase, 'reviewed');
  return { server, window, job };
}

export async function overviewOf(context: TestContext, options: WindowOptions = {}): Promise<Stage> {
  const server = await scriptedServer(context);
  const clock = { ...IMPATIENT, ...options.clock };
  const window = await RunningWindow.open(context, server.url, { ...options, clock });
  return { server, window, job: window.overview() };
}

export async function planned(context: TestContext, options?: WindowOptions): Promise<Stage> {
  const stage = await overviewOf(context, options);
  await stage.job.count(ASPECTS.map(draftOf));
  assert.equal(stage.job.phase, 'planned');
  return stage;
}

/** Executes a job until its first task runs, which doesn't end. @returns the rest of the execution. */
export async function firstRuns(server: ScriptedServer, job: ShownJob): Promise<{ executing: Promise<void> }> {
  server.taskStatus = () => taskStatus(7, false);
  const executing = job.execute();
  await job.until(() => job.items[0]?.status === 'running');
  return { executing };
}

export function sentTo({ executions }: ScriptedServer): readonly string[] {
  return executions().map(({ aspect }) => aspect);
}
