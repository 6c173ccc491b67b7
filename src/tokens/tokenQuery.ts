/** Which tokens to list: scope and filters, and their description. Pure. */
import * as l10n from '@vscode/l10n';
import type { TokenListFilter } from '../service/tokens/tokenListing.ts';
import { MILLIS_PER_DAY } from '../time.ts';
import { shortActorName } from '../service/server/identifiers.ts';
import { NEVER_EXPIRES } from './tokenWindows.ts';
import { inPlainText, withBothEnds } from '../ui/foreignText.ts';
import { formatsOf } from '../ui/formats.ts';

interface NamedTokenFilter extends TokenListFilter {
  /** The server's name for the service account that the tokens act as: foreign text, only shown. */
  readonly name?: string | undefined;
}

/** Relative filters are kept as meant, and become conditions with each request. */
export type TokenQueryFilter =
  | NamedTokenFilter
  | { readonly kind: 'expired' }
  | { readonly kind: 'neverExpires' }
  | { readonly kind: 'expiresWithin'; readonly days: number };

export interface TokenListQuery {
  /** `own`: created by the caller. */
  readonly scope: 'own' | 'all';
  readonly filters: readonly TokenQueryFilter[];
  /** Undefined: as the server lists them. */
  readonly order?: 'soonest' | undefined;
}

export const OWN_TOKENS: TokenListQuery = { scope: 'own', filters: [] };

/** Filters in the server's form. @param now Unix time in ms. */
export function conditionsOf(filters: readonly TokenQueryFilter[], now: number): readonly TokenListFilter[] {
  return filters.flatMap((filter): readonly TokenListFilter[] => {
    if (!('kind' in filter)) {
      const { field, value, condition } = filter;
      return [{ field, value, condition }];
    }
    const field = 'expiresAt';
    switch (filter.kind) {
      case 'expired':
        return [{ field, value: String(now), condition: 'LESS_THAN' }];
      case 'neverExpires':
        return [NEVER_EXPIRES];
      case 'expiresWithin':
        return [
          { field, value: String(now), condition: 'GREATER_THAN' },
          { field, value: String(now + filter.days * MILLIS_PER_DAY), condition: 'LESS_THAN' },
        ];
    }
  });
}

export function isNeverFilter(filter: TokenQueryFilter): boolean {
  return 'kind' in filter && filter.kind === 'neverExpires';
}

export function filtersByExpiry({ filters }: TokenListQuery): boolean {
  return filters.some((filter) => filteredField(filter) === 'expiresAt');
}

/** Adds a filter, replacing those that it contradicts. */
export function withAddedFilter<Query extends Pick<TokenListQuery, 'filters'>>(
  query: Query,
  filter: TokenQueryFilter,
): Query {
  return { ...query, filters: [...query.filters.filter((before) => !replacesFilter(filter, before)), filter] };
}

/** A filter replaces others of its field, except that "after" and "before" form a range. */
function replacesFilter(filter: TokenQueryFilter, before: TokenQueryFilter): boolean {
  if (filteredField(filter) !== filteredField(before)) {
    return false;
  }
  const bounds = new Set([filter, before].map((one) => ('kind' in one ? undefined : one.condition)));
  return !(bounds.has('LESS_THAN') && bounds.has('GREATER_THAN'));
}

function filteredField(filter: TokenQueryFilter): string {
  return 'kind' in filter ? 'expiresAt' : filter.field;
}

/**
 * `all · expires before Nov 29, 2026 · name contains "img"`
 * @param readSoFar Number of tokens that filter or order apply to, if there are more.
 */
export function tokenQueryText({ scope, filters, order }: TokenListQuery, locale: string, readSoFar?: number): string {
  const whose = scope === 'own' ? l10n.t('mine') : l10n.t('all');
  const texts = filters.map((filter) => queryFilterText(filter, locale, readSoFar));
  return [whose, ...texts, ...(order === 'soonest' ? [orderText(locale, readSoFar)] : [])].join(' · ');
}

function orderText(locale: string, readSoFar: number | undefined): string {
  return readSoFar === undefined
    ? l10n.t('expiring soonest first')
    : l10n.t('expiring soonest first, of {0} loaded', formatsOf(locale).number(readSoFar));
}

function queryFilterText(filter: TokenQueryFilter, locale: string, readSoFar?: number): string {
  if ('kind' in filter) {
    switch (filter.kind) {
      case 'expired':
        return l10n.t('already expired');
      case 'expiresWithin':
        return l10n.t('expires within {0} days', filter.days);
      case 'neverExpires':
        return readSoFar === undefined
          ? l10n.t('never expires')
          : l10n.t('never expires, of {0} loaded', formatsOf(locale).number(readSoFar));
    }
  }
  const { field, value, condition, name } = filter;
  if (name !== undefined) {
    return l10n.t('acts as "{0}" ({1})', inPlainText(withBothEnds(name)), shortActorName(value));
  }
  const words = filterFieldText(field, condition, filterValueText(field, value, locale));
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
    case 'ABSENT':
      return l10n.t('{0} has no value', field);
  }
}

function filterFieldText(field: string, condition: string, value: string): string | undefined {
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
