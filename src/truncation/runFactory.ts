/** Makes the runs of truncations in VS Code. */
import * as l10n from '@vscode/l10n';
import type { ConnectionStore } from '../connections/connectionStore.ts';
import type { CredentialStore } from '../connections/credentialStore.ts';
import type { ServicePool } from '../connections/servicePool.ts';
import type { IndexLists } from '../indices/indexLists.ts';
import { systemClock } from '../service/clock.ts';
import type { Log } from '../ui/log.ts';
import { showWarning } from '../ui/messages.ts';
import { settings } from '../ui/settings.ts';
import { confirmTruncation } from './confirmTruncation.ts';
import type { DraftStore } from '../wizard/host/draftStore.ts';
import type { PlanDraft } from './plan.ts';
import type { TruncationRecord } from './record.ts';
import type { AgeHistogramStore } from '../rowsByAge/ageHistogramStore.ts';
import { newRun } from './newRun.ts';
import type { TruncationRun } from './run.ts';
import type { TruncationStore } from './truncationStore.ts';
import type { TaskWatch } from './watch.ts';

/**
 * @param from What is to be typed on, or a truncation that was sent before.
 * @param together What is different for one of several that are sent together.
 */
export type RunFactory = (
  connectionId: string,
  from: PlanDraft | TruncationRecord,
  together?: Pick<Parameters<typeof newRun>[0], 'confirm' | 'tellClosed' | 'runRecords' | 'recordId'>,
) => Promise<TruncationRun>;

interface Parts {
  readonly store: ConnectionStore;
  readonly credentials: CredentialStore;
  readonly services: ServicePool;
  readonly indexLists: IndexLists;
  readonly records: TruncationStore;
  readonly drafts: DraftStore;
  readonly rowsByAge: AgeHistogramStore;
  readonly log: Log;
  readonly watch: Pick<TaskWatch, 'judgeAgain'>;
  /** Told what came of each execution that was sent. */
  readonly concluded: (record: TruncationRecord) => void;
}

export function runFactory({ indexLists, drafts, rowsByAge, log, watch, ...stored }: Parts): RunFactory {
  const environment = {
    ...stored,
    confirm: confirmTruncation,
    tellClosed: (failing) =>
      void showWarning(
        failing === undefined
          ? l10n.t('Nothing was deleted. The page was closed before the last question was answered.')
          : `${failing.sentence} ${failing.next ?? ''}`,
      ),
    tellNotStored: () =>
      void showWarning(
        l10n.t(
          "The truncation was sent, but its progress couldn't be stored on this machine. After a reload, its outcome is unknown.",
        ),
      ),
    maxAgeMillis: settings.dryRunMaxAgeMillis,
    clock: systemClock,
    newId: () => crypto.randomUUID(),
    sent: (id, plan) => {
      void drafts.forget(id, plan);
      void rowsByAge.forget(id, plan);
    },
    counted: (connection, plan) => watch.judgeAgain(connection, plan),
    sizeOf: (id, plan) => indexLists.get(id).sizeOf(plan),
    observe: (failure) => log.failure(failure),
  } satisfies Parameters<typeof newRun>[0];
  return (connectionId, from, together) => newRun({ ...environment, ...together }, connectionId, from);
}
