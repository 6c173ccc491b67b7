/** VS Code's notifications about truncations: one while it runs, one when it has ended. */
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { COMMANDS } from '../manifest.ts';
import { handleOf } from '../ui/handles.ts';
import { showInformation, showProgress, showWarning } from '../ui/messages.ts';
import type { RunningNotification } from './follow.ts';
import { endMessage, runningMessage, runningTitle } from './texts/notificationTexts.ts';
import type { TruncationRecord } from './record.ts';
import type { TaskWatch } from './watch.ts';

/**
 * Shows how far a truncation is, until it is closed.
 * @param latest The record as it is stored now: its task may have ended since.
 * @param dismissed The person pressed Cancel: nothing on the server stops.
 */
export function notifyRunning(
  latest: () => TruncationRecord,
  connectionName: string,
  watch: Pick<TaskWatch, 'progress' | 'trouble'>,
  dismissed: () => void,
): RunningNotification {
  const closed = Promise.withResolvers<void>();
  let progress: Parameters<Parameters<typeof showProgress>[2]>[1] | undefined;
  let shown = 0;
  const update = (): void => {
    const record = latest();
    const seen = watch.progress(record.id);
    const message = runningMessage(record, seen, watch.trouble(record.id));
    const percent = seen?.total ? Math.min(100, (seen.done / seen.total) * 100) : 0;
    // What readers see can fall again; VS Code's bar only grows. Until the first step it moves without an end.
    const increment = Math.max(0, percent - shown);
    shown += increment;
    progress?.report(increment === 0 ? { message } : { message, increment });
  };
  void showProgress(runningTitle(latest(), connectionName), true, (stop, opened) => {
    stop.onCancellationRequested(dismissed);
    progress = opened;
    update();
    return closed.promise;
  });
  return { update, close: closed.resolve };
}

/** Tells how a truncation ended that is out of sight. @param isKept Whether there is a page to show it on. */
export function tellEnd(record: TruncationRecord, connectionName: string, isKept: boolean): void {
  const show = l10n.t('Show');
  const tell = record.ending?.kind === 'finished' ? showInformation : showWarning;
  const actions = isKept ? [show] : [];
  void tell(endMessage(record, connectionName), ...actions).then((chosen) => {
    if (chosen === show) {
      void vscode.commands.executeCommand(
        COMMANDS.taskShow,
        handleOf({ connectionId: record.connectionId, recordId: record.id }),
      );
    }
  });
}
