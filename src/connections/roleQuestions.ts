/** Questions about the role of a connection. */
import * as l10n from '@vscode/l10n';
import { confirm } from '../ui/messages.ts';
import { askPick, type StepAnswer, type StepPlace } from '../ui/inputSteps.ts';
import type { PickItem } from '../ui/quickPick.ts';
import type { Connection } from './connection.ts';
import { ROLES, isLaxer, productionLine, roleName, suggestRole, type Role } from './role.ts';

interface RoleItem extends PickItem {
  readonly role: Role;
}

/**
 * Asks for the role until `mayTake` accepts the answer. Preselects the current role, the suggested one, or
 * production, so that an accidental Enter asks too much rather than too little.
 * @param subject `role` is the current one.
 * @param mayTake Confirms a role that is laxer than the current one.
 */
export async function askRole(
  place: StepPlace,
  subject: Pick<Connection, 'name' | 'baseUrl' | 'role'>,
  mayTake: (role: Role) => Promise<boolean>,
): Promise<StepAnswer<Role>> {
  const suggested = subject.role === undefined ? suggestRole(subject) : undefined;
  const items = ROLES.map((role): RoleItem => {
    const description =
      role === subject.role
        ? l10n.t('current')
        : role === suggested?.role
          ? l10n.t('suggested by "{0}"', suggested.because)
          : '';
    return { role, label: roleName(role), detail: roleDescription(role), description };
  });
  const marked = subject.role ?? suggested?.role ?? 'production';
  for (;;) {
    const answer = await askPick(place, {
      items,
      active: items.find(({ role }) => role === marked),
      placeholder: l10n.t('What is this server used for?'),
    });
    if (answer.kind !== 'value' || (await mayTake(answer.value.role))) {
      return answer.kind === 'value' ? { kind: 'value', value: answer.value.role } : answer;
    }
  }
}

/** Confirms a laxer role. @returns true at once for any other. */
export async function confirmRole(connection: Connection, role: Role): Promise<boolean> {
  if (!isLaxer(role, connection.role)) {
    return true;
  }
  return confirm(
    l10n.t('Change the role of "{0}" to {1}?', connection.name, roleName(role)),
    [
      ...productionLine(connection),
      ...(connection.role === 'readOnly'
        ? [l10n.t('Tokens can then be created and revoked, and indices truncated.')]
        : []),
      ...(role === 'development'
        ? [l10n.t("You'll no longer have to type the connection's name before truncating or revoking several tokens.")]
        : []),
    ],
    l10n.t('Change Role'),
  );
}

function roleDescription(role: Role): string {
  switch (role) {
    case 'development':
      return l10n.t('Asks the usual questions before anything is deleted or revoked.');
    case 'production':
      return l10n.t('Asks for its name before truncating or revoking several tokens.');
    case 'readOnly':
      return l10n.t('Refuses every change. Lists and dry runs still work.');
  }
}
