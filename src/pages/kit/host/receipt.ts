/** Offers the receipt of one truncation or of several: to copy, or as a file. */
import * as l10n from '@vscode/l10n';
import { askPick, singleStep, type PickItem } from '../../../ui/inputSteps.ts';
import { saveFile } from '../../../ui/saveFile.ts';
import type { PageHost } from './pagePanel.ts';

interface ReceiptChoice extends PickItem {
  readonly isFile: boolean;
}

/** @param text In Markdown. */
export async function offerReceipt(
  fileName: string,
  text: string,
  { clipboard, notices }: Pick<PageHost, 'clipboard' | 'notices'>,
): Promise<void> {
  const items: readonly ReceiptChoice[] = [
    { icon: 'copy', label: l10n.t('Copy as Markdown'), isFile: false },
    { icon: 'save', label: l10n.t('Save…'), isFile: true },
  ];
  const answer = await askPick(singleStep(l10n.t('Receipt')), {
    items,
    placeholder: l10n.t('Copy or save the receipt'),
  });
  if (answer.kind !== 'value') {
    return;
  }
  if (!answer.value.isFile) {
    await clipboard.copy(text);
    notices.done(l10n.t('Copied'));
    return;
  }
  const question = {
    title: l10n.t('Save Receipt'),
    fileName,
    folder: undefined,
    filters: { Markdown: ['md'] },
    saveLabel: undefined,
  };
  if ((await saveFile(question, () => text)) !== undefined) {
    notices.done(l10n.t('Receipt saved'));
  }
}
