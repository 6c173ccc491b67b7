/**
 * Questions and messages that VS Code currently shows. Quick picks, input boxes and notifications are VS Code's own.
 * It refuses to show modal questions in tests ("DialogService: refused to show dialog in tests"), so they wait here
 * for an answer.
 */
import * as vscode from 'vscode';

export interface Question {
  readonly message: string;
  readonly detail: string;
  readonly buttons: readonly string[];
}

export interface OpenQuestion extends Question {
  /** Presses a button. undefined means Escape. */
  answer(button: string | undefined): void;
}

export interface Notice {
  readonly message: string;
  readonly buttons: readonly string[];
  press(button: string): void;
}

export type QuickInput = vscode.InputBox | vscode.QuickPick<vscode.QuickPickItem>;

type Button = string | vscode.MessageItem;
type ShowMessage = (message: string, ...rest: (Button | vscode.MessageOptions)[]) => Thenable<Button | undefined>;

/** Observed parts of `vscode.window`. The extension under test has the same object, because both are in one folder. */
interface Window {
  createInputBox: () => vscode.InputBox;
  createQuickPick: () => vscode.QuickPick<vscode.QuickPickItem>;
  showInformationMessage: ShowMessage;
  showWarningMessage: ShowMessage;
  showErrorMessage: ShowMessage;
}

const window = vscode.window as unknown as Window;

/** Asked in the extension host of a server, whose loopback addresses other users may have. The services of tests listen there. */
const LOOPBACK_CONSENT = /^Send credentials to (?:127\.0\.0\.1|localhost|\[::1\])(?::\d+)? without encryption/;

export class WatchedWindow {
  #real: Window | undefined;
  #input: QuickInput | undefined;
  readonly questions: OpenQuestion[] = [];
  notices: Notice[] = [];

  get input(): QuickInput | undefined {
    return this.#input;
  }

  start(): void {
    const { createInputBox, createQuickPick, showInformationMessage, showWarningMessage, showErrorMessage } = window;
    this.#real = { createInputBox, createQuickPick, showInformationMessage, showWarningMessage, showErrorMessage };
    window.createInputBox = () => this.#watch(createInputBox());
    window.createQuickPick = () => this.#watch(createQuickPick());
    window.showInformationMessage = this.#listening(showInformationMessage);
    window.showWarningMessage = this.#listening(showWarningMessage);
    window.showErrorMessage = this.#listening(showErrorMessage);
  }

  stop(): void {
    Object.assign(window, this.#real);
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

  #listening(real: ShowMessage): ShowMessage {
    return (message, ...rest) => {
      const options = rest.find((one) => typeof one === 'object' && !('title' in one)) as
        | vscode.MessageOptions
        | undefined;
      const items = rest.filter((one): one is Button => one !== options);
      const buttons = items.map(titleOf);
      let press: (button: string | undefined) => void = () => undefined;
      const pressed = new Promise<Button | undefined>((done) => {
        press = (button) => done(items.find((one) => (button === undefined ? closes(one) : titleOf(one) === button)));
      });
      if (options?.modal === true && LOOPBACK_CONSENT.test(message)) {
        press('Use Plain HTTP');
        return pressed;
      }
      if (options?.modal === true) {
        this.questions.push({ message, detail: options.detail ?? '', buttons, answer: press });
        return pressed;
      }
      this.notices.push({ message, buttons, press });
      return Promise.race([real(message, ...rest), pressed]);
    };
  }
}

function titleOf(button: Button): string {
  return typeof button === 'string' ? button : button.title;
}

/** True for the button that Escape presses. */
function closes(button: Button): boolean {
  return typeof button === 'object' && button.isCloseAffordance === true;
}
