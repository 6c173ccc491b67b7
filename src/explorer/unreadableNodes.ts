/** Rows of connections and truncations whose files can't be read, so that none is silently gone. */
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { TruncationRef } from '../truncation/commands.ts';
import { RowTooltip } from '../ui/tooltip.ts';
import { ChildNode, type ExplorerNode } from './node.ts';

export class UnreadableConnectionNode implements ExplorerNode {
  readonly parent = undefined;
  readonly connectionId: string;

  constructor(connectionId: string) {
    this.connectionId = connectionId;
  }

  item(): vscode.TreeItem {
    const item = new vscode.TreeItem(l10n.t("Connection can't be read"));
    item.id = this.connectionId;
    item.description = l10n.t('its file is damaged');
    item.iconPath = new vscode.ThemeIcon('error', new vscode.ThemeColor('list.errorForeground'));
    item.contextValue = 'unreadableConnection';
    return item;
  }

  tooltip(): RowTooltip {
    return new RowTooltip().text(l10n.t('Remove this connection and add it again.'));
  }
}

/** May be running, so it blocks its connection until the user knows better. */
export class UnreadableTruncationNode extends ChildNode implements TruncationRef {
  readonly recordId: string;

  constructor(parent: ExplorerNode, recordId: string) {
    super(parent);
    this.recordId = recordId;
  }

  item(): vscode.TreeItem {
    const item = new vscode.TreeItem(l10n.t("Truncation can't be read"));
    item.id = `${this.connectionId}/truncation/${this.recordId}`;
    item.description = l10n.t('may still be running');
    item.iconPath = new vscode.ThemeIcon('question', new vscode.ThemeColor('list.warningForeground'));
    item.contextValue = 'unreadableTask';
    return item;
  }

  tooltip(): RowTooltip {
    return new RowTooltip().text(
      l10n.t(
        'Until you use "Forget Truncation", nothing can be deleted with this connection. Do so once you know that the truncation is over.',
      ),
    );
  }
}
