/** The words for a role, wherever a connection is named: in rows, in questions and on pages. */
import * as l10n from '@vscode/l10n';
import type { Connection } from './connection.ts';
import type { Role } from './role.ts';

/** As it stands alone. */
export function roleName(role: Role): string {
  switch (role) {
    case 'development':
      return l10n.t('Development');
    case 'production':
      return l10n.t('Production');
    case 'readOnly':
      return l10n.t('Read-only');
  }
}

/** Behind a name; undefined where there is nothing to beware of. */
export function roleWord({ role }: Pick<Connection, 'role'>): string | undefined {
  switch (role) {
    case 'production':
      return l10n.t('production');
    case 'readOnly':
      return l10n.t('read-only');
    case 'development':
    case undefined:
      return undefined;
  }
}

/** "Main · production" */
export function nameWithRole(connection: Pick<Connection, 'name' | 'role'>): string {
  const word = roleWord(connection);
  return word === undefined ? connection.name : `${connection.name} · ${word}`;
}

/** For questions about what is destroyed on production: names can be alike, or say one thing and mean another. Else nothing. */
export function productionLine({ name, baseUrl, role }: Pick<Connection, 'name' | 'baseUrl' | 'role'>): string[] {
  return role === 'production' ? [l10n.t('Production connection: {0} ({1})', name, baseUrl)] : [];
}

/** Where rows are deleted, first in a question about it. */
export function connectionLine(connection: Pick<Connection, 'name' | 'baseUrl' | 'role'>): string {
  const { name, baseUrl } = connection;
  return productionLine(connection)[0] ?? l10n.t('Connection: {0} ({1})', name, baseUrl);
}

/** Why a dry run can be looked at, and nothing more. */
export function readOnlyReason(): string {
  return l10n.t('This connection is read-only, so nothing can be deleted.');
}
