/** What is asked before a connection or its credential is deleted, or sent without encryption. */
import * as vscode from 'vscode';
import { confirm } from '../ui/confirm.ts';

/** Truncations that were sent from here. */
export interface LeftThere {
  /** How many still run. */
  readonly running: number;
  /** `entityType/aspect` of each index whose rows a failed reindex may have hidden. */
  readonly hiding: readonly string[];
}

export function confirmRemoveConnection(
  name: string,
  hasCredential: boolean,
  { running, hiding }: LeftThere,
): Promise<boolean> {
  const kept = [
    hasCredential
      ? vscode.l10n.t(
          'Its access token is deleted from the secret storage. The token itself stays valid until it is revoked on the server.',
        )
      : vscode.l10n.t('Nothing on the server changes.'),
    ...(running === 0
      ? []
      : [
          running === 1
            ? vscode.l10n.t('A truncation still runs there and goes on: its task ID is forgotten.')
            : vscode.l10n.t('{0} truncations still run there and go on: their task IDs are forgotten.', running),
        ]),
    ...(hiding.length === 0
      ? []
      : [
          vscode.l10n.t(
            'A failed reindex may have hidden rows of {0}. This is forgotten, and nothing here keeps anybody from deleting there.',
            hiding.join(', '),
          ),
        ]),
  ];
  return confirm(vscode.l10n.t('Remove the connection "{0}"?', name), kept, vscode.l10n.t('Remove'));
}

export function confirmSignOut(name: string): Promise<boolean> {
  return confirm(
    vscode.l10n.t('Sign out of "{0}"?', name),
    [
      vscode.l10n.t(
        'Its access token is deleted from the secret storage. The token itself stays valid until it is revoked on the server.',
      ),
    ],
    vscode.l10n.t('Sign Out'),
  );
}

export function confirmPlainHttp(host: string): Promise<boolean> {
  return confirm(
    vscode.l10n.t('Send credentials to {0} without encryption?', host),
    [
      vscode.l10n.t(
        'Its address starts with http://. Whoever can listen on the network between here and there can read the access token.',
      ),
    ],
    vscode.l10n.t('Use Plain HTTP'),
  );
}
