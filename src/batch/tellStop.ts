/**
 * Tells why the rest of several was not sent, where nobody sees their page. What became of those that were sent is told of each, as
 * of one alone.
 */
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { ConnectionRef } from '../connections/pickConnection.ts';
import { COMMANDS } from '../manifest.ts';
import { handleOf } from '../ui/handles.ts';
import { showWarning } from '../ui/messages.ts';

/** @param message As `stopMessage` gives it. */
export function tellStop(message: string, connection: ConnectionRef): void {
  const show = l10n.t('Show');
  void showWarning(message, show).then((chosen) => {
    if (chosen === show) {
      void vscode.commands.executeCommand(COMMANDS.indexOverview, handleOf(connection));
    }
  });
}
