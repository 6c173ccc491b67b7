/** The status bar item that shows and switches the connection. */
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { COMMANDS } from '../manifest.ts';
import { shortActorName } from '../service/server/identifiers.ts';
import { inLabel, inPlainText } from '../ui/foreignText.ts';
import { hostOf } from './connection.ts';
import type { ConnectionStore } from './connectionStore.ts';
import { nameWithRole } from './role.ts';

export function showConnectionInUse(store: ConnectionStore): vscode.Disposable {
  const item = vscode.window.createStatusBarItem('metadataService.connection', vscode.StatusBarAlignment.Left);
  item.name = l10n.t('Metadata Service Connection');
  item.command = COMMANDS.connectionUse;
  const updateStatusBarItem = (): void => {
    const connection = store.inUse();
    if (connection === undefined) {
      item.hide();
      return;
    }
    const { role } = connection;
    const name = nameWithRole(connection);
    if (role === 'readOnly') {
      item.text = `$(lock) ${inLabel(name)}`;
    } else {
      item.text = `$(server-environment) ${inLabel(name)}`;
    }
    // The error color would suggest that something is wrong.
    item.backgroundColor = role === 'production' ? new vscode.ThemeColor('statusBarItem.warningBackground') : undefined;
    item.tooltip = inPlainText(l10n.t('{0} as {1}', hostOf(connection), shortActorName(connection.actorUrn)));
    item.accessibilityInformation = {
      label: inPlainText(l10n.t('Metadata service connection {0}', name)),
    };
    item.show();
  };
  updateStatusBarItem();
  return vscode.Disposable.from(item, store.onDidChange(updateStatusBarItem));
}
