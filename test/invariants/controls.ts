/** VS Code's own controls in a window: commands, lists, boxes, and modal questions. */
import assert from 'node:assert/strict';
import type { CommandId } from '../../src/manifest.ts';
import type { Driver } from './driver.ts';
import type { Host, OpenInput, Question } from './editor/host.ts';
import { ASKED, asks, withoutIcon } from './questions.ts';
import type { Row } from './tree.ts';

export class Controls {
  readonly host: Host;
  protected readonly driver: Driver;

  constructor(driver: Driver, host: Host) {
    this.driver = driver;
    this.host = host;
  }

  /** Runs a command, with a row or without. Its questions come later. */
  run(command: CommandId, ...rows: readonly Row[]): void {
    const handler = this.host.commands.get(command) ?? assert.fail(`${command} is not registered`);
    const [first] = rows;
    void handler(first?.handle, rows.length > 1 ? rows.map(({ handle }) => handle) : undefined);
  }

  /** Picks an item of the quick pick that asks this. */
  async pick(asked: RegExp, label: string | RegExp): Promise<void> {
    const { input, item } = await this.driver.until(
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
    await this.driver.rests();
  }

  /** Enters a text into the input box that asks this. */
  async type(asked: RegExp, text: string): Promise<void> {
    const input = await this.asked(asked);
    input.typed(text);
    input.accept();
    await this.driver.rests();
  }

  /** Answers the modal question. @param button Undefined is Escape. */
  async answer(said: RegExp, button: string | RegExp | undefined): Promise<Question> {
    const question = await this.asksModally(said);
    question.answer(question.buttons.find((one) => (typeof button === 'string' ? one === button : button?.test(one))));
    await this.driver.rests();
    return question;
  }

  /** Says yes to what is asked: presses the button, or types what is to be typed. */
  async yes(): Promise<void> {
    await this.driver.rests();
    const [question] = this.host.questions;
    if (question !== undefined) {
      question.answer(question.buttons.at(-1));
    } else if (this.textToType !== undefined) {
      await this.typeToConfirm(this.textToType);
    } else if (this.host.input !== undefined) {
      await this.pick(/./, ASKED.acceptToken);
    }
    await this.driver.rests();
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

  /** Leaves what is asked, by Escape. */
  async escape(): Promise<void> {
    await this.driver.rests();
    const { input, questions } = this.host;
    if (questions[0] === undefined) input?.hide();
    else questions[0].answer(undefined);
    await this.driver.rests();
  }

  /** Types a text where one is to be typed before a change. */
  async typeToConfirm(text: string): Promise<void> {
    await this.type(ASKED.typedText, text);
  }

  /** The text to type before a change. Undefined if none is asked for now. */
  get textToType(): string | undefined {
    const { input } = this.host;
    return input?.kind === 'box' && ASKED.typedText.test(input.prompt ?? '') ? input.placeholder : undefined;
  }

  /** True while a question is open. */
  get isAsked(): boolean {
    return this.host.questions.length > 0 || this.host.input !== undefined;
  }

  get notices(): readonly string[] {
    return this.host.notices.map(({ message }) => message);
  }

  /** Waits for the list or the box that asks this. */
  protected asked(asked: RegExp): Promise<OpenInput> {
    return this.driver.until(
      () => `to be asked ${asked} (open: ${this.#open()})`,
      () => this.host.input !== undefined && asked.test(asks(this.host.input)) && this.host.input,
    );
  }

  /** Waits for the modal question that says this. */
  protected asksModally(said: RegExp): Promise<Question> {
    return this.driver.until(
      () => `the question ${said} (open: ${this.#open()})`,
      () => this.host.questions.find(({ message }) => said.test(message)),
    );
  }

  #open(): string {
    const { input, questions } = this.host;
    const items = input?.items.map(({ label }) => label).join(' / ');
    const open = [input === undefined ? '' : `${asks(input)}: ${items}`, ...questions.map(({ message }) => message)];
    return `${open.filter(Boolean).join(', ') || 'nothing'}; said: ${this.notices.join(' / ')}`;
  }
}
