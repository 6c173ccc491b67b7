/** Asking for a page of tokens (PROTOCOL.md §5.6): what to ask, in the words of this server, and what came of it. */
import * as v from 'valibot';
import { parseTokenRow, type AccessToken } from './accessToken.ts';
import { ServiceFailure } from '../failure/failure.ts';
import type { SchemaFacts } from '../server/schema.ts';
import * as l10n from '@vscode/l10n';

export type FilterCondition = 'EQUAL' | 'CONTAIN' | 'LESS_THAN' | 'GREATER_THAN';
/** A condition becomes part of a document, so it has to be one of these. */
const CONDITIONS: ReadonlySet<FilterCondition> = new Set(['EQUAL', 'CONTAIN', 'LESS_THAN', 'GREATER_THAN']);

/** A filter on a property of the token record aspect (PROTOCOL.md §5.6). */
export interface TokenFilter {
  readonly field: string;
  readonly value: string;
  readonly condition: FilterCondition;
}

export interface TokenListingRequest {
  /**
   * `owned`: created by `ownerUrn`, which needs no more than Generate Personal Access Tokens. `issued`: acting as `actorUrn`,
   * whoever created them; like `all`, it needs Manage All Access Tokens.
   */
  readonly scope:
    | { readonly kind: 'owned'; readonly ownerUrn: string }
    | { readonly kind: 'issued'; readonly actorUrn: string }
    | { readonly kind: 'all' };
  readonly filters: readonly TokenFilter[];
  readonly start: number;
  readonly count: number;
}

export interface TokenPage {
  readonly tokens: readonly AccessToken[];
  /** How many of the rows that were asked for the server gave, before any was dropped: the next page starts that much later. */
  readonly received: number;
  /** A hint only: it may stay above zero where nothing is left (PROTOCOL.md §5.6). */
  readonly total: number;
}

const LISTED = v.object({
  total: v.fallback(v.pipe(v.number(), v.minValue(0), v.safeInteger()), 0),
  tokens: v.custom<unknown[]>(Array.isArray),
});

/** The filters that a listing sends: that of its scope first. */
export function listingFilters(
  { scope, filters }: TokenListingRequest,
  schema: Pick<SchemaFacts, 'ownerField'>,
): readonly TokenFilter[] {
  switch (scope.kind) {
    case 'owned':
      return [{ field: schema.ownerField ?? 'ownerUrn', value: scope.ownerUrn, condition: 'EQUAL' }, ...filters];
    case 'issued':
      return [{ field: 'actorUrn', value: scope.actorUrn, condition: 'EQUAL' }, ...filters];
    case 'all':
      return filters;
  }
}

/**
 * The listing's document: only variables of GraphQL's own scalar types, so that it fits whatever the server calls its input
 * types, and no datum is ever part of the text. Field names and conditions are variables or from closed lists.
 * @throws ServiceFailure `unsupported` for a condition that this server does not know.
 */
export function listingDocument(
  filters: readonly TokenFilter[],
  schema: Pick<SchemaFacts, 'filterSpelling' | 'filterHasCondition' | 'tokenFields'>,
): { readonly document: string; readonly variables: Record<string, unknown> } {
  const declarations = ['$start: Int!', '$count: Int!'];
  const variables: Record<string, unknown> = {};
  const texts = filters.map(({ field, value, condition }, index) => {
    if (!CONDITIONS.has(condition) || (condition !== 'EQUAL' && !schema.filterHasCondition)) {
      throw new ServiceFailure('unsupported', l10n.t('This server can only filter by exact values.'), {
        operation: 'listAccessTokens',
      });
    }
    declarations.push(
      `$field${index}: String!`,
      `$value${index}: ${schema.filterSpelling === 'values' ? '[String!]!' : 'String!'}`,
    );
    variables[`field${index}`] = field;
    variables[`value${index}`] = schema.filterSpelling === 'values' ? [value] : value;
    return `{field: $field${index}, ${schema.filterSpelling}: $value${index}${condition === 'EQUAL' ? '' : `, condition: ${condition}`}}`;
  });
  return {
    document:
      `query listAccessTokens(${declarations.join(', ')}) {` +
      ` listAccessTokens(input: {start: $start, count: $count, filters: [${texts.join(', ')}]}) { start count total tokens { ${schema.tokenFields.join(' ')} } } }`,
    variables,
  };
}

/** The page in an answer's data, or undefined when it is none. No more rows are looked at than were asked for. */
export function parseTokenPage(
  listed: unknown,
  { scope, count }: TokenListingRequest,
  schema: Pick<SchemaFacts, 'tokenFields'>,
): TokenPage | undefined {
  const parsed = v.safeParse(LISTED, listed);
  if (!parsed.success) {
    return undefined;
  }
  const tellsExpiry = schema.tokenFields.includes('expiresAt');
  const rows = parsed.output.tokens.slice(0, count);
  const tokens = rows.flatMap((row) => parseTokenRow(row, tellsExpiry));
  return {
    // Should a server ever overlook the filter, nobody else's tokens are shown as one's own.
    tokens:
      scope.kind === 'owned'
        ? tokens.filter(({ ownerUrn }) => ownerUrn === undefined || ownerUrn === scope.ownerUrn)
        : tokens,
    received: rows.length,
    total: parsed.output.total,
  };
}
