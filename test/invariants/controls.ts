/** VS Code's own controls in a window: commands, lists, boxes, and modal questions. */
import assert from 'node:assert/strict';
import type { CommandId } from '../../src/manifest.ts';
import type { Driver } from './driver.ts';
import type { Host } from './editor/host.ts';
import type { Row } from './tree.ts';

/** The product's questions, by their words. */
export const ASKED = {
  address: /Server address/,
  plainHttp: /^Send credentials to .* without encryption/,
  token: /Access token( \(optional\)\.|\. Leave empty| for )/,
  name: /A name for this connection/,
  role: /What is this server used for/,
  form: /Select what to change/,
  tokenName: /Name this token so you can recognize it later/,
  createdToken: /^The access token ".*" was created/,
  inspected: /Access token to inspect/,
  inspection: /Contents of the access token/,
  connection: /Select a connection/,
  typedText: /Type ".*"(?:\.| to revoke )/,
} as const;

/** Items of lists that do what is asked about, the first one found. */
const ACCEPTING = [/^Create (Access Token|Replacement)$/, /^Save Anyway$/, /^Save /];

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

  /**
   * Answers the list, the box or the modal question that asks this.
   * @param answer A text to enter, or the label of an item or a button.
   */
  async reply(asked: RegExp, answer: string | RegExp): Promise<void> {
    const give = await this.driver.until(
      () => `${asked} to be asked, and to take ${answer} (open: ${this.#open}; said: ${this.notices.join(' / ')})`,
      () => asked.test(this.asking ?? '') && this.#giving(answer),
    );
    give();
    await this.driver.rests();
  }

  /** Types a text where this is asked, without Enter. */
  async type(asked: RegExp, text: string): Promise<void> {
    await this.isAskedFor(asked);
    this.host.input?.typed(text);
  }

  /** Says yes to what is asked now: presses the button, types what is to be typed, or accepts. */
  async yes(): Promise<void> {
    await this.driver.rests();
    const { input, questions } = this.host;
    const [question] = questions;
    if (question !== undefined) {
      question.answer(question.buttons.at(-1));
    } else if (input?.kind === 'box') {
      this.#giving(this.textToType ?? input.value)?.();
    } else if (input !== undefined) {
      (this.#acceptance() ?? assert.fail(`no yes to ${this.#open}`))();
    }
    await this.driver.rests();
  }

  /** Says yes to all that is asked, as often as anything could be. */
  async agree(): Promise<void> {
    for (let question = 0; question < 4 && this.asking !== undefined; question++) {
      await this.yes();
    }
  }

  /** Leaves what is asked, by Escape. */
  async escape(): Promise<void> {
    await this.driver.rests();
    const { input, questions } = this.host;
    if (questions[0] === undefined) input?.hide();
    else questions[0].answer(undefined);
    await this.driver.rests();
  }

  /** The text to type before a change. Undefined if none is asked for now. */
  get textToType(): string | undefined {
    const { input } = this.host;
    return input?.kind === 'box' && ASKED.typedText.test(input.prompt ?? '') ? input.placeholder : undefined;
  }

  /** The open question. */
  get asking(): string | undefined {
    return this.host.questions[0]?.message ?? this.host.input?.question;
  }

  get notices(): readonly string[] {
    return this.host.notices.map(({ message }) => message);
  }

  /** Says yes to all questions but the last one. */
  async toLastQuestion(last: RegExp): Promise<void> {
    while (!last.test(await this.driver.until('a question', () => this.asking))) {
      await this.yes();
    }
    if (this.host.input?.kind === 'pick') {
      await this.driver.until('a token to accept', () => this.#acceptance());
    }
  }

  /** Waits for a question. */
  protected async isAskedFor(asked: RegExp): Promise<void> {
    await this.driver.until(
      () => `to be asked ${asked} (open: ${this.#open})`,
      () => asked.test(this.asking ?? ''),
    );
  }

  /** What accepts the open list. Undefined if it has no such item. */
  #acceptance(): (() => void) | undefined {
    return ACCEPTING.map((label) => this.#giving(label)).find((give) => give !== undefined);
  }

  /** What gives an answer to the open question. Undefined if it can't be given. */
  #giving(answer: string | RegExp): (() => void) | undefined {
    const { input, questions } = this.host;
    const [question] = questions;
    if (typeof answer === 'string') {
      return () => {
        input?.typed(answer);
        input?.accept();
      };
    }
    if (question !== undefined) {
      const button = question.buttons.find((one) => answer.test(one));
      return button === undefined ? undefined : () => question.answer(button);
    }
    const item = input?.items.find(({ label }) => answer.test(withoutIcon(label)));
    return (
      item &&
      (() => {
        input?.choose(item);
        input?.accept();
      })
    );
  }

  get #open(): string {
    const items = this.host.input?.items.map(({ label }) => label) ?? [];
    return [this.asking ?? 'nothing', ...items].join(' / ');
  }
}

function withoutIcon(label: string): string {
  return label.replace(/^\$\([\w~-]+\) /, '');
}
