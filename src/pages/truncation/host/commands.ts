/** Registers the truncation pages and their commands at the start. */
import * as l10n from '@vscode/l10n';
import { pickNamedIndex } from '../../../indices/pickIndex.ts';
import { COMMANDS, WIZARD_VIEW_TYPE } from '../../../manifest.ts';
import type { CommandRegistry } from '../../../ui/commands.ts';
import { PagePanelRegistry } from '../../kit/host/panelRegistry.ts';
import type { TruncationPanelOpener, TruncationPanelRegistry } from './opener.ts';

/** @param load Called with the first panel. */
export function registerTruncationPages(
  commands: CommandRegistry,
  indices: Parameters<typeof pickNamedIndex>[0],
  load: (registry: TruncationPanelRegistry) => Promise<TruncationPanelOpener>,
): TruncationPanelRegistry {
  const pages: TruncationPanelRegistry = new PagePanelRegistry({
    viewType: WIZARD_VIEW_TYPE,
    title: l10n.t('Truncate Index'),
    load,
  });
  commands.handle(COMMANDS.indexTruncate, async (clicked) => {
    const picked = await pickNamedIndex(indices, clicked, l10n.t('Truncate Index'), true);
    if (picked !== undefined) {
      await (await pages.loadOpener()).truncate(picked.connection, picked.target);
    }
  });
  commands.handle(COMMANDS.indexCopyRecipe, async () => pages.activePanel?.content.copyRecipe());
  commands.handle(COMMANDS.indexCopyJob, async () => pages.activePanel?.content.copyJob());
  return pages;
}
