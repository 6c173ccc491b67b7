/** Pick lists, and multi-step input with VS Code's own controls: back, step numbers, and validation. */
import * as vscode from 'vscode';
import { asTyped, inMessage, inPlace, inPlainText, inLabel } from './foreignText.ts';
import type { ServiceFailure } from '../service/failure/failure.ts';
import { wrappedLines } from './textLines.ts';

/** The user's answer to a step. */
export type StepAnswer<T> =
  | { readonly kind: 'value'; readonly value: T }
  /** Back to the previous step. */
  | { readonly kind: 'back' }
  | { readonly kind: 'cancelled' };

/** Position of a step in its flow. */
export interface StepPlace {
  readonly title: string;
  readonly step: number;
  readonly totalSteps: number;
  readonly canGoBack: boolean;
}

/** Asks one question and stores the answer itself. */
export interface InputStep {
  /** False: the step is skipped, in both directions. */
  readonly applies?: () => boolean;
  readonly ask: (place: StepPlace) => Promise<StepAnswer<void>>;
}

/**
 * Runs the steps, with a way back.
 * @param isNested True if the first step leads back as well, to the question that these steps belong to.
 * @returns false if the user cancelled.
 */
export async function runInputSteps(title: string, steps: readonly InputStep[], isNested = false): Promise<boolean> {
  const asked: number[] = [];
  for (let index = 0; index < steps.length;) {
    const step = steps[index];
    if (step === undefined || step.applies?.() === false) {
      index++;
      continue;
    }
    const applying = steps.filter((one) => one.applies?.() !== false);
    const canGoBack = isNested || asked.length > 0;
    const place = { title, step: applying.indexOf(step) + 1, totalSteps: applying.length, canGoBack };
    const answer = await step.ask(place);
    if (answer.kind === 'cancelled' || (answer.kind === 'back' && isNested && asked.length === 0)) {
      return false;
    }
    if (answer.kind === 'back') {
      // Going back also skips steps that no longer apply, or it would lead forward again.
      do {
        index = asked.pop() ?? 0;
      } while (asked.length > 0 && steps[index]?.applies?.() === false);
    } else {
      asked.push(index++);
    }
  }
  return true;
}

/** Stores a step's answer. */
export async function askAndStore<T>(
  question: Promise<StepAnswer<T>>,
  into: (value: T) => void,
): Promise<StepAnswer<void>> {
  const answer = await question;
  if (answer.kind !== 'value') {
    return answer;
  }
  into(answer.value);
  return { kind: 'value', value: undefined };
}

interface TextInputQuestion {
  readonly value: string;
  readonly prompt: string;
  readonly placeholder?: string;
  readonly password?: boolean;
  /** Describes the error, or undefined. Shown while typing; prevents accepting. */
  readonly problem: (text: string) => string | undefined;
}

export function askText(place: StepPlace, question: TextInputQuestion): Promise<StepAnswer<string>> {
  const box = vscode.window.createInputBox();
  box.value = question.value;
  box.prompt = inMessage(question.prompt);
  box.placeholder = inPlainText(question.placeholder ?? '');
  box.password = question.password ?? false;
  const validateText = (value: string): boolean => {
    const text = asTyped(value);
    const problem = question.problem(text);
    box.validationMessage = problem === undefined ? undefined : inMessage(problem);
    return problem === undefined;
  };
  return showInput<string>(box, place, (done) => {
    // An empty field is no error until something was typed.
    if (box.value !== '') {
      validateText(box.value);
    }
    return [
      box.onDidChangeValue(validateText),
      box.onDidAccept(() => {
        if (validateText(box.value)) {
          done({ kind: 'value', value: asTyped(box.value) });
        }
      }),
    ];
  });
}

interface ExactTextQuestion {
  readonly title: string;
  readonly prompt: string;
  /** In the empty field. */
  readonly placeholder: string;
  readonly isRight: (text: string) => boolean;
  /** Said in front of the prompt after a wrong Enter. */
  readonly refusal: string;
}

/**
 * Has the user type a text, so that an accidental Enter isn't enough. Validates nothing meanwhile: VS Code shows a problem in
 * place of the prompt.
 */
export async function askExactText({
  title,
  prompt,
  placeholder,
  isRight,
  refusal,
}: ExactTextQuestion): Promise<boolean> {
  const box = vscode.window.createInputBox();
  box.prompt = inMessage(prompt);
  box.placeholder = inPlainText(placeholder);
  const answer = await showInput<true>(box, singleStep(title), (done) => [
    box.onDidAccept(() => {
      if (isRight(asTyped(box.value))) {
        done({ kind: 'value', value: true });
      } else {
        // In place of the prompt, with the same facts.
        box.validationMessage = inMessage(`${refusal} ${prompt}`);
      }
    }),
    box.onDidChangeValue(() => {
      box.validationMessage = '';
    }),
  ]);
  return answer.kind === 'value';
}

interface PickListQuestion<T extends PickItem> {
  readonly items: readonly T[];
  readonly active?: T | undefined;
  readonly placeholder: string;
}

export function askPick<T extends PickItem>(place: StepPlace, question: PickListQuestion<T>): Promise<StepAnswer<T>> {
  const pick = createPickList<T>(question.placeholder);
  showPickItems(pick, question.items, question.active);
  pick.matchOnDescription = true;
  return showPickList(pick, place, ([chosen]) => chosen);
}

/** @param accept Called with what is selected when the user presses Enter. Undefined keeps the list open. */
export function showPickList<T extends PickItem, Answer>(
  pick: vscode.QuickPick<T>,
  place: StepPlace,
  accept: (selected: readonly T[]) => Answer | undefined,
): Promise<StepAnswer<Answer>> {
  return showInput(pick, place, (done) => [
    pick.onDidAccept(() => {
      const value = accept(pick.selectedItems);
      if (value !== undefined) {
        done({ kind: 'value', value });
      }
    }),
  ]);
}

/**
 * Shows a quick input until the user answers, leaves, or goes back.
 * @param listen Called once, before the input is shown.
 */
export function showInput<T>(
  input: vscode.QuickInput & {
    value: string;
    buttons: readonly vscode.QuickInputButton[];
    onDidTriggerButton: vscode.Event<vscode.QuickInputButton>;
  },
  place: StepPlace,
  listen: (done: (answer: StepAnswer<T>) => void) => vscode.Disposable[],
): Promise<StepAnswer<T>> {
  input.title = inPlace(inPlainText(place.title));
  // A single question has no "(1/1)".
  if (place.totalSteps > 1) {
    input.step = place.step;
    input.totalSteps = place.totalSteps;
  }
  // Keeps the input while the user looks something up elsewhere.
  input.ignoreFocusOut = true;
  input.buttons = place.canGoBack ? [vscode.QuickInputButtons.Back, ...input.buttons] : input.buttons;
  return new Promise((resolve) => {
    const done = (answer: StepAnswer<T>): void => {
      resolve(answer);
      for (const disposable of disposables) {
        disposable.dispose();
      }
      // VS Code hides its one field with its text, which may be a token.
      input.value = '';
      input.hide();
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

/** Position of a single question. */
export function singleStep(title: string): StepPlace {
  return { title, step: 1, totalSteps: 1, canGoBack: false };
}

export interface PickItem extends vscode.QuickPickItem {
  /** Name of a VS Code icon, shown before the label. */
  readonly icon?: string;
}

export function createPickList<T extends PickItem>(placeholder: string): vscode.QuickPick<T> {
  const pick = vscode.window.createQuickPick<T>();
  setPlaceholder(pick, placeholder);
  return pick;
}

/** Sets the text of the empty field. */
export function setPlaceholder(pick: vscode.QuickPick<PickItem>, placeholder: string): void {
  pick.placeholder = inPlainText(placeholder);
}

/** @param label Drawn over the end of the next line, which must be short. */
export function separator(label = ''): PickItem {
  return { label, kind: vscode.QuickPickItemKind.Separator };
}

/** @param active The item to focus. */
export function showPickItems<T extends PickItem>(pick: vscode.QuickPick<T>, items: readonly T[], active?: T): void {
  pick.items = items.map(escapedPickItem);
  if (active !== undefined) {
    pick.activeItems = pick.items.filter((_, index) => items[index] === active);
  }
}

function escapedPickItem<T extends PickItem>(item: T): T {
  const { icon, label, description, detail } = item;
  return {
    ...item,
    label: `${icon === undefined ? '' : `$(${icon}) `}${inPlace(inLabel(label))}`,
    // An empty text is none: callers need not leave the key out.
    description: description ? inPlace(inLabel(description)) : undefined,
    detail: detail ? inPlace(inLabel(detail)) : undefined,
  };
}

/** A failure as items: the headline, then the full text. None has a value. */
export function failureItems({ headline, message, next }: ServiceFailure): PickItem[] {
  return [
    { icon: 'error', label: headline, alwaysShow: true },
    ...wrappedLineItems('info', message),
    ...(next === undefined ? [] : wrappedLineItems('lightbulb', next)),
  ];
}

/** The icon stands before the first line; the others are indented. Shown for any input. */
export function wrappedLineItems(icon: string, text: string): PickItem[] {
  return wrappedLines(text).map((label, line) => ({ icon: line === 0 ? icon : 'blank', label, alwaysShow: true }));
}
