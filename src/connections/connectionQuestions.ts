/** What is asked before a connection or its credential is deleted, or sent without encryption. */
import * as l10n from '@vscode/l10n';
import { plural } from '../language.ts';
import { confirm } from '../ui/messages.ts';
import type { Connection } from './connection.ts';
import { productionLine } from './roleTexts.ts';

type Named = Pick<Connection, 'name' | 'baseUrl' | 'role'>;

/** Truncations that were sent from here. */
export interface LeftThere {
  /** How many still run. */
  readonly running: number;
  /** `entityType/aspect` of each index whose rows a failed reindex may have hidden. */
  readonly hiding: readonly string[];
}

export function confirmRemoveConnection(
  connection: Named,
  hasCredential: boolean,
  { running, hiding }: LeftThere,
): Promise<boolean> {
  const kept = [
    ...productionLine(connection),
    hasCredential
      ? l10n.t("Deletes the stored access token. The token stays valid on the server until it's revoked.")
      : l10n.t("This doesn't change anything on the server."),
    ...(running === 0
      ? []
      : [
          plural(
            running,
            l10n.t('A truncation is still running and will continue, but this extension will stop tracking it.'),
            l10n.t(
              '{0} truncations are still running and will continue, but this extension will stop tracking them.',
              running,
            ),
          ),
        ]),
    ...(hiding.length === 0
      ? []
      : [
          l10n.t(
            "A failed reindex may have hidden rows of {0}. This extension will no longer know that, and won't block deleting there.",
            hiding.join(', '),
          ),
        ]),
  ];
  return confirm(l10n.t('Remove the connection "{0}"?', connection.name), kept, l10n.t('Remove'));
}

/** @param uncopied How many created tokens are held that the user hasn't copied. */
export function confirmSignOut(connection: Named, uncopied: number): Promise<boolean> {
  return confirm(
    l10n.t('Sign out of "{0}"?', connection.name),
    [
      ...productionLine(connection),
      l10n.t("Deletes the stored access token. The token stays valid on the server until it's revoked."),
      ...(uncopied === 0 ? [] : [l10n.t("Values of tokens that you created and didn't copy are lost.")]),
    ],
    l10n.t('Sign Out'),
  );
}

export function confirmPlainHttp(host: string): Promise<boolean> {
  return confirm(
    l10n.t('Send credentials to {0} without encryption?', host),
    [l10n.t('This address uses http://. Anyone on the network path can read your access token.')],
    l10n.t('Use Plain HTTP'),
  );
}
