/** Which tokens to list: scope and filters, and their description. Pure. */
import * as l10n from '@vscode/l10n';
import type { AccessToken } from '../service/tokens/accessToken.ts';
import type { TokenListFilter } from '../service/tokens/tokenListing.ts';
import { MILLIS_PER_DAY } from '../time.ts';
import { shortActorName } from '../service/server/identifiers.ts';
import { inPlainText, withBothEnds } from '../ui/foreignText.ts';
import { formatsOf } from '../ui/formats.ts';

/** Properties that servers search (PROTOCOL.md §5.6). */
type SearchedProperty = 'name' | 'actorUrn' | 'ownerUrn' | 'expiresAt' | 'createdAt';

export interface PropertyFilter extends TokenListFilter {
  readonly field: SearchedProperty;
  /** A date is Unix time in ms. */
  readonly value: string;
  /** The server's name for the service account that the tokens act as: foreign text, only shown. */
  readonly name?: string | undefined;
}

/** Kept as meant, and become conditions with each request. */
export type RelativeFilter =
  | { readonly kind: 'expired' }
  | { readonly kind: 'neverExpires' }
  | { readonly kind: 'expiresSoon' };

export type TokenQueryFilter = PropertyFilter | RelativeFilter;

export interface TokenListQuery {
  /** `own`: created by the caller. */
  readonly scope: 'own' | 'all';
  /** A token has to meet all of them. */
  readonly filters: readonly TokenQueryFilter[];
}

/** What ends within so many days is filtered, counted, and listed first where there are too many tokens to arrange. */
export const SOON_DAYS = 30;

export const OWN_TOKENS: TokenListQuery = { scope: 'own', filters: [] };

const NEVER_EXPIRES: TokenListFilter = { field: 'expiresAt', value: '', condition: 'ABSENT' };

/** Filters in the server's form. @param now Unix time in ms. */
export function conditionsOf(filters: readonly TokenQueryFilter[], now: number): readonly TokenListFilter[] {
  return filters.flatMap((filter): readonly TokenListFilter[] => {
    if (!('kind' in filter)) {
      const { field, value, condition } = filter;
      return [{ field, value, condition }];
    }
    switch (filter.kind) {
      case 'expired':
        return [{ field: 'expiresAt', value: String(now), condition: 'LESS_THAN' }];
      case 'neverExpires':
        return [NEVER_EXPIRES];
      case 'expiresSoon':
        return [{ field: 'expiresAt', value: String(now), condition: 'GREATER_THAN' }, endsSoon(now)];
    }
  });
}

/** Also finds tokens that have expired. @param now Unix time in ms. */
export function endsSoon(now: number): TokenListFilter {
  return { field: 'expiresAt', value: String(soonUntil(now)), condition: 'LESS_THAN' };
}

/** @param now Unix time in ms, as the result. */
export function soonUntil(now: number): number {
  return now + SOON_DAYS * MILLIS_PER_DAY;
}

export function isNeverFilter(filter: TokenQueryFilter): boolean {
  return 'kind' in filter && filter.kind === 'neverExpires';
}

/** True for the list that needs no icon and no words. */
export function isDefaultQuery({ scope, filters }: TokenListQuery): boolean {
  return scope === 'own' && filters.length === 0;
}

export function filtersByExpiry({ filters }: TokenListQuery): boolean {
  return filters.some((filter) => fieldOf(filter) === 'expiresAt');
}

export function filtersExpired(query: TokenListQuery): boolean {
  return hasRelative(query, 'expired');
}

/** All of them end within `SOON_DAYS`. */
export function filtersSoon(query: TokenListQuery): boolean {
  return hasRelative(query, 'expiresSoon');
}

/** False if none of the tokens ends within `SOON_DAYS`: all have ended, or never do. */
export function mayEndSoon(query: TokenListQuery): boolean {
  return !hasRelative(query, 'expired') && !hasRelative(query, 'neverExpires');
}

function hasRelative({ filters }: TokenListQuery, kind: RelativeFilter['kind']): boolean {
  return filters.some((filter) => 'kind' in filter && filter.kind === kind);
}

/** True if the caller's tokens are not all that is listed: a creator may be anyone. */
export function listsAllUsers({ scope, filters }: TokenListQuery): boolean {
  return scope === 'all' || filters.some((filter) => fieldOf(filter) === 'ownerUrn');
}

/** What the filters say of a token that meets them. One that was created just now needn't. @param now Unix time in ms. */
export function saidOfToken(
  query: TokenListQuery,
  { expiresAt }: Pick<AccessToken, 'expiresAt'>,
  now: number,
): { readonly expiry: boolean; readonly user: boolean } {
  const isNever = expiresAt === null && query.filters.some(isNeverFilter);
  const isExpired = typeof expiresAt === 'number' && expiresAt <= now && filtersExpired(query);
  return { expiry: isNever || isExpired, user: query.filters.some((filter) => fieldOf(filter) === 'actorUrn') };
}

/** A relative filter, or a property's; its value may be still unknown. */
type FilterKind = RelativeFilter | Pick<PropertyFilter, 'field' | 'condition'>;

/** Filters of one field contradict each other, except that "after" and "before" form a range. */
export function contradicts(a: FilterKind, b: FilterKind): boolean {
  if (fieldOf(a) !== fieldOf(b)) {
    return false;
  }
  const bounds = new Set([a, b].map((one) => ('kind' in one ? undefined : one.condition)));
  return !(bounds.has('LESS_THAN') && bounds.has('GREATER_THAN'));
}

function fieldOf(filter: FilterKind): SearchedProperty {
  return 'kind' in filter ? 'expiresAt' : filter.field;
}

/**
 * `expires before Nov 29, 2026, name contains "img", all`. Empty for the caller's own tokens without filters.
 * @param readSoFar Number of tokens that the filter applies to, if there are more.
 */
export function tokenQueryText({ scope, filters }: TokenListQuery, locale: string, readSoFar?: number): string {
  const texts = filters.map((filter) => tokenFilterText(filter, locale, readSoFar));
  return [...texts, ...(scope === 'all' ? [l10n.t('all')] : [])].join(', ');
}

/** @param readSoFar As in `tokenQueryText`. */
export function tokenFilterText(filter: TokenQueryFilter, locale: string, readSoFar?: number): string {
  if (!('kind' in filter)) {
    return propertyFilterText(filter, locale);
  }
  switch (filter.kind) {
    case 'expired':
      return l10n.t('already expired');
    case 'expiresSoon':
      return l10n.t('expires within {0} days', SOON_DAYS);
    case 'neverExpires':
      return readSoFar === undefined
        ? l10n.t('never expires')
        : l10n.t('never expires (of {0} loaded)', formatsOf(locale).number(readSoFar));
  }
}

function propertyFilterText({ field, value, condition, name }: PropertyFilter, locale: string): string {
  const date = (): string => formatsOf(locale).date(Number(value));
  switch (field) {
    case 'name':
      return condition === 'CONTAIN' ? l10n.t('name contains "{0}"', value) : l10n.t('name is "{0}"', value);
    case 'actorUrn':
      return name === undefined
        ? l10n.t('acts as {0}', shortActorName(value))
        : l10n.t('acts as "{0}" ({1})', inPlainText(withBothEnds(name)), shortActorName(value));
    case 'ownerUrn':
      return l10n.t('created by {0}', shortActorName(value));
    case 'expiresAt':
      return l10n.t('expires before {0}', date());
    case 'createdAt':
      return condition === 'LESS_THAN' ? l10n.t('created before {0}', date()) : l10n.t('created after {0}', date());
  }
}
