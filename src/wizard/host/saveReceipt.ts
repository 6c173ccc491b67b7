/** The receipt of a truncation as a file. */
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { exportFolder } from '../../indices/exportFolder.ts';
import type { TruncationRecord } from '../../truncation/record.ts';
import { receiptFileName, type ReceiptFormat } from './receipt.ts';

/**
 * Asks where to. The file's name says in which format.
 * @returns whether it was saved: the person may change their mind.
 */
export async function saveReceipt(record: TruncationRecord, text: (format: ReceiptFormat) => string): Promise<boolean> {
  const uri = await vscode.window.showSaveDialog({
    title: l10n.t('Save Receipt'),
    defaultUri: vscode.Uri.joinPath(exportFolder(), receiptFileName(record)),
    filters: { Markdown: ['md'], JSON: ['json'] },
  });
  if (uri !== undefined) {
    const format = uri.path.toLowerCase().endsWith('.json') ? 'json' : 'markdown';
    await vscode.workspace.fs.writeFile(uri, new TextEncoder().encode(text(format)));
  }
  return uri !== undefined;
}
