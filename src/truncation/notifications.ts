/** Notifications about the progress and end of a truncation. */
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
 * Shows the progress of a truncation until it is closed.
 * @param latest Returns the stored record, whose task may have ended meanwhile.
 * @param dismissed Called when the user presses Cancel, which stops nothing on the server.
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
    // The count can go back, but VS Code's bar only grows. Before the first increment it is indeterminate.
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

/** Notifies the user of the end. @param isKept True if the record still exists, so a page can show it. */
export function notifyEnded(record: TruncationRecord, connectionName: string, isKept: boolean): void {
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
