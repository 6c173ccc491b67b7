/** Describes a query, for the tree and the list of filters. Pure. */
import * as l10n from '@vscode/l10n';
import { shortActorName } from '../service/server/identifiers.ts';
import { formatsOf } from '../ui/formats.ts';
import type { QueryFilter, TokenQuery } from './tokenQuery.ts';

/** `all · expires before Nov 29, 2026 · name contains "img"` */
export function tokenQueryText({ scope, filters }: TokenQuery, locale: string): string {
  const whose = scope === 'own' ? l10n.t('mine') : l10n.t('all');
  return [whose, ...filters.map((filter) => filterText(filter, locale))].join(' · ');
}

function filterText(filter: QueryFilter, locale: string): string {
  if ('kind' in filter) {
    return filter.kind === 'expired' ? l10n.t('expired') : l10n.t('expires within {0} days', filter.days);
  }
  const { field, value, condition } = filter;
  const words = fieldText(field, condition, filterValueText(field, value, locale));
  if (words !== undefined) {
    return words;
  }
  // Other properties have only the name that the user typed.
  switch (condition) {
    case 'EQUAL':
      return l10n.t('{0} is "{1}"', field, value);
    case 'CONTAIN':
      return l10n.t('{0} contains "{1}"', field, value);
    case 'LESS_THAN':
      return l10n.t('{0} is less than {1}', field, value);
    case 'GREATER_THAN':
      return l10n.t('{0} is greater than {1}', field, value);
  }
}

function fieldText(field: string, condition: string, value: string): string | undefined {
  switch (`${field} ${condition}`) {
    case 'name EQUAL':
      return l10n.t('name is "{0}"', value);
    case 'name CONTAIN':
      return l10n.t('name contains "{0}"', value);
    case 'actorUrn EQUAL':
      return l10n.t('acts as {0}', value);
    case 'ownerUrn EQUAL':
      return l10n.t('created by {0}', value);
    case 'id EQUAL':
      return l10n.t('ID is "{0}"', value);
    case 'expiresAt EQUAL':
      return l10n.t('expires on {0}', value);
    case 'expiresAt LESS_THAN':
      return l10n.t('expires before {0}', value);
    case 'expiresAt GREATER_THAN':
      return l10n.t('expires after {0}', value);
    case 'createdAt EQUAL':
      return l10n.t('created on {0}', value);
    case 'createdAt LESS_THAN':
      return l10n.t('created before {0}', value);
    case 'createdAt GREATER_THAN':
      return l10n.t('created after {0}', value);
    default:
      return undefined;
  }
}

/** Times are Unix time in ms, as text; values of typed properties may be invalid. */
function filterValueText(field: string, value: string, locale: string): string {
  const isTime = (field === 'expiresAt' || field === 'createdAt') && /^\d{1,15}$/.test(value);
  return isTime ? formatsOf(locale).date(Number(value)) : shortActorName(value);
}
