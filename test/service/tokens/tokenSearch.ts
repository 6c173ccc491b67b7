import type { DatabaseSync, SQLInputValue } from 'node:sqlite';

/** A filter in the spelling of either schema. */
export interface TokenFilter {
  readonly field: string;
  readonly value?: string | null;
  readonly values?: readonly string[] | null;
  readonly negated?: boolean | null;
  readonly condition?: string | null;
}

export interface TokenHits {
  readonly total: number;
  readonly ids: readonly string[];
}

/** Searchable properties. Despite the documentation, not the description. */
const columns: Readonly<Record<string, string>> = {
  id: 'id',
  name: 'name',
  actorUrn: 'actor_urn',
  ownerUrn: 'owner_urn',
  createdAt: 'created_at',
  expiresAt: 'expires_at',
};

/**
 * Searches the token index as visible at `now`: sorted by expiry, latest first, tokens that never expire at the end.
 * The result may include tokens that were just revoked and lack some that were just created.
 */
export function searchTokens(
  database: DatabaseSync,
  filters: readonly TokenFilter[],
  page: { readonly start: number; readonly count: number },
  now: number,
): TokenHits {
  const conditions = filters.map(conditionOf);
  const where = [
    'visible_from <= ?',
    '(visible_until IS NULL OR visible_until > ?)',
    ...conditions.map(({ sql }) => sql),
  ].join(' AND ');
  const values = [now, now, ...conditions.flatMap((condition) => condition.values)];
  const total = database.prepare(`SELECT count(*) AS total FROM token_document WHERE ${where}`).get(...values);
  const rows = database
    .prepare(`SELECT id FROM token_document WHERE ${where} ORDER BY expires_at DESC NULLS LAST, id LIMIT ? OFFSET ?`)
    .all(...values, page.count, page.start);
  return { total: Number(total?.['total']), ids: rows.map((row) => String(row['id'])) };
}

/** Values that a filter compares with, in either spelling. */
export function filterValues(filter: TokenFilter): readonly string[] {
  return filter.values ?? (filter.value === undefined || filter.value === null ? [] : [filter.value]);
}

function conditionOf(filter: TokenFilter): { sql: string; values: SQLInputValue[] } {
  const column = columns[filter.field];
  const condition = filter.condition ?? 'EQUAL';
  const negation = filter.negated === true ? 'NOT ' : '';
  if (column === undefined) {
    // A search index does not report unknown fields: nothing matches.
    return { sql: `${negation}0`, values: [] };
  }
  if (condition === 'EXISTS') {
    return { sql: `${negation}(${column} IS NOT NULL)`, values: [] };
  }
  const numeric = column === 'created_at' || column === 'expires_at';
  const values = filterValues(filter);
  const comparisons = values.map(() => comparison(column, condition)).join(' OR ') || '0';
  return {
    sql: `${negation}coalesce((${comparisons}), 0)`,
    values: values.map((value) => (numeric ? Number(value) : value)),
  };
}

function comparison(column: string, condition: string): string {
  switch (condition) {
    case 'LESS_THAN':
      return `${column} < ?`;
    case 'LESS_THAN_OR_EQUAL_TO':
      return `${column} <= ?`;
    case 'GREATER_THAN':
      return `${column} > ?`;
    case 'GREATER_THAN_OR_EQUAL_TO':
      return `${column} >= ?`;
    case 'CONTAIN':
      return `instr(lower(${column}), lower(?)) > 0`;
    case 'START_WITH':
      return `instr(lower(${column}), lower(?)) = 1`;
    case 'IEQUAL':
      return `lower(${column}) = lower(?)`;
    default:
      return `${column} = ?`;
  }
}
