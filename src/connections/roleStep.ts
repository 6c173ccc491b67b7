/** The question what a server is used for, and the one before it gets laxer. */
import * as l10n from '@vscode/l10n';
import { confirm } from '../ui/messages.ts';
import { askPick } from '../ui/inputSteps.ts';
import type { Answer, StepPlace } from '../ui/inputSteps.ts';
import type { PickItem } from '../ui/quickPick.ts';
import type { Connection } from './connection.ts';
import { ROLES, isLaxer, suggestRole } from './role.ts';
import type { Role } from './role.ts';
import { productionLine, roleName } from './roleTexts.ts';

interface RoleItem extends PickItem {
  readonly role: Role;
}

/**
 * Asked until there is an answer that the person stands by.
 * @param subject `role` is the one chosen before, if any. Without one the suggestion is marked, and nothing more: without that,
 * production, so that an Enter too many asks once too often rather than once too little.
 * @param mayTake Asks where the answer takes more than a choice.
 */
export async function askRole(
  place: StepPlace,
  subject: Pick<Connection, 'name' | 'baseUrl' | 'role'>,
  mayTake: (role: Role) => Promise<boolean>,
): Promise<Answer<Role>> {
  const suggested = subject.role === undefined ? suggestRole(subject) : undefined;
  const items = ROLES.map((role): RoleItem => {
    const description =
      role === subject.role
        ? l10n.t('current')
        : role === suggested?.role
          ? l10n.t('suggested by "{0}"', suggested.because)
          : '';
    return { role, label: roleName(role), detail: detailOf(role), description };
  });
  const marked = subject.role ?? suggested?.role ?? 'production';
  for (;;) {
    // oxlint-disable-next-line no-await-in-loop -- the same question again, after a no
    const answer = await askPick(place, {
      items,
      active: items.find(({ role }) => role === marked),
      placeholder: l10n.t('What is this server used for?'),
    });
    // oxlint-disable-next-line no-await-in-loop -- see above
    if (answer.kind !== 'value' || (await mayTake(answer.value.role))) {
      return answer.kind === 'value' ? { kind: 'value', value: answer.value.role } : answer;
    }
  }
}

/** @returns true at once where nothing becomes possible, or possible with less asked. */
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

function detailOf(role: Role): string {
  switch (role) {
    case 'development':
      return l10n.t('Asks the usual questions before anything is deleted or revoked.');
    case 'production':
      return l10n.t('Asks for its name before truncating or revoking several tokens.');
    case 'readOnly':
      return l10n.t('Refuses every change. Lists and dry runs still work.');
  }
}
