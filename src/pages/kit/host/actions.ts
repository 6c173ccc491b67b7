/** Actions of both pages outside of the webview: commands, the clipboard and automation. */
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { CommandId } from '../../../manifest.ts';
import { handleOf } from '../../../ui/rowHandles.ts';
import { askPick, singleStep, type PickItem } from '../../../ui/inputSteps.ts';
import type { Clipboard } from '../../../ui/clipboard.ts';
import type { Notices } from '../../../ui/notices.ts';

/** Runs a command of the tree as its row would. */
export async function runTreeCommand(command: CommandId, subject: object): Promise<void> {
  await vscode.commands.executeCommand(command, handleOf(subject));
}

export interface CopyingHost {
  readonly clipboard: Clipboard;
  readonly notices: Notices;
}

/** Copies a text, if there is one, and says so. */
export async function copyText(text: string | undefined, { clipboard, notices }: CopyingHost): Promise<void> {
  if (text !== undefined) {
    await clipboard.copy(text);
    notices.done(l10n.t('Copied'));
  }
}

/** Offers to repeat truncations regularly: by the server's own cleanup, or by a scheduled job. Both can throw. */
export async function offerAutomation(copyRecipe: () => Promise<void>, copyJob: () => Promise<void>): Promise<void> {
  const items: readonly (PickItem & { readonly run: () => Promise<void> })[] = [
    {
      icon: 'note',
      label: l10n.t('Copy as datahub-gc Recipe'),
      detail: l10n.t("For DataHub's own cleanup, with one age for a fixed list of indices."),
      run: copyRecipe,
    },
    {
      icon: 'clock',
      label: l10n.t('Copy as Scheduled Job'),
      detail: l10n.t('A shell script that repeats this truncation, within limits set by its dry run.'),
      run: copyJob,
    },
  ];
  const answer = await askPick(singleStep(l10n.t('Automate')), {
    items,
    placeholder: l10n.t('Select how to automate'),
  });
  if (answer.kind === 'value') {
    await answer.value.run();
  }
}
