/** The receipt of a truncation as a file. */
import * as l10n from '@vscode/l10n';
import type { TruncationRecord } from '../../truncation/record.ts';
import { saveFile } from '../../ui/saveFile.ts';
import { receiptFileName, type ReceiptFormat } from './receipt.ts';

/**
 * Asks where to. The file's name says in which format.
 * @returns whether it was saved: the person may change their mind.
 */
export async function saveReceipt(record: TruncationRecord, text: (format: ReceiptFormat) => string): Promise<boolean> {
  const question = {
    title: l10n.t('Save Receipt'),
    fileName: receiptFileName(record),
    folder: undefined,
    filters: { Markdown: ['md'], JSON: ['json'] },
    saveLabel: undefined,
  };
  const folder = await saveFile(question, (format) => text(format === 'json' ? 'json' : 'markdown'));
  return folder !== undefined;
}
