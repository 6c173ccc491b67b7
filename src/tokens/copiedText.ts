import * as l10n from '@vscode/l10n';

/** What is said after a token was copied. */
export function copiedText(clearedAfterSeconds: number | undefined): string {
  return clearedAfterSeconds === undefined
    ? l10n.t('Access token copied')
    : l10n.t('Access token copied; the clipboard is cleared in {0} s', clearedAfterSeconds);
}
