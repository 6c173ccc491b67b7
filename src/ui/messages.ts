/** Messages, modal questions and progress. Nothing else calls VS Code for them, so every text is made harmless here. */
import * as vscode from 'vscode';
import { untilAborted } from '../service/http/waiting.ts';
import { inMessage, inPlace, inPlainText, inSentence } from './foreignText.ts';

/** A paragraph of a modal's detail, or the lines of one. */
export type Paragraph = string | readonly string[];

/** @returns the action that was chosen. */
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
  detail: readonly Paragraph[],
  ...actions: readonly vscode.MessageItem[]
): Thenable<vscode.MessageItem | undefined> {
  return vscode.window.showInformationMessage(inPlace(inPlainText(text)), modalOptions(detail), ...actions);
}

/**
 * The modal question before something is destroyed, or a token gets where others can read it. Nothing is sent without it.
 * @param yes The button, named after what it does.
 */
export async function confirm(message: string, detail: readonly Paragraph[], yes: string): Promise<boolean> {
  return (await warnModal(message, detail, yes)) === yes;
}

/**
 * The same question where nothing needs to be destroyed now: the safe answer comes first, has the focus, and is what Enter means.
 * @param no The safe answer. Escape means it too; as a close affordance VS Code would put it last and focus the other one.
 */
export async function confirmOrKeep(
  message: string,
  detail: readonly Paragraph[],
  no: string,
  yes: string,
): Promise<boolean> {
  return (await warnModal(message, detail, no, yes)) === yes;
}

/** A step of work under way. VS Code puts the message behind the title and a colon. */
interface ProgressStep {
  readonly message?: string;
  /** Percent done since the last step. */
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
 * Shows a notification with which the user can stop waiting for the work.
 * @throws ServiceFailure `cancelled` when the user stops waiting, besides what the work throws.
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
  detail: readonly Paragraph[],
  ...answers: readonly string[]
): Thenable<string | undefined> {
  return vscode.window.showWarningMessage(inPlace(inPlainText(text)), modalOptions(detail), ...answers);
}

/** Only our own text has line breaks: whatever a name holds, it stays in its line. */
function modalOptions(detail: readonly Paragraph[]): vscode.MessageOptions {
  return { modal: true, detail: detail.map((paragraph) => [paragraph].flat().map(inSentence).join('\n')).join('\n\n') };
}
