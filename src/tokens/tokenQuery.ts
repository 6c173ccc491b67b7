/** Which tokens are listed: whose, and by what they are filtered. Pure. */
import type { TokenFilter } from '../service/tokens/tokenListing.ts';
import { MILLIS_PER_DAY } from '../time.ts';

/** What moves with time is kept as it was meant: it becomes conditions each time the server is asked. */
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

/** The filters as the server takes them. @param now Unix time in ms. */
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

/** The query with one more filter, which takes the place of what it contradicts. */
export function withFilter<Query extends Pick<TokenQuery, 'filters'>>(query: Query, filter: QueryFilter): Query {
  return { ...query, filters: [...query.filters.filter((before) => !replaces(filter, before)), filter] };
}

/** A filter of the same field is replaced; only "after" and "before" stand beside each other, as a range. */
function replaces(filter: QueryFilter, before: QueryFilter): boolean {
  if (fieldOf(filter) !== fieldOf(before)) {
    return false;
  }
  const bounds = new Set([filter, before].map((one) => ('kind' in one ? undefined : one.condition)));
  return !(bounds.has('LESS_THAN') && bounds.has('GREATER_THAN'));
}

function fieldOf(filter: QueryFilter): string {
  return 'kind' in filter ? 'expiresAt' : filter.field;
}
