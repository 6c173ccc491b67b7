/** Native multi-step input: VS Code has the controls, not the flow. Back, step numbers and validation at each step. */
import * as vscode from 'vscode';
import { asTyped, inMessage, inPlace, inPlainText } from './foreignText.ts';
import { createPick, offer, type PickItem } from './quickPick.ts';

/** What a person did at one step. */
export type Answer<T> =
  | { readonly kind: 'value'; readonly value: T }
  /** To the step of this name; without one, to the step before. */
  | { readonly kind: 'back'; readonly to?: string | undefined }
  | { readonly kind: 'cancelled' };

/** Where a step stands in its flow. */
export interface StepPlace {
  readonly title: string;
  readonly step: number;
  readonly totalSteps: number;
  readonly canGoBack: boolean;
}

/** Asks one thing and keeps the answer in what it was made with. */
export interface Step {
  /** For a later step that leads back to this one. */
  readonly name?: string;
  /** False: the step is passed over, in either direction. */
  readonly applies?: () => boolean;
  readonly ask: (place: StepPlace) => Promise<Answer<void>>;
}

/** Runs the steps with a way back. @returns false when the person left. */
export async function runSteps(title: string, steps: readonly Step[]): Promise<boolean> {
  const asked: number[] = [];
  for (let index = 0; index < steps.length;) {
    const step = steps[index];
    if (step === undefined || step.applies?.() === false) {
      index++;
      continue;
    }
    const applying = steps.filter((one) => one.applies?.() !== false);
    const place = { title, step: applying.indexOf(step) + 1, totalSteps: applying.length, canGoBack: asked.length > 0 };
    const answer = await step.ask(place);
    if (answer.kind === 'cancelled') {
      return false;
    }
    if (answer.kind === 'back') {
      // What was settled for good is passed over on the way back too, or that way would lead forward again.
      do {
        index = asked.pop() ?? 0;
      } while (
        asked.length > 0 &&
        (steps[index]?.applies?.() === false || (answer.to !== undefined && steps[index]?.name !== answer.to))
      );
    } else {
      asked.push(index++);
    }
  }
  return true;
}

/** A step's question whose value goes where it is kept. */
export async function askInto<T>(question: Promise<Answer<T>>, into: (value: T) => void): Promise<Answer<void>> {
  const answer = await question;
  if (answer.kind !== 'value') {
    return answer;
  }
  into(answer.value);
  return { kind: 'value', value: undefined };
}

interface TextQuestion {
  readonly value: string;
  readonly prompt: string;
  readonly placeholder?: string;
  readonly password?: boolean;
  /** A sentence that says what is wrong, or undefined. Shown while typing; such a value is not taken. */
  readonly problem: (text: string) => string | undefined;
  /** Something to know about a value that is taken all the same. */
  readonly remark?: (text: string) => string | undefined;
}

export function askText(place: StepPlace, question: TextQuestion): Promise<Answer<string>> {
  const box = vscode.window.createInputBox();
  box.value = question.value;
  box.prompt = inMessage(question.prompt);
  box.placeholder = inPlainText(question.placeholder ?? '');
  box.password = question.password ?? false;
  const validate = (value: string): boolean => {
    const text = asTyped(value);
    const problem = question.problem(text);
    const remark = problem === undefined ? question.remark?.(text) : undefined;
    const info =
      remark === undefined
        ? undefined
        : { message: inMessage(remark), severity: vscode.InputBoxValidationSeverity.Info };
    box.validationMessage = problem === undefined ? info : inMessage(problem);
    return problem === undefined;
  };
  return show(box, place, (done) => {
    // An empty field is not wrong before anything was typed.
    if (box.value !== '') {
      validate(box.value);
    }
    return [
      box.onDidChangeValue(validate),
      box.onDidAccept(() => {
        if (validate(box.value)) {
          done({ kind: 'value', value: asTyped(box.value) });
        }
      }),
    ];
  });
}

interface PickQuestion<T extends PickItem> {
  readonly items: readonly T[];
  readonly active?: T | undefined;
  readonly placeholder: string;
  readonly matchOnDetail?: boolean;
}

export function askPick<T extends PickItem>(place: StepPlace, question: PickQuestion<T>): Promise<Answer<T>> {
  const pick = createPick<T>(question.placeholder);
  offer(pick, question.items, question.active);
  pick.matchOnDescription = true;
  pick.matchOnDetail = question.matchOnDetail ?? false;
  return show(pick, place, (done) => [
    pick.onDidAccept(() => {
      const [chosen] = pick.selectedItems;
      if (chosen !== undefined) {
        done({ kind: 'value', value: chosen });
      }
    }),
  ]);
}

/**
 * Shows any quick input until it is answered, left, or gone back from.
 * @param listen Starts listening; called once, before the input is shown.
 */
export function show<T>(
  input: vscode.QuickInput & {
    buttons: readonly vscode.QuickInputButton[];
    onDidTriggerButton: vscode.Event<vscode.QuickInputButton>;
  },
  place: StepPlace,
  listen: (done: (answer: Answer<T>) => void) => vscode.Disposable[],
): Promise<Answer<T>> {
  input.title = inPlace(inPlainText(place.title));
  // A flow of one question is no flow: no "(1/1)".
  if (place.totalSteps > 1) {
    input.step = place.step;
    input.totalSteps = place.totalSteps;
  }
  // Looking something up in another window must not lose what was typed.
  input.ignoreFocusOut = true;
  input.buttons = place.canGoBack ? [vscode.QuickInputButtons.Back, ...input.buttons] : input.buttons;
  return new Promise((resolve) => {
    const done = (answer: Answer<T>): void => {
      resolve(answer);
      for (const disposable of disposables) {
        disposable.dispose();
      }
      input.dispose();
    };
    const disposables = [
      ...listen(done),
      input.onDidTriggerButton((button) => {
        if (button === vscode.QuickInputButtons.Back) {
          done({ kind: 'back' });
        }
      }),
      input.onDidHide(() => done({ kind: 'cancelled' })),
    ];
    input.show();
  });
}

/** The place of a question that stands alone. */
export function alone(title: string): StepPlace {
  return { title, step: 1, totalSteps: 1, canGoBack: false };
}
