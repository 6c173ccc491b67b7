/** A failure where the rows would be: what happened, why, and what to do next. */
import * as vscode from 'vscode';
import { COMMANDS } from '../manifest.ts';
import type { ServiceFailure } from '../service/failure/failure.ts';
import { inPlainText } from '../ui/foreignText.ts';
import { Tooltip } from '../ui/tooltip.ts';
import { handleOf } from '../ui/handles.ts';
import type { ExplorerNode } from './node.ts';

export class FailureNode implements ExplorerNode {
  readonly parent: ExplorerNode;
  readonly connectionId: string;
  readonly failure: ServiceFailure;

  constructor(parent: ExplorerNode, failure: ServiceFailure) {
    this.parent = parent;
    this.connectionId = parent.connectionId;
    this.failure = failure;
  }

  item(): vscode.TreeItem {
    const item = new vscode.TreeItem(this.failure.message);
    item.description = this.failure.next ?? '';
    item.iconPath = new vscode.ThemeIcon('error', new vscode.ThemeColor('list.errorForeground'));
    item.contextValue = 'failure';
    item.accessibilityInformation = { label: vscode.l10n.t('Failure: {0}', this.failure.advice) };
    // Enter does what helps most often.
    item.command =
      this.failure.kind === 'signedOut'
        ? { command: COMMANDS.connectionSignIn, title: vscode.l10n.t('Sign In…'), arguments: [handleOf(this)] }
        : { command: COMMANDS.explorerRefresh, title: vscode.l10n.t('Try Again'), arguments: [handleOf(this)] };
    return item;
  }

  tooltip(): Tooltip {
    const { message, next, serverText } = this.failure;
    return new Tooltip()
      .text(message)
      .text(next)
      .text(serverText === undefined ? undefined : inPlainText(serverText));
  }
}

/** A quiet line where there is nothing to show. */
export class MessageNode implements ExplorerNode {
  readonly parent: ExplorerNode;
  readonly connectionId: string;
  readonly #text: string;
  readonly #command: vscode.Command | undefined;

  constructor(parent: ExplorerNode, text: string, command?: vscode.Command) {
    this.parent = parent;
    this.connectionId = parent.connectionId;
    this.#text = text;
    this.#command = command;
  }

  item(): vscode.TreeItem {
    const item = new vscode.TreeItem(this.#text);
    item.contextValue = 'message';
    if (this.#command !== undefined) {
      item.command = this.#command;
    }
    return item;
  }
}
