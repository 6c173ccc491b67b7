import * as vscode from 'vscode';

/** What is said after a token was copied. */
export function copiedText(clearedAfterSeconds: number | undefined): string {
  return clearedAfterSeconds === undefined
    ? vscode.l10n.t('Access token copied')
    : vscode.l10n.t('Access token copied; the clipboard is cleared in {0} s', clearedAfterSeconds);
}
