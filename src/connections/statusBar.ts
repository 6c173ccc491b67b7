/** The status bar item that shows and switches the connection, or leads on where its credential ends. */
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { language } from '../language.ts';
import { COMMANDS, type CommandId } from '../manifest.ts';
import type { Clock } from '../time.ts';
import { inLabel, inPlainText } from '../ui/foreignText.ts';
import { formatsOf } from '../ui/formats.ts';
import { handleOf } from '../ui/handles.ts';
import { hostOf, userOf, type Connection } from './connection.ts';
import type { ConnectionStore } from './connectionStore.ts';
import { afterCredentialChange, canRotate, credentialEnd, signedOutWord } from './credentialLife.ts';
import { nameWithRole } from './role.ts';

interface ConnectionStatusItem extends vscode.Disposable {
  /** Shows the connection again, as its credential may end by now. */
  update(): void;
}

export function showConnectionInUse(store: ConnectionStore, clock: Clock): ConnectionStatusItem {
  const item = vscode.window.createStatusBarItem('metadataService.connection', vscode.StatusBarAlignment.Left);
  item.name = l10n.t('DataHub Connection');
  let stopTimer: (() => void) | undefined;
  const update = (): void => {
    const connection = store.inUse();
    stopTimer?.();
    stopTimer = afterCredentialChange(connection === undefined ? [] : [connection], clock, update);
    if (connection === undefined) {
      item.hide();
      return;
    }
    const { role } = connection;
    const signedOut = signedOutWord(connection);
    const name = nameWithRole(connection) + (signedOut === undefined ? '' : ` · ${signedOut}`);
    const warning = credentialWarning(connection, clock.now());
    const user = userOf(connection);
    const subject = user === '' ? hostOf(connection) : l10n.t('{0} as {1}', hostOf(connection), user);
    const spoken = l10n.t('Metadata service connection {0}', name);
    if (warning !== undefined) {
      item.text = `$(warning) ${inLabel(name)}`;
    } else if (role === 'readOnly') {
      item.text = `$(lock) ${inLabel(name)}`;
    } else {
      item.text = `$(server-environment) ${inLabel(name)}`;
    }
    // The error color would suggest that something is wrong.
    item.backgroundColor = role === 'production' ? new vscode.ThemeColor('statusBarItem.warningBackground') : undefined;
    item.tooltip = inPlainText([subject, ...(warning === undefined ? [] : [warning.text])].join(' · '));
    item.accessibilityInformation = {
      label: inPlainText([spoken, ...(warning === undefined ? [] : [warning.text])].join('. ')),
    };
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
      stopTimer?.();
      subscription.dispose();
      item.dispose();
    },
  };
}

interface CredentialWarning {
  readonly text: string;
  /** The next step. */
  readonly command: CommandId;
}

function credentialWarning(connection: Connection, now: number): CredentialWarning | undefined {
  const end = credentialEnd(connection, now);
  if (end === undefined) {
    return undefined;
  }
  if (end.state === 'expired') {
    const text = l10n.t('Its access token has expired. Click to sign in with another one.');
    return { text, command: COMMANDS.connectionSignIn };
  }
  const distance = formatsOf(language()).distance(end.expiresAt, now);
  return canRotate(connection)
    ? {
        text: l10n.t('Its access token expires {0}. Click to rotate it.', distance),
        command: COMMANDS.connectionRotateToken,
      }
    : {
        text: l10n.t('Its access token expires {0}. Click to sign in with another one.', distance),
        command: COMMANDS.connectionSignIn,
      };
}
