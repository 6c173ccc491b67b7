/** What is asked before a token is revoked or copied. */
import * as vscode from 'vscode';
import { plural } from '../language.ts';
import { confirm } from '../ui/confirm.ts';
import { inPlainText } from '../ui/foreignText.ts';

/** @param names The tokens as the tree shows them. */
export function confirmRevoke(
  names: readonly string[],
  connectionName: string,
  isCredential: boolean,
): Promise<boolean> {
  const [first] = names;
  const shown = names.slice(0, 10).map((name) => `• ${inPlainText(name)}`);
  const rest = names.length - shown.length;
  const detail = [
    ...(names.length > 1
      ? [
          [
            ...shown,
            ...(rest > 0
              ? [
                  plural(
                    rest,
                    vscode.l10n.t('… and {0} more token', rest),
                    vscode.l10n.t('… and {0} more tokens', rest),
                  ),
                ]
              : []),
          ],
        ]
      : []),
    vscode.l10n.t(
      "Anything using this token will lose access to {0}, possibly after a few minutes. This can't be undone.",
      connectionName,
    ),
    ...(isCredential ? [vscode.l10n.t('This connection signs in with this token.')] : []),
  ];
  return names.length === 1
    ? confirm(vscode.l10n.t('Revoke the access token "{0}"?', first ?? ''), detail, vscode.l10n.t('Revoke'))
    : confirm(
        vscode.l10n.t('Revoke {0} access tokens?', names.length),
        detail,
        vscode.l10n.t('Revoke {0} Tokens', names.length),
      );
}

/** @param name The token as the tree shows it. */
export function confirmCopy(name: string): Promise<boolean> {
  return confirm(
    vscode.l10n.t('Copy the access token "{0}"?', name),
    [vscode.l10n.t('The token itself is copied, not its ID. Other programs and extensions can read the clipboard.')],
    vscode.l10n.t('Copy Token'),
  );
}
