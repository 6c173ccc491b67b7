/** Messages, modal questions and progress. The only caller of VS Code's functions, so all text is made harmless. */
import * as vscode from 'vscode';
import { untilAborted } from '../service/http/waiting.ts';
import { inMessage, inPlace, inPlainText, inSentence } from './foreignText.ts';

/** A paragraph of a modal's detail, or its lines. */
export type ModalParagraph = string | readonly string[];

/** @returns the chosen action. */
export function showInformation(text: string, ...actions: readonly string[]): Thenable<string | undefined> {
  return vscode.window.showInformationMessage(inMessage(text), ...actions);
}

export function showWarning(text: string, ...actions: readonly string[]): Thenable<string | undefined> {
  return vscode.window.showWarningMessage(inMessage(text), ...actions);
}

export function showError(text: string, ...actions: readonly string[]): Thenable<string | undefined> {
  return vscode.window.showErrorMessage(inMessage(text), ...actions);
}

/** A modal offer that destroys nothing. */
export function askModal(
  text: string,
  detail: readonly ModalParagraph[],
  ...actions: readonly vscode.MessageItem[]
): Thenable<vscode.MessageItem | undefined> {
  return vscode.window.showInformationMessage(inPlace(inPlainText(text)), modalOptions(detail), ...actions);
}

/**
 * The modal question before something is destroyed or a token exposed. Nothing is sent without it.
 * @param yes Label of the button, named after its action.
 */
export async function confirm(message: string, detail: readonly ModalParagraph[], yes: string): Promise<boolean> {
  return (await warnModal(message, detail, yes)) === yes;
}

/**
 * Same, with a safe answer that comes first, has the focus, and is the default.
 * @param no The safe answer, as is Escape. As a close affordance VS Code would put it last, without focus.
 */
export async function confirmOrKeep(
  message: string,
  detail: readonly ModalParagraph[],
  no: string,
  yes: string,
): Promise<boolean> {
  return (await warnModal(message, detail, no, yes)) === yes;
}

/** VS Code puts the message after title and colon. */
interface ProgressStep {
  readonly message?: string;
  /** Percent since the last step. */
  readonly increment?: number;
}

/** Shows a notification until the work is done. */
export function showProgress<T>(
  title: string,
  cancellable: boolean,
  work: (stop: vscode.CancellationToken, progress: vscode.Progress<ProgressStep>) => Thenable<T>,
): Thenable<T> {
  const options = { location: vscode.ProgressLocation.Notification, title: inMessage(title), cancellable };
  return vscode.window.withProgress(options, (progress, stop) =>
    work(stop, {
      report: ({ message, ...step }) =>
        progress.report(message === undefined ? step : { ...step, message: inMessage(message) }),
    }),
  );
}

/**
 * Shows a notification with a Cancel button until the work is done.
 * @throws ServiceFailure `cancelled` if the user cancels, besides what the work throws.
 */
export async function showCancellableProgress<T>(title: string, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  return showProgress(title, true, (token) => {
    const stop = new AbortController();
    token.onCancellationRequested(() => stop.abort());
    return untilAborted(work(stop.signal), stop.signal);
  });
}

function warnModal(
  text: string,
  detail: readonly ModalParagraph[],
  ...answers: readonly string[]
): Thenable<string | undefined> {
  return vscode.window.showWarningMessage(inPlace(inPlainText(text)), modalOptions(detail), ...answers);
}

/** Only our own text has line breaks. */
function modalOptions(detail: readonly ModalParagraph[]): vscode.MessageOptions {
  return { modal: true, detail: detail.map((paragraph) => [paragraph].flat().map(inSentence).join('\n')).join('\n\n') };
}
