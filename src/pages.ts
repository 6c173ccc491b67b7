/**
 * The wiring that is loaded with the first page. One file, since code shared by several such files would be more
 * files to read at startup.
 */
import type { CredentialStore } from './connections/credentialStore.ts';
import { OverviewOpener, type OverviewOpenerOptions, type OverviewRegistry } from './overview/host/opener.ts';
import type { FollowedTruncations } from './truncation/follow.ts';
import { createRunFactory } from './truncation/runFactory.ts';
import { WizardOpener, type WizardOpenerOptions, type WizardRegistry } from './wizard/host/opener.ts';

type SharedOpenerOptions = Omit<WizardOpenerOptions & OverviewOpenerOptions, 'newRun'>;

interface PageOpenersOptions extends SharedOpenerOptions {
  readonly credentials: CredentialStore;
  readonly followed: Pick<FollowedTruncations, 'concluded'>;
}

interface PageOpeners {
  readonly openWizards: (registry: WizardRegistry) => WizardOpener;
  readonly openOverviews: (registry: OverviewRegistry) => OverviewOpener;
}

export function createPageOpeners(options: PageOpenersOptions): PageOpeners {
  const { indexLists, drafts, rowsByAge, followed } = options;
  const newRun = createRunFactory({
    ...options,
    sizeOf: (connectionId, plan) => indexLists.get(connectionId).sizeOf(plan),
    sent: (connectionId, plan) => {
      void drafts.forget(connectionId, plan);
      void rowsByAge.forget(connectionId, plan);
    },
    concluded: (record) => followed.concluded(record),
  });
  return {
    openWizards: (registry) => new WizardOpener({ ...options, newRun }, registry),
    openOverviews: (registry) => new OverviewOpener({ ...options, newRun }, registry),
  };
}
