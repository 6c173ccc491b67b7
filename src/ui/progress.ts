/** Progress of what the user waits for. The only caller of VS Code's function, so all text is made harmless. */
import * as vscode from 'vscode';
import { untilAborted } from '../service/http/waiting.ts';
import { inMessage } from './foreignText.ts';

/** VS Code puts the message after title and colon. */
interface ProgressStep {
  readonly message?: string;
  /** Percent since the last step. */
  readonly increment?: number;
}

/**
 * Shows a notification until the work is done.
 * @param work Gets what its Cancel button aborts.
 */
export function showProgress<T>(
  title: string,
  cancellable: boolean,
  work: (signal: AbortSignal, progress: vscode.Progress<ProgressStep>) => Thenable<T>,
): Thenable<T> {
  const options = { location: vscode.ProgressLocation.Notification, title: inMessage(title), cancellable };
  return vscode.window.withProgress(options, (progress, token) => {
    const stop = new AbortController();
    token.onCancellationRequested(() => stop.abort());
    return work(stop.signal, {
      report: ({ message, ...step }) =>
        progress.report(message === undefined ? step : { ...step, message: inMessage(message) }),
    });
  });
}

/**
 * Shows a notification with a Cancel button until the work is done.
 * @throws ServiceFailure `cancelled` if the user cancels, besides what the work throws.
 */
export async function showCancellableProgress<T>(title: string, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  return showProgress(title, true, (signal) => untilAborted(work(signal), signal));
}
