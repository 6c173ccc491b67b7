/** Registers the commands of both pages at the start. What they open is loaded with the first. */
import * as l10n from '@vscode/l10n';
import { isRowClick, pickConnection } from '../connections/pickConnection.ts';
import { pickNamedIndex } from '../indices/pickIndex.ts';
import { COMMANDS } from '../manifest.ts';
import type { CommandRegistry } from '../ui/commandRegistry.ts';
import type { PageOpeners } from './openers.ts';
import type { OpenPages } from './kit/host/openPages.ts';
import type { OverviewPanel } from './overview/host/panel.ts';
import type { TruncationPanel } from './truncation/host/panel.ts';

/** @param load Called with each page that is opened. */
export function registerPageCommands(
  commands: CommandRegistry,
  indices: Parameters<typeof pickNamedIndex>[0],
  pages: { readonly truncations: OpenPages<TruncationPanel>; readonly overviews: OpenPages<OverviewPanel> },
  load: () => Promise<PageOpeners>,
): void {
  commands.handle(COMMANDS.indexTruncate, async (clicked) => {
    const picked = await pickNamedIndex(indices, clicked, l10n.t('Truncate Index'));
    if (picked !== undefined) {
      await (await load()).truncate(picked.connection, picked.target, !isRowClick(clicked));
    }
  });
  const active = (): TruncationPanel | OverviewPanel | undefined => pages.truncations.active ?? pages.overviews.active;
  commands.handle(COMMANDS.indexCopyRecipe, async () => active()?.copyRecipe());
  commands.handle(COMMANDS.indexCopyJob, async () => active()?.copyJob());
  commands.handle(COMMANDS.indexOverview, async (clicked) => {
    const connection = await pickConnection(indices.store, clicked, l10n.t('Time Series Indices'));
    if (connection !== undefined) {
      await (await load()).openOverview(connection.id);
    }
  });
}
