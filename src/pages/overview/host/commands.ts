/** Registers the overview's panels and command at the start. */
import * as l10n from '@vscode/l10n';
import type { ConnectionStore } from '../../../connections/connectionStore.ts';
import { pickConnection } from '../../../connections/pickConnection.ts';
import { COMMANDS, OVERVIEW_VIEW_TYPE } from '../../../manifest.ts';
import type { CommandRegistry } from '../../../ui/commands.ts';
import { PagePanelRegistry } from '../../kit/host/panelRegistry.ts';
import type { OverviewPanelOpener, OverviewPanelRegistry } from './opener.ts';

/** @param load Called with the first panel. */
export function registerOverview(
  commands: CommandRegistry,
  store: ConnectionStore,
  load: (registry: OverviewPanelRegistry) => Promise<OverviewPanelOpener>,
): OverviewPanelRegistry {
  const overviews: OverviewPanelRegistry = new PagePanelRegistry({
    viewType: OVERVIEW_VIEW_TYPE,
    title: l10n.t('Index Overview'),
    load,
  });
  commands.handle(COMMANDS.indexOverview, async (clicked) => {
    const connection = await pickConnection(store, clicked, l10n.t('Index Overview'));
    if (connection !== undefined) {
      await (await overviews.loadOpener()).openOverview(connection.id);
    }
  });
  return overviews;
}
