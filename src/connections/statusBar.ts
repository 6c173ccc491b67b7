/** The status bar item that shows and switches the connection, or leads on where its credential ends. */
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { COMMANDS } from '../manifest.ts';
import { inLabel, inPlainText } from '../ui/foreignText.ts';
import { handleOf } from '../ui/rowHandles.ts';
import { inOneLine } from '../ui/textLines.ts';
import { hostOf, userOf, type Connection } from './connection.ts';
import type { ConnectionStore } from './connectionStore.ts';
import { credentialWarning, signedOutWord } from './credentialLife.ts';
import { nameWithRole } from './role.ts';

export interface ConnectionStatusItem extends vscode.Disposable {
  /** Shows the connection again: its credential may end by now, or the server have said what the user may do. */
  update(): void;
}

export function showConnectionInUse(
  store: ConnectionStore,
  mayRotate: (connection: Connection) => boolean,
): ConnectionStatusItem {
  const item = vscode.window.createStatusBarItem('metadataService.connection', vscode.StatusBarAlignment.Left);
  item.name = l10n.t('DataHub Connection');
  const update = (): void => {
    const connection = store.inUse();
    if (connection === undefined) {
      item.hide();
      return;
    }
    const { role } = connection;
    const name = inOneLine([nameWithRole(connection), signedOutWord(connection)]);
    const warning = credentialWarning(connection, Date.now(), mayRotate(connection));
    const user = userOf(connection);
    const subject = user === '' ? hostOf(connection) : l10n.t('{0} as {1}', hostOf(connection), user);
    const spoken = l10n.t('Metadata service connection {0}', name);
    const advice = warning === undefined ? [] : [warning.advice];
    if (warning !== undefined) {
      item.text = `$(warning) ${inLabel(name)}`;
    } else if (role === 'readOnly') {
      item.text = `$(lock) ${inLabel(name)}`;
    } else {
      item.text = `$(server-environment) ${inLabel(name)}`;
    }
    // The error color would suggest that something is wrong.
    item.backgroundColor = role === 'production' ? new vscode.ThemeColor('statusBarItem.warningBackground') : undefined;
    item.tooltip = inPlainText([subject, ...advice].join(' · '));
    item.accessibilityInformation = { label: inPlainText([spoken, ...advice].join('. ')) };
    item.command =
      warning === undefined
        ? COMMANDS.connectionUse
        : { command: warning.command, title: '', arguments: [handleOf({ connectionId: connection.id })] };
    item.show();
  };
  update();
  const subscription = store.onDidChange(update);
  return {
    update,
    dispose: () => {
      subscription.dispose();
      item.dispose();
    },
  };
}
