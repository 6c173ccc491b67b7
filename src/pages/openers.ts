/**
 * The wiring that is loaded with the first page. One file, since code shared by several such files would be more
 * files to read.
 */
import type { CredentialStore } from '../connections/credentialStore.ts';
import { copyScheduledJob } from '../integrations/scheduledJob/copyScheduledJob.ts';
import { OverviewPanelOpener, type OverviewPanelRegistry } from './overview/host/opener.ts';
import type { OverviewPanelOptions } from './overview/host/panel.ts';
import type { FollowedTruncations } from '../truncation/follow.ts';
import { createJobHost } from '../truncation/truncations.ts';
import {
  TruncationPanelOpener,
  type TruncationOpenerOptions,
  type TruncationPanelRegistry,
} from './truncation/host/opener.ts';

type SharedOpenerOptions = Omit<TruncationOpenerOptions & OverviewPanelOptions, 'host' | 'copyScheduledJob'>;

interface PageOpenersOptions extends SharedOpenerOptions {
  readonly credentials: CredentialStore;
  readonly followed: Pick<FollowedTruncations, 'concluded'>;
}

export function createPageOpeners(options: PageOpenersOptions) {
  const { indexLists, rowsByAge, followed } = options;
  const host = createJobHost({
    sizeOf: (connectionId, plan) => indexLists.get(connectionId).sizeBytesOf(plan),
    sent: (connectionId, plan) => void rowsByAge.forget(connectionId, plan),
    concluded: (record) => followed.concluded(record),
  });
  const made = {
    ...options,
    host,
    copyScheduledJob: (connection, indices) => copyScheduledJob(connection, indices, options),
  } satisfies TruncationOpenerOptions & OverviewPanelOptions;
  return {
    openTruncations: (registry: TruncationPanelRegistry) => new TruncationPanelOpener(made, registry),
    openOverviews: (registry: OverviewPanelRegistry) => new OverviewPanelOpener(made, registry),
  };
}
