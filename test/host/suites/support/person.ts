/**
 * A person in front of VS Code. Quick picks and input boxes are VS Code's own and are accepted, gone back from and left through
 * its own commands. Modal questions are the one thing that VS Code refuses to show while tests run ("DialogService: refused to
 * show dialog in tests"), so they are answered here; what the extension does with an answer is its own doing.
 */
import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { until } from './until.ts';

/** A modal question as it would be shown. */
export interface Question {
  readonly message: string;
  readonly detail: string;
  readonly buttons: readonly string[];
}

interface OpenQuestion extends Question {
  answer(button: string | undefined): void;
}

interface Notice {
  readonly message: string;
  readonly buttons: readonly string[];
  press(button: string): void;
}

type QuickInput = vscode.InputBox | vscode.QuickPick<vscode.QuickPickItem>;
type Button = string | vscode.MessageItem;
type ShowMessage = (message: string, ...rest: (Button | vscode.MessageOptions)[]) => Thenable<Button | undefined>;

/** The parts of `vscode.window` that are listened to. The extension under test has the same one: both lie in one folder. */
interface Window {
  createInputBox: () => vscode.InputBox;
  createQuickPick: () => vscode.QuickPick<vscode.QuickPickItem>;
  showInformationMessage: ShowMessage;
  showWarningMessage: ShowMessage;
  showErrorMessage: ShowMessage;
}

const window = vscode.window as unknown as Window;

export class Person {
  #real: Window | undefined;
  #input: QuickInput | undefined;
  #questions: OpenQuestion[] = [];
  #notices: Notice[] = [];

  /** From now on this person sees what is asked and told. */
  arrive(): void {
    const real = (this.#real = { ...pick(window) });
    window.createInputBox = () => this.#watch(real.createInputBox());
    window.createQuickPick = () => this.#watch(real.createQuickPick());
    window.showInformationMessage = this.#listening(real.showInformationMessage);
    window.showWarningMessage = this.#listening(real.showWarningMessage);
    window.showErrorMessage = this.#listening(real.showErrorMessage);
  }

  /** Gives VS Code back as it was. */
  depart(): void {
    Object.assign(window, this.#real);
  }

  /** For the end of each test: nothing waits for an answer any more, and what was told is not taken for something told later. */
  assertNothingOpen(): void {
    const open = [...this.#questions.map(({ message }) => message), ...(this.#input === undefined ? [] : [describe(this.#input)])];
    this.#questions.splice(0).forEach(({ answer }) => answer(undefined));
    this.#input?.hide();
    this.#notices = [];
    assert.deepEqual(open, [], 'a question was left open');
  }

  /** Waits for the input box that asks this (title, prompt or placeholder), enters a text, and has it taken. */
  async types(asked: RegExp, text: string): Promise<void> {
    const problem = await this.#enter(asked, text);
    assert.equal(problem, undefined, `"${text}" was not taken`);
  }

  /** Enters a text that is not taken. @returns why not, as told at the field. The box stays open. */
  async triesToType(asked: RegExp, text: string): Promise<string> {
    const problem = await this.#enter(asked, text);
    assert.ok(problem !== undefined, `"${text}" was taken`);
    return problem;
  }

  /** Waits for an item of the quick pick that asks this, and takes it. */
  async picks(asked: RegExp, label: string | RegExp): Promise<void> {
    const { pick: open, item } = await this.#item(asked, label);
    open.activeItems = [item];
    await accept();
    await until(`"${item.label}" to be taken`, () => this.#input !== open);
  }

  /** Ticks several items of a quick pick and takes them. */
  async ticks(asked: RegExp, ...labels: readonly string[]): Promise<void> {
    const found = await Promise.all(labels.map((label) => this.#item(asked, label)));
    const [first] = found;
    assert.ok(first !== undefined);
    first.pick.selectedItems = found.map(({ item }) => item);
    await accept();
    await until('the ticked items to be taken', () => this.#input !== first.pick);
  }

  /** What a quick pick offers, once it offers this. */
  async offered(asked: RegExp, label: string | RegExp): Promise<readonly vscode.QuickPickItem[]> {
    return (await this.#item(asked, label)).pick.items;
  }

  /** Types into the filter of a quick pick, which stays open. */
  async filters(asked: RegExp, text: string): Promise<void> {
    const open = await this.#asked(asked);
    open.value = text;
    await sent();
  }

  /** What stands in the open box. */
  async reads(asked: RegExp): Promise<string> {
    return (await this.#asked(asked)).value;
  }

  /** Whether the box hides what is typed. */
  async isHidden(asked: RegExp): Promise<boolean> {
    const input = await this.#asked(asked);
    return 'password' in input && input.password;
  }

  async goesBack(asked: RegExp): Promise<void> {
    await this.#closeBy('workbench.action.quickInputBack', asked);
  }

  async leaves(asked: RegExp): Promise<void> {
    await this.#closeBy('workbench.action.closeQuickOpen', asked);
  }

  /** Answers the modal question that says this; no button is Escape. @returns the whole question. */
  async answers(said: RegExp, button?: string | RegExp): Promise<Question> {
    const question = await until(`the question ${said}`, () => this.#questions.find(({ message }) => said.test(message)));
    const pressed = button === undefined ? undefined : question.buttons.find((one) => (typeof button === 'string' ? one === button : button.test(one)));
    assert.ok(button === undefined || pressed !== undefined, `The question has no button "${button}" but ${question.buttons.join(', ')}.`);
    this.#questions = this.#questions.filter((one) => one !== question);
    question.answer(pressed);
    return question;
  }

  /** Waits for a notification that says this. @returns its text. */
  async isTold(said: RegExp): Promise<string> {
    return (await this.#notice(said)).message;
  }

  /** Presses a button of a notification. */
  async presses(said: RegExp, button: string): Promise<void> {
    const notice = await this.#notice(said);
    assert.ok(notice.buttons.includes(button), `The notification has no button "${button}" but ${notice.buttons.join(', ')}.`);
    notice.press(button);
  }

  /** Everything that notifications said since the last test. */
  get toldSoFar(): readonly string[] {
    return this.#notices.map(({ message }) => message);
  }

  #notice(said: RegExp): Promise<Notice> {
    return until(`a notification ${said} (told: ${this.toldSoFar.join(' / ')})`, () => this.#notices.find(({ message }) => said.test(message)));
  }

  #asked(asked: RegExp): Promise<QuickInput> {
    return until(`to be asked ${asked}`, () => (this.#input !== undefined && asked.test(describe(this.#input)) ? this.#input : undefined));
  }

  async #item(asked: RegExp, label: string | RegExp): Promise<{ readonly pick: vscode.QuickPick<vscode.QuickPickItem>; readonly item: vscode.QuickPickItem }> {
    return until(`"${label}" to be offered by ${asked} (open: ${this.#input === undefined ? 'nothing' : describe(this.#input)})`, () => {
      const open = this.#input;
      if (open === undefined || !('items' in open) || !asked.test(describe(open))) {
        return undefined;
      }
      const item = open.items.find((one) => (typeof label === 'string' ? withoutIcon(one.label) === label : label.test(one.label)));
      return item === undefined ? undefined : { pick: open, item };
    });
  }

  /** @returns the problem that is shown, or undefined when the text was taken. */
  async #enter(asked: RegExp, text: string): Promise<string | undefined> {
    const box = await this.#asked(asked);
    assert.ok(!('items' in box), `${describe(box)} is no input box`);
    box.value = text;
    box.validationMessage = undefined;
    await accept();
    const outcome = await until(`an answer to "${text}"`, () => {
      const problem = this.#input === box ? problemOf(box) : undefined;
      return (this.#input !== box || problem !== undefined) && { problem };
    });
    return outcome.problem;
  }

  async #closeBy(command: string, asked: RegExp): Promise<void> {
    const input = await this.#asked(asked);
    await sent();
    await vscode.commands.executeCommand(command);
    await until(`${describe(input)} to close`, () => this.#input !== input);
  }

  #watch<T extends QuickInput>(input: T): T {
    this.#input = input;
    const gone = (): void => {
      if (this.#input === input) {
        this.#input = undefined;
      }
    };
    input.onDidHide(gone);
    const dispose = input.dispose.bind(input);
    input.dispose = () => {
      gone();
      dispose();
    };
    return input;
  }

  /** Notifications are shown by VS Code all the same; modal questions cannot be. */
  #listening(real: ShowMessage): ShowMessage {
    return (message, ...rest) => {
      const options = rest.find((one) => typeof one === 'object' && !('title' in one)) as vscode.MessageOptions | undefined;
      const items = rest.filter((one): one is Button => one !== options);
      const buttons = items.map(titleOf);
      const item = (title: string | undefined): Button | undefined => items.find((one) => (title === undefined ? closes(one) : titleOf(one) === title));
      return options?.modal === true
        ? new Promise((done) => this.#questions.push({ message, detail: options.detail ?? '', buttons, answer: (button) => done(item(button)) }))
        : Promise.race([real(message, ...rest), new Promise<Button | undefined>((done) => this.#notices.push({ message, buttons, press: (button) => done(item(button)) }))]);
    };
  }
}

function titleOf(button: Button): string {
  return typeof button === 'string' ? button : button.title;
}

/** What Escape stands for. */
function closes(button: Button): boolean {
  return typeof button === 'object' && button.isCloseAffordance === true;
}

function pick({ createInputBox, createQuickPick, showInformationMessage, showWarningMessage, showErrorMessage }: Window): Window {
  return { createInputBox, createQuickPick, showInformationMessage, showWarningMessage, showErrorMessage };
}

function describe(input: QuickInput): string {
  return [input.title, 'prompt' in input ? input.prompt : undefined, input.placeholder].filter(Boolean).join(' | ');
}

function problemOf(box: vscode.InputBox): string | undefined {
  const shown = box.validationMessage;
  return typeof shown === 'string' ? shown : undefined;
}

function withoutIcon(label: string): string {
  return label.replace(/^\$\([\w~-]+\) /, '');
}

async function accept(): Promise<void> {
  await sent();
  await vscode.commands.executeCommand('workbench.action.acceptSelectedQuickOpenItem');
}

/** VS Code sends changes of a quick input in a timer of no delay; one that is set later runs later. */
function sent(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 0));
}
