/** Makes the parts that all truncations share: their records, their watch, and notifications about them. */
import type { ConnectionStore } from '../connections/connectionStore.ts';
import type { ConnectionParts } from '../connections/servicePool.ts';
import type { IndexLists } from '../indices/indexLists.ts';
import { indexNameText } from '../indices/indexName.ts';
import type { DurableFolder } from '../platform/durableFolder.ts';
import type { Event } from '../platform/events.ts';
import type { Memento } from '../platform/memento.ts';
import type { Clock } from '../service/clock.ts';
import { FollowedTruncations } from './follow.ts';
import { LaterSizes } from './laterSizes.ts';
import { notifyEnded, notifyRunning } from './notifications.ts';
import { type TruncationRecord, hidesRows, statusOf } from './record.ts';
import { TruncationStore } from './truncationStore.ts';
import { TaskWatch } from './watch.ts';

export interface Truncations {
  readonly records: TruncationStore;
  readonly watch: TaskWatch;
  readonly laterSizes: LaterSizes;
}

interface TruncationsOptions extends ConnectionParts {
  readonly indexLists: IndexLists;
  /** Of all windows. */
  readonly shared: Memento;
  readonly folder: DurableFolder;
  readonly clock: Clock;
}

export function createTruncations(options: TruncationsOptions): Truncations {
  const { store, services, indexLists, shared, folder, clock } = options;
  const records = new TruncationStore(shared, folder, clock);
  const watch = new TaskWatch(records, services, store, clock);
  const laterSizes = new LaterSizes({ indexLists, records, connection: (id) => store.get(id), watch });
  return { records, watch, laterSizes };
}

/** A page that shows the progress of truncations. */
interface ProgressPage {
  readonly isShowing: (recordId: string) => boolean;
  readonly onDidChangeShowing: Event<void>;
}

/** Notifies the user of truncations that no page shows. */
export function followTruncations(
  { records, watch }: Truncations,
  store: ConnectionStore,
  pages: readonly ProgressPage[],
  clock: Clock,
): FollowedTruncations {
  const nameOf = ({ connectionId }: TruncationRecord): string => store.get(connectionId)?.name ?? '';
  return new FollowedTruncations({
    watch,
    records,
    isShowing: (recordId) => pages.some((page) => page.isShowing(recordId)),
    onDidChangeShowing: pages.map((page) => page.onDidChangeShowing),
    notify: (record, dismissed) =>
      notifyRunning(() => records.get(record.connectionId, record.id) ?? record, nameOf(record), watch, dismissed),
    tell: (record) => notifyEnded(record, nameOf(record), records.get(record.connectionId, record.id) !== undefined),
    clock,
  });
}

/** Truncations that a connection's server still has to deal with. Shown before the connection is removed. */
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
