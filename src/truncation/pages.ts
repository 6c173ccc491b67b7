/**
 * The host sides of the pages, loaded when the first of them is opened. Together: what two such files shared with the start would be
 * more files to read there.
 */
import { OverviewPanels } from './overview/host/panels.ts';
import { WizardPanel } from './wizard/host/panel.ts';

export function newWizardPanel(...parts: ConstructorParameters<typeof WizardPanel>): WizardPanel {
  return new WizardPanel(...parts);
}

export function newOverviewPanels(...parts: ConstructorParameters<typeof OverviewPanels>): OverviewPanels {
  return new OverviewPanels(...parts);
}
