/** Service accounts of a server, by name: their URNs can't be guessed (PROTOCOL.md §5.9). */
import * as v from 'valibot';
import { ServiceFailure } from '../failure/failure.ts';
import { unexpectedResponse } from '../failure/localFailures.ts';
import { LIST_SERVICE_ACCOUNTS } from '../failure/privileges.ts';
import { documentFor } from '../http/document.ts';
import type { GraphQLEndpoint } from '../http/graphql.ts';
import { boundedArray } from '../http/json.ts';
import { STORED_IDENTIFIER } from '../server/identifiers.ts';
import type { AskedFacts } from '../server/facts.ts';
import { showableName } from './accessToken.ts';
import * as l10n from '@vscode/l10n';

export interface ServiceAccount {
  readonly urn: string;
  /** Foreign text; undefined if the server has none. */
  readonly name: string | undefined;
}

export interface FoundServiceAccounts {
  readonly accounts: readonly ServiceAccount[];
  /** True if more match than were read. Only a hint. */
  readonly hasMore: boolean;
}

const MOST_ACCOUNTS = 50;
const LISTED = v.object({
  total: v.fallback(v.pipe(v.number(), v.minValue(0), v.safeInteger()), 0),
  serviceAccounts: v.pipe(boundedArray(MOST_ACCOUNTS), v.array(v.unknown())),
});
const TEXT = v.fallback(v.nullish(v.string()), undefined);
const ACCOUNT = v.object({
  urn: v.pipe(STORED_IDENTIFIER, v.startsWith('urn:li:corpuser:')),
  name: TEXT,
  displayName: TEXT,
});

/**
 * Reads the first accounts that match a text, or of all.
 * @param fields Those of `AskedFacts.serviceAccountFields`.
 * @throws ServiceFailure, also if the server lists none.
 */
export async function listServiceAccounts(
  graphql: GraphQLEndpoint,
  fields: AskedFacts['serviceAccountFields'],
  text: string,
  signal: AbortSignal,
): Promise<FoundServiceAccounts> {
  if (!fields.includes('urn')) {
    throw new ServiceFailure('unsupported', l10n.t("This server doesn't list service accounts."), {
      operation: LIST_SERVICE_ACCOUNTS.name,
    });
  }
  const data = await graphql.runQuery(
    LIST_SERVICE_ACCOUNTS,
    documentFor('query', 'listServiceAccounts', {
      variables: { start: 'Int!', count: 'Int!', query: 'String' },
      input: '{start: $start, count: $count, query: $query}',
      fields: ['total', `serviceAccounts { ${fields.join(' ')} }`],
    }),
    { start: 0, count: MOST_ACCOUNTS, query: text === '' ? undefined : text },
    signal,
  );
  const listed = v.safeParse(LISTED, data['listServiceAccounts']);
  if (!listed.success) {
    throw unexpectedResponse(LIST_SERVICE_ACCOUNTS);
  }
  const { serviceAccounts: rows, total } = listed.output;
  return {
    accounts: rows.flatMap((row) => {
      const account = v.safeParse(ACCOUNT, row);
      return account.success ? [{ urn: account.output.urn, name: nameOf(account.output) }] : [];
    }),
    hasMore: rows.length > 0 && rows.length < total,
  };
}

function nameOf({ name, displayName }: v.InferOutput<typeof ACCOUNT>): string | undefined {
  return showableName(displayName) ?? showableName(name);
}
