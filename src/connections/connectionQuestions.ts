/**
 * Questions about a connection: its role, and before it or its credential is deleted, plain HTTP is used, or
 * production is changed.
 */
import * as l10n from '@vscode/l10n';
import { plural } from '../language.ts';
import { confirm } from '../ui/messages.ts';
import { type StepAnswer, type StepPlace, askPick, type PickItem } from '../ui/inputSteps.ts';
import { isLoopbackHost } from '../service/http/baseUrl.ts';
import type { Connection } from './connection.ts';
import { remoteBelow } from './extensionPlace.ts';
import {
  isLaxerRole,
  requiresTypedText,
  ROLES,
  type ConnectionRole,
  type LabeledConnection,
  localizedRoleName,
  productionLine,
  roleDescription,
} from './role.ts';

/** Truncations that are no longer tracked after the removal. */
export interface TrackedTruncations {
  /** Number of running tasks. */
  readonly running: number;
  /** `entityType/aspect` of each index whose rows a failed reindex may have hidden. */
  readonly hiding: readonly string[];
}

export function confirmRemoveConnection(
  connection: LabeledConnection & Pick<Connection, 'signIn'>,
  hasCredential: boolean,
  tracked: TrackedTruncations,
): Promise<boolean> {
  const kept = [
    ...productionLine(connection),
    hasCredential
      ? l10n.t("Deletes the stored access token. The token stays valid on the server until it's revoked.")
      : l10n.t("This doesn't change anything on the server."),
    ...headersLine(connection),
    ...truncationLines(tracked),
  ];
  return confirm(l10n.t('Remove the connection "{0}"?', connection.name), kept, l10n.t('Remove'));
}

function headersLine({ signIn }: Pick<Connection, 'signIn'>): string[] {
  const { headerNames = [] } = signIn ?? {};
  return headerNames.length === 0 ? [] : [l10n.t('Deletes the additional headers: {0}.', headerNames.join(', '))];
}

function truncationLines({ running, hiding }: TrackedTruncations): string[] {
  return [
    ...(running === 0
      ? []
      : [
          plural(
            running,
            l10n.t('A truncation may still be running. This extension will stop tracking it.'),
            l10n.t('{0} truncations may still be running. This extension will stop tracking them.', running),
          ),
        ]),
    ...(hiding.length === 0
      ? []
      : [
          l10n.t(
            "A failed reindex may have hidden rows of {0}. Once the connection is removed, this extension won't prevent deleting rows there.",
            hiding.join(', '),
          ),
        ]),
  ];
}

/** Of a connection whose file can't be read. */
export function confirmRemoveUnreadable(tracked: TrackedTruncations): Promise<boolean> {
  return confirm(
    l10n.t("Remove the connection that can't be read?"),
    [
      l10n.t(
        "Deletes its access token and everything else that is stored for it. The token stays valid on the server until it's revoked.",
      ),
      ...truncationLines(tracked),
    ],
    l10n.t('Remove'),
  );
}

/** @param uncopied Number of created tokens not copied yet. */
export function confirmSignOut(
  connection: LabeledConnection & Pick<Connection, 'signIn'>,
  uncopied: number,
): Promise<boolean> {
  return confirm(
    l10n.t('Sign out of "{0}"?', connection.name),
    [
      ...productionLine(connection),
      l10n.t("Deletes the stored access token. The token stays valid on the server until it's revoked."),
      ...headersLine(connection),
      ...(uncopied === 0 ? [] : [l10n.t("The values of tokens that you created but didn't copy will be lost.")]),
    ],
    l10n.t('Sign Out'),
  );
}

export function confirmPlainHttp(baseUrl: string): Promise<boolean> {
  const { host, hostname } = new URL(baseUrl);
  const machine = isLoopbackHost(hostname) ? remoteBelow() : undefined;
  return confirm(
    l10n.t('Send credentials to {0} without encryption?', host),
    [
      machine === undefined
        ? l10n.t('This address uses http://. Anyone on the network path can read your credentials.')
        : l10n.t(
            'The extension runs on {0}. Any user of that machine can listen at this address and read your credentials.',
            machine,
          ),
    ],
    l10n.t('Use Plain HTTP'),
  );
}

interface ConnectionRoleItem extends PickItem {
  readonly role: ConnectionRole;
}

/** Asks for the role. Preselects the current one, so that an accidental Enter changes nothing. */
export async function askConnectionRole(
  place: StepPlace,
  subject: LabeledConnection,
): Promise<StepAnswer<ConnectionRole>> {
  const items = ROLES.map((role): ConnectionRoleItem => {
    const description = role === subject.role ? l10n.t('current') : '';
    return { role, label: localizedRoleName(role), detail: roleDescription(role, subject), description };
  });
  const answer = await askPick(place, {
    items,
    active: items.find(({ role }) => role === subject.role),
    placeholder: l10n.t('What is this server used for?'),
  });
  return answer.kind === 'value' ? { kind: 'value', value: answer.value.role } : answer;
}

/**
 * Confirms a laxer role, or that nothing is typed any more.
 * @param connection Its role is undefined if none was chosen for this address.
 * @returns true at once for any other.
 */
export async function confirmRole(connection: LabeledConnection, role: ConnectionRole): Promise<boolean> {
  const isTyped = requiresTypedText({ baseUrl: connection.baseUrl, role });
  const hasRole = connection.role !== undefined;
  if (hasRole ? !isLaxerRole(role, connection.role) : isTyped) {
    return true;
  }
  return confirm(
    hasRole
      ? l10n.t('Change the role of "{0}" to {1}?', connection.name, localizedRoleName(role))
      : l10n.t('Allow deleting rows on "{0}" without typing a name?', connection.name),
    [
      ...productionLine(connection),
      ...(connection.role === 'readOnly'
        ? [l10n.t('Tokens can then be created and revoked, and indices truncated.')]
        : []),
      // On a read-only one, no token could be revoked at all.
      ...(connection.role === 'production'
        ? [l10n.t("You'll no longer have to type the connection's name before revoking several tokens.")]
        : []),
      ...(isTyped
        ? []
        : [
            l10n.t(
              "Deleting rows at {0} will only take a dialog; you won't have to type anything.",
              connection.baseUrl,
            ),
          ]),
    ],
    hasRole ? l10n.t('Change Role') : l10n.t('Choose Development'),
  );
}
