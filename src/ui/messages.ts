/** Messages and modal questions. The only caller of VS Code's functions, so all text is made harmless. */
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { inMessage, inPlace, inPlainText, inSentence } from './foreignText.ts';

/** A paragraph of a modal's detail, or its lines. Empty ones are left out. */
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

/**
 * Tells the user what was copied, and offers to open it as an untitled document. VS Code shows a message with an action
 * at full length.
 */
export async function offerToOpen(said: string, content: string, language: string): Promise<void> {
  const label = l10n.t('Open in Editor');
  if ((await showInformation(said, label)) === label) {
    await vscode.window.showTextDocument(await vscode.workspace.openTextDocument({ content, language }));
  }
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

function warnModal(
  text: string,
  detail: readonly ModalParagraph[],
  ...answers: readonly string[]
): Thenable<string | undefined> {
  return vscode.window.showWarningMessage(inPlace(inPlainText(text)), modalOptions(detail), ...answers);
}

/** Only our own text has line breaks. */
function modalOptions(detail: readonly ModalParagraph[]): vscode.MessageOptions {
  const paragraphs = detail.map((paragraph) => [paragraph].flat().filter(Boolean).map(inSentence).join('\n'));
  return { modal: true, detail: paragraphs.filter(Boolean).join('\n\n') };
}
