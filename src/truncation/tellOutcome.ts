/** Tells a person how a truncation ended that they may have lost sight of. */
import * as vscode from 'vscode';
import { COMMANDS } from '../manifest.ts';
import { showInformation, showWarning } from '../ui/messages.ts';
import { handleOf } from '../ui/handles.ts';
import { targetOf } from './model/plan.ts';
import { nextText, statusText } from './model/texts.ts';
import type { TruncationRecord } from './model/record.ts';

/** Long after the button was pressed, perhaps with the wizard closed: this is news. */
export function tellOutcome(record: TruncationRecord, connectionName: string): void {
  const show = vscode.l10n.t('Show');
  const text = `${targetOf(record.plan)} @ ${connectionName}: ${statusText(record, undefined, Date.now())}`;
  const isGood = record.ending?.kind === 'finished';
  const told = isGood
    ? showInformation(text, show)
    : showWarning([text, nextText(record)].filter((part) => part !== undefined).join(' '), show);
  void told.then((chosen) => {
    if (chosen === show) {
      void vscode.commands.executeCommand(
        COMMANDS.taskShow,
        handleOf({ connectionId: record.connectionId, recordId: record.id }),
      );
    }
  });
}
