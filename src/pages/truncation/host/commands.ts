/** Registers the wizard's panels and commands at the start. */
import * as l10n from '@vscode/l10n';
import { pickNamedIndex } from '../../../indices/pickIndex.ts';
import { COMMANDS, WIZARD_VIEW_TYPE } from '../../../manifest.ts';
import type { CommandRegistry } from '../../../ui/commands.ts';
import { PagePanelRegistry } from '../../kit/host/panelRegistry.ts';
import type { WizardPanelOpener, WizardPanelRegistry } from './opener.ts';

/** @param load Called with the first panel. */
export function registerWizard(
  commands: CommandRegistry,
  indices: Parameters<typeof pickNamedIndex>[0],
  load: (registry: WizardPanelRegistry) => Promise<WizardPanelOpener>,
): WizardPanelRegistry {
  const wizards: WizardPanelRegistry = new PagePanelRegistry({
    viewType: WIZARD_VIEW_TYPE,
    title: l10n.t('Truncate Index'),
    load,
  });
  // Keybindings of 0.1 still name the second command.
  for (const command of [COMMANDS.indexTruncate, COMMANDS.indexTruncateQuick]) {
    commands.handle(command, async (clicked) => {
      const picked = await pickNamedIndex(indices, clicked, l10n.t('Truncate Index'), true);
      if (picked !== undefined) {
        await (await wizards.loadOpener()).openWizard(picked.connection, picked.index);
      }
    });
  }
  commands.handle(COMMANDS.indexCopyRecipe, async () => {
    if (wizards.activePanel !== undefined) {
      await (await wizards.loadOpener()).copyRecipe();
    }
  });
  commands.handle(COMMANDS.indexCopyJob, async () => {
    if (wizards.activePanel !== undefined) {
      await (await wizards.loadOpener()).copyJob();
    }
  });
  return wizards;
}
