/** Pages of tokens (PROTOCOL.md §5.6): the query for this server, its result, and all of them. */
import { documentFor, type QueryDocument } from '../http/documentFor.ts';
import * as v from 'valibot';
import { parseTokenRow, type AccessToken } from './accessToken.ts';
import { ServiceFailure } from '../failure/failure.ts';
import type { ListingSchema } from '../server/facts.ts';
import * as l10n from '@vscode/l10n';

/** `ABSENT`: the row has no value there. Not every server honors it, so check the rows. */
export type FilterCondition = 'EQUAL' | 'CONTAIN' | 'LESS_THAN' | 'GREATER_THAN' | 'ABSENT';
interface ConditionWords {
  /** Becomes part of a document. */
  readonly words: string;
  /** What the server's filters must have for it. */
  readonly needs?: 'hasCondition' | 'hasAbsence';
}

const CONDITIONS: ReadonlyMap<FilterCondition, ConditionWords> = new Map([
  ['EQUAL', { words: '' }],
  ['CONTAIN', { words: ', condition: CONTAIN', needs: 'hasCondition' }],
  ['LESS_THAN', { words: ', condition: LESS_THAN', needs: 'hasCondition' }],
  ['GREATER_THAN', { words: ', condition: GREATER_THAN', needs: 'hasCondition' }],
  ['ABSENT', { words: ', condition: EXISTS, negated: true', needs: 'hasAbsence' }],
]);

/** A filter on a property of the token record aspect (PROTOCOL.md §5.6). */
export interface TokenListFilter {
  readonly field: string;
  readonly value: string;
  readonly condition: FilterCondition;
}

export interface TokenListingRequest {
  /** `owned`: created by `ownerUrn`, needs Generate Personal Access Tokens; `all` needs Manage All Access Tokens. */
  readonly scope: { readonly kind: 'owned'; readonly ownerUrn: string } | { readonly kind: 'all' };
  readonly filters: readonly TokenListFilter[];
  readonly start: number;
  readonly count: number;
}

export interface AccessTokenPage {
  readonly tokens: readonly AccessToken[];
  /** Number of rows in the response, before any was dropped: the offset of the next page. */
  readonly received: number;
  /** Only a hint: it may stay above zero without any rows left (PROTOCOL.md §5.6). */
  readonly total: number;
}

const LISTED = v.object({
  total: v.fallback(v.pipe(v.number(), v.minValue(0), v.safeInteger()), 0),
  tokens: v.custom<unknown[]>(Array.isArray),
});

/**
 * The filter of the scope comes first: servers check `ownerUrn` (PROTOCOL.md §5.6). Uses only variables of GraphQL's scalar
 * types, which fit any names of input types. Values are never part of the text.
 * @throws ServiceFailure `unsupported` for an unknown condition.
 */
export function listingDocument(
  { scope, filters }: Pick<TokenListingRequest, 'scope' | 'filters'>,
  { filter, tokenFields }: ListingSchema,
): { readonly document: QueryDocument; readonly variables: Record<string, unknown> } {
  const { spelling } = filter;
  const types: Record<string, string> = { start: 'Int!', count: 'Int!' };
  const variables: Record<string, unknown> = {};
  const own: readonly TokenListFilter[] =
    scope.kind === 'owned' ? [{ field: 'ownerUrn', value: scope.ownerUrn, condition: 'EQUAL' }] : [];
  const texts = [...own, ...filters].map(({ field, value, condition }, index) => {
    const known = CONDITIONS.get(condition);
    if (known === undefined || (known.needs !== undefined && !filter[known.needs])) {
      throw new ServiceFailure('unsupported', l10n.t('This server can only filter by exact values.'), {
        operation: 'listAccessTokens',
      });
    }
    types[`field${index}`] = 'String!';
    types[`value${index}`] = spelling === 'values' ? '[String!]!' : 'String!';
    variables[`field${index}`] = field;
    variables[`value${index}`] = spelling === 'values' ? (condition === 'ABSENT' ? [] : [value]) : value;
    return `{field: $field${index}, ${spelling}: $value${index}${known.words}}`;
  });
  const document = documentFor('query', 'listAccessTokens', {
    variables: types,
    input: `{start: $start, count: $count, filters: [${texts.join(', ')}]}`,
    fields: ['start', 'count', 'total', `tokens { ${tokenFields.join(' ')} }`],
  });
  return { document, variables };
}

/** Reads the page; undefined if there is none. Ignores rows beyond the requested number. */
export function parseTokenPage(
  listed: unknown,
  { scope, count }: TokenListingRequest,
  schema: Pick<ListingSchema, 'tokenFields'>,
): AccessTokenPage | undefined {
  const parsed = v.safeParse(LISTED, listed);
  if (!parsed.success) {
    return undefined;
  }
  const reportsExpiry = schema.tokenFields.includes('expiresAt');
  const rows = parsed.output.tokens.slice(0, count);
  const tokens = rows.flatMap((row) => parseTokenRow(row, reportsExpiry));
  return {
    // Never shows another user's tokens as the caller's own, even if a server ignores the filter.
    tokens:
      scope.kind === 'owned'
        ? tokens.filter(({ ownerUrn }) => ownerUrn === undefined || ownerUrn === scope.ownerUrn)
        : tokens,
    received: rows.length,
    total: parsed.output.total,
  };
}

/** Lag of the listing's index. */
export const LAG_MILLIS = 3_000;
/** Several times the lag: a token that is still missing is gone. */
export const USUAL_LAG_MILLIS = 10_000;
/** Of the search for tokens that may be gone. Lists have the pages of tokenList.ts. */
const SEARCH_PAGE_SIZE = 100;
/** No server answers beyond row ten thousand. */
const MOST_PAGES = 100;
/** After so many pages without a readable row, every page counts as unreadable. */
const MOST_UNREADABLE_PAGES = 10;

interface TokenCollection {
  readonly tokens: readonly AccessToken[];
  /** False if the server hid the end of its listing: a missing token may still exist. */
  readonly isComplete: boolean;
}

/** For what became of a revocation without a clear answer (PROTOCOL.md §5.7). @throws what `list` throws. */
export async function listAllTokens(
  list: (request: TokenListingRequest) => Promise<AccessTokenPage>,
  scope: TokenListingRequest['scope'],
): Promise<TokenCollection> {
  const tokens = new Map<string, AccessToken>();
  let start = 0;
  let unreadable = 0;
  for (let page = 0; page < MOST_PAGES && unreadable < MOST_UNREADABLE_PAGES; page++) {
    const { tokens: listed, received } = await list({ scope, filters: [], start, count: SEARCH_PAGE_SIZE });
    const fresh = listed.filter(({ id }) => !tokens.has(id));
    for (const token of fresh) {
      tokens.set(token.id, token);
    }
    // The list ends with an empty page (PROTOCOL.md §5.6), or without new rows if a server ignores the offset.
    if (received === 0 || (listed.length > 0 && fresh.length === 0)) {
      return { tokens: [...tokens.values()], isComplete: received < SEARCH_PAGE_SIZE };
    }
    unreadable = listed.length === 0 ? unreadable + 1 : 0;
    start += received;
  }
  return { tokens: [...tokens.values()], isComplete: false };
}
