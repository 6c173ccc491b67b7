/** Which tokens to list: scope and filters. Pure. */
import type { TokenFilter } from '../service/tokens/tokenListing.ts';
import { MILLIS_PER_DAY } from '../time.ts';

/** Relative filters are kept as meant, and become conditions with each request. */
export type QueryFilter =
  | TokenFilter
  | { readonly kind: 'expired' }
  | { readonly kind: 'expiresWithin'; readonly days: number };

export interface TokenQuery {
  /** `own`: created by the caller. */
  readonly scope: 'own' | 'all';
  readonly filters: readonly QueryFilter[];
}

export const OWN_TOKENS: TokenQuery = { scope: 'own', filters: [] };

/** Filters in the server's form. @param now Unix time in ms. */
export function conditionsOf(filters: readonly QueryFilter[], now: number): readonly TokenFilter[] {
  return filters.flatMap((filter): readonly TokenFilter[] => {
    if (!('kind' in filter)) {
      return [filter];
    }
    const field = 'expiresAt';
    return filter.kind === 'expired'
      ? [{ field, value: String(now), condition: 'LESS_THAN' }]
      : [
          { field, value: String(now), condition: 'GREATER_THAN' },
          { field, value: String(now + filter.days * MILLIS_PER_DAY), condition: 'LESS_THAN' },
        ];
  });
}

/** Adds a filter, replacing those that it contradicts. */
export function withFilter<Query extends Pick<TokenQuery, 'filters'>>(query: Query, filter: QueryFilter): Query {
  return { ...query, filters: [...query.filters.filter((before) => !replacesFilter(filter, before)), filter] };
}

/** A filter replaces others of its field, except that "after" and "before" form a range. */
function replacesFilter(filter: QueryFilter, before: QueryFilter): boolean {
  if (filteredField(filter) !== filteredField(before)) {
    return false;
  }
  const bounds = new Set([filter, before].map((one) => ('kind' in one ? undefined : one.condition)));
  return !(bounds.has('LESS_THAN') && bounds.has('GREATER_THAN'));
}

function filteredField(filter: QueryFilter): string {
  return 'kind' in filter ? 'expiresAt' : filter.field;
}
