/** Work that a person waits for: shown as a notification if it takes a moment, and given up when that is cancelled. */
import { untilAborted } from '../service/http/abort.ts';
import { showProgress } from '../ui/messages.ts';

/** @throws ServiceFailure `cancelled` when the person does not want to wait, besides what the work throws. */
export async function inProgress<T>(title: string, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  return showProgress(title, true, (token) => {
    const stop = new AbortController();
    token.onCancellationRequested(() => stop.abort());
    return untilAborted(work(stop.signal), stop.signal);
  });
}
