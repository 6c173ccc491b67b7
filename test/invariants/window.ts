/** What a user does in a window, and what it shows. */
import assert from 'node:assert/strict';
import type * as vscode from 'vscode';
import { COMMANDS, WIZARD_VIEW_TYPE, type CommandId } from '../../src/manifest.ts';
import type { PlanDraft } from '../../src/truncation/plan.ts';
import { ASKED, Controls } from './controls.ts';
import type { Driver } from './driver.ts';
import type { Panel } from './editor/vscode.ts';
import type { OpenWindow } from './editor/window.ts';
import { Overview, viewOn, Wizard } from './pages.ts';
import { isExpandable, isToken, readRows, type Row } from './tree.ts';
import { OPERATIONS, type Target } from './truncations.ts';

export type Role = 'Development' | 'Production' | 'Read-only';

export interface ConnectOptions {
  readonly name?: string;
  readonly role?: Role;
  readonly token?: string;
  readonly url?: string;
}

/** The last question before each change, or the list that shows what Enter does. */
const LAST_QUESTIONS = {
  truncate: /^Delete (\d[\d,]* of [\d,]+ rows?|rows) of/,
  truncateSeveral: /^Delete (\d[\d,]* of [\d,]+ rows?|rows) of/,
  create: /Press Enter to create the access token on "/,
  revoke: /^Revoke/,
  revokeSeveral: /^Revoke 3 access tokens/,
  rotate: /Create a replacement for "/,
  /** Of a token whose ID isn't known, and of one that was created here. */
  rotateOwn: /Press Enter to create the access token on "|Create a replacement for "/,
  signOut: /^Sign out of/,
  remove: /^Remove the connection/,
} as const;

export type ChangeName = keyof typeof LAST_QUESTIONS;

/** Name of the connection, if none is given. */
const NAME = 'Staging';

export class Window extends Controls {
  readonly #opened: OpenWindow;

  constructor(driver: Driver, opened: OpenWindow) {
    super(driver, opened.host);
    this.#opened = opened;
  }

  close(): Promise<void> {
    return this.#opened.close();
  }

  // Connections: each is described, and then a yes is given

  /** Adds a connection and signs in, even if its server can't be reached. */
  async connect(options: ConnectOptions = {}): Promise<void> {
    await this.describeConnection(options);
    await this.agree();
    await this.row(options.name ?? NAME);
  }

  async describeConnection({ name = NAME, role = 'Development', token, url }: ConnectOptions = {}): Promise<void> {
    this.run(COMMANDS.connectionAdd);
    await this.reply(ASKED.address, url ?? this.driver.server.url);
    await this.reply(ASKED.token, token ?? this.driver.issueToken());
    await this.reply(ASKED.form, /^Name: /);
    await this.reply(ASKED.name, name);
    await this.#describeRole(role);
  }

  async describeAddress(url: string, token: string): Promise<void> {
    this.run(COMMANDS.connectionEdit, await this.row(NAME));
    await this.reply(ASKED.form, /^Address: /);
    await this.reply(ASKED.address, url);
    await this.reply(ASKED.token, token);
    await this.isAskedFor(ASKED.form);
  }

  /** Changes the address of the connection, and signs in there. */
  async changeAddress(url: string, token: string): Promise<void> {
    await this.describeAddress(url, token);
    await this.agree();
  }

  /** Chooses another role. */
  async setRole(role: Role): Promise<void> {
    this.run(COMMANDS.connectionEdit, await this.row(NAME));
    await this.#describeRole(role);
    await this.agree();
  }

  async typeToken(token: string): Promise<void> {
    this.run(COMMANDS.connectionSignIn, await this.row(NAME));
    await this.type(ASKED.token, token);
  }

  async signIn(token: string): Promise<void> {
    await this.typeToken(token);
    await this.agree();
  }

  /** Reads in the tree what a connection is worth: `absent`, `works`, `signed out`, or what is wrong with it. */
  async stateOf(name = NAME): Promise<string> {
    await this.wholeTree();
    const row = await this.findRow(name);
    if (row === undefined) {
      return 'absent';
    }
    const tokens = await this.#rowsOf(name, 'Access tokens');
    const indices = await this.#rowsOf(name, 'Time series indices');
    const isListed = tokens.some(isToken) && indices.some(isExpandable);
    return isListed ? 'works' : row.text.includes('signed out') ? 'signed out' : row.text;
  }

  /** Pastes a token to look into, and comes to the question whether to ask a server about it. */
  async inspect(token: string, name = NAME): Promise<void> {
    this.run(COMMANDS.tokenInspect);
    await this.reply(ASKED.inspected, token);
    await this.reply(ASKED.inspection, /^Ask a Server/);
    if (ASKED.connection.test(this.asking ?? '')) {
      await this.reply(ASKED.connection, new RegExp(name));
    }
    await this.isAskedFor(/^Send this access token/);
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

  /** Makes a change as far as it is asked about before. */
  async do(change: ChangeName): Promise<void> {
    await this.ask(change);
    await this.yes();
  }

  /** Comes to the last question before an index is truncated. */
  async askToTruncate(plan: Partial<PlanDraft> = {}): Promise<Wizard> {
    const wizard = await this.openWizard();
    await wizard.dryRun(plan);
    await wizard.acceptCautions();
    await wizard.pressDelete();
    await this.toLastQuestion(LAST_QUESTIONS.truncate);
    return wizard;
  }

  /** What the window tells the user outside of the tree: its notices, and what its pages show now. */
  get told(): string {
    return [...this.notices, ...this.host.panels.map((panel) => JSON.stringify(viewOn(panel)))].join('\n');
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

  /** Texts of all truncations of the connection. */
  async truncations(): Promise<readonly string[]> {
    return (await this.#rowsOf(NAME, 'Truncations')).map(({ text }) => text);
  }

  /** Loads everything again. */
  async refresh(): Promise<void> {
    this.run(COMMANDS.explorerRefresh, await this.row(NAME));
    await this.driver.rests();
    await this.wholeTree();
  }

  async #rowsFrom(above?: Row): Promise<readonly Row[]> {
    const rows = await this.rows(above);
    const below = await Promise.all(rows.filter(isExpandable).map((row) => this.#rowsFrom(row)));
    return [...rows, ...below.flat()];
  }

  async #rowsOf(...path: readonly string[]): Promise<readonly Row[]> {
    const row = await this.findRow(...path);
    return row === undefined ? [] : this.rows(row);
  }

  // Pages

  async openWizard({ entityType, aspect }: Target = OPERATIONS): Promise<Wizard> {
    const row = await this.row(NAME, 'Time series indices', entityType, aspect);
    return new Wizard(this.driver, await this.#openPage(COMMANDS.indexTruncate, row));
  }

  async openOverview(): Promise<Overview> {
    return new Overview(this.driver, await this.#openPage(COMMANDS.indexOverview, await this.row(NAME)));
  }

  /** VS Code opens the pages of the window before again. */
  async restoreWizard(state: unknown): Promise<Wizard> {
    const panel = new this.#opened.vscode.Panel('');
    const serializer = this.host.serializers.get(WIZARD_VIEW_TYPE) ?? assert.fail('there is no serializer');
    void serializer.deserializeWebviewPanel(panel as unknown as vscode.WebviewPanel, state);
    return new Wizard(this.driver, await this.#loaded(panel));
  }

  async #openPage(command: CommandId, row: Row): Promise<Panel> {
    const before = this.host.panels.length;
    this.run(command, row);
    return this.#loaded(await this.driver.until('a page', () => this.host.panels[before]));
  }

  async #loaded(panel: Panel): Promise<Panel> {
    await this.driver.until('a page', () => panel.isLoaded);
    panel.send({ type: 'ready', timeZone: 'UTC' });
    await this.driver.until('what the page shows', () => panel.received.length > 0);
    return panel;
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
      await overview.dryRun();
      await overview.pressDelete();
    },
    create: async () => {
      this.run(COMMANDS.tokenCreate, await this.row(NAME));
      await this.reply(ASKED.tokenName, 'made here');
    },
    revoke: async () => this.run(COMMANDS.tokenRevoke, ...(await this.#tokens(1))),
    revokeSeveral: async () => this.run(COMMANDS.tokenRevoke, ...(await this.#tokens(3))),
    rotate: async () => this.run(COMMANDS.tokenRotate, ...(await this.#tokens(1))),
    rotateOwn: async () => this.run(COMMANDS.connectionRotateToken, await this.row(NAME)),
    signOut: async () => this.run(COMMANDS.connectionSignOut, await this.row(NAME)),
    remove: async () => this.run(COMMANDS.connectionRemove, await this.row(NAME)),
  };

  async #tokens(count: number): Promise<readonly Row[]> {
    const group = await this.row(NAME, 'Access tokens');
    const rows = await this.driver.until('tokens', async () => {
      const found = (await this.rows(group)).filter(isToken);
      return found.length > 0 && found;
    });
    return rows.filter(({ label }) => !label.startsWith('issued')).slice(0, count);
  }

  async #describeRole(role: Role): Promise<void> {
    await this.isAskedFor(ASKED.form);
    if (this.host.input?.items.some(({ label }) => label.endsWith(`Role: ${role}`)) === false) {
      await this.reply(ASKED.form, /^Role: /);
      await this.reply(ASKED.role, new RegExp(`^${role}`));
    }
  }
}
