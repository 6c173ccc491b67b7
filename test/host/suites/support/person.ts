/** A user in front of VS Code: answers, accepts, goes back and leaves through VS Code's own commands. */
import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { CommandId } from '../../../../src/manifest.ts';
import type { Row } from './tree.ts';
import { actUntil, until } from './until.ts';
import { WatchedWindow, type Notice, type OpenQuestion, type Question, type QuickInput } from './watchedWindow.ts';

interface Offer {
  readonly pick: vscode.QuickPick<vscode.QuickPickItem>;
  readonly item: vscode.QuickPickItem;
}

export class Person {
  readonly #window = new WatchedWindow();

  /** Starts to observe questions and notifications. */
  arrive(): void {
    this.#window.start();
  }

  depart(): void {
    this.#window.stop();
  }

  /** Ends a test: asserts no open question, forgets earlier notifications. */
  assertNothingOpen(): void {
    const { questions, input } = this.#window;
    const open = [...questions.map(({ message }) => message), ...(input === undefined ? [] : [describe(input)])];
    for (const { answer } of questions.splice(0)) {
      answer(undefined);
    }
    input?.hide();
    this.#window.notices = [];
    assert.deepEqual(open, [], 'a question was left open');
  }

  /** Waits for the input box that asks this (title, prompt or placeholder), and enters a text that it must accept. */
  async types(asked: RegExp, text: string): Promise<void> {
    assert.equal(await this.#enter(asked, text), undefined, `"${text}" was not taken`);
  }

  /**
   * Enters a text that is not accepted.
   * @returns the problem at the field; the box stays open
   */
  async triesToType(asked: RegExp, text: string): Promise<string> {
    const problem = await this.#enter(asked, text);
    assert.ok(problem !== undefined, `"${text}" was taken`);
    return problem;
  }

  /** Title and prompt of the input box that asks this. It stays open. */
  async readsBox(asked: RegExp): Promise<{ readonly title: string; readonly prompt: string }> {
    const box = await this.#asked(asked);
    assert.ok(!('items' in box), `${describe(box)} is no input box`);
    return { title: box.title ?? '', prompt: box.prompt ?? '' };
  }

  /** Waits for an item of the quick pick that asks this, and picks it. */
  async picks(asked: RegExp, label: string | RegExp): Promise<void> {
    const { pick, item } = await this.#offer(asked, label);
    await this.#acceptUntilTaken(item.label, pick, () => (pick.activeItems = [item]));
  }

  /**
   * Picks an item of a quick pick that stays open.
   * @param outcome an item that it offers afterwards
   */
  async tries(asked: RegExp, label: string | RegExp, outcome: string): Promise<void> {
    const { pick, item } = await this.#offer(asked, label);
    await actUntil(
      `"${item.label}" to be tried`,
      () => {
        pick.activeItems = [item];
        return accept();
      },
      () => this.#window.input !== pick || pick.items.some((one) => withoutIcon(one.label) === outcome),
    );
    assert.equal(this.#window.input, pick, 'the quick pick was closed');
  }

  /** Picks the item that is selected by default. */
  async accepts(asked: RegExp, label: string | RegExp): Promise<void> {
    const { pick, item } = await this.#offer(asked, label);
    await until(`"${item.label}" to be marked`, () => pick.activeItems[0]?.label === item.label);
    await this.#acceptUntilTaken(item.label, pick);
  }

  /** Checks these items of a quick pick and no others, and accepts. */
  async ticks(asked: RegExp, ...labels: readonly (string | RegExp)[]): Promise<void> {
    const [{ pick }, ...offers] = await Promise.all([
      this.#offer(asked, /./),
      ...labels.map((label) => this.#offer(asked, label)),
    ]);
    const ticked = offers.map(({ item }) => item);
    await this.#acceptUntilTaken('the ticked items', pick, () => (pick.selectedItems = ticked));
  }

  /**
   * Checks these items of a quick pick and no others, and leaves it open.
   * @param outcome The items that are checked afterwards, in the order of the list.
   */
  async checks(asked: RegExp, labels: readonly string[], outcome: readonly string[]): Promise<void> {
    const offers = await Promise.all(labels.map((label) => this.#offer(asked, label)));
    const pick = offers[0]?.pick ?? assert.fail('nothing to check');
    pick.selectedItems = offers.map(({ item }) => item);
    const checked = (): string =>
      pick.items.flatMap((one) => (pick.selectedItems.includes(one) ? one.label : [])).join();
    await until(
      () => `${outcome.join()} to be checked (checked: ${checked()})`,
      () => checked() === outcome.join(),
    );
  }

  /** Checks several items of a quick pick that does not accept them. It stays open. */
  async triesToTick(asked: RegExp, ...labels: readonly string[]): Promise<void> {
    const offers = await Promise.all(labels.map((label) => this.#offer(asked, label)));
    const pick = offers[0]?.pick ?? assert.fail('nothing to tick');
    pick.selectedItems = offers.map(({ item }) => item);
    await accept();
  }

  /** Items of a quick pick, once it offers this one. */
  async offered(asked: RegExp, label: string | RegExp): Promise<readonly vscode.QuickPickItem[]> {
    return (await this.#offer(asked, label)).pick.items;
  }

  /** True if the rows of a quick pick have check boxes. */
  async checksSeveral(asked: RegExp): Promise<boolean> {
    const input = await this.#asked(asked);
    return 'items' in input && input.canSelectMany;
  }

  /** Types into the filter of an open quick pick. */
  async filters(asked: RegExp, text: string): Promise<void> {
    const open = await this.#asked(asked);
    open.value = text;
    await sent();
  }

  async reads(asked: RegExp): Promise<string> {
    return (await this.#asked(asked)).value;
  }

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

  /** Waits for the modal question, and leaves it open. */
  async isAsked(said: RegExp): Promise<Question> {
    return until(`the question ${said}`, () => this.#modal(said));
  }

  /**
   * Answers the modal question with this text. Without a button, by Escape.
   * @returns the whole question
   */
  async answers(said: RegExp, button?: string | RegExp): Promise<Question> {
    const found = this.#window.questions;
    const question = await until(
      () => `the question ${said} (open: ${this.#open()}, told: ${this.toldSoFar.join(' / ')})`,
      () => this.#modal(said),
    );
    const pressed = question.buttons.find((one) => (typeof button === 'string' ? one === button : button?.test(one)));
    assert.ok(
      button === undefined || pressed !== undefined,
      `The question has no button "${button}" but ${question.buttons.join(', ')}.`,
    );
    found.splice(found.indexOf(question), 1);
    question.answer(pressed);
    return question;
  }

  /**
   * Runs a command that asks one modal question, and answers that.
   * @param rows The ones that are selected, the first one clicked.
   * @param button As in `answers`.
   */
  async runs(
    command: CommandId,
    rows: Row | readonly Row[],
    said: RegExp,
    button?: string | RegExp,
  ): Promise<Question> {
    const nodes = [rows].flat().map(({ node }) => node);
    const ran = vscode.commands.executeCommand(command, nodes[0], nodes.length > 1 ? nodes : undefined);
    const question = await this.answers(said, button);
    await ran;
    return question;
  }

  /**
   * Waits for a notification.
   * @returns its whole text
   */
  async seesNotification(said: RegExp): Promise<string> {
    return (await this.#notice(said)).message;
  }

  /**
   * Waits for a notification with this text.
   * @returns its buttons
   */
  async isOffered(said: RegExp): Promise<readonly string[]> {
    return (await this.#notice(said)).buttons;
  }

  async presses(said: RegExp, button: string): Promise<void> {
    const notice = await this.#notice(said);
    assert.ok(
      notice.buttons.includes(button),
      `The notification has no button "${button}" but ${notice.buttons.join(', ')}.`,
    );
    notice.press(button);
  }

  /** Texts of all notifications since the last test. */
  get toldSoFar(): readonly string[] {
    return this.#window.notices.map(({ message }) => message);
  }

  #notice(said: RegExp): Promise<Notice> {
    return until(
      () => `a notification ${said} (told: ${this.toldSoFar.join(' / ')})`,
      () => this.#window.notices.find(({ message }) => said.test(message)),
    );
  }

  #asked(asked: RegExp): Promise<QuickInput> {
    return until(
      () => `to be asked ${asked} (open: ${this.#open()})`,
      () => {
        const { input } = this.#window;
        return input !== undefined && asked.test(describe(input)) && input;
      },
    );
  }

  #offer(asked: RegExp, label: string | RegExp): Promise<Offer> {
    return until(
      () => `"${label}" to be offered by ${asked} (open: ${this.#open()})`,
      () => {
        const { input } = this.#window;
        if (input === undefined || !('items' in input) || !asked.test(describe(input))) {
          return undefined;
        }
        const item = input.items.find((one) =>
          typeof label === 'string' ? withoutIcon(one.label) === label : label.test(one.label),
        );
        return item === undefined ? undefined : { pick: input, item };
      },
    );
  }

  #modal(said: RegExp): OpenQuestion | undefined {
    return this.#window.questions.find(({ message }) => said.test(message));
  }

  #open(): string {
    const { input } = this.#window;
    return input === undefined ? 'nothing' : describe(input);
  }

  /** @returns the problem that is shown; undefined if the text was accepted */
  async #enter(asked: RegExp, text: string): Promise<string | undefined> {
    const box = await this.#asked(asked);
    assert.ok(!('items' in box), `${describe(box)} is no input box`);
    box.value = text;
    box.validationMessage = undefined;
    const { prompt } = box;
    let isAccepted = false;
    const outcome = await actUntil(
      `an answer to "${text}"`,
      async () => {
        await accept();
        isAccepted = true;
      },
      () => {
        const isOpen = this.#window.input === box;
        const problem = isOpen ? (problemOf(box) ?? (box.prompt === prompt ? undefined : box.prompt)) : undefined;
        return isAccepted && (!isOpen || problem !== undefined) && { problem };
      },
    );
    return outcome.problem;
  }

  /** @param choose selects what is accepted */
  async #acceptUntilTaken(what: string, pick: QuickInput, choose: () => unknown = () => undefined): Promise<void> {
    await actUntil(
      `"${what}" to be taken`,
      () => {
        choose();
        return accept();
      },
      () => this.#window.input !== pick,
    );
  }

  async #closeBy(command: string, asked: RegExp): Promise<void> {
    const input = await this.#asked(asked);
    await sent();
    await actUntil(
      `${describe(input)} to close`,
      async () => vscode.commands.executeCommand(command),
      () => this.#window.input !== input,
    );
  }
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

/** VS Code sends changes of a quick input in a timer without delay, and a later timer runs later. */
function sent(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 0));
}
