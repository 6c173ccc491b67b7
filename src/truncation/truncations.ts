/** Makes the parts that all truncations share: their journals, their watch, and notifications about them. */
import * as vscode from 'vscode';
import * as l10n from '@vscode/l10n';
import type { ConnectionStore } from '../connections/connectionStore.ts';
import type { ConnectionParts } from '../connections/servicePool.ts';
import type { IndexLists } from '../indices/indexLists.ts';
import { asAddedIndex } from '../indices/indexList.ts';
import type { IndexReference } from '../indices/pickIndex.ts';
import { shownNameText } from '../indices/timeseriesAspects.ts';
import type { Folders } from '../platform/folder.ts';
import type { Disposable } from '../platform/events.ts';
import type { Clock } from '../time.ts';
import { FollowedTruncations, type FollowParts } from './watching/follow.ts';
import { type TruncationRecord, hidesRows, mayStillRun } from './sentTruncation.ts';
import type { JobHost } from './jobEnvironment.ts';
import { JobStore } from './jobStore.ts';
import { problemText, type Problem } from './problem.ts';
import { TaskWatch } from './watching/watch.ts';
import { COMMANDS } from '../manifest.ts';
import { handleOf } from '../ui/rowHandles.ts';
import { showInformation, showWarning } from '../ui/messages.ts';
import { settings } from '../ui/settings.ts';
import { endMessage, statusText } from './texts/statusTexts.ts';

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

/** Notifies the user of the ends that neither a page nor the tree shows. */
export function followTruncations(
  { jobs, watch }: Truncations,
  store: ConnectionStore,
  shown: Pick<FollowParts, 'isTreeVisible' | 'isOnPage'>,
): FollowedTruncations {
  return new FollowedTruncations({
    watch,
    jobs,
    ...shown,
    notifyEnded: (record, refusal) => notifyEnded(record, refusal, store.get(record.connectionId)?.name ?? ''),
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
    running: there.filter((record) => mayStillRun(record, clock.now())).length,
    hiding: there.filter(hidesRows).map(({ plan }) => shownNameText(plan)),
  };
}

/** VS Code around a job. */
export function createJobHost(parts: Pick<JobHost, 'sizeOf' | 'sent' | 'concluded'>): JobHost {
  return {
    ...parts,
    maxAgeMillis: settings.dryRunMaxAgeMillis,
    notifyPageClosed: (problem, name) => void showWarning(l10n.t('{0}: {1}', name, problemText(problem))),
    notifyNotStored: () =>
      void showWarning(
        l10n.t(
          "The truncation was sent, but its progress couldn't be stored on this machine. After a reload, its outcome will be unknown.",
        ),
      ),
  };
}

/** @param refusal Why the server refused it, if so: no record is kept, and the page of its index shows it. */
function notifyEnded(record: TruncationRecord, refusal: Problem | undefined, connectionName: string): void {
  const { connectionId, id: recordId, plan } = record;
  const show = l10n.t('Show');
  const showMessage = record.ending?.kind === 'finished' ? showInformation : showWarning;
  const ending = refusal ?? { sentence: statusText(record, undefined, Date.now()) };
  const text = endMessage(plan, connectionName, ending);
  void showMessage(text, show).then((chosen) => {
    if (chosen === show) {
      void (refusal === undefined
        ? vscode.commands.executeCommand(COMMANDS.taskShow, handleOf({ connectionId, recordId }))
        : vscode.commands.executeCommand(
            COMMANDS.indexTruncate,
            handleOf({ connectionId, index: asAddedIndex(plan) } satisfies IndexReference),
          ));
    }
  });
}
