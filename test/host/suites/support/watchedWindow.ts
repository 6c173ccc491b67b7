/**
 * The questions and messages that VS Code shows at the moment. Quick picks, input boxes and notifications are VS Code's own. Modal questions are the one
 * thing that it refuses to show while tests run ("DialogService: refused to show dialog in tests"), so they wait here for an answer.
 */
import * as vscode from 'vscode';

/** A modal question as it would be shown. */
export interface Question {
  readonly message: string;
  readonly detail: string;
  readonly buttons: readonly string[];
}

export interface OpenQuestion extends Question {
  /** Presses a button; undefined is Escape. */
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

/** The parts of `vscode.window` that are listened to. The extension under test has the same one: both lie in one folder. */
interface Window {
  createInputBox: () => vscode.InputBox;
  createQuickPick: () => vscode.QuickPick<vscode.QuickPickItem>;
  showInformationMessage: ShowMessage;
  showWarningMessage: ShowMessage;
  showErrorMessage: ShowMessage;
}

const window = vscode.window as unknown as Window;

export class WatchedWindow {
  #real: Window | undefined;
  #input: QuickInput | undefined;
  readonly questions: OpenQuestion[] = [];
  notices: Notice[] = [];

  /** The quick input that is open. */
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

  /** Gives VS Code back as it was. */
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

/** The answer that Escape gives. */
function closes(button: Button): boolean {
  return typeof button === 'object' && button.isCloseAffordance === true;
}
