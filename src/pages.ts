/**
 * The part of the wiring that is loaded with the first page. It is one file: code that several such files shared would be more files
 * to read at startup.
 */
import type { CredentialStore } from './connections/credentialStore.ts';
import { OverviewPanelOpener, type OverviewOpenerOptions, type OverviewPanelRegistry } from './overview/host/opener.ts';
import type { FollowedTruncations } from './truncation/follow.ts';
import { createRunFactory } from './truncation/runFactory.ts';
import { WizardPanelOpener, type WizardOpenerOptions, type WizardPanelRegistry } from './wizard/host/opener.ts';

type OpenerOptions = Omit<WizardOpenerOptions & OverviewOpenerOptions, 'newRun'>;

interface PagesOptions extends OpenerOptions {
  readonly credentials: CredentialStore;
  readonly followed: Pick<FollowedTruncations, 'concluded'>;
}

export interface PageOpeners {
  readonly openWizards: (registry: WizardPanelRegistry) => WizardPanelOpener;
  readonly openOverviews: (registry: OverviewPanelRegistry) => OverviewPanelOpener;
}

export function createPageOpeners(options: PagesOptions): PageOpeners {
  const { indexLists, drafts, rowsByAge, followed } = options;
  const newRun = createRunFactory({
    ...options,
    sizeOf: (connectionId, plan) => indexLists.get(connectionId).sizeOf(plan),
    sent: (connectionId, plan) => {
      void drafts.forgetDraft(connectionId, plan);
      void rowsByAge.forget(connectionId, plan);
    },
    concluded: (record) => followed.concluded(record),
  });
  return {
    openWizards: (registry) => new WizardPanelOpener({ ...options, newRun }, registry),
    openOverviews: (registry) => new OverviewPanelOpener({ ...options, newRun }, registry),
  };
}
