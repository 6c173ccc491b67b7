/** Registers both pages and their commands at the start. What they open is loaded with the first. */
import * as l10n from '@vscode/l10n';
import type { ConnectionStore } from '../connections/connectionStore.ts';
import { isRowClick, pickConnection } from '../connections/pickConnection.ts';
import { pickNamedIndex } from '../indices/pickIndex.ts';
import { COMMANDS, OVERVIEW_VIEW_TYPE, WIZARD_VIEW_TYPE } from '../manifest.ts';
import type { CommandRegistry } from '../ui/commands.ts';
import { PagePanelRegistry } from './kit/host/panelRegistry.ts';
import type { OverviewPanelOpener, OverviewPanelRegistry } from './overview/host/opener.ts';
import type { TruncationPanelOpener, TruncationPanelRegistry } from './truncation/host/opener.ts';

/** @param load Called with the first panel. */
export function registerTruncationPages(
  commands: CommandRegistry,
  indices: Parameters<typeof pickNamedIndex>[0],
  load: (registry: TruncationPanelRegistry) => Promise<TruncationPanelOpener>,
): TruncationPanelRegistry {
  const title = l10n.t('Truncate Index');
  const pages: TruncationPanelRegistry = new PagePanelRegistry({ viewType: WIZARD_VIEW_TYPE, title, load });
  commands.handle(COMMANDS.indexTruncate, async (clicked) => {
    const picked = await pickNamedIndex(indices, clicked, title, true);
    if (picked !== undefined) {
      await (await pages.loadOpener()).truncate(picked.connection, picked.target, !isRowClick(clicked));
    }
  });
  commands.handle(COMMANDS.indexCopyRecipe, async () => pages.activePanel?.copyRecipe());
  commands.handle(COMMANDS.indexCopyJob, async () => pages.activePanel?.copyJob());
  return pages;
}

/** @param load Called with the first panel. */
export function registerOverview(
  commands: CommandRegistry,
  store: ConnectionStore,
  load: (registry: OverviewPanelRegistry) => Promise<OverviewPanelOpener>,
): OverviewPanelRegistry {
  const title = l10n.t('Time Series Indices');
  const overviews: OverviewPanelRegistry = new PagePanelRegistry({ viewType: OVERVIEW_VIEW_TYPE, title, load });
  commands.handle(COMMANDS.indexOverview, async (clicked) => {
    const connection = await pickConnection(store, clicked, title);
    if (connection !== undefined) {
      await (await overviews.loadOpener()).openOverview(connection.id);
    }
  });
  return overviews;
}
