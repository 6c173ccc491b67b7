/** Offers to repeat a truncation regularly: by the server's own cleanup, or by a scheduled job. */
import * as l10n from '@vscode/l10n';
import { askPick, singleStep } from '../../../ui/inputSteps.ts';

export interface Automation {
  /** @throws ServiceFailure */
  readonly copyRecipe: () => Promise<void>;
  /** @throws ServiceFailure */
  readonly copyJob: () => Promise<void>;
}

export async function offerAutomation(automation: Automation): Promise<void> {
  const items = [
    {
      icon: 'note',
      label: l10n.t('Copy as datahub-gc Recipe'),
      detail: l10n.t("For DataHub's own cleanup, with one age for a fixed list of indices."),
      run: () => automation.copyRecipe(),
    },
    {
      icon: 'clock',
      label: l10n.t('Copy as Scheduled Job'),
      detail: l10n.t('A script that repeats this truncation, within limits that follow from its dry run.'),
      run: () => automation.copyJob(),
    },
  ];
  const answer = await askPick(singleStep(l10n.t('Automate')), { items, placeholder: l10n.t('Select a way') });
  if (answer.kind === 'value') {
    await answer.value.run();
  }
}
