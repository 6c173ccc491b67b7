/** Registers the commands of both pages at the start. What they open is loaded with the first. */
import * as l10n from '@vscode/l10n';
import { isRowClick, pickConnection } from '../connections/pickConnection.ts';
import { pickNamedIndex } from '../indices/pickIndex.ts';
import { COMMANDS } from '../manifest.ts';
import type { CommandRegistry } from '../ui/commandRegistry.ts';
import type { PageOpeners } from './openers.ts';
import type { TruncationPanel } from './truncation/host/panel.ts';

/**
 * @param active Returns the page in front.
 * @param load Called with each page that is opened.
 */
export function registerPageCommands(
  commands: CommandRegistry,
  indices: Parameters<typeof pickNamedIndex>[0],
  active: () => Pick<TruncationPanel, 'copyRecipe' | 'copyJob'> | undefined,
  load: () => Promise<PageOpeners>,
): void {
  commands.handle(COMMANDS.indexTruncate, async (clicked) => {
    const picked = await pickNamedIndex(indices, clicked, l10n.t('Truncate Index'));
    if (picked !== undefined) {
      await (await load()).truncate(picked.connection, picked.target, !isRowClick(clicked));
    }
  });
  commands.handle(COMMANDS.indexCopyRecipe, async () => active()?.copyRecipe());
  commands.handle(COMMANDS.indexCopyJob, async () => active()?.copyJob());
  commands.handle(COMMANDS.indexOverview, async (clicked) => {
    const connection = await pickConnection(indices.store, clicked, l10n.t('Time Series Indices'));
    if (connection !== undefined) {
      await (await load()).openOverview(connection.id);
    }
  });
}
