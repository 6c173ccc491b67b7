/** Actions of both pages outside of the webview: commands, the clipboard, automation and the receipt. */
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { CommandId } from '../../../manifest.ts';
import { handleOf } from '../../../ui/handles.ts';
import { askPick, singleStep, type PickItem } from '../../../ui/inputSteps.ts';
import type { Clipboard } from '../../../ui/clipboard.ts';
import type { Notices } from '../../../ui/notices.ts';
import { saveFile } from '../../../ui/saveFile.ts';

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
export function offerAutomation(copyRecipe: () => Promise<void>, copyJob: () => Promise<void>): Promise<void> {
  return pickAction(l10n.t('Automate'), l10n.t('Select how to automate'), [
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
  ]);
}

/** Offers the receipt of one truncation or of several: to copy, or as a file. @param text In Markdown. */
export function offerReceipt(fileName: string, text: string, host: CopyingHost): Promise<void> {
  return pickAction(l10n.t('Receipt'), l10n.t('Copy or save the receipt'), [
    { icon: 'copy', label: l10n.t('Copy as Markdown'), run: () => copyText(text, host) },
    { icon: 'save', label: l10n.t('Save…'), run: () => saveReceipt(fileName, text, host) },
  ]);
}

async function pickAction(
  title: string,
  placeholder: string,
  items: readonly (PickItem & { readonly run: () => Promise<void> })[],
): Promise<void> {
  const answer = await askPick(singleStep(title), { items, placeholder });
  if (answer.kind === 'value') {
    await answer.value.run();
  }
}

async function saveReceipt(fileName: string, text: string, { notices }: CopyingHost): Promise<void> {
  const title = l10n.t('Save Receipt');
  const question = { title, fileName, folder: undefined, filters: { Markdown: ['md'] }, saveLabel: undefined };
  if ((await saveFile(question, () => text)) !== undefined) {
    notices.done(l10n.t('Receipt saved'));
  }
}
