/** Failures of lists in the tree: a row with the next step, and a mark of the group. */
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { LoadableList } from '../connections/loadableList.ts';
import type { RowClick } from '../connections/pickConnection.ts';
import { COMMANDS } from '../manifest.ts';
import type { ServiceFailure } from '../service/failure/failure.ts';
import { handleOf } from '../ui/rowHandles.ts';
import { inOneLine } from '../ui/textLines.ts';
import { RowTooltip } from '../ui/tooltip.ts';
import { type ChildNode, coloredIcon, type ExplorerNode } from './node.ts';

/** The failure of a group's list, unless the connection has a row for it. */
export function ownFailure({ parent }: ChildNode, { failure }: LoadableList<unknown>): ServiceFailure | undefined {
  return parent.failure === undefined ? failure : undefined;
}

/** Marks a group whose list couldn't be loaded: it may be folded. A missing privilege is no trouble. */
export function markFailure(item: vscode.TreeItem, failure: ServiceFailure | undefined): void {
  if (failure !== undefined && failure.privilege === undefined) {
    item.iconPath = coloredIcon('warning', 'list.warningForeground');
    // Screen readers don't read icons.
    const spoken =
      item.accessibilityInformation?.label ?? inOneLine([String(item.label), String(item.description ?? '')]);
    item.accessibilityInformation = { label: `${spoken}, ${failure.headline}` };
  }
}

export class ListFailureNode implements ExplorerNode {
  readonly parent: ExplorerNode | undefined;
  readonly connectionId: string;
  readonly failure: ServiceFailure;

  /** @param parent Undefined for the list of connections. */
  constructor(parent: ExplorerNode | undefined, failure: ServiceFailure) {
    this.parent = parent;
    this.connectionId = parent?.connectionId ?? '';
    this.failure = failure;
  }

  item(): vscode.TreeItem {
    const { kind, headline, privilege, advice } = this.failure;
    const isSignedOut = kind === 'signedOut';
    const item = new vscode.TreeItem(headline);
    const step = isSignedOut ? l10n.t('Sign in…') : l10n.t('Try again');
    // For refusals: the privilege to ask an administrator for.
    item.description = privilege === undefined ? step : l10n.t('needs "{0}"', privilege);
    item.iconPath = isSignedOut ? new vscode.ThemeIcon('sign-in') : coloredIcon('error', 'list.errorForeground');
    item.contextValue = 'failure';
    item.accessibilityInformation = { label: l10n.t('Failure: {0}. {1}', headline, advice) };
    const click: RowClick = { connectionId: this.connectionId, isClick: true };
    item.command = {
      command: isSignedOut ? COMMANDS.connectionSignIn : COMMANDS.explorerRefresh,
      title: step,
      arguments: [handleOf(click)],
    };
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
