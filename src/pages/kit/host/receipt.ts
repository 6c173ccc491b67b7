/** Offers the receipt of one truncation or of several: to copy, or as a file. */
import * as l10n from '@vscode/l10n';
import type { ReceiptFileFormat } from '../../../truncation/receipt.ts';
import { askPick, singleStep, type PickItem } from '../../../ui/inputSteps.ts';
import { saveFile } from '../../../ui/saveFile.ts';
import type { PageHost } from './pagePanel.ts';

interface ReceiptChoice extends PickItem {
  readonly format: ReceiptFileFormat | 'file';
}

export async function offerReceipt(
  fileName: string,
  text: (format: ReceiptFileFormat) => string,
  { clipboard, notices }: Pick<PageHost, 'clipboard' | 'notices'>,
): Promise<void> {
  const items: readonly ReceiptChoice[] = [
    { icon: 'copy', label: l10n.t('Copy as Markdown'), format: 'markdown' },
    { icon: 'json', label: l10n.t('Copy as JSON'), format: 'json' },
    { icon: 'save', label: l10n.t('Save…'), format: 'file' },
  ];
  const answer = await askPick(singleStep(l10n.t('Receipt')), { items, placeholder: l10n.t('Select a format') });
  if (answer.kind !== 'value') {
    return;
  }
  const { format } = answer.value;
  if (format !== 'file') {
    await clipboard.copy(text(format));
    notices.done(l10n.t('Copied'));
    return;
  }
  const question = {
    title: l10n.t('Save Receipt'),
    fileName,
    folder: undefined,
    filters: { Markdown: ['md'], JSON: ['json'] },
    saveLabel: undefined,
  };
  if ((await saveFile(question, (chosen) => text(chosen === 'json' ? 'json' : 'markdown'))) !== undefined) {
    notices.done(l10n.t('Receipt saved'));
  }
}
