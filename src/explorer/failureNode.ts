/** Rows in place of others: failures and messages. */
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { COMMANDS } from '../manifest.ts';
import type { ServiceFailure } from '../service/failure/failure.ts';
import { RowTooltip } from '../ui/tooltip.ts';
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
    const { headline, privilege, next, advice } = this.failure;
    const item = new vscode.TreeItem(headline);
    // For refusals: the privilege to ask an administrator for.
    item.description = privilege === undefined ? (next ?? '') : l10n.t('needs "{0}"', privilege);
    item.iconPath = new vscode.ThemeIcon('error', new vscode.ThemeColor('list.errorForeground'));
    item.contextValue = 'failure';
    item.accessibilityInformation = { label: l10n.t('Failure: {0}. {1}', headline, advice) };
    // Enter runs the most likely remedy.
    item.command =
      this.failure.kind === 'signedOut'
        ? { command: COMMANDS.connectionSignIn, title: l10n.t('Sign In…'), arguments: [handleOf(this)] }
        : { command: COMMANDS.explorerRefresh, title: l10n.t('Try Again'), arguments: [handleOf(this)] };
    return item;
  }

  tooltip(): RowTooltip {
    const { message, next, serverText } = this.failure;
    const isQuoted = serverText !== undefined && message.includes(serverText);
    return new RowTooltip()
      .text(message)
      .text(next)
      .text(isQuoted || serverText === undefined ? undefined : l10n.t('Server response: {0}', serverText));
  }
}

/** A plain message where there are no rows. */
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
