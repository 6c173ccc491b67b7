/** Sentences about a role, for questions and pages. */
import * as l10n from '@vscode/l10n';
import { hostOf } from './connection.ts';
import { requiresTypedText, type ConnectionRole, type LabeledConnection } from './role.ts';

/** Returns the consequences in one line of a quick pick. */
export function roleDescription(role: ConnectionRole, { baseUrl }: Pick<LabeledConnection, 'baseUrl'>): string {
  switch (role) {
    case 'development':
      return requiresTypedText({ role, baseUrl })
        ? l10n.t('Asks you to type a name before deleting rows, since this may be a tunnel.')
        : l10n.t("Asks before deleting rows, but you don't have to type a name.");
    case 'production':
      return l10n.t('Asks you to type a name before deleting rows or revoking several tokens.');
    case 'readOnly':
      return l10n.t('Refuses every change. Lists and dry runs still work.');
  }
}

/** First line about production. Has the address, since names mislead; alone if the name is its host. */
export function productionLine({ name, baseUrl, role }: LabeledConnection): string[] {
  if (role !== 'production') {
    return [];
  }
  return [
    name === hostOf({ baseUrl })
      ? l10n.t('Production connection: {0}', baseUrl)
      : l10n.t('Production connection: {0} ({1})', name, baseUrl),
  ];
}

/** Explains why only dry runs are possible. */
export function readOnlyReason(): string {
  return l10n.t('This connection is read-only, so nothing can be deleted.');
}

/** Returns the name for lists and sentences. */
export function localizedRoleName(role: ConnectionRole): string {
  switch (role) {
    case 'development':
      return l10n.t('Development');
    case 'production':
      return l10n.t('Production');
    case 'readOnly':
      return l10n.t('Read-only');
  }
}
