/**
 * Drives the product as a user does, and reads what it leaves at the server, on disk, and on the screen. The invariants
 * speak to the product through this alone (`driver.ts`, `window.ts`, `pages.ts`), so a change of its design
 * changes only these files.
 *
 * The whole extension runs as it does in VS Code, in one copy per window, on stand-ins for VS Code (`editor/`). They
 * make what is rare repeatable: two windows on one folder, a crash after each write, an hour of time. The suites in
 * the extension host and in the browser hold the same product on VS Code itself.
 */
import { startService, type RunningService } from '../service/main.ts';
import type { ServiceOptions } from '../service/options.ts';
import type { UserName } from '../service/users.ts';
import { DAY, MINUTE, SECOND } from './durations.ts';
import type { GivenAnswer, WindowPlace } from './editor/host.ts';
import { Machine, type SentRequest } from './editor/machine.ts';
import { openWindow } from './editor/window.ts';
import { OPERATIONS, truncationsAmong, type SentTruncation, type Target } from './truncations.ts';
import { Window, type ConnectOptions } from './window.ts';

/** Time that may pass before something is there, in ms. */
const PATIENCE_MS = 10 * MINUTE;
/** Time until searches find a new row, in ms. */
const FOUND_AFTER_MS = 4 * SECOND;
/** Rows in all indices together. */
const ROWS = 1_500;

/** A test, or a part of one. */
export interface TestScope {
  after(close: () => Promise<void>): void;
}

type Found<T> = Exclude<T, undefined | null | false>;

/** A driver with a window that is signed in. */
export interface Connected {
  readonly driver: Driver;
  readonly window: Window;
}

/** One user's machine, and a server. */
export class Driver {
  readonly machine: Machine;
  readonly server: RunningService;
  readonly #servers: RunningService[];
  /** All that were ever opened, oldest first. */
  readonly windows: Window[] = [];

  private constructor(machine: Machine, server: RunningService) {
    this.machine = machine;
    this.server = server;
    this.#servers = [server];
  }

  /** @param context Test after which everything is closed. */
  static async start(context: TestScope, options: ServiceOptions = {}): Promise<Driver> {
    const machine = new Machine();
    const driver = new Driver(machine, await start(machine, options));
    context.after(() => driver.#close());
    return driver;
  }

  /** Starts with a window that is signed in to the server. */
  static async connected(
    context: TestScope,
    connection: ConnectOptions = {},
    options: ServiceOptions = {},
  ): Promise<Connected> {
    const driver = await Driver.start(context, options);
    const window = await driver.open();
    await window.connect(connection);
    return { driver, window };
  }

  /** Starts another server, with the same users and another address. */
  async startAnother(): Promise<RunningService> {
    const server = await start(this.machine, {});
    this.#servers.push(server);
    return server;
  }

  // Windows

  /** Opens a window, which takes a second. */
  async open(place: WindowPlace = { extensionKind: 1, remoteName: undefined }): Promise<Window> {
    await this.passTime(SECOND);
    const window = new Window(this, await openWindow(this.machine, place));
    this.windows.push(window);
    await this.rests();
    return window;
  }

  /** Ends a window as a crash does, and opens another one. */
  async crash(window: Window): Promise<Window> {
    window.host.die();
    return this.open();
  }

  async reload(window: Window): Promise<Window> {
    await window.close();
    return this.open();
  }

  // Time

  /** Waits until nothing happens any more without time passing, here and at the servers. */
  async rests(): Promise<void> {
    do {
      await this.machine.rests();
    } while (this.#servers.some(isWorking));
  }

  /** Lets time pass, and everything happen that is due. */
  async passTime(millis: number): Promise<void> {
    await this.#passTimeUntil(() => false, millis);
  }

  /** Lets time pass until a condition holds. */
  async until<T>(
    what: string | (() => string),
    condition: () => T | Promise<T>,
    patienceMillis = PATIENCE_MS,
  ): Promise<Found<T>> {
    const found = await this.#passTimeUntil(condition, patienceMillis);
    if (found === undefined) {
      throw new Error(`waited in vain for ${typeof what === 'string' ? what : what()}`);
    }
    return found;
  }

  /** Sets the clock of the machine, but not that of the servers. @param millis Negative to set it back. */
  setClock(millis: number): void {
    const { time } = this.machine;
    time.set(time.now() + millis);
  }

  /** Lets the next request that changes something take this long to connect, as behind a proxy that asks first. */
  delayConnectionOfChange(millis: number): void {
    this.machine.delays.push({ stage: 'connecting', fits: ({ isHeldBack }) => isHeldBack, millis });
  }

  /** Lets the answer to the next request with this text take this long. */
  delayAnswer(match: string, millis: number): void {
    const fits = ({ url, body }: SentRequest): boolean => `${url} ${body}`.includes(match);
    this.machine.delays.push({ stage: 'answering', fits, millis });
  }

  // What others do at the server

  /** Writes a row that is older than any cutoff, and waits until searches find it. */
  async addOldRow({ entityType, aspect }: Target = OPERATIONS): Promise<void> {
    this.server.addRow(entityType, aspect, this.machine.time.now() - 500 * DAY);
    await this.passTime(FOUND_AFTER_MS);
  }

  /** Issues a token to sign in with, as the web front end does. */
  issueToken(user: UserName = 'admin', server: RunningService = this.server): string {
    const { urn } = server.users[user];
    const createdAt = this.machine.time.now() - DAY;
    const { token } = server.issueToken({
      name: `issued to ${user}`,
      actorUrn: urn,
      ownerUrn: urn,
      createdAt,
      expiresAt: createdAt + 60 * DAY,
    });
    return token;
  }

  // What is answered, what leaves the machine, and what arrives

  /** Answers to questions of all windows, oldest first. */
  answers(): readonly GivenAnswer[] {
    return this.windows.flatMap(({ host }) => host.answers).toSorted((a, b) => a.requestsBefore - b.requestsBefore);
  }

  /** Requests to truncate of which the whole body left. */
  truncations(): readonly SentTruncation[] {
    return truncationsAmong(this.machine.requests);
  }

  /** Values of tokens that servers made for a window. */
  createdTokens(): readonly string[] {
    return this.machine.requests.flatMap(
      ({ answer = '' }) => /"createAccessToken":\{"accessToken":"([^"]+)"/.exec(answer)?.[1] ?? [],
    );
  }

  /** Requests that deleted rows, or would have. */
  executions(): readonly SentTruncation[] {
    return this.truncations().filter(({ plan }) => !plan.dryRun);
  }

  /** Waits for the first request that deletes rows, or would. */
  async execution(): Promise<SentTruncation> {
    return this.until('the request', () => this.executions()[0]);
  }

  /** Requests that change anything on a server, of which the whole body left. */
  changes(): readonly SentRequest[] {
    const mutations = this.machine.requests.filter(
      ({ body, isComplete }) => isComplete && /^\{"query":"\s*mutation/.test(body),
    );
    return [...mutations, ...this.executions().map(({ request }) => request)];
  }

  /** Bodies of everything with this text that the server got since it started. */
  arrived(match: string): readonly string[] {
    return this.server.requests.filter(({ body, path }) => `${path} ${body}`.includes(match)).map(({ body }) => body);
  }

  async #passTimeUntil<T>(condition: () => T | Promise<T>, millis: number): Promise<Found<T> | undefined> {
    const { time } = this.machine;
    const end = time.monotonic() + millis;
    for (;;) {
      await this.rests();
      const found = await condition();
      if (found !== undefined && found !== null && found !== false) {
        return found as Found<T>;
      }
      const left = end - time.monotonic();
      const next = time.untilNextTimer() ?? Number.POSITIVE_INFINITY;
      if (left <= 0 && next > 0) {
        return undefined;
      }
      time.advance(Math.min(Math.max(left, 0), next));
    }
  }

  async #close(): Promise<void> {
    this.windows.forEach(({ host }) => host.die());
    for (const server of this.#servers) {
      server.faults.clear();
      await server.close();
    }
    await this.machine.close();
  }
}

/** Its tasks don't wait for time, nor for a test. */
function isWorking({ tasks, pacing }: RunningService): boolean {
  const { batchDelayMillis, held } = pacing;
  return batchDelayMillis === 0 && !held && tasks().some(({ completed }) => !completed);
}

async function start(machine: Machine, options: ServiceOptions): Promise<RunningService> {
  const server = await startService({ profile: 'next', rows: ROWS, tokens: 20, ...options });
  // The time that a busy machine takes to do its work passes nowhere.
  Object.defineProperty(server.clock, 'offsetMillis', { get: () => machine.realTime - Date.now() });
  return server;
}
