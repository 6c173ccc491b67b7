/** What a user does in a window, and what it shows. */
import assert from 'node:assert/strict';
import type * as vscode from 'vscode';
import { COMMANDS, WIZARD_VIEW_TYPE, type CommandId } from '../../src/manifest.ts';
import type { UserName } from '../service/users.ts';
import { Controls } from './controls.ts';
import type { Driver } from './driver.ts';
import { SECOND } from './durations.ts';
import type { OpenPanel } from './editor/host.ts';
import type { OpenWindow } from './editor/window.ts';
import { Overview, viewOn, Wizard } from './pages.ts';
import { ASKED, asks, withoutIcon } from './questions.ts';
import { isExpandable, isToken, readRows, type Row } from './tree.ts';
import { OPERATIONS, PROFILES, type Target } from './truncations.ts';

export type Role = 'Development' | 'Production' | 'Read-only';

export interface ConnectOptions {
  readonly name?: string;
  readonly role?: Role;
  readonly user?: UserName;
  readonly token?: string;
  readonly url?: string;
}

export type ChangeName =
  | 'truncate'
  | 'truncateSeveral'
  | 'create'
  | 'revoke'
  | 'revokeSeveral'
  | 'rotate'
  | 'rotateOwn';

/** The last question before each, or the list that shows what Enter does. */
const LAST_QUESTIONS: Readonly<Record<ChangeName, RegExp>> = {
  truncate: ASKED.deletion,
  truncateSeveral: ASKED.deletion,
  create: ASKED.newToken,
  revoke: /^Revoke/,
  revokeSeveral: /^Revoke 3 access tokens/,
  rotate: ASKED.replacement,
  rotateOwn: /^Rotate the access token/,
};

export class Window extends Controls {
  /** Name of the connection, if none is given. */
  readonly #name = 'Staging';
  readonly #opened: OpenWindow;

  constructor(driver: Driver, opened: OpenWindow) {
    super(driver, opened.host);
    this.#opened = opened;
  }

  // Ends

  /** Lets the window's storage and its secrets take only so many writes more. Others never come back. */
  stopStorageAfter(writes: number): void {
    this.host.writesAllowed = this.host.writes + writes;
  }

  /** Writes so far. */
  get writes(): number {
    return this.host.writes;
  }

  async close(): Promise<void> {
    await this.#opened.close();
  }

  // Connections

  /** Adds a connection and signs in. */
  async connect(options: ConnectOptions = {}): Promise<void> {
    await this.describeConnection(options);
    await this.saveConnection();
    await this.row(options.name ?? this.#name);
  }

  /** Comes to the last press before a connection is added. */
  async describeConnection({
    name = this.#name,
    role = 'Development',
    user = 'admin',
    token,
    url,
  }: ConnectOptions = {}): Promise<void> {
    this.run(COMMANDS.connectionAdd);
    const box = await this.asked(ASKED.address);
    box.typed(url ?? this.driver.server.url);
    await this.pick(ASKED.address, /^http/);
    await this.type(ASKED.token, token ?? this.driver.issueToken(user));
    if (token === '') {
      await this.pick(ASKED.form, /^User: /);
      await this.type(ASKED.user, user);
    }
    await this.pick(ASKED.form, /^Name: /);
    await this.type(ASKED.name, name);
    await this.#formRole(role);
  }

  /** Fills in a connection, and answers the question whether its token may go there unencrypted. */
  async declinePlainHttp(url: string): Promise<void> {
    await this.describeConnection({ url });
    await this.pick(ASKED.form, /^Save /);
    await this.answer(ASKED.plainHttp, undefined);
    await this.escape();
  }

  /** Asks for a terminal in which the command line has a token. */
  async openTerminal(name = this.#name): Promise<void> {
    this.run(COMMANDS.tokenOpenTerminal, await this.row(name));
    await this.driver.rests();
  }

  /** Saves the connection that was added or edited, even if its server can't be reached. */
  async saveConnection(): Promise<void> {
    await this.pick(ASKED.form, /^Save /);
    await this.driver.rests();
    this.#answerIfAsked(ASKED.plainHttp, /^Use Plain HTTP$/);
    await this.driver.rests();
    if (this.host.input?.items.some(({ label }) => withoutIcon(label) === 'Save Anyway') === true) {
      await this.pick(ASKED.form, 'Save Anyway');
    }
  }

  /** Chooses another role. */
  async setRole(role: Role, name = this.#name): Promise<void> {
    this.run(COMMANDS.connectionEdit, await this.row(name));
    await this.pick(ASKED.form, /^Role: /);
    await this.pick(ASKED.role, role);
    await this.pick(ASKED.form, /^Save /);
    await this.driver.rests();
    this.#answerIfAsked(/^(Change the role|Allow deleting rows)/, /^(Change Role|Choose Development)$/);
    await this.driver.rests();
  }

  /** Comes to the question before a connection is signed out. */
  async askToSignOut(name = this.#name): Promise<void> {
    this.run(COMMANDS.connectionSignOut, await this.row(name));
    await this.asksModally(/^Sign out of/);
  }

  async signOut(name = this.#name): Promise<void> {
    await this.askToSignOut(name);
    await this.yes();
  }

  /** Comes to the last press before another token is signed in with. */
  async typeToken(token: string, name = this.#name): Promise<void> {
    this.run(COMMANDS.connectionSignIn, await this.row(name));
    (await this.asked(ASKED.token)).typed(token);
  }

  /** Signs in with the token that was typed. */
  async acceptToken(): Promise<void> {
    (await this.asked(ASKED.token)).accept();
    await this.driver.rests();
    const { input } = this.host;
    // The token is another user's.
    if (input !== undefined && ASKED.form.test(asks(input))) {
      await this.pick(ASKED.form, /^Save /);
    }
  }

  async signIn(token: string, name = this.#name): Promise<void> {
    await this.typeToken(token, name);
    await this.acceptToken();
  }

  /** Signs in as another user. */
  async signInAs(user: UserName, name = this.#name): Promise<void> {
    await this.signIn(this.driver.issueToken(user), name);
  }

  /** Comes to the question before a connection is removed. */
  async askToRemove(name = this.#name): Promise<void> {
    this.run(COMMANDS.connectionRemove, await this.row(name));
    await this.asksModally(/^Remove the connection/);
  }

  async removeConnection(name = this.#name): Promise<void> {
    await this.askToRemove(name);
    await this.yes();
  }

  /** Comes to the last press before the address of a connection changes, and its token with it. */
  async describeAddress(url: string, token: string, name = this.#name): Promise<void> {
    this.run(COMMANDS.connectionEdit, await this.row(name));
    await this.pick(ASKED.form, /^Address: /);
    const box = await this.asked(ASKED.address);
    box.typed(url);
    await this.pick(ASKED.address, url);
    await this.type(ASKED.token, token);
    await this.asked(ASKED.form);
  }

  /** Changes the address of a connection, and signs in there. */
  async changeAddress(url: string, token: string, name = this.#name): Promise<void> {
    await this.describeAddress(url, token, name);
    await this.saveConnection();
  }

  /** Reads in the tree what a connection is worth: `absent`, `works`, `signed out`, or what is wrong with it. */
  async stateOf(name = this.#name): Promise<string> {
    await this.wholeTree();
    const row = await this.findRow(name);
    if (row === undefined) {
      return 'absent';
    }
    const [tokens, indices] = await Promise.all(
      ['Access tokens', 'Time series indices'].map(async (group) => {
        const list = await this.findRow(name, group);
        return list && this.rows(list);
      }),
    );
    const isListed = tokens?.some(isToken) === true && indices?.some(isExpandable) === true;
    return isListed ? 'works' : row.text.includes('signed out') ? 'signed out' : row.text;
  }

  /** Pastes a token to look into, and comes to the question whether to ask a server about it. */
  async inspect(token: string, name = this.#name): Promise<void> {
    this.run(COMMANDS.tokenInspect);
    await this.type(ASKED.inspected, token);
    await this.pick(ASKED.inspection, /^Ask a Server/);
    await this.driver.until('a question', () => this.isAsked && this.host.input?.items[0]?.label !== 'Ask a Server…');
    if (this.host.input !== undefined) {
      await this.pick(ASKED.connection, name);
    }
    await this.asksModally(/^Send this access token/);
  }

  // Changes: each is asked about, and then a yes is given or not

  /** Presses the button, or chooses the command, that leads to a change. */
  async press(change: ChangeName): Promise<void> {
    await this.#presses[change]();
    await this.driver.rests();
  }

  /** Comes to the last question before a change. */
  async ask(change: ChangeName): Promise<void> {
    await this.press(change);
    await this.toLastQuestion(LAST_QUESTIONS[change]);
  }

  /** Says yes to all questions but the last one. */
  async toLastQuestion(last: RegExp): Promise<void> {
    for (;;) {
      await this.driver.until('a question', () => this.isAsked);
      const { input, questions } = this.host;
      const isTyped = this.textToType !== undefined;
      const asked = questions[0]?.message ?? (input === undefined ? '' : asks(input));
      if (last.test(asked)) {
        break;
      }
      await (isTyped || questions.length > 0 ? this.yes() : this.pick(ASKED.duration, /^1 month/));
    }
    if (this.host.input?.kind === 'pick') {
      await this.#untilAcceptable();
    }
  }

  /** Creates a token, and comes to the question what to do with its value. */
  async createToken(): Promise<void> {
    await this.ask('create');
    await this.yes();
    await this.asksModally(ASKED.createdToken);
  }

  /** Copies the value of the token that was just created. */
  async copyCreatedToken(): Promise<void> {
    await this.answer(ASKED.createdToken, 'Copy Token');
  }

  /** Leaves the value of the token that was just created. */
  async closeCreatedToken(): Promise<void> {
    await this.answer(ASKED.createdToken, 'Close');
  }

  /** Pastes a text where an address is asked for, and leaves. */
  async typeAsAddress(text: string): Promise<void> {
    this.run(COMMANDS.connectionAdd);
    await this.type(ASKED.address, text);
    await this.escape();
  }

  /** Pastes a text where the name of a new token is asked for, and leaves. */
  async typeAsTokenName(text: string): Promise<void> {
    this.run(COMMANDS.tokenCreate, await this.row(this.#name));
    await this.type(ASKED.tokenName, text);
    await this.escape();
  }

  /** What the window tells the user outside of the tree: its notices, and what its pages show now. */
  get told(): string {
    const { notices, panels } = this.host;
    const shown = panels.map((panel) => JSON.stringify(viewOn(panel)));
    return [...notices.map(({ message }) => message), ...shown].join('\n');
  }

  // The tree

  /** Reads the rows at the top, or those below one. */
  rows(below?: Row): Promise<readonly Row[]> {
    return readRows(this.host.tree ?? assert.fail('there is no tree'), below);
  }

  /** Waits for a row by its label and those of the rows above it. */
  row(...path: readonly string[]): Promise<Row> {
    return this.driver.until(`the row ${path.join(' > ')}`, async () => this.findRow(...path));
  }

  async findRow(...path: readonly string[]): Promise<Row | undefined> {
    let row: Row | undefined;
    for (const label of path) {
      row = (await this.rows(row)).find((one) => one.label.toLowerCase() === label.toLowerCase());
      if (row === undefined) {
        return undefined;
      }
    }
    return row;
  }

  /** Reads all rows, once the lists below them are loaded. */
  async wholeTree(): Promise<readonly Row[]> {
    for (let before = -1; ;) {
      const rows = await this.#rowsFrom();
      if (rows.length === before) {
        return rows;
      }
      before = rows.length;
      await this.driver.rests();
    }
  }

  async #rowsFrom(above?: Row): Promise<readonly Row[]> {
    const rows = await this.rows(above);
    const below = await Promise.all(rows.filter(isExpandable).map((row) => this.#rowsFrom(row)));
    return [...rows, ...below.flat()];
  }

  /** Texts of all truncations of a connection. */
  async truncations(name = this.#name): Promise<readonly Row[]> {
    const group = await this.findRow(name, 'Truncations');
    return group === undefined ? [] : this.rows(group);
  }

  async refresh(...path: readonly string[]): Promise<void> {
    this.run(COMMANDS.explorerRefresh, await this.row(...path));
    await this.driver.rests();
  }

  // Pages

  async openWizard({ entityType, aspect }: Target = OPERATIONS, name = this.#name): Promise<Wizard> {
    const row = await this.row(name, 'Time series indices', entityType, aspect);
    return this.#openPage(COMMANDS.indexTruncate, row, Wizard);
  }

  async openOverview(name = this.#name): Promise<Overview> {
    return this.#openPage(COMMANDS.indexOverview, await this.row(name), Overview);
  }

  async #openPage<T>(
    command: CommandId,
    row: Row,
    Page: new (driver: Driver, window: Window, panel: OpenPanel) => T,
  ): Promise<T> {
    const before = this.host.panels.length;
    this.run(command, row);
    const panel = await this.driver.until('a page', () => this.host.panels[before]);
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
    await this.driver.until('a page', () => panel.isLoaded);
    panel.send({ type: 'ready', timeZone: 'UTC' });
    await this.driver.until('what the page shows', () => panel.received.length > 0);
    return new Page(this.driver, this, panel);
  }

  // Flows

  readonly #presses: Readonly<Record<ChangeName, () => Promise<void>>> = {
    truncate: async () => {
      const wizard = await this.openWizard();
      await wizard.dryRun();
      await wizard.pressDelete();
    },
    truncateSeveral: async () => {
      const overview = await this.openOverview();
      await overview.dryRun([OPERATIONS, PROFILES]);
      await overview.pressDelete();
    },
    create: async () => {
      this.run(COMMANDS.tokenCreate, await this.row(this.#name));
      await this.type(ASKED.tokenName, 'made here');
    },
    revoke: async () => this.run(COMMANDS.tokenRevoke, ...(await this.#tokens()).slice(0, 1)),
    revokeSeveral: async () => this.run(COMMANDS.tokenRevoke, ...(await this.#tokens()).slice(0, 3)),
    rotate: async () => this.run(COMMANDS.tokenRotate, ...(await this.#tokens()).slice(0, 1)),
    rotateOwn: async () => this.run(COMMANDS.connectionRotateToken, await this.row(this.#name)),
  };

  async #tokens(): Promise<readonly Row[]> {
    const group = await this.row(this.#name, 'Access tokens');
    const rows = await this.driver.until('tokens', async () => {
      const found = await this.rows(group);
      return found.some(isToken) && found;
    });
    return rows.filter((row) => isToken(row) && !row.label.startsWith('issued'));
  }

  async #formRole(role: Role): Promise<void> {
    const input = await this.asked(ASKED.form);
    if (!input.items.some(({ label }) => label.endsWith(`Role: ${role}`))) {
      await this.pick(ASKED.form, /^Role: /);
      await this.pick(ASKED.role, role);
    }
  }

  /** A list that was filled late ignores Enter for a moment. */
  async #untilAcceptable(): Promise<void> {
    await this.driver.until('a token to accept', () =>
      this.host.input?.items.some(({ label }) => ASKED.acceptToken.test(withoutIcon(label))),
    );
    await this.driver.passTime(SECOND);
  }

  #answerIfAsked(said: RegExp, button: RegExp): void {
    const question = this.host.questions.find(({ message }) => said.test(message));
    question?.answer(question.buttons.find((one) => button.test(one)));
  }
}
