/** What is done once when a task is seen to have ended: sizes are read again, and the person is told. */
import * as vscode from 'vscode';
import type { ConnectionStore } from '../connections/connectionStore.ts';
import type { IndexLists } from '../indices/indexLists.ts';
import { COMMANDS } from '../manifest.ts';
import { showInformation, showWarning } from '../ui/messages.ts';
import { handleOf } from '../ui/handles.ts';
import { targetOf } from './model/plan.ts';
import { nextText, statusText } from './model/texts.ts';
import type { TruncationRecord } from './model/record.ts';
import type { WizardPanels } from './wizard/host/panels.ts';

interface Parts {
  readonly indexLists: IndexLists;
  readonly wizards: WizardPanels;
  readonly store: ConnectionStore;
}

/** @returns the record with the size of the index after the task, where the server tells. */
export async function completeOutcome(record: TruncationRecord, { indexLists, wizards, store }: Parts): Promise<TruncationRecord> {
  const list = indexLists.get(record.connectionId);
  await list.refresh();
  // A size that could not be read anew would be the one from before.
  const completed = { ...record, ...(list.failure === undefined ? { sizeAfter: list.sizeOf(record.plan) } : {}) };
  if (!wizards.isShowing(record)) {
    tell(completed, store.get(record.connectionId)?.name ?? '');
  }
  return completed;
}

/** Long after the button was pressed, perhaps with the wizard closed: this is news. */
function tell(record: TruncationRecord, connectionName: string): void {
  const show = vscode.l10n.t('Show');
  const text = `${targetOf(record.plan)} @ ${connectionName}: ${statusText(record, undefined, Date.now(), vscode.env.language)}`;
  const isGood = record.ending?.kind === 'finished';
  const told = isGood ? showInformation(text, show) : showWarning([text, nextText(record)].filter((part) => part !== undefined).join(' '), show);
  void told.then((chosen) => {
    if (chosen === show) {
      void vscode.commands.executeCommand(COMMANDS.taskShow, handleOf({ connectionId: record.connectionId, recordId: record.id }));
    }
  });
}
