/** The receipt of a truncation as a file. */
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { exportFolder } from '../../../indices/exportFolder.ts';
import type { TruncationRecord } from '../../model/record.ts';
import { receiptFileName } from '../../receipt.ts';
import type { ReceiptFormat } from '../../receipt.ts';

/** @returns whether it was saved: the person may change their mind. */
export async function saveReceipt(record: TruncationRecord, text: string, format: ReceiptFormat): Promise<boolean> {
  const uri = await vscode.window.showSaveDialog({
    title: l10n.t('Save Receipt'),
    defaultUri: vscode.Uri.joinPath(exportFolder(), receiptFileName(record, format)),
    filters: format === 'json' ? { JSON: ['json'] } : { Markdown: ['md'] },
  });
  if (uri !== undefined) {
    await vscode.workspace.fs.writeFile(uri, new TextEncoder().encode(text));
  }
  return uri !== undefined;
}
