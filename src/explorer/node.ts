/** Building blocks of the tree, with failures and messages. */
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { LoadableList } from '../connections/loadableList.ts';
import type { ConnectionRef, RowClick } from '../connections/pickConnection.ts';
import type { ServiceFailure } from '../service/failure/failure.ts';
import { inOneLine } from '../ui/textLines.ts';
import { RowTooltip } from '../ui/tooltip.ts';
import { LONGEST_SENTENCE, inPlace, inPlainText } from '../ui/foreignText.ts';
import { COMMANDS } from '../manifest.ts';
import { handleOf } from '../ui/handles.ts';

/**
 * A row of the tree. VS Code keeps selection and expansion by the ID of its item. Connections and their groups stay the
 * same object, since they are refreshed by it.
 */
export interface ExplorerNode extends ConnectionRef {
  readonly parent: ExplorerNode | undefined;
  item(): vscode.TreeItem;
  /** Absent for leaves. Never throws: failures are rows. */
  children?(): Promise<readonly ExplorerNode[]> | readonly ExplorerNode[];
  /** Computed when the pointer rests on the row. */
  tooltip?(): RowTooltip | undefined;
  /** Of a connection: what keeps all of its lists from loading, which has one row above theirs. */
  readonly failure?: ServiceFailure | undefined;
}

/** A row below another one. */
export abstract class ChildNode implements ExplorerNode {
  readonly parent: ExplorerNode;
  readonly connectionId: string;

  constructor(parent: ExplorerNode) {
    this.parent = parent;
    this.connectionId = parent.connectionId;
  }

  abstract item(): vscode.TreeItem;
}

/** Makes a row's texts harmless: names and sentences from servers could disguise themselves. */
export function plainTreeItem(item: vscode.TreeItem): vscode.TreeItem {
  if (typeof item.label === 'string') {
    item.label = inPlace(inPlainText(item.label));
  }
  if (typeof item.description === 'string') {
    item.description = inPlace(inPlainText(item.description));
  }
  if (item.accessibilityInformation !== undefined) {
    item.accessibilityInformation = {
      ...item.accessibilityInformation,
      label: inPlainText(item.accessibilityInformation.label, LONGEST_SENTENCE),
    };
  }
  return item;
}

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

/** @param color ID of a color of VS Code's themes. */
export function coloredIcon(id: string, color: string): vscode.ThemeIcon {
  return new vscode.ThemeIcon(id, new vscode.ThemeColor(color));
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

/** A plain message where there are no rows. */
export class ListMessageNode extends ChildNode {
  readonly #text: string;
  readonly #command: vscode.Command | undefined;

  constructor(parent: ExplorerNode, text: string, command?: vscode.Command) {
    super(parent);
    this.#text = text;
    this.#command = command;
  }

  item(): vscode.TreeItem {
    const item = new vscode.TreeItem(this.#text);
    item.contextValue = 'message';
    if (this.#command !== undefined) {
      // Its text may change.
      item.id = `${this.connectionId}/${this.#command.command}`;
      item.command = this.#command;
    }
    return item;
  }
}
