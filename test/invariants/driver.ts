/**
 * What a user does with the product, and what can be seen of it: at the server, on disk, and on the screen. The
 * invariants speak to the product through this alone, so a change of its design changes only this file.
 *
 * The whole extension runs as it does in VS Code, in one copy per window, on stand-ins for VS Code (`editor/`). They
 * make what is rare repeatable: two windows on one folder, a crash after each write, an hour of time. The suites in
 * the extension host and in the browser hold the same product on VS Code itself.
 */
import assert from 'node:assert/strict';
import type * as vscode from 'vscode';
import { COMMANDS, WIZARD_VIEW_TYPE, type CommandId } from '../../src/manifest.ts';
import { emptyDraft, type PlanDraft } from '../../src/truncation/plan.ts';
import { startService, type RunningService } from '../service/main.ts';
import type { ServiceOptions } from '../service/options.ts';
import type { UserName } from '../service/users.ts';
import { escaped } from '../../tools/escaped.ts';
import { Machine, type SentRequest } from './editor/machine.ts';
import type { Host, OpenInput, OpenPanel, Question } from './editor/host.ts';
import { openWindow, type OpenWindow } from './editor/window.ts';

const DAY = 86_400_000;
/** Time that may pass before something is there, in ms. */
const PATIENCE_MS = 10 * 60_000;
/** Rows in all indices together. */
const ROWS = 3_000;

export type Role = 'Development' | 'Production' | 'Read-only';

/** An index whose rows may go. */
export const OPERATIONS = { entityType: 'dataset', aspect: 'operation' } as const;
export const PROFILES = { entityType: 'dataset', aspect: 'datasetprofile' } as const;
export type Target = { readonly entityType: string; readonly aspect: string };

export interface ConnectOptions {
  readonly name?: string;
  readonly role?: Role;
  readonly user?: UserName;
  readonly token?: string;
  readonly url?: string;
}

/** The body of a request to truncate. */
export interface TruncateBody {
  readonly entityType: string;
  readonly aspect: string;
  readonly endTimeMillis: number;
  readonly dryRun: boolean;
  readonly batchSize?: number;
  readonly timeoutSeconds?: number;
  readonly forceDeleteByQuery?: boolean;
  readonly forceReindex?: boolean;
}

/** A request to truncate, as a window sent it. */
export interface SentTruncation {
  readonly request: SentRequest;
  readonly plan: TruncateBody;
}

type Found<T> = Exclude<T, undefined | null | false>;

/** One user's machine, and a server. */
export class Driver {
  readonly machine = new Machine();
  readonly server: RunningService;
  readonly #open: OpenWindow[] = [];

  private constructor(server: RunningService) {
    this.server = server;
  }

  /** @param context Test after which everything is closed. */
  static async start(
    context: { after(close: () => Promise<void>): void },
    options: ServiceOptions = {},
  ): Promise<Driver> {
    const driver = new Driver(await startService({ profile: 'next', rows: ROWS, tokens: 20, ...options }));
    context.after(() => driver.#close());
    return driver;
  }

  /** Opens a window. @param writes Number of writes after which its storage and its secrets stop. */
  async open(writes?: number): Promise<Window> {
    const opened = await openWindow(this.machine, writes);
    this.#open.push(opened);
    await this.machine.rests();
    return new Window(this, opened);
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

  /** Lets time pass, and everything happen that is due. */
  async passTime(millis: number): Promise<void> {
    const { time } = this.machine;
    const end = time.monotonic() + millis;
    for (;;) {
      await this.machine.rests();
      const left = end - time.monotonic();
      const next = time.untilNextTimer();
      if (next === undefined || next > left) {
        this.#pass(left);
        await this.machine.rests();
        return;
      }
      this.#pass(next);
    }
  }

  /** Lets time pass until a condition holds. */
  async until<T>(what: string | (() => string), condition: () => T | Promise<T>): Promise<Found<T>> {
    const { time } = this.machine;
    const end = time.monotonic() + PATIENCE_MS;
    for (;;) {
      await this.machine.rests();
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
    return this.machine.requests
      .filter(({ url, isComplete }) => url.includes('action=truncateTimeseriesAspect') && isComplete)
      .map((request) => ({ request, plan: JSON.parse(request.body) as TruncateBody }));
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

  /** Everything that the server got since it started. */
  arrived(match: string): readonly string[] {
    return this.server.requests.filter(({ body, path }) => `${path} ${body}`.includes(match)).map(({ body }) => body);
  }

  #pass(millis: number): void {
    const { time } = this.machine;
    time.pass(millis);
    // Both clocks agree, but for what this machine takes to do its work.
    this.server.clock.offsetMillis = time.now() - Date.now();
  }

  async #close(): Promise<void> {
    this.#open.forEach(({ host }) => host.die());
    this.server.faults.clear();
    await this.server.close();
    this.machine.close();
  }
}

/** A row of the tree. */
export interface Row {
  readonly handle: unknown;
  readonly item: vscode.TreeItem;
  readonly label: string;
  /** All that is shown or read out. */
  readonly text: string;
}

export type ChangeName =
  | 'truncate'
  | 'truncateSeveral'
  | 'create'
  | 'revoke'
  | 'revokeSeveral'
  | 'rotate'
  | 'rotateOwn';

export class Window {
  readonly host: Host;
  readonly #driver: Driver;
  readonly #opened: OpenWindow;

  constructor(driver: Driver, opened: OpenWindow) {
    this.#driver = driver;
    this.#opened = opened;
    this.host = opened.host;
  }

  // Ends

  async close(): Promise<void> {
    await this.#opened.close();
  }

  /** Switches to another program, or back. */
  async focus(isFocused = true): Promise<void> {
    this.host.isFocused = isFocused;
    this.#opened.vscode.focusChanged();
    await this.#driver.machine.rests();
  }

  // Connections

  /** Adds a connection and signs in. */
  async connect({
    name = 'Staging',
    role = 'Development',
    user = 'admin',
    token,
    url,
  }: ConnectOptions = {}): Promise<void> {
    const { server } = this.#driver;
    const address = url ?? server.url;
    this.run(COMMANDS.connectionAdd);
    const box = await this.#asked(ADDRESS);
    box.typed(address);
    await this.pick(ADDRESS, address);
    await this.type(TOKEN, token ?? this.#driver.issueToken(user));
    await this.#summaryName(name);
    await this.#summaryRole(role);
    await this.pick(SUMMARY, /^Save /);
    await this.row(name);
  }

  /** Signs in as another user. */
  async signInAs(user: UserName, name = 'Staging'): Promise<void> {
    await this.signIn(this.#driver.issueToken(user), name);
  }

  /** Chooses another role. */
  async setRole(role: Role, name = 'Staging'): Promise<void> {
    this.run(COMMANDS.connectionSetRole, await this.row(name));
    await this.pick(ROLE, role);
    await this.#driver.machine.rests();
    this.#answerIfAsked(/^(Change the role|Allow deleting rows)/, /^(Change Role|Choose Development)$/);
    await this.#driver.machine.rests();
  }

  async signOut(name = 'Staging'): Promise<void> {
    this.run(COMMANDS.connectionSignOut, await this.row(name));
    await this.answer(/^Sign out of/, 'Sign Out');
  }

  async signIn(token: string, name = 'Staging'): Promise<void> {
    this.run(COMMANDS.connectionSignIn, await this.row(name));
    await this.type(TOKEN, token);
    await this.pick(SUMMARY, 'Sign In');
  }

  async removeConnection(name = 'Staging'): Promise<void> {
    this.run(COMMANDS.connectionRemove, await this.row(name));
    await this.answer(/^Remove the connection/, 'Remove');
  }

  /** Changes the address of a connection, and signs in there. */
  async changeAddress(url: string, token: string, name = 'Staging'): Promise<void> {
    this.run(COMMANDS.connectionEdit, await this.row(name));
    const box = await this.#asked(ADDRESS);
    box.typed(url);
    await this.pick(ADDRESS, url);
    await this.type(TOKEN, token);
    await this.pick(SUMMARY, /^Save /);
  }

  // Changes: each is asked about, and then a yes is given or not

  /** Comes to the last question before a change. */
  async ask(change: ChangeName): Promise<void> {
    await this.#flows[change]();
  }

  /** Says yes to the open question. */
  async yes(): Promise<void> {
    await this.#driver.machine.rests();
    const [question] = this.host.questions;
    if (question !== undefined) {
      question.answer(question.buttons.at(-1));
    } else if (this.host.input !== undefined) {
      await this.pick(/./, ACCEPT_TOKEN);
    }
    await this.#driver.machine.rests();
  }

  /** Says yes twice, as two presses of a key do. */
  async yesTwice(): Promise<void> {
    const { input, questions } = this.host;
    const again = input === undefined ? questions[0] : undefined;
    const yes = this.yes();
    again?.answer(again.buttons.at(-1));
    input?.accept();
    await yes;
  }

  get isAsked(): boolean {
    return this.host.questions.length > 0 || this.host.input !== undefined;
  }

  // The tree

  /** Reads the whole tree, or what is below a row. */
  async rows(below?: Row): Promise<readonly Row[]> {
    const tree = this.host.tree ?? assert.fail('there is no tree');
    const handles = (await tree.getChildren(below?.handle)) ?? [];
    return Promise.all(
      handles.map(async (handle): Promise<Row> => {
        const item = await tree.getTreeItem(handle);
        const resolved = (await tree.resolveTreeItem?.(item, handle, undefined as never)) ?? item;
        const { tooltip } = resolved;
        const label = typeof item.label === 'string' ? item.label : (item.label?.label ?? '');
        const texts = [
          label,
          item.description,
          item.accessibilityInformation?.label,
          typeof tooltip === 'string' ? tooltip : tooltip?.value.replaceAll(/\\(.)/g, '$1'),
        ];
        return { handle, item, label, text: texts.filter(Boolean).join('\n') };
      }),
    );
  }

  /** Waits for a row by its label and those of the rows above it. */
  row(...path: readonly string[]): Promise<Row> {
    return this.#driver.until(`the row ${path.join(' > ')}`, async () => this.findRow(...path));
  }

  async findRow(...path: readonly string[]): Promise<Row | undefined> {
    let row: Row | undefined;
    for (const label of path) {
      row = (await this.rows(row)).find((one) => nameOf(one) === label || one.label === label);
      if (row === undefined) {
        return undefined;
      }
    }
    return row;
  }

  /** Texts of all truncations of a connection. */
  async truncations(name = 'Staging'): Promise<readonly Row[]> {
    const group = await this.findRow(name, 'Truncations');
    return group === undefined ? [] : this.rows(group);
  }

  async refresh(...path: readonly string[]): Promise<void> {
    this.run(COMMANDS.explorerRefresh, await this.row(...path));
    await this.#driver.machine.rests();
  }

  // Pages

  async openWizard({ entityType, aspect }: Target = OPERATIONS, name = 'Staging'): Promise<Wizard> {
    const row = await this.row(name, 'Time series indices', entityType, aspect);
    return this.#openPage(COMMANDS.indexTruncate, row, Wizard);
  }

  async openOverview(name = 'Staging'): Promise<Overview> {
    return this.#openPage(COMMANDS.indexOverview, await this.row(name), Overview);
  }

  async #openPage<T>(
    command: CommandId,
    row: Row,
    Page: new (driver: Driver, window: Window, panel: OpenPanel) => T,
  ): Promise<T> {
    const before = this.host.panels.length;
    this.run(command, row);
    const panel = await this.#driver.until('a page', () => this.host.panels[before]);
    return this.#loaded(panel, Page);
  }

  /** VS Code opens the pages of the window before again. */
  async restoreWizard(state: unknown): Promise<Wizard> {
    const panel = this.#opened.vscode.restoredPanel(WIZARD_VIEW_TYPE);
    const serializer = this.host.serializers.get(WIZARD_VIEW_TYPE) ?? assert.fail('there is no serializer');
    void serializer.deserializeWebviewPanel(panel as unknown as vscode.WebviewPanel, state);
    return this.#loaded(panel, Wizard);
  }

  async #loaded<T>(panel: OpenPanel, Page: new (driver: Driver, window: Window, panel: OpenPanel) => T): Promise<T> {
    await this.#driver.until('a page', () => panel.isLoaded);
    panel.send({ type: 'ready', timeZone: 'UTC' });
    await this.#driver.until('what the page shows', () => panel.received.length > 0);
    return new Page(this.#driver, this, panel);
  }

  // VS Code's own controls

  /** Runs a command, with a row or without. Its questions come later. */
  run(command: CommandId, ...rows: readonly Row[]): void {
    const handler = this.host.commands.get(command) ?? assert.fail(`${command} is not registered`);
    const [first] = rows;
    void handler(first?.handle, rows.length > 1 ? rows.map(({ handle }) => handle) : undefined);
  }

  /** Picks an item of the quick pick that asks this. */
  async pick(asked: RegExp, label: string | RegExp): Promise<void> {
    const { input, item } = await this.#driver.until(
      () => `"${String(label)}" in the list ${asked} (open: ${this.#open()})`,
      () => {
        const { input: open } = this.host;
        const found = open?.items.find((one) =>
          typeof label === 'string' ? withoutIcon(one.label) === label : label.test(withoutIcon(one.label)),
        );
        return open !== undefined && found !== undefined && asked.test(asks(open)) && { input: open, item: found };
      },
    );
    input.choose([item]);
    input.accept();
    await this.#driver.machine.rests();
  }

  /** Enters a text into the input box that asks this. */
  async type(asked: RegExp, text: string): Promise<void> {
    const input = await this.#asked(asked);
    input.typed(text);
    input.accept();
    await this.#driver.machine.rests();
  }

  /** Answers the modal question. @param button Undefined is Escape. */
  async answer(said: RegExp, button: string | RegExp | undefined): Promise<Question> {
    const question = await this.#driver.until(
      () => `the question ${said} (open: ${this.#open()})`,
      () => this.host.questions.find(({ message }) => said.test(message)),
    );
    question.answer(question.buttons.find((one) => (typeof button === 'string' ? one === button : button?.test(one))));
    await this.#driver.machine.rests();
    return question;
  }

  /** Everything that the window showed outside of the tree: notifications, status bar, pages, log. */
  shown(): string {
    const { notices, statusBar, panels, questions, input } = this.host;
    const messages = panels.flatMap(({ title, received }) => [title, JSON.stringify(received)]);
    return [
      ...notices.map(({ message }) => message),
      ...statusBar.map(({ text, tooltip }) => `${text} ${String(tooltip)}`),
      ...questions.map(({ message, detail }) => `${message}\n${detail}`),
      input === undefined ? '' : JSON.stringify([asks(input), input.items]),
      ...messages,
    ].join('\n');
  }

  get notices(): readonly string[] {
    return this.host.notices.map(({ message }) => message);
  }

  // Flows

  readonly #flows: Readonly<Record<ChangeName, () => Promise<void>>> = {
    truncate: async () => {
      const wizard = await this.openWizard();
      await wizard.dryRun();
      await wizard.ask();
    },
    truncateSeveral: async () => {
      const overview = await this.openOverview();
      await overview.dryRun([OPERATIONS, PROFILES]);
      await overview.ask();
    },
    create: async () => {
      this.run(COMMANDS.tokenCreate, await this.row(this.#name));
      await this.type(TOKEN_NAME, 'made here');
      await this.#asksForToken(NEW_TOKEN);
    },
    revoke: async () => {
      this.run(COMMANDS.tokenRevoke, ...(await this.#tokens()).slice(0, 1));
      await this.#asksModally(/^Revoke/);
    },
    revokeSeveral: async () => {
      this.run(COMMANDS.tokenRevoke, ...(await this.#tokens()).slice(0, 3));
      await this.typeIfAsked();
      await this.#asksModally(/^Revoke 3/);
    },
    rotate: async () => {
      this.run(COMMANDS.tokenRotate, ...(await this.#tokens()).slice(0, 1));
      await this.#asksForToken(REPLACEMENT);
    },
    rotateOwn: async () => {
      this.run(COMMANDS.connectionRotateToken, await this.row(this.#name));
      await this.#driver.machine.rests();
      if (this.host.input !== undefined) await this.pick(/Expires after/, /^1 month/);
      await this.#asksModally(/^Rotate/);
    },
  };

  /** Types what a question wants to be typed, if it wants anything. */
  async typeIfAsked(): Promise<void> {
    await this.#driver.until('a question', () => this.isAsked);
    const { input } = this.host;
    if (input?.kind === 'box' && /to confirm/.test(input.prompt ?? '')) {
      await this.type(/to confirm/, input.placeholder ?? '');
    }
  }

  readonly #name = 'Staging';

  async #tokens(): Promise<readonly Row[]> {
    const group = await this.row(this.#name, 'Access tokens');
    const rows = await this.#driver.until('tokens', async () => {
      const found = await this.rows(group);
      return found.some(({ item }) => item.contextValue?.startsWith('token')) && found;
    });
    return rows.filter(({ item, label }) => item.contextValue?.startsWith('token') && !label.startsWith('issued'));
  }

  async #summaryName(name: string): Promise<void> {
    await this.pick(SUMMARY, /^Name: /);
    await this.type(NAME, name);
  }

  async #summaryRole(role: Role): Promise<void> {
    const input = await this.#asked(SUMMARY);
    if (!input.items.some(({ label }) => label.endsWith(`Role: ${role}`))) {
      await this.pick(SUMMARY, /^Role: /);
      await this.pick(ROLE, role);
    }
  }

  #asked(asked: RegExp): Promise<OpenInput> {
    return this.#driver.until(
      () => `to be asked ${asked} (open: ${this.#open()})`,
      () => this.host.input !== undefined && asked.test(asks(this.host.input)) && this.host.input,
    );
  }

  /** A list that was filled late ignores Enter for a moment. */
  async #asksForToken(asked: RegExp): Promise<void> {
    await this.#driver.until('a token to accept', () =>
      this.host.input?.items.some(({ label }) => ACCEPT_TOKEN.test(withoutIcon(label))),
    );
    await this.#asked(asked);
    await this.#driver.passTime(1_000);
  }

  #asksModally(said: RegExp): Promise<Question> {
    return this.#driver.until(
      () => `the question ${said} (open: ${this.#open()})`,
      () => this.host.questions.find(({ message }) => said.test(message)),
    );
  }

  #answerIfAsked(said: RegExp, button: RegExp): void {
    const question = this.host.questions.find(({ message }) => said.test(message));
    question?.answer(question.buttons.find((one) => button.test(one)));
  }

  #open(): string {
    const { input, questions, notices } = this.host;
    const items = input?.items.map(({ label }) => label).join(' / ');
    const open = [input === undefined ? '' : `${asks(input)}: ${items}`, ...questions.map(({ message }) => message)];
    return `${open.filter(Boolean).join(', ') || 'nothing'}; said: ${notices.map(({ message }) => message).join(' / ')}`;
  }
}

type View = Readonly<Record<string, unknown>>;

/** A page of the extension, without the browser that draws it. */
class Page {
  readonly panel: OpenPanel;
  protected readonly driver: Driver;
  protected readonly window: Window;

  constructor(driver: Driver, window: Window, panel: OpenPanel) {
    this.driver = driver;
    this.window = window;
    this.panel = panel;
  }

  /** What the page shows. */
  get view(): View {
    return (this.panel.received.findLast(({ view }) => view !== undefined)?.['view'] ?? {}) as View;
  }

  /** Delivers a message as if the page had sent it. */
  async send(message: unknown): Promise<void> {
    this.panel.send(message);
    await this.driver.machine.rests();
  }

  close(): void {
    this.panel.close();
  }
}

/** The page that truncates one index. */
export class Wizard extends Page {
  get phase(): string {
    return String(this.view['phase']);
  }

  /** State that VS Code keeps of the page. */
  get state(): unknown {
    return { draft: this.draft, restore: this.view['restore'] };
  }

  draft: PlanDraft | undefined;

  async fill(days: number, change: Partial<PlanDraft> = {}): Promise<void> {
    const opened = this.panel.received.findLast(({ type }) => type === 'open')?.['draft'] as PlanDraft;
    this.draft = {
      ...emptyDraft(opened.entityType, opened.aspect),
      endTimeMillis: this.driver.machine.time.now() - days * DAY,
      strategy: 'deleteByQuery',
      ...change,
    };
    await this.send({ type: 'edit', draft: this.draft });
  }

  /** Counts the rows that are older, until the counts are shown. */
  async dryRun(days = 365, change: Partial<PlanDraft> = {}): Promise<void> {
    await this.fill(days, change);
    await this.send({ type: 'dryRun' });
    await this.driver.until(
      () => `a report (shown: ${JSON.stringify(this.view)})`,
      () => this.phase === 'reviewed',
    );
  }

  /** Presses the button that deletes, and comes to the last question. */
  async ask(): Promise<void> {
    await this.send({ type: 'execute' });
    for (;;) {
      await this.window.typeIfAsked();
      const question = await this.driver.until('a question', () => this.window.host.questions[0]);
      if (question.message.startsWith('Delete')) {
        return;
      }
      question.answer(question.buttons.at(-1));
    }
  }

  /** Waits until nothing is being asked or sent. */
  async settles(): Promise<void> {
    await this.driver.until(
      () => `the end of ${this.phase}`,
      () => !['dryRunning', 'confirming', 'executing'].includes(this.phase),
    );
  }
}

/** The page that shows all indices, and truncates several. */
export class Overview extends Page {
  get batch(): View {
    return this.view['batch'] as View;
  }

  async dryRun(targets: readonly Target[], days = 365): Promise<void> {
    const rows = await this.driver.until('the indices', () => {
      const shown = this.panel.received.findLast(({ rows: found }) => found !== undefined)?.['rows'] as
        | readonly { readonly id: string; readonly entityType?: string; readonly aspect?: string }[]
        | undefined;
      return shown !== undefined && shown.length > 0 && shown;
    });
    const ids = targets.map(
      (target) =>
        rows.find(({ entityType, aspect }) => entityType === target.entityType && aspect === target.aspect)?.id,
    );
    await this.send({ type: 'batch', intent: { type: 'dryRun', ids, days } });
    await this.driver.until(
      () => `a plan (shown: ${JSON.stringify(this.batch)})`,
      () => this.batch['phase'] === 'planned',
    );
  }

  async ask(): Promise<void> {
    await this.send({ type: 'batch', intent: { type: 'execute' } });
    await this.window.typeIfAsked();
    await this.driver.until('the question', () => this.window.host.questions.length > 0);
  }

  async settles(): Promise<void> {
    await this.driver.until(
      () => `the end of ${String(this.batch['phase'])}`,
      () => !['dryRunning', 'confirming', 'executing'].includes(String(this.batch['phase'])),
    );
  }
}

const ADDRESS = /Server address/;
const TOKEN = /Access token( \(optional\)\.|\. Leave empty)|access token/i;
const NAME = /A name for this connection/;
const ROLE = /What is this server used for/;
const SUMMARY = /The connection works|Can't connect/;
const TOKEN_NAME = /Name this token so you can recognize it later/;
const NEW_TOKEN = /Press Enter to create the access token on "/;
const ACCEPT_TOKEN = /^Create (Access Token|Replacement)$/;
const REPLACEMENT = /Create a replacement for "/;

function asks(input: OpenInput): string {
  return [input.title, input.prompt, input.placeholder].filter(Boolean).join(' | ');
}

function withoutIcon(label: string): string {
  return label.replace(/^\$\([\w~-]+\) /, '');
}

/** The whole name of a row, which screen readers get. */
function nameOf({ label, item }: Row): string {
  const [start = '', end] = label.split('…');
  const spoken = item.accessibilityInformation?.label ?? '';
  const name = `${escaped(start)}[^,]*?${escaped(end ?? '')}`;
  return end === undefined ? label : (new RegExp(`(?<=^|, )${name}(?=,? |$)`).exec(spoken)?.[0] ?? label);
}
