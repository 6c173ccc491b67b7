/** The truncations of all connections: what was sent, what is being typed, the wizards, and what is told of the end. */
import * as l10n from '@vscode/l10n';
import type * as vscode from 'vscode';
import { indexNameText } from '../indices/indexName.ts';
import type { Connections } from '../connections/servicePool.ts';
import type { IndexLists } from '../indices/indexLists.ts';
import { OVERVIEW_VIEW_TYPE, WIZARD_VIEW_TYPE } from '../manifest.ts';
import type { DurableFolder } from '../platform/durableFolder.ts';
import type { Memento } from '../platform/memento.ts';
import type { Clock } from '../service/clock.ts';
import type { UserInterface } from '../ui/userInterface.ts';
import { DraftStore } from '../wizard/host/draftStore.ts';
import { FollowedTruncations } from './follow.ts';
import { LaterSizes } from './laterSizes.ts';
import { hidesRows, statusOf } from './record.ts';
import type { TruncationRecord } from './record.ts';
import type { OverviewRegistry } from '../overview/host/opener.ts';
import { notifyEnded, notifyRunning } from './notifications.ts';
import { AgeHistogramStore } from '../rowsByAge/ageHistogramStore.ts';
import type { RunFactory } from './runFactory.ts';
import { TruncationStore } from './truncationStore.ts';
import { TaskWatch } from './watch.ts';
import { PanelRegistry } from '../webview/host/panelRegistry.ts';
import type { WizardRegistry } from '../wizard/host/opener.ts';

export interface Truncations {
  readonly records: TruncationStore;
  readonly drafts: DraftStore;
  readonly rowsByAge: AgeHistogramStore;
  readonly watch: TaskWatch;
  readonly laterSizes: LaterSizes;
  readonly newRun: RunFactory;
  readonly wizards: WizardRegistry;
  readonly overviews: OverviewRegistry;
  readonly followed: FollowedTruncations;
}

interface Parts extends Connections, Pick<UserInterface, 'clipboard' | 'notices' | 'log'> {
  readonly indexLists: IndexLists;
  readonly extensionUri: vscode.Uri;
  /** Of all windows. */
  readonly shared: Memento;
  readonly workspace: Memento;
  readonly folder: DurableFolder;
  readonly clock: Clock;
}

export function createTruncations(parts: Parts): Truncations {
  const { store, services, indexLists, clock } = parts;
  const records = new TruncationStore(parts.shared, parts.folder, clock);
  const drafts = new DraftStore(parts.workspace);
  const rowsByAge = new AgeHistogramStore(parts.shared);
  const watch = new TaskWatch(records, services, store, clock);
  const laterSizes = new LaterSizes({ indexLists, records, connection: (id) => store.get(id), watch });
  const stores = { records, drafts, rowsByAge };
  let making: Promise<RunFactory> | undefined;
  const newRun: RunFactory = async (...run) => {
    making ??= import('./onDemand.ts').then(({ onDemand }) =>
      onDemand.runFactory({
        ...parts,
        records,
        watch,
        sizeOf: (connectionId, plan) => indexLists.get(connectionId).sizeOf(plan),
        sent: (connectionId, plan) => {
          void drafts.forget(connectionId, plan);
          void rowsByAge.forget(connectionId, plan);
        },
        concluded: (record) => followed.concluded(record),
      }),
    );
    return (await making)(...run);
  };
  const wizards: WizardRegistry = new PanelRegistry({
    viewType: WIZARD_VIEW_TYPE,
    title: l10n.t('Truncate Index'),
    load: async (registry) => {
      const { onDemand } = await import('./onDemand.ts');
      return new onDemand.WizardOpener({ ...parts, ...stores, newRun, watch }, registry);
    },
  });
  const overviews: OverviewRegistry = new PanelRegistry({
    viewType: OVERVIEW_VIEW_TYPE,
    title: l10n.t('Index Overview'),
    load: async (registry) => {
      const { onDemand } = await import('./onDemand.ts');
      return new onDemand.OverviewOpener({ ...parts, ...stores, newRun, watch }, registry);
    },
  });
  const nameOf = ({ connectionId }: TruncationRecord): string => store.get(connectionId)?.name ?? '';
  const followed = new FollowedTruncations({
    watch,
    records,
    isShowing: (recordId) => wizards.isShowing(recordId) || overviews.isShowing(recordId),
    onDidChangeShowing: [wizards.onDidChangeShowing, overviews.onDidChangeShowing],
    notify: (record, dismissed) =>
      notifyRunning(() => records.get(record.connectionId, record.id) ?? record, nameOf(record), watch, dismissed),
    tell: (record) => notifyEnded(record, nameOf(record), records.get(record.connectionId, record.id) !== undefined),
    clock,
  });
  return { ...stores, watch, laterSizes, newRun, wizards, overviews, followed };
}

/** What truncations leave on the server of a connection, as far as is known: told before the connection is removed. */
export async function truncationsThere(
  records: TruncationStore,
  clock: Clock,
  connectionId: string,
): Promise<{ readonly running: number; readonly hiding: readonly string[] }> {
  await records.load();
  const there = records.of(connectionId);
  return {
    running: there.filter((record) => statusOf(record, clock.now()) === 'running').length,
    hiding: there.filter(hidesRows).map(({ plan }) => indexNameText(plan)),
  };
}
