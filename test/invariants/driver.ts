/**
 * Drives the product as a user does, and reads what it leaves at the server, on disk, and on the screen. The invariants
 * speak to the product through this alone (`driver.ts`, `window.ts`, `pages.ts`), so a change of its design
 * changes only these files.
 *
 * The whole extension runs as it does in VS Code, in one copy per window, on stand-ins for VS Code (`editor/`). They
 * make what is rare repeatable: two windows on one folder, a crash after each write, an hour of time. The suites in
 * the extension host and in the browser hold the same product on VS Code itself.
 */
import { writeFileSync } from 'node:fs';
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
interface TestScope {
  after(close: () => Promise<void>): void;
}

type Found<T> = Exclude<T, undefined | null | false>;

/** One user's machine, and a server. */
export class Driver {
  readonly machine = new Machine();
  readonly server: RunningService;
  readonly #servers: RunningService[];
  readonly #windows: Window[] = [];

  private constructor(server: RunningService) {
    this.server = server;
    this.#servers = [server];
  }

  /** @param context Test after which everything is closed. */
  static async start(context: TestScope, options: ServiceOptions = {}): Promise<Driver> {
    const driver = new Driver(await start(options));
    context.after(() => driver.#close());
    return driver;
  }

  /** Starts with a window that is signed in to the server. */
  static async connected(
    context: TestScope,
    connection: ConnectOptions = {},
    options: ServiceOptions = {},
  ): Promise<{ readonly driver: Driver; readonly window: Window }> {
    const driver = await Driver.start(context, options);
    const window = await driver.open();
    await window.connect(connection);
    return { driver, window };
  }

  /** Starts another server, with the same users and another address. */
  async startAnother(options: ServiceOptions = {}): Promise<RunningService> {
    const server = await start(options);
    this.#servers.push(server);
    return server;
  }

  // Windows

  /** All that were ever opened, oldest first. */
  get windows(): readonly Window[] {
    return this.#windows;
  }

  /** Opens a window, which takes a second. */
  async open(place: WindowPlace = { extensionKind: 1, remoteName: undefined }): Promise<Window> {
    await this.passTime(SECOND);
    const window = new Window(this, await openWindow(this.machine, place));
    this.#windows.push(window);
    await this.rests();
    return window;
  }

  /** Ends a window as a crash does, and opens another one. */
  async crash(window: Window): Promise<Window> {
    window.host.die();
    return this.open();
  }

  /** Reloads a window. */
  async reload(window: Window): Promise<Window> {
    await window.close();
    return this.open();
  }

  /** Another program replaces a text in the files and in VS Code's storage while no window is open. */
  replaceInStorage(text: string, by: string): void {
    for (const state of [this.machine.globalState, this.machine.workspaceState]) {
      state.rewrite((json) => json.replaceAll(text, by));
    }
    for (const [path, content] of this.machine.files()) {
      writeFileSync(path, content.replaceAll(text, by));
    }
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
    const { time } = this.machine;
    const end = time.monotonic() + millis;
    for (;;) {
      await this.rests();
      const left = end - time.monotonic();
      const next = time.untilNextTimer();
      if (next === undefined || next > left) {
        this.#pass(left);
        await this.rests();
        return;
      }
      this.#pass(next);
    }
  }

  /** Lets time pass until a condition holds. */
  async until<T>(
    what: string | (() => string),
    condition: () => T | Promise<T>,
    patienceMillis = PATIENCE_MS,
  ): Promise<Found<T>> {
    const { time } = this.machine;
    const end = time.monotonic() + patienceMillis;
    for (;;) {
      await this.rests();
      const found = await condition();
      if (found !== undefined && found !== null && found !== false) {
        return found as Found<T>;
      }
      const next = time.untilNextTimer();
      if (time.monotonic() > end || next === undefined) {
        throw new Error(`waited in vain for ${typeof what === 'string' ? what : what()}`);
      }
      this.#pass(next);
    }
  }

  /** Sets the clock of the machine, but not that of the servers. @param millis Negative to set it back. */
  setClock(millis: number): void {
    this.machine.time.shift(millis);
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

  /** Writes rows that are older than any cutoff, and waits until searches find them. */
  async addOldRows(rows = 1, { entityType, aspect }: Target = OPERATIONS): Promise<void> {
    for (let row = 0; row < rows; row++) {
      this.server.addRow(entityType, aspect, this.machine.time.now() - 500 * DAY);
    }
    await this.passTime(FOUND_AFTER_MS);
  }

  // What is answered, what leaves the machine, and what arrives

  /** Answers to questions of all windows, oldest first. */
  answers(): readonly GivenAnswer[] {
    return this.windows.flatMap(({ host }) => host.answers).toSorted((a, b) => a.requestsBefore - b.requestsBefore);
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

  /** Requests to truncate of which the whole body left. */
  truncations(): readonly SentTruncation[] {
    return truncationsAmong(this.machine.requests);
  }

  /** Requests that deleted rows, or would have. */
  executions(): readonly SentTruncation[] {
    return this.truncations().filter(({ plan }) => !plan.dryRun);
  }

  /** Requests that change anything on a server, of which the whole body left. */
  changes(): readonly SentRequest[] {
    const mutations = this.machine.requests.filter(
      ({ body, isComplete }) => isComplete && /^\{"query":"\s*mutation/.test(body),
    );
    return [...mutations, ...this.executions().map(({ request }) => request)];
  }

  /** Values of tokens that servers made for a window. */
  createdTokens(): readonly string[] {
    return this.machine.requests.flatMap(
      ({ answer = '' }) => /"createAccessToken":\{"accessToken":"([^"]+)"/.exec(answer)?.[1] ?? [],
    );
  }

  /** Bodies of everything with this text that the server got since it started. */
  arrived(match: string): readonly string[] {
    return this.server.requests.filter(({ body, path }) => `${path} ${body}`.includes(match)).map(({ body }) => body);
  }

  #pass(millis: number): void {
    const { time } = this.machine;
    time.advance(millis);
    // Without the time that this machine takes to do its work.
    this.#servers.forEach(({ clock }) => (clock.offsetMillis = time.real() - Date.now()));
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
  const { batchDelayMillis, held, floodStage } = pacing;
  return batchDelayMillis === 0 && !held && !floodStage && tasks().some(({ completed }) => !completed);
}

function start(options: ServiceOptions): Promise<RunningService> {
  return startService({ profile: 'next', rows: ROWS, tokens: 20, ...options });
}
