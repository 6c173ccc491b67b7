/** Messages, modal questions and progress. Nothing else calls VS Code for them, so that no text gets there as it came. */
import * as vscode from 'vscode';
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
  return vscode.window.showInformationMessage(inPlace(inPlainText(text)), modal(detail), ...actions);
}

/** A modal warning; only ui/confirm.ts asks this way. */
export function warnModal(
  text: string,
  detail: readonly Paragraph[],
  ...answers: readonly string[]
): Thenable<string | undefined> {
  return vscode.window.showWarningMessage(inPlace(inPlainText(text)), modal(detail), ...answers);
}

/** What is new of work under way. VS Code puts the message behind the title and a colon. */
interface ProgressStep {
  readonly message?: string;
  /** Percent that were done since the last step. */
  readonly increment?: number;
}

/** Shows a notification while the work goes on. */
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

/** Lines and paragraphs are ours alone: whatever a name holds, it stays in its line. */
function modal(detail: readonly Paragraph[]): vscode.MessageOptions {
  return { modal: true, detail: detail.map((paragraph) => [paragraph].flat().map(inSentence).join('\n')).join('\n\n') };
}
