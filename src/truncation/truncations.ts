/** Makes the parts that all truncations share: their journals, their watch, and notifications about them. */
import * as vscode from 'vscode';
import * as l10n from '@vscode/l10n';
import type { ConnectionStore } from '../connections/connectionStore.ts';
import type { ConnectionParts } from '../connections/servicePool.ts';
import type { IndexLists } from '../indices/indexLists.ts';
import { indexNameText } from '../indices/indexName.ts';
import type { Folders } from '../platform/folder.ts';
import type { Disposable, Event } from '../platform/events.ts';
import type { Clock } from '../time.ts';
import { FollowedTruncations, type RunningNotification } from './follow.ts';
import { type TruncationRecord, hidesRows, isTaskUnderWay } from './record.ts';
import { JobStore } from './jobStore.ts';
import { TaskWatch } from './watch.ts';
import { COMMANDS } from '../manifest.ts';
import { handleOf } from '../ui/handles.ts';
import { showInformation, showProgress, showWarning } from '../ui/messages.ts';
import { endMessage, runningMessage, runningTitle } from './texts/statusTexts.ts';

export interface Truncations extends Disposable {
  readonly jobs: JobStore;
  readonly watch: TaskWatch;
}

interface TruncationsOptions extends ConnectionParts {
  readonly indexLists: IndexLists;
  readonly folders: Folders;
  readonly clock: Clock;
}

export function createTruncations(options: TruncationsOptions): Truncations {
  const { store, services, indexLists, folders, clock } = options;
  const jobs = new JobStore(folders('jobs'));
  const watch = new TaskWatch(jobs, services, store, clock);
  const ended = new Set<string>();
  const subscription = watch.onDidChange(({ id, connectionId, ending }) => {
    if (ending !== undefined && !ended.has(id)) {
      ended.add(id);
      // The index may be smaller now.
      void indexLists.get(connectionId).refresh();
    }
  });
  return { jobs, watch, dispose: () => subscription.dispose() };
}

/** A page that shows the progress of truncations. */
interface ProgressPage {
  readonly isShowing: (recordId: string) => boolean;
  readonly onDidChangeShowing: Event<void>;
}

/** Notifies the user of truncations that no page shows. */
export function followTruncations(
  { jobs, watch }: Truncations,
  store: ConnectionStore,
  pages: readonly ProgressPage[],
  clock: Clock,
): FollowedTruncations {
  const nameOf = ({ connectionId }: TruncationRecord): string => store.get(connectionId)?.name ?? '';
  return new FollowedTruncations({
    watch,
    jobs,
    isShowing: (recordId) => pages.some((page) => page.isShowing(recordId)),
    onDidChangeShowing: pages.map((page) => page.onDidChangeShowing),
    notify: (record, dismissed) =>
      notifyRunning(() => jobs.get(record.connectionId, record.id) ?? record, nameOf(record), watch, dismissed),
    notifyEnded: (record) =>
      notifyEnded(record, nameOf(record), jobs.get(record.connectionId, record.id) !== undefined),
    clock,
  });
}

/** Truncations that a connection's server still has to deal with. Shown before the connection is removed. */
export async function truncationsThere(
  jobs: JobStore,
  clock: Clock,
  connectionId: string,
): Promise<{ readonly running: number; readonly hiding: readonly string[] }> {
  await jobs.load();
  const there = jobs.of(connectionId);
  return {
    running: there.filter((record) => isTaskUnderWay(record, clock.now())).length,
    hiding: there.filter(hidesRows).map(({ plan }) => indexNameText(plan)),
  };
}

/**
 * Shows the progress of a truncation until it is closed.
 * @param latest Returns the stored record, whose task may have ended meanwhile.
 * @param dismissed Called when the user presses Cancel, which stops nothing on the server.
 */
function notifyRunning(
  latest: () => TruncationRecord,
  connectionName: string,
  watch: Pick<TaskWatch, 'progress' | 'watchProblem'>,
  dismissed: () => void,
): RunningNotification {
  const closed = Promise.withResolvers<void>();
  let progress: Parameters<Parameters<typeof showProgress>[2]>[1] | undefined;
  let shown = 0;
  const update = (): void => {
    const record = latest();
    const seen = watch.progress(record.id);
    const message = runningMessage(record, seen, watch.watchProblem(record.id));
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
function notifyEnded(record: TruncationRecord, connectionName: string, isKept: boolean): void {
  const show = l10n.t('Show');
  const showMessage = record.ending?.kind === 'finished' ? showInformation : showWarning;
  const actions = isKept ? [show] : [];
  void showMessage(endMessage(record, connectionName), ...actions).then((chosen) => {
    if (chosen === show) {
      void vscode.commands.executeCommand(
        COMMANDS.taskShow,
        handleOf({ connectionId: record.connectionId, recordId: record.id }),
      );
    }
  });
}
